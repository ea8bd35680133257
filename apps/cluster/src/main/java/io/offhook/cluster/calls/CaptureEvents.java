package io.offhook.cluster.calls;

import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.event.LossTimes;
import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.Fault;
import io.offhook.cluster.event.Heartbeat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What probes say of their captures as a whole: from when to when, what was lost, and what they saw. For one thread. */
public final class CaptureEvents {
    /** The causes that are listed; further ones are one, named {@code others}. */
    private static final int MOST_CAUSES = 256;

    private static final int MOST_FAULTS = 100;

    private record Incarnation(String probe, long incarnation, int partition) {}

    private final Map<Incarnation, Heartbeat> last = new LinkedHashMap<>();
    private final LossTimes reported = new LossTimes();
    private final LossTimes shown = new LossTimes();
    private final Map<String, Long> dropped = new LinkedHashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private long firstNs = Long.MAX_VALUE;
    private long endNs = Long.MIN_VALUE;

    /** Nothing is known. */
    public CaptureEvents() {}

    /**
     * Takes an event in.
     *
     * @return false if it says nothing of the capture as a whole
     */
    public boolean add(Event event) {
        switch (event.body()) {
            case Heartbeat beat -> {
                EventOrigin origin = event.origin();
                Incarnation incarnation = new Incarnation(origin.probe(), origin.incarnation(), origin.partition());
                if (last.put(incarnation, beat) == null) {
                    firstNs = Math.min(firstNs, event.atNs());
                }
                endNs = Math.max(endNs, event.atNs());
            }
            case Drops drops -> drops(drops);
            case Fault fault -> {
                if (faults.size() < MOST_FAULTS) {
                    faults.add(fault);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void drops(Drops drops) {
        String cause = dropped.size() < MOST_CAUSES || dropped.containsKey(drops.cause()) ? drops.cause() : "others";
        dropped.merge(
                cause, drops.count(), (one, other) -> one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other);
        switch (drops.place()) {
            case INTERFACE, RING, LANE -> reported.add(drops.fromNs(), drops.untilNs());
            case TCP_GAP -> {
                if (drops.isShown()) {
                    shown.add(drops.fromNs(), drops.untilNs());
                }
            }
            case TABLE, SPOOL, UNSPECIFIED -> {}
        }
    }

    /** Begins an assembly; before anything else is fed to it. */
    public void begin(CallAssembly assembly) {
        if (firstNs != Long.MAX_VALUE) {
            assembly.begin(firstNs);
        }
    }

    /** Says what was lost; before reports are made. */
    public void end(CallAssembly assembly) {
        assembly.captureLost(reported, shown);
    }

    /** When the last of the captures ended, nanoseconds since the epoch; 0 if that is unknown. */
    public long endNs() {
        return endNs == Long.MIN_VALUE ? 0 : endNs;
    }

    /** When the first of the captures began, nanoseconds since the epoch; 0 if that is unknown. */
    public long firstNs() {
        return firstNs == Long.MAX_VALUE ? 0 : firstNs;
    }

    /** Frames of all captures. */
    public long frames() {
        return last.values().stream().mapToLong(beat -> beat.capture().frames()).sum();
    }

    /** Whether most datagrams that are nothing else look like RTP. */
    public boolean isMostlyRtp() {
        long rtpLike = last.values().stream()
                .mapToLong(beat -> beat.capture().rtpLike())
                .sum();
        long unknown = last.values().stream()
                .mapToLong(beat -> beat.capture().udpUnknown())
                .sum();
        return CaptureReport.isMostlyRtp(rtpLike, unknown);
    }

    /** What the probes lost or could not use, by cause. */
    public Map<String, Long> dropped() {
        return dropped;
    }

    /** The first faults of the probes, at most 100. */
    public List<Fault> faults() {
        return faults;
    }
}
