package io.offhook.rtp.playout;

import java.util.EnumMap;
import org.jspecify.annotations.Nullable;

/**
 * A jitter buffer in action: which packets of one stream would have come too late to be played.
 *
 * <p>A packet that arrived at {@code a} with the media time {@code t} has the transit time {@code x = a - t}. The buffer
 * holds one number, its offset {@code O}: the packet is due at {@code t + O}, and discarded if it arrives later. An
 * <em>epoch</em> begins where the clocks or the path are others than before ({@link Resync}), a <em>spurt</em> where a
 * talker begins again after a pause. Implementations decide what these, and time, do to the offset.
 *
 * <p>Callers leave out duplicates, packets too far behind, strays, and telephone-events. All times are in milliseconds.
 * Nothing is allocated once the buffer has adapted; single-threaded.
 */
public abstract sealed class Playout permits FixedPlayout, AdaptivePlayout {
    /** Flag: the RTP marker bit. */
    public static final int MARKER = 1;

    /** Flag: comfort noise, which goes through the buffer but is never counted. */
    public static final int COMFORT_NOISE = 1 << 1;

    /** Flag: a higher number has arrived before. */
    public static final int REORDERED = 1 << 2;

    /** Flag: the sender started over with this packet. */
    public static final int RESTARTED = 1 << 3;

    static final double JUMP_MS = 10_000;
    static final double DISTANT_MS = 1000;
    private static final double STARVED_MS = 200;
    private static final int STARVED_PACKETS = 5;

    /** A pause this many packet times longer than the numbers explain is silence suppression. */
    private static final int SILENT_PACKETS = 3;

    /** O. */
    double offset;

    int clockRate;
    int timestamp;
    long ticks;
    double transit;
    long highestNumber;
    long highestTicks;
    boolean afterComfortNoise;
    int discardedInRow;
    private double discardedFrom;

    long played;
    private long discarded;
    double waitSum;
    double maxWait;
    /** How often by reason; null while there was only the first packet. */
    private @Nullable EnumMap<Resync, Integer> resyncs;

    Playout() {}

    /**
     * Puts the next packet in order of arrival into the buffer.
     *
     * @param arrivalMs since any fixed time
     * @param timestamp of RTP, 32 bits
     * @param clockRate of the timestamp in Hz, above 0
     * @param number the extended sequence number
     * @param packetTicks the usual step of the timestamp from one packet to the next, above 0
     * @param flags {@link #MARKER}, {@link #COMFORT_NOISE}, {@link #REORDERED}, {@link #RESTARTED}
     * @return whether it is discarded, and counted as such
     */
    public final boolean packet(
            double arrivalMs, int timestamp, int clockRate, long number, int packetTicks, int flags) {
        boolean inOrder = (flags & REORDERED) == 0;
        boolean first = this.clockRate == 0;
        boolean otherClock = this.clockRate != clockRate && !first && (flags & COMFORT_NOISE) == 0;
        if (otherClock && !inOrder) {
            return false; // its time cannot be compared
        }
        if (first || otherClock) {
            this.clockRate = clockRate;
            this.timestamp = timestamp;
            ticks = 0;
        }
        ticks += timestamp - this.timestamp;
        this.timestamp = timestamp;
        double media = ticks * 1000.0 / this.clockRate;
        double x = arrivalMs - media;
        closeWindows(arrivalMs, inOrder);
        if (!inOrder) {
            enter(arrivalMs, x);
        } else {
            if (first || otherClock || isEpoch(arrivalMs, media, x, flags)) {
                beginEpoch(reason(first, otherClock, arrivalMs, media, x, flags), arrivalMs, x);
            } else if ((flags & MARKER) != 0 || afterComfortNoise || isAfterSilence(number, packetTicks)) {
                beginSpurt(arrivalMs, x);
            } else {
                enter(arrivalMs, x);
            }
            transit = x;
            highestNumber = number;
            highestTicks = ticks;
            afterComfortNoise = (flags & COMFORT_NOISE) != 0;
        }
        return judge(arrivalMs, media + offset, (flags & COMFORT_NOISE) != 0);
    }

    /**
     * Puts packets into the buffer that follow the one before by one number and the usual step, without any flag, as long
     * as nothing but playing each in its time results: what {@link #packet} does, in fewer steps.
     *
     * @param arrivals of the packets in nanoseconds, in order, beginning with element {@code from}
     * @param to the element behind the last
     * @param startNs from which milliseconds count
     * @param step of the timestamp
     * @return how many of them it took, the first ones; for the next one {@link #packet} must be called
     */
    public int regular(long[] arrivals, int from, int to, long startNs, int step, int clockRate) {
        return 0;
    }

    private boolean judge(double arrivalMs, double due, boolean isComfortNoise) {
        if (arrivalMs > due) {
            if (discardedInRow++ == 0) {
                discardedFrom = arrivalMs;
            }
            discarded += isComfortNoise ? 0 : 1;
            return !isComfortNoise;
        }
        discardedInRow = 0;
        if (!isComfortNoise) {
            double wait = due - arrivalMs;
            played++;
            waitSum += wait;
            maxWait = Math.max(maxWait, wait);
        }
        return false;
    }

    private boolean isEpoch(double arrivalMs, double media, double x, int flags) {
        double ahead = media + offset - arrivalMs;
        return (flags & RESTARTED) != 0
                || ahead <= -DISTANT_MS
                || ahead >= sizeMs() + DISTANT_MS
                || discardedInRow >= STARVED_PACKETS && arrivalMs - discardedFrom >= STARVED_MS
                || Math.abs(x - transit) >= JUMP_MS;
    }

    private Resync reason(boolean first, boolean otherClock, double arrivalMs, double media, double x, int flags) {
        if (first) {
            return Resync.FIRST;
        }
        if ((flags & RESTARTED) != 0) {
            return Resync.RESTART;
        }
        if (otherClock || Math.abs(x - transit) >= JUMP_MS) {
            return Resync.JUMP;
        }
        double ahead = media + offset - arrivalMs;
        return ahead <= -DISTANT_MS ? Resync.LATE : ahead >= sizeMs() + DISTANT_MS ? Resync.EARLY : Resync.STARVED;
    }

    private void beginEpoch(Resync reason, double arrivalMs, double x) {
        if (reason != Resync.FIRST) {
            EnumMap<Resync, Integer> counts = resyncs == null ? new EnumMap<>(Resync.class) : resyncs;
            counts.merge(reason, 1, Integer::sum);
            resyncs = counts;
        }
        discardedInRow = 0;
        epoch(arrivalMs, x);
    }

    private boolean isAfterSilence(long number, int packetTicks) {
        return ticks - highestTicks - (number - highestNumber) * packetTicks >= (long) SILENT_PACKETS * packetTicks;
    }

    /** Closes the windows that end at or before an arrival; the packet itself belongs to a later one. */
    abstract void closeWindows(double arrivalMs, boolean inOrder);

    /** Begins an epoch with this packet. */
    abstract void epoch(double arrivalMs, double x);

    /** Begins a talk spurt with this packet. */
    abstract void beginSpurt(double arrivalMs, double x);

    /** Takes note of the transit time of another packet. */
    abstract void enter(double arrivalMs, double x);

    /** How the buffer sets its delay. */
    public abstract JitterBuffer.Kind kind();

    /** The delay of the buffer: fixed, or the one aimed at. */
    public abstract double sizeMs();

    /** How often a fixed buffer followed a clock that is faster or slower than that of the capture. */
    public int skewSteps() {
        return 0;
    }

    /** Packets that were played, without comfort noise. */
    public long played() {
        return played;
    }

    /** Packets that came too late to be played, without comfort noise. */
    public long discarded() {
        return discarded;
    }

    /** How long played packets waited in the buffer, on average; 0 if none was played. */
    public double meanDelayMs() {
        return played == 0 ? 0 : waitSum / played;
    }

    /** The longest wait of a played packet. */
    public double maxDelayMs() {
        return maxWait;
    }

    /** How often an epoch began for a reason. */
    public int resyncs(Resync reason) {
        if (reason == Resync.FIRST) {
            return clockRate == 0 ? 0 : 1;
        }
        return resyncs == null ? 0 : resyncs.getOrDefault(reason, 0);
    }
}
