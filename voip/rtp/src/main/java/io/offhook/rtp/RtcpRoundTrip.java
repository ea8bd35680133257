package io.offhook.rtp;

import io.offhook.rtp.figures.ParticipantFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Round trips between the place of capture and one participant: last, maximum, mean and median. Single-threaded. */
public final class RtcpRoundTrip {
    /** A longer time is not a round trip but the echo of something else. */
    private static final long LIMIT_NS = 60_000_000_000L;

    /** DLSR has a resolution of 15 us, and clocks differ: a round trip this little below zero counts as zero. */
    private static final long TOLERANCE_NS = 2_000_000;

    /** The median is that of so many, the last ones: five minutes of reports every five seconds. */
    private static final int RECENT = 64;

    private static final int FIRST_SIZE = 4;

    private long lastNs;
    private long maxNs;
    private long sumNs;
    private int count;
    private int implausible;

    /** Nanoseconds, a ring once it is full; most calls have a few. */
    private long[] recent = {};

    RtcpRoundTrip() {}

    /** The round trips as figures have them, to which none may be added. */
    static RtcpRoundTrip of(ParticipantFigures.RoundTrip figures) {
        RtcpRoundTrip trip = new RtcpRoundTrip();
        trip.lastNs = figures.lastNs();
        trip.maxNs = figures.maxNs();
        trip.sumNs = figures.sumNs();
        trip.count = figures.count();
        trip.implausible = figures.implausible();
        trip.recent = figures.recent().stream().mapToLong(Long::longValue).toArray();
        return trip;
    }

    ParticipantFigures.RoundTrip figures() {
        List<Long> kept = new ArrayList<>(Math.min(count, RECENT));
        for (int i = 0; i < Math.min(count, RECENT); i++) {
            kept.add(recent[i]);
        }
        return new ParticipantFigures.RoundTrip(lastNs, maxNs, sumNs, count, implausible, kept);
    }

    /** @param delay the time between receiving and answering, in 1/65536 s */
    void add(long sentNs, long answeredNs, long delay) {
        long ns = answeredNs - sentNs - delay * 1_000_000_000L / 65_536;
        if (ns < -TOLERANCE_NS || ns > LIMIT_NS) {
            implausible++;
            return;
        }
        lastNs = Math.max(0, ns);
        maxNs = Math.max(maxNs, lastNs);
        sumNs += lastNs;
        keep(lastNs);
        count++;
    }

    private void keep(long ns) {
        if (count == recent.length && count < RECENT) {
            recent = Arrays.copyOf(recent, Math.max(FIRST_SIZE, 2 * count));
        }
        recent[count % RECENT] = ns;
    }

    /** The number of samples; before the first one, the other values are 0. */
    public int count() {
        return count;
    }

    /** The last round trip, in milliseconds. */
    public double lastMs() {
        return lastNs / 1e6;
    }

    /** The longest round trip, in milliseconds. */
    public double maxMs() {
        return maxNs / 1e6;
    }

    /** The mean round trip, in milliseconds. */
    public double meanMs() {
        return count == 0 ? 0 : sumNs / 1e6 / count;
    }

    /**
     * The median of the last 64 round trips, in milliseconds, of two the shorter. Unlike the mean, it stays what it is when
     * the clock of the capture is set while an answer is on its way.
     */
    public double medianMs() {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(recent, Math.min(count, RECENT));
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2] / 1e6;
    }

    /** Rejected samples: answers before the question, or more than a minute after it. */
    public int implausible() {
        return implausible;
    }
}
