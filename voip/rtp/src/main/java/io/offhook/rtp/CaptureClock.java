package io.offhook.rtp;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the clock of a capture was set forward while it ran, as far as its streams prove it: no packet arrives for as long,
 * and all streams that run on, from two hosts or more, agree on the difference between the time that passed and the time
 * that their senders' clocks, the timestamps, say. A host that stands still does not delay what others send, and an outage
 * stops no timestamps.
 */
public final class CaptureClock {
    private static final int FEWEST_PACKETS = 50;
    private static final long LEAST_NS = 1_000_000_000L;

    /** Between the steps that two streams show: jitter. */
    private static final long ALIKE_NS = 50_000_000L;

    /** Until the next packet of a stream, which need not have been the last one before the step. */
    private static final long PACKET_NS = 200_000_000L;

    /** The most pauses that are looked at, and so the most steps. */
    private static final int MOST_PAUSES = 256;

    /**
     * A stream and who sends it.
     *
     * @param statistics of its packets
     * @param source its sender, as captured
     */
    public record Sender(RtpStream statistics, Endpoint source) {}

    /**
     * A step of the clock.
     *
     * @param fromNs the last packet before it, by the clock as it was, nanoseconds since the epoch
     * @param untilNs the first packet after it, by the clock as it is
     * @param streams that show it, 2 or more
     */
    public record Step(long fromNs, long untilNs, int streams) {
        /** Whether it lies within a time. */
        public boolean isWithin(long startNs, long endNs) {
            return startNs <= fromNs + PACKET_NS && untilNs - PACKET_NS <= endNs;
        }
    }

    private final List<Sender> senders;

    private CaptureClock(List<Sender> senders) {
        this.senders = senders;
    }

    /**
     * Finds the steps in the pauses of all streams.
     *
     * @param streams of the capture
     */
    public static List<Step> steps(List<Sender> streams) {
        List<Sender> known = new ArrayList<>();
        for (Sender stream : streams) {
            if (stream.statistics.packets() >= FEWEST_PACKETS && stream.statistics.packetTimeMs() > 0) {
                known.add(stream);
            }
        }
        return new CaptureClock(known).find();
    }

    private List<Step> find() {
        List<Step> steps = new ArrayList<>(0);
        int pauses = 0;
        for (Sender stream : senders) {
            for (AudioPause pause : stream.statistics.audioPauses()) {
                boolean isKnown = steps.stream().anyMatch(step -> step.isWithin(pause.fromNs(), pause.untilNs()));
                if (isKnown || pause.unsentNs() < LEAST_NS || pause.empty() > 0) {
                    continue;
                }
                Step step = pauses++ < MOST_PAUSES ? step(pause) : null;
                if (step != null) {
                    steps.add(step);
                }
            }
        }
        return steps;
    }

    /** A pause as a step of the clock; null if a packet came meanwhile, or a stream disagrees, or only one host shows it. */
    private @Nullable Step step(AudioPause pause) {
        Set<Endpoint> hosts = new HashSet<>();
        int streams = 0;
        for (Sender stream : senders) {
            long firstNs = stream.statistics.firstNs();
            long lastNs = stream.statistics.lastNs();
            if (lastNs <= pause.fromNs() + PACKET_NS || firstNs >= pause.untilNs() - PACKET_NS) {
                continue;
            }
            AudioPause own = at(pause, stream.statistics);
            if (own == null || Math.abs(own.unsentNs() - pause.unsentNs()) > ALIKE_NS) {
                return null;
            }
            streams++;
            hosts.add(stream.source.withPort(0));
        }
        return hosts.size() < 2 ? null : new Step(pause.fromNs(), pause.untilNs(), streams);
    }

    private static @Nullable AudioPause at(AudioPause pause, RtpStream stream) {
        for (AudioPause own : stream.audioPauses()) {
            if (own.fromNs() <= pause.fromNs() + PACKET_NS && own.untilNs() >= pause.untilNs() - PACKET_NS) {
                return own;
            }
        }
        return null;
    }
}
