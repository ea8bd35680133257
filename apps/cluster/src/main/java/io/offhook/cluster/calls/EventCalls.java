package io.offhook.cluster.calls;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.Shards;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReports;
import io.offhook.cluster.codec.EventStatus;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.file.EventFile;
import io.offhook.cluster.file.Sequences;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** Reads files of events, and makes calls of all that is in them. For one thread. */
public final class EventCalls {
    private final Sequences sequences = new Sequences();
    private final CallEvents calls = new CallEvents();
    private final CaptureEvents capture = new CaptureEvents();
    private final Map<EventStatus, Long> statuses = new EnumMap<>(EventStatus.class);
    private long incomplete;

    /** Nothing was read. */
    public EventCalls() {}

    /**
     * Reads a file to its end, or to where it is damaged.
     *
     * @throws IOException if it cannot be read
     */
    public void read(EventFile file) throws IOException {
        for (Event event = file.next(); event != null; event = file.next()) {
            // what neither has a use for is one of the bodies without a record: the reader has counted it
            boolean _ = sequences.isNew(event.origin()) && (calls.add(event) || capture.add(event));
        }
        for (EventStatus status : EventStatus.values()) {
            statuses.merge(status, file.count(status), Long::sum);
        }
    }

    /** The calls of what was read. */
    public CallReports reports(AnalysisOptions options) {
        CallAssembly assembly = new CallAssembly(
                options.keptCalls(),
                Shards.SIP,
                Shards.RTP,
                options.media(),
                options.limits(),
                options.joins(),
                options.listener());
        capture.begin(assembly);
        incomplete = calls.feed(assembly, Shards.SIP);
        capture.end(assembly);
        return CallReports.of(assembly, capture.endNs(), options.rtpHeuristic(), capture.isMostlyRtp());
    }

    /** What was read of the captures as a whole. */
    public CaptureEvents capture() {
        return capture;
    }

    /** How many events ended with a status. */
    public long count(EventStatus status) {
        return statuses.getOrDefault(status, 0L);
    }

    /** Events that came more than once. */
    public long repeated() {
        return sequences.repeated();
    }

    /** Events that did not come, by the numbers of others. */
    public long missing() {
        return sequences.missing();
    }

    /** Streams of the last reports that were left out, as their figures or their beginning are missing. */
    public long incomplete() {
        return incomplete;
    }
}
