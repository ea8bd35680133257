package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.line.JsonLine;
import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.line.LineWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Call records as lines of JSON, one for each call that ended. Any thread hands one over and never waits; what has no room
 * is counted. docs/PROXY-METRICS.md lists the fields.
 */
public final class CallRecords implements AutoCloseable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final LineWriter<CallRecord> writer;

    /**
     * Starts to write.
     *
     * @param queue the most records that wait
     * @param output where they go; closed with this
     */
    public CallRecords(int queue, LineOutput output) {
        writer = new LineWriter<>("offhook-records", queue, CallRecords::append, output, () -> {});
        writer.start();
    }

    /** Takes a record, without waiting. @return false if there was no room, which is counted */
    public boolean add(CallRecord call) {
        return writer.offer(call);
    }

    /** Asks to open the file again, after it was moved away. */
    public void reopen() {
        writer.reopen();
    }

    /** The records that had no room. */
    public long dropped() {
        return writer.dropped();
    }

    /** The records that were written. */
    public long written() {
        return writer.written();
    }

    /** The records that the output refused: a full disk. */
    public long refused() {
        return writer.refused();
    }

    static void append(CallRecord call, StringBuilder to) {
        CallRecord.Parties parties = call.parties();
        CallRecord.Times times = call.times();
        JsonLine json = new JsonLine()
                .object()
                .field("callId", parties.callId())
                .field("caller", parties.caller())
                .field("callee", parties.callee())
                .field("requestUri", parties.requestUri())
                .field("started", time(times.startedMs()))
                .field("answered", time(times.answeredMs()))
                .field("ended", time(times.endedMs()));
        duration(json, "ringMs", times.startedMs(), times.ringingMs());
        duration(json, "setupMs", times.startedMs(), times.answeredMs());
        duration(json, "talkMs", times.answeredMs(), times.endedMs());
        json.field("status", call.status())
                .field("outcome", call.outcome().word())
                .field("endedBy", call.endedBy().name().toLowerCase(Locale.ROOT))
                .field("source", call.source().toString())
                .field("nextHop", text(call.nextHop()))
                .end()
                .appendTo(to);
        to.append('\n');
    }

    private static @Nullable String text(@Nullable Endpoint endpoint) {
        return endpoint == null ? null : endpoint.toString();
    }

    private static @Nullable String time(long ms) {
        return ms == 0 ? null : TIME.format(Instant.ofEpochMilli(ms));
    }

    private static void duration(JsonLine json, String name, long fromMs, long toMs) {
        if (fromMs == 0 || toMs == 0) {
            json.field(name, (String) null);
        } else {
            json.field(name, Math.max(0, toMs - fromMs)); // a clock that was set back
        }
    }

    /** Writes what waits, and closes the output. */
    @Override
    public void close() {
        writer.close();
    }
}
