package io.offhook.proxy.location;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisterFinding;
import io.offhook.sip.registrar.RegisterOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Bindings in memory, with snapshot and journal in a directory. Reads are answered at once by the calling thread. Changes go
 * to one thread, the writer, which applies all that wait, writes them to the journal at once, and then acknowledges them: so
 * changes are in order without locks, and a disk that is slow delays REGISTER and nothing else.
 *
 * <p>What was acknowledged survives the end of the process, however it ends; {@link SyncMode} says what survives a power
 * failure. What cannot be written is neither kept nor acknowledged.
 */
public final class MemoryLocationStore implements LocationStore {
    private static final int MOST_IN_A_BATCH = 1024;
    private static final int MOST_EXPIRED_AT_ONCE = 4096;
    private static final long TICK_MS = 1000;

    private record Update(
            AddressOfRecord addressOfRecord, BindingChange change, StoreCallback<RegisterOutcome> callback) {}

    /** Changes nothing; it ends the wait of the writer. */
    private static final Update WAKE = new Update(
            new AddressOfRecord("", ""),
            current -> new RegisterOutcome(RegisterFinding.QUERIED, List.of(), null),
            new StoreCallback<>() {
                @Override
                public void done(RegisterOutcome result) {}

                @Override
                public void failed(StoreFailure failure) {}
            });

    private record Applied(Update update, RegisterOutcome outcome) {}

    private final LocationConfig config;
    private final InstantSource clock;
    private final LocationTable table = new LocationTable();
    private final BlockingQueue<Update> queue;
    private final @Nullable LocationJournal journal;
    private final LocationRecovery recovery;
    private final Thread writer;
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong expired = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean isClosing;
    private volatile long journalBytes;
    private volatile @Nullable Thread snapshotter;
    private volatile long snapshotBytes;
    /** Of the writer: appended since the last sync; when the next one, and the next look at what expired, is due. */
    private boolean isUnsynced;

    private long nextTickMs;

    private MemoryLocationStore(LocationConfig config, InstantSource clock, @Nullable Path directory)
            throws IOException {
        this.config = config;
        this.clock = clock;
        queue = new ArrayBlockingQueue<>(config.mostWaiting());
        if (directory == null) {
            journal = null;
            recovery = new LocationRecovery(0, 0, 0);
        } else {
            LocationJournal.Opened opened = LocationJournal.open(directory, clock.millis(), table::put);
            journal = opened.journal();
            journalBytes = journal.bytes();
            recovery = new LocationRecovery(opened.records(), table.bindings(), opened.cutBytes());
        }
        nextTickMs = clock.millis() + TICK_MS;
        writer = Thread.ofPlatform().name("offhook-location").daemon().unstarted(this::write);
    }

    /**
     * Opens a store.
     *
     * @param config without a directory, everything is forgotten at the end
     * @param clock says when bindings expire
     * @throws IOException if the directory cannot be used; the message says why, and what to do
     */
    public static MemoryLocationStore open(LocationConfig config, InstantSource clock) throws IOException {
        MemoryLocationStore store = new MemoryLocationStore(config, clock, config.directory());
        store.writer.start();
        return store;
    }

    /** What was found on disk. */
    public LocationRecovery recovery() {
        return recovery;
    }

    @Override
    public void find(AddressOfRecord addressOfRecord, long nowMs, StoreCallback<List<Binding>> callback) {
        callback.done(lasting(table.get(addressOfRecord), nowMs));
    }

    private static List<Binding> lasting(List<Binding> bindings, long nowMs) {
        for (Binding binding : bindings) {
            if (binding.expiresAtMs() <= nowMs) {
                return bindings.stream()
                        .filter(each -> each.expiresAtMs() > nowMs)
                        .toList();
            }
        }
        return bindings;
    }

    @Override
    public void update(AddressOfRecord addressOfRecord, BindingChange change, StoreCallback<RegisterOutcome> callback) {
        Update update = new Update(addressOfRecord, change, callback);
        if (isClosing) {
            fail(callback, StoreFailure.CLOSED);
        } else if (!queue.offer(update)) {
            fail(callback, StoreFailure.OVERLOADED);
        } else if (isClosing && !writer.isAlive() && queue.remove(update)) {
            fail(callback, StoreFailure.CLOSED);
        }
    }

    private void fail(StoreCallback<?> callback, StoreFailure failure) {
        failures.incrementAndGet();
        callback.failed(failure);
    }

    // the writer

    private void write() {
        List<Update> batch = new ArrayList<>(MOST_IN_A_BATCH);
        while (true) {
            Update first = next();
            if (first == null && isClosing) {
                return;
            }
            if (first != null) {
                batch.add(first);
                queue.drainTo(batch, MOST_IN_A_BATCH - 1);
                apply(batch);
                batch.clear();
            }
            tick();
        }
    }

    private @Nullable Update next() {
        try {
            return isClosing ? queue.poll() : queue.poll(TICK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) { // nobody interrupts it, and a channel would not survive it
            return queue.poll();
        }
    }

    private void apply(List<Update> batch) {
        Map<AddressOfRecord, List<Binding>> changed = new LinkedHashMap<>();
        List<Applied> applied = new ArrayList<>(batch.size());
        for (Update update : batch) {
            RegisterOutcome outcome = apply(update, changed);
            if (outcome != null) {
                applied.add(new Applied(update, outcome));
            }
        }
        boolean isKept = changed.isEmpty() || keep(changed);
        if (isKept) {
            changed.forEach(table::put);
        }
        for (Applied each : applied) {
            // an outcome that says what could not be kept is not true, whoever changed it
            if (isKept || !changed.containsKey(each.update().addressOfRecord())) {
                updates.addAndGet(each.outcome().bindings() == null ? 0 : 1);
                each.update().callback().done(each.outcome());
            } else {
                fail(each.update().callback(), StoreFailure.UNWRITABLE);
            }
        }
    }

    private @Nullable RegisterOutcome apply(Update update, Map<AddressOfRecord, List<Binding>> changed) {
        AddressOfRecord addressOfRecord = update.addressOfRecord();
        List<Binding> current = changed.containsKey(addressOfRecord)
                ? changed.getOrDefault(addressOfRecord, List.of())
                : table.get(addressOfRecord);
        RegisterOutcome outcome;
        try {
            outcome = update.change().apply(current);
        } catch (RuntimeException e) { // one request must not end the registrar
            fail(update.callback(), StoreFailure.INTERNAL);
            return null;
        }
        List<Binding> bindings = outcome.bindings();
        if (bindings == null || bindings.isEmpty() && current.isEmpty()) {
            return outcome;
        }
        if (current.isEmpty() && table.addresses() + changed.size() >= config.mostAddresses()) {
            fail(update.callback(), StoreFailure.FULL);
            return null;
        }
        changed.put(addressOfRecord, bindings);
        return outcome;
    }

    private boolean keep(Map<AddressOfRecord, List<Binding>> changed) {
        if (journal == null) {
            return true;
        }
        List<ByteBuffer> records = new ArrayList<>(changed.size());
        int length = 0;
        for (Map.Entry<AddressOfRecord, List<Binding>> each : changed.entrySet()) {
            ByteBuffer record = LocationRecord.encode(each.getKey(), each.getValue());
            length += record.remaining();
            records.add(record);
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        records.forEach(all::put);
        try {
            journal.append(all.flip());
            isUnsynced = true;
            if (config.sync() == SyncMode.ALWAYS) {
                sync(journal);
            }
            return true;
        } catch (IOException e) { // counted; the registrar answers 500
            return false;
        } finally {
            journalBytes = journal.bytes();
        }
    }

    private void sync(LocationJournal journal) throws IOException {
        journal.sync();
        isUnsynced = false;
    }

    private void tick() {
        long nowMs = clock.millis();
        if (nowMs < nextTickMs) {
            return;
        }
        nextTickMs = nowMs + TICK_MS;
        expired.addAndGet(table.expire(nowMs, MOST_EXPIRED_AT_ONCE));
        if (journal == null) {
            return;
        }
        try {
            if (isUnsynced && config.sync() == SyncMode.INTERVAL) {
                sync(journal);
            }
            boolean isGrown = journal.bytes() > Math.max(config.snapshotAfterBytes(), 2 * snapshotBytes);
            if (isGrown && snapshotter == null) {
                beginSnapshot(journal);
            }
        } catch (IOException e) { // tried again at the next tick; the old journal goes on
            failures.incrementAndGet();
        }
    }

    private void beginSnapshot(LocationJournal journal) throws IOException {
        long number = journal.rotate();
        Path directory = config.directory();
        if (directory == null) {
            return;
        }
        snapshotter = Thread.ofPlatform()
                .name("offhook-location-snapshot")
                .daemon()
                .start(() -> {
                    try {
                        snapshotBytes = LocationJournal.writeSnapshot(directory, number, table);
                    } catch (IOException e) { // the journals are still there
                        failures.incrementAndGet();
                    } finally {
                        snapshotter = null;
                    }
                });
    }

    // for all

    @Override
    public void forEach(long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor) {
        table.forEach((addressOfRecord, bindings) -> {
            List<Binding> lasting = lasting(bindings, nowMs);
            if (!lasting.isEmpty()) {
                visitor.accept(addressOfRecord, lasting);
            }
        });
    }

    @Override
    public LocationFigures figures() {
        return new LocationFigures(
                table.addresses(),
                table.bindings(),
                updates.get(),
                expired.get(),
                queue.size(),
                failures.get(),
                journalBytes);
    }

    @Override
    public void close() {
        isClosing = true;
        queue.offer(WAKE); // if it is full, the writer does not wait
        join(writer);
        Thread snapshot = snapshotter;
        if (snapshot != null) {
            join(snapshot);
        }
        // what came between the last look of the writer and its end
        for (Update late = queue.poll(); late != null; late = queue.poll()) {
            fail(late.callback(), StoreFailure.CLOSED);
        }
        if (journal != null) {
            try {
                journal.close();
            } catch (IOException e) { // nothing is acknowledged by closing
                failures.incrementAndGet();
            }
        }
    }

    private static void join(Thread thread) {
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) { // the files must not be closed under it
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
