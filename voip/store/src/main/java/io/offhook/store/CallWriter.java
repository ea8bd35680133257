package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.registration.Registration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a live capture finds on a thread of its own: a batch every 250 ms, or sooner if much waits. Whoever captures never
 * waits for it. What does not fit into its queue is counted and left out, as are writes that fail; with a full disk it keeps
 * what the queue has room for and goes on when there is room again. Its own losses are rows of {@code drops}.
 *
 * <p>All methods may be called by any thread.
 */
public final class CallWriter implements AutoCloseable {
    /** The longest that something waits to be written while the one before it is not being written. */
    static final long PAUSE_NS = 250_000_000L;

    private static final long RETRY_NS = 500_000_000L;

    private final BatchTarget target;
    private final Thread thread;
    private final WriterQueue queue;
    private final KnownRegistrations registrations = new KnownRegistrations();
    private final WriterTotals totals = new WriterTotals();

    private CallWriter(BatchTarget target, WriterSettings settings) {
        this.target = target;
        queue = new WriterQueue(settings, totals);
        thread = new Thread(this::run, "offhook-store");
    }

    /**
     * Starts to write to a store, which nobody else writes to until this is closed.
     *
     * @param settings what may wait
     */
    public static CallWriter start(CallStore store, WriterSettings settings) {
        return start(store::write, settings);
    }

    static CallWriter start(BatchTarget target, WriterSettings settings) {
        CallWriter writer = new CallWriter(target, settings);
        writer.thread.start();
        return writer;
    }

    /**
     * Takes calls as they stand now, in the place of what was taken of them, and of calls that are their legs now, before.
     * Their streams may go on being counted once this returns.
     *
     * @param source where they were captured
     */
    public void calls(Collection<CallReport> calls, String source) {
        List<Batch.PendingCall> taken = new ArrayList<>(calls.size());
        for (CallReport call : calls) {
            taken.add(Batch.PendingCall.of(call, source));
        }
        queue.addCalls(taken);
    }

    /**
     * Takes registrations; those that did not change since they were given the last time are skipped.
     *
     * @param nowNs until when they were captured, nanoseconds since the epoch
     * @param source where they were captured
     */
    public void registrations(Collection<Registration> all, long nowNs, String source) {
        List<RegistrationRow> changed = registrations.changed(all, nowNs, source);
        if (!changed.isEmpty()) {
            queue.addRegistrations(changed);
        }
    }

    /**
     * Makes a listener that takes the messages of one reading of a source; by its type it fits into the options of an
     * analysis.
     *
     * @param source where they are captured
     */
    public SipListener messages(String source) {
        MessageFeed feed = new MessageFeed(source);
        return (message, packet, copy) -> queue.add(CapturedMessage.of(
                packet,
                copy,
                feed,
                Arrays.copyOfRange(message.octets(), message.offset(), message.offset() + message.length())));
    }

    /**
     * As {@link #messages}, for those who have no dialogs, a round's messages for example: it is not known then which are
     * copies.
     */
    public MessageSink packets(String source) {
        MessageFeed feed = new MessageFeed(source);
        return packet -> queue.add(CapturedMessage.of(packet, null, feed, PacketText.of(packet)));
    }

    /** Takes messages as they were captured. */
    @FunctionalInterface
    public interface MessageSink {
        /** Takes a message, whose bytes are borrowed until this returns. */
        void message(SipPacket packet);
    }

    /** Takes what the capture itself lost. */
    public void drops(Collection<CaptureDrop> drops, String source) {
        List<DropRow> rows = new ArrayList<>(drops.size());
        for (CaptureDrop drop : drops) {
            rows.add(new DropRow(source, drop));
        }
        queue.addDrops(rows);
    }

    /** What was written and lost so far. */
    public WriterCounts counts() {
        return totals.counts(queue.bytes());
    }

    /**
     * Waits until all that was taken before is written, or lost.
     *
     * @return false if that took longer than {@code timeoutMs}, or the writer was closed
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean flush(long timeoutMs) throws InterruptedException {
        return queue.awaitEmpty(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
    }

    private void run() {
        Batch failed = null;
        boolean isRunning = true;
        while (isRunning) {
            isRunning = queue.await(failed == null ? PAUSE_NS : RETRY_NS, failed != null);
            Batch batch = failed == null ? queue.take() : failed;
            if (!batch.isEmpty() || totals.isLossToReport()) {
                failed = write(batch);
            }
            if (failed == null) {
                queue.done();
            }
        }
        finish(failed);
    }

    /** What waits when the writer is closed is tried once. */
    private void finish(@Nullable Batch failed) {
        Batch lost = failed == null ? null : write(failed);
        Batch last = queue.take();
        if (lost == null && !last.isEmpty()) {
            lost = write(last);
        }
        if (lost != null) {
            totals.lost(lost);
        }
    }

    /** @return the batch, if it is to be tried again */
    private @Nullable Batch write(Batch batch) {
        List<DropRow> own = totals.drops();
        own.forEach(batch::add);
        try {
            target.write(batch);
            totals.written(batch);
            return null;
        } catch (StoreException | RuntimeException e) {
            batch.removeDrops(own);
            totals.giveBack(own);
            totals.failed(e);
            if (e instanceof StoreException failure && failure.isTemporary()) {
                return batch;
            }
            totals.lost(batch); // whatever room there is, this batch cannot be written
            return null;
        }
    }

    /** Writes what is left, if that is possible, and ends. The store stays open. */
    @Override
    public void close() {
        queue.close();
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                isInterrupted = true; // it has to end before the store is closed
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
