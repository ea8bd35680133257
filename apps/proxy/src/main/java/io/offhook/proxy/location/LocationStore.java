package io.offhook.proxy.location;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisterOutcome;
import java.util.List;
import java.util.function.BiConsumer;

/** Keeps the bindings of addresses of record. Thread-safe. No method but {@link #forEach} and {@link #close} blocks. */
public interface LocationStore extends AutoCloseable {
    /**
     * Finds the bindings of an address of record.
     *
     * @param addressOfRecord whose bindings
     * @param nowMs the time in ms since the epoch; expired bindings are left out
     * @param callback receives the bindings, none if there are none
     */
    void find(AddressOfRecord addressOfRecord, long nowMs, StoreCallback<List<Binding>> callback);

    /**
     * Changes the bindings of an address of record. Changes of one address of record happen one after the other, and each
     * is seen as a whole or not at all.
     *
     * @param addressOfRecord whose bindings
     * @param change the change
     * @param callback receives the outcome of the change, once its bindings are kept
     */
    void update(AddressOfRecord addressOfRecord, BindingChange change, StoreCallback<RegisterOutcome> callback);

    /**
     * Visits all addresses of record that have bindings, in no order, and those bindings. What changes meanwhile is seen or
     * not. May take long; a database is read.
     */
    void forEach(long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor);

    /** The figures of the store, as far as they are known without looking. */
    LocationFigures figures();

    /** Finishes what is waiting, and closes files and connections. Waits for that. */
    @Override
    void close();
}
