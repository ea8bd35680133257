package io.offhook.rtp.playout;

import io.offhook.rtp.figures.PlayoutFigures;
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
 * <p>Callers leave out duplicates, packets too far behind, strays, and telephone-events. All times are whole nanoseconds,
 * which are exact where fractions of milliseconds are not, and cheaper. Nothing is allocated once the buffer has adapted;
 * single-threaded.
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

    static final long NS_PER_MS = 1_000_000;
    static final long JUMP_NS = 10_000 * NS_PER_MS;
    static final long DISTANT_NS = 1000 * NS_PER_MS;
    private static final long STARVED_NS = 200 * NS_PER_MS;
    private static final long NS_PER_S = 1000 * NS_PER_MS;
    private static final int STARVED_PACKETS = 5;

    /** A pause this many packet times longer than the numbers explain is silence suppression. */
    private static final int SILENT_PACKETS = 3;

    /** O. */
    long offset;

    int clockRate;
    /** 0 if it is no whole number. */
    private long nsPerTick;

    int timestamp;
    long ticks;
    long transit;
    long highestNumber;
    long highestTicks;
    boolean afterComfortNoise;
    int discardedInRow;
    private long discardedFrom;
    private long lastMediaNs;
    private boolean beganAnew;

    long played;
    private long discarded;
    long waitSum;
    long maxWait;
    /** How often by reason; null while there was only the first packet. */
    private @Nullable EnumMap<Resync, Integer> resyncs;

    Playout() {}

    /**
     * Puts the next packet in order of arrival into the buffer.
     *
     * @param arrivalNs since any fixed time
     * @param timestamp of RTP, 32 bits
     * @param clockRate of the timestamp in Hz, above 0
     * @param number the extended sequence number
     * @param packetTicks the usual step of the timestamp from one packet to the next, above 0
     * @param flags {@link #MARKER}, {@link #COMFORT_NOISE}, {@link #REORDERED}, {@link #RESTARTED}
     * @return whether it is discarded, and counted as such
     */
    public final boolean packet(long arrivalNs, int timestamp, int clockRate, long number, int packetTicks, int flags) {
        boolean inOrder = (flags & REORDERED) == 0;
        boolean first = this.clockRate == 0;
        boolean otherClock = this.clockRate != clockRate && !first && (flags & COMFORT_NOISE) == 0;
        if (otherClock && !inOrder) {
            return false; // its time cannot be compared
        }
        if (first || otherClock) {
            this.clockRate = clockRate;
            nsPerTick = NS_PER_S % clockRate == 0 ? NS_PER_S / clockRate : 0;
            this.timestamp = timestamp;
            ticks = 0;
        }
        ticks += timestamp - this.timestamp;
        this.timestamp = timestamp;
        long media = media(ticks);
        long x = arrivalNs - media;
        lastMediaNs = media;
        beganAnew = false;
        closeWindows(arrivalNs, inOrder);
        if (!inOrder) {
            enter(arrivalNs, x);
        } else {
            if (first || otherClock || isEpoch(arrivalNs, media, x, flags)) {
                beginEpoch(reason(first, otherClock, arrivalNs, media, x, flags), arrivalNs, x);
                beganAnew = true;
            } else if ((flags & MARKER) != 0 || afterComfortNoise || isAfterSilence(number, packetTicks)) {
                beginSpurt(arrivalNs, x);
                beganAnew = true;
            } else {
                enter(arrivalNs, x);
            }
            transit = x;
            highestNumber = number;
            highestTicks = ticks;
            afterComfortNoise = (flags & COMFORT_NOISE) != 0;
        }
        return judge(arrivalNs, media + offset, (flags & COMFORT_NOISE) != 0);
    }

    /**
     * Puts packets into the buffer that follow the one before by one number and the usual step, without any flag, as long
     * as nothing but playing each in its time results: what {@link #packet} does, in fewer steps.
     *
     * @param arrivals of the packets, in order, beginning with element {@code from}
     * @param to the element behind the last
     * @param step of the timestamp
     * @return how many of them it took, the first ones; for the next one {@link #packet} must be called
     */
    public int regular(long[] arrivals, int from, int to, int step, int clockRate) {
        return 0;
    }

    /** The media time after a number of ticks, rounded down. */
    final long media(long ticks) {
        if (nsPerTick > 0) {
            return ticks * nsPerTick;
        }
        long seconds = Math.floorDiv(ticks, clockRate);
        return seconds * NS_PER_S + (ticks - seconds * clockRate) * NS_PER_S / clockRate;
    }

    /** A number of ticks in nanoseconds; -1 if it is no whole number of these. Of a clock that is known. */
    final long wholeNs(int ticks) {
        if (nsPerTick > 0) {
            return ticks * nsPerTick;
        }
        long units = ticks * NS_PER_S;
        return units % clockRate == 0 ? units / clockRate : -1;
    }

    private boolean judge(long arrivalNs, long due, boolean isComfortNoise) {
        if (arrivalNs > due) {
            if (discardedInRow++ == 0) {
                discardedFrom = arrivalNs;
            }
            discarded += isComfortNoise ? 0 : 1;
            return !isComfortNoise;
        }
        discardedInRow = 0;
        if (!isComfortNoise) {
            long wait = due - arrivalNs;
            played++;
            waitSum += wait;
            maxWait = Math.max(maxWait, wait);
        }
        return false;
    }

    private boolean isEpoch(long arrivalNs, long media, long x, int flags) {
        long ahead = media + offset - arrivalNs;
        return (flags & RESTARTED) != 0
                || ahead <= -DISTANT_NS
                || ahead >= sizeNs() + DISTANT_NS
                || discardedInRow >= STARVED_PACKETS && arrivalNs - discardedFrom >= STARVED_NS
                || Math.abs(x - transit) >= JUMP_NS;
    }

    private Resync reason(boolean first, boolean otherClock, long arrivalNs, long media, long x, int flags) {
        if (first) {
            return Resync.FIRST;
        }
        if ((flags & RESTARTED) != 0) {
            return Resync.RESTART;
        }
        if (otherClock || Math.abs(x - transit) >= JUMP_NS) {
            return Resync.JUMP;
        }
        long ahead = media + offset - arrivalNs;
        return ahead <= -DISTANT_NS ? Resync.LATE : ahead >= sizeNs() + DISTANT_NS ? Resync.EARLY : Resync.STARVED;
    }

    private void beginEpoch(Resync reason, long arrivalNs, long x) {
        if (reason != Resync.FIRST) {
            EnumMap<Resync, Integer> counts = resyncs == null ? new EnumMap<>(Resync.class) : resyncs;
            counts.merge(reason, 1, Integer::sum);
            resyncs = counts;
        }
        discardedInRow = 0;
        epoch(arrivalNs, x);
    }

    private boolean isAfterSilence(long number, int packetTicks) {
        return ticks - highestTicks - (number - highestNumber) * packetTicks >= (long) SILENT_PACKETS * packetTicks;
    }

    /**
     * Takes over what a buffer of the same kind did. What is needed to go on is not among it: no packets may follow.
     *
     * @param figures of that buffer, into which at least one packet went
     */
    public final void resume(PlayoutFigures figures) {
        clockRate = 1; // of a packet that has entered
        sizeNs(figures.sizeNs());
        played = figures.played();
        discarded = figures.discarded();
        waitSum = figures.waits().sumNs();
        maxWait = figures.waits().maxNs();
        PlayoutFigures.Resyncs counts = figures.resyncs();
        EnumMap<Resync, Integer> byReason = new EnumMap<>(Resync.class);
        byReason.put(Resync.RESTART, counts.restarts());
        byReason.put(Resync.JUMP, counts.jumps());
        byReason.put(Resync.LATE, counts.late());
        byReason.put(Resync.EARLY, counts.early());
        byReason.put(Resync.STARVED, counts.starved());
        resyncs = byReason;
        skewSteps(figures.skewSteps());
    }

    /** Takes over only what another one discarded. */
    public final void resumeDiscarded(long packets) {
        discarded = packets;
    }

    /**
     * What the buffer did so far.
     *
     * @param discardedByAdaptive what a buffer discarded that is beside it, or itself
     */
    public final PlayoutFigures figures(long discardedByAdaptive) {
        return new PlayoutFigures(
                sizeNs(),
                played,
                discarded,
                new PlayoutFigures.Waits(waitSum, maxWait),
                new PlayoutFigures.Resyncs(
                        resyncs(Resync.RESTART),
                        resyncs(Resync.JUMP),
                        resyncs(Resync.LATE),
                        resyncs(Resync.EARLY),
                        resyncs(Resync.STARVED)),
                skewSteps(),
                discardedByAdaptive);
    }

    /** Sets the delay, if it is not always the same. */
    void sizeNs(long ns) {}

    /** Sets how often the buffer followed a clock, if it does. */
    void skewSteps(int steps) {}

    /** Closes the windows that end at or before an arrival; the packet itself belongs to a later one. */
    abstract void closeWindows(long arrivalNs, boolean inOrder);

    /** Begins an epoch with this packet. */
    abstract void epoch(long arrivalNs, long x);

    /** Begins a talk spurt with this packet. */
    abstract void beginSpurt(long arrivalNs, long x);

    /** Takes note of the transit time of another packet. */
    abstract void enter(long arrivalNs, long x);

    /** The media time of the last packet given to {@link #packet} (0 after {@link #resume}), since the first one of its clock, in nanoseconds. */
    public final long mediaNs() {
        return lastMediaNs;
    }

    /** What is added to a media time to know when it is due: the offset O, in nanoseconds; 0 after {@link #resume}. */
    public final long offsetNs() {
        return offset;
    }

    /** Whether an epoch or a spurt began with the last packet given to {@link #packet}; false after {@link #resume}. */
    public final boolean beganAnew() {
        return beganAnew;
    }

    /** How the buffer sets its delay. */
    public abstract JitterBuffer.Kind kind();

    /** The delay of the buffer: fixed, or the one aimed at. */
    public final double sizeMs() {
        return (double) sizeNs() / NS_PER_MS;
    }

    /** The same in nanoseconds. */
    abstract long sizeNs();

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
        return played == 0 ? 0 : (double) waitSum / played / NS_PER_MS;
    }

    /** The longest wait of a played packet. */
    public double maxDelayMs() {
        return (double) maxWait / NS_PER_MS;
    }

    /** How often an epoch began for a reason. */
    public int resyncs(Resync reason) {
        if (reason == Resync.FIRST) {
            return clockRate == 0 ? 0 : 1;
        }
        return resyncs == null ? 0 : resyncs.getOrDefault(reason, 0);
    }
}
