package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.registration.Registration;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Stores a capture: its messages while it is read, everything else at its end. Nothing is lost and nobody is spared waiting. A
 * capture that is loaded again takes the place of what was there.
 *
 * <p>Not thread-safe.
 */
public final class CaptureLoader {
    private static final int BATCH_BYTES = 16 << 20;
    private static final int BATCH_CALLS = 20_000;

    private final CallStore store;
    private final String source;
    private final MessageFeed feed;
    private Batch batch = new Batch();
    private long bytes;

    /**
     * Makes a loader of one reading of a capture.
     *
     * @param source the name of the capture
     */
    public CaptureLoader(CallStore store, String source) {
        this.store = store;
        this.source = source;
        feed = new MessageFeed(source);
    }

    /**
     * What takes its messages. It throws an {@link UncheckedIOException} with the {@link StoreException} if they cannot be
     * written, which ends an analysis.
     */
    public SipListener listener() {
        return (message, packet, copy) -> {
            byte[] octets = Arrays.copyOfRange(message.octets(), message.offset(), message.offset() + message.length());
            batch.add(CapturedMessage.of(packet, copy, feed, octets));
            bytes += octets.length;
            if (bytes >= BATCH_BYTES) {
                try {
                    write();
                } catch (StoreException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    /**
     * Stores what was found, unfinished calls too.
     *
     * @param calls its calls
     * @param registrations its registrations
     * @param endNs when it ends, nanoseconds since the epoch
     * @param drops what the capture itself lost
     * @throws StoreException if it cannot be written; what was written before stays
     */
    public void finish(
            Collection<CallReport> calls, Collection<Registration> registrations, long endNs, List<CaptureDrop> drops)
            throws StoreException {
        for (CallReport call : calls) {
            batch.add(Batch.PendingCall.of(call, source));
            if (batch.calls().size() >= BATCH_CALLS) {
                write();
            }
        }
        for (Registration registration : registrations) {
            batch.add(RegistrationRow.of(registration, source, endNs));
        }
        batch.replaceDropsOf(source);
        for (CaptureDrop drop : drops) {
            batch.add(new DropRow(source, drop));
        }
        write();
    }

    private void write() throws StoreException {
        store.write(batch);
        batch = new Batch();
        bytes = 0;
    }
}
