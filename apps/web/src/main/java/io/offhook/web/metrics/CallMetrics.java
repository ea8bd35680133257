package io.offhook.web.metrics;

import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.calls.statistics.MissedEnd;
import io.offhook.store.WriterCounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Counts what an analysis finds, for {@code /metrics}: each call once, when it is over for good, or when the capture ends.
 *
 * <p>Fed by the threads that analyse, one at a time; read by any.
 */
public final class CallMetrics {
    private final EndedCalls figures = new EndedCalls();
    private final SettlingCalls settling = new SettlingCalls();
    private volatile int running;
    private volatile Messages messages = new Messages(0, 0);
    /** What came from files, of which each is counted once, at its end. */
    private volatile Loaded loaded = new Loaded(new Messages(0, 0), WriterCounts.Items.NONE);

    private volatile Supplier<WriterCounts> writer = () -> WriterCounts.NOTHING;

    /** SIP messages so far. */
    record Messages(long requests, long responses) {}

    /** What was loaded from files, and written. */
    private record Loaded(Messages messages, WriterCounts.Items rows) {}

    /** Creates one that has counted nothing. */
    public CallMetrics() {}

    /**
     * Takes a live capture as it stands.
     *
     * @param capture as a whole
     * @param standing the calls that are running or ended a few seconds ago
     * @param changed those that are new or have changed since this was last called
     * @param nowNs the current time, nanoseconds since the epoch
     */
    public synchronized void look(
            CaptureReport capture, List<CallReport> standing, List<CallReport> changed, long nowNs) {
        int now = 0;
        List<CallReport> missed = new ArrayList<>(0);
        for (CallReport call : standing) {
            if (MissedEnd.isRunning(call, nowNs)) {
                now++;
            } else if (!SettlingCalls.isOver(call)) {
                missed.add(call);
            }
        }
        running = now;
        messages(capture);
        settling.take(changed, nowNs);
        settling.take(missed, nowNs);
        settling.settled(nowNs).forEach(figures::add);
    }

    /** Takes a capture at its end: all calls that were not counted yet are counted as they are. */
    public synchronized void end(CaptureReport capture, Collection<CallReport> calls) {
        running = 0;
        messages(capture);
        for (CallReport call : calls) {
            if (settling.isNew(call)) {
                figures.add(call);
            }
        }
    }

    /**
     * Takes files that were read and written to the database, beside a live capture or instead of one.
     *
     * @param capture what was read
     * @param calls all of them, each counted as it is
     * @param registrations how many of them there were
     */
    public synchronized void loaded(CaptureReport capture, Collection<CallReport> calls, long registrations) {
        calls.forEach(figures::add);
        Messages before = loaded.messages;
        WriterCounts.Items rows = loaded.rows;
        loaded = new Loaded(
                new Messages(before.requests() + capture.sipRequests(), before.responses() + capture.sipResponses()),
                new WriterCounts.Items(
                        rows.calls() + calls.size(),
                        rows.messages() + capture.sipRequests() + capture.sipResponses(),
                        rows.registrations() + registrations));
    }

    /** From now on, this is what was written to the database of a live capture. */
    public void writtenBy(Supplier<WriterCounts> counts) {
        writer = counts;
    }

    private void messages(CaptureReport capture) {
        messages = new Messages(capture.sipRequests(), capture.sipResponses());
    }

    EndedCalls figures() {
        return figures;
    }

    int running() {
        return running;
    }

    Messages messages() {
        Messages live = messages;
        Messages read = loaded.messages;
        return new Messages(live.requests() + read.requests(), live.responses() + read.responses());
    }

    WriterCounts written() {
        WriterCounts live = writer.get();
        WriterCounts.Items rows = live.written();
        WriterCounts.Items read = loaded.rows;
        return new WriterCounts(
                new WriterCounts.Items(
                        rows.calls() + read.calls(),
                        rows.messages() + read.messages(),
                        rows.registrations() + read.registrations()),
                live.lost(),
                live.failedWrites(),
                live.queuedBytes(),
                live.lastFailure());
    }
}
