package io.offhook.rtp;

import io.offhook.rtp.figures.SequenceFigures;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the sequence numbers of one stream: new, duplicate, late, or a restart of the sender. {@link RtpStream}
 * states the rules. Sequence numbers are extended as in RFC 3550, A.1, starting at the first packet's number, so an
 * extended number may be negative.
 *
 * <p>Exact within {@value SequenceWindow#SIZE} numbers behind the highest.
 */
final class SequenceCounter {
    /** A result of {@link #accept}: the number is new, and the highest so far. */
    static final int NEW = 0;

    static final int DUPLICATE = 1;
    static final int LATE = 2;
    static final int STRAY = 3;

    /** A result of {@link #accept}: the second consecutive number far from the others; the two begin a new run. */
    static final int RESTARTED = 4;

    /** A result of {@link #accept}: the number is new, and below the highest; {@link #behind()} has it. */
    static final int BEHIND = 5;

    private static final int NONE = -1;
    private static final int HALF = 0x8000;

    private long packets;
    private long lowest;
    private long highest;
    private long behind;
    private long earlierExpected;
    private int lowered;
    private int jumpTo = NONE;
    private int jumpKind;
    private int duplicates;
    private int reordered;
    private int late;
    private int strays;
    private int restarts;
    private int longestHole;
    private long longestHoleNs;
    private @Nullable SequenceWindow window;
    /** What was settled when it was asked for last; null once more is known. */
    private @Nullable Impairments settled;

    /** The counts as figures have them, to which nothing may be added. */
    static SequenceCounter of(SequenceFigures figures, Impairments impairments) {
        SequenceCounter counter = new SequenceCounter();
        SequenceFigures.Numbers numbers = figures.numbers();
        counter.packets = figures.packets();
        counter.lowest = numbers.lowest();
        counter.highest = numbers.highest();
        counter.earlierExpected = numbers.expected() - (numbers.highest() - numbers.lowest() + 1);
        counter.lowered = (int) (numbers.expected() - numbers.expectedSinceFirst());
        counter.duplicates = figures.odd().duplicates();
        counter.reordered = figures.odd().reordered();
        counter.late = figures.odd().late();
        counter.strays = figures.odd().strays();
        counter.restarts = figures.restarts();
        counter.longestHole = figures.longestHole().numbers();
        counter.longestHoleNs = figures.longestHole().fromNs();
        counter.settled = impairments;
        return counter;
    }

    /**
     * The counts so far.
     *
     * @param mirrored duplicates that are copies by the capture, which are not counted here
     */
    SequenceFigures figures(int mirrored) {
        return new SequenceFigures(
                packets,
                new SequenceFigures.Numbers(expected(), expectedSinceFirst(), lowest, highest),
                new SequenceFigures.Odd(duplicates, mirrored, reordered, late, strays),
                restarts,
                new SequenceFigures.Hole(longestHole, longestHoleNs));
    }

    /** Whether a number follows the highest. */
    boolean isNext(int number) {
        return (number - (int) highest & 0xffff) == 1;
    }

    /** How far a number is ahead of the highest, 0 to 65535; those from 32768 on are rather behind. */
    int ahead(int number) {
        return number - (int) highest & 0xffff;
    }

    /**
     * Adds the number of the next packet.
     *
     * @param interval that it arrived in, 0 to 65535
     * @param maxDropout the numbers ahead from which it is taken for a restart
     * @param previousNs when the packet before arrived
     */
    int accept(int number, int interval, int maxDropout, long previousNs) {
        if (packets++ == 0) {
            lowest = number;
            highest = number;
            return NEW;
        }
        if ((number - (int) highest & 0xffff) == 1 && jumpTo == NONE) {
            SequenceWindow window = this.window;
            if (window != null) {
                settled = null;
                window.advanceByOne(lowest, highest, interval);
            }
            highest++;
            return NEW;
        }
        return acceptIrregular(number, interval, maxDropout, previousNs);
    }

    /** Adds so many numbers that follow the highest one by one, after one that did. */
    void acceptNext(int count, int interval) {
        packets += count;
        SequenceWindow window = this.window;
        if (window == null) {
            highest += count;
            return;
        }
        settled = null;
        for (int i = 0; i < count; i++) {
            window.advanceByOne(lowest, highest++, interval);
        }
    }

    private int acceptIrregular(int number, int interval, int maxDropout, long previousNs) {
        settled = null;
        int ahead = ahead(number);
        if (ahead > 0 && ahead < maxDropout) {
            jumpTo = NONE;
            window().advance(lowest, highest, highest + ahead, interval);
            if (ahead - 1 > longestHole) {
                longestHole = ahead - 1;
                longestHoleNs = previousNs;
            }
            highest += ahead;
            return NEW;
        }
        int behind = -ahead & 0xffff;
        if (behind < RtpStream.MAX_MISORDER) {
            jumpTo = NONE;
            return acceptBehind(highest - behind, interval);
        }
        long extended = highest - behind;
        boolean remembered = behind < SequenceWindow.SIZE && extended >= lowest;
        if (remembered && jumpTo == NONE && !window().contains(extended)) {
            return acceptBehind(extended, interval);
        }
        if (jumpTo != NONE) {
            int step = (short) (number - jumpTo);
            if (step == 0) {
                duplicates++;
                return DUPLICATE;
            }
            if (Math.abs(step) < RtpStream.MAX_MISORDER) {
                restart(step, interval);
                return RESTARTED;
            }
        }
        jumpTo = number;
        jumpKind = remembered ? DUPLICATE : behind < HALF ? LATE : STRAY;
        count(jumpKind, 1);
        return jumpKind;
    }

    private int acceptBehind(long number, int interval) {
        SequenceWindow window = window();
        if (number >= lowest && window.contains(number)) {
            duplicates++;
            return DUPLICATE;
        }
        window.add(number, interval);
        behind = number;
        reordered++;
        if (number < lowest) {
            lowered += (int) (lowest - number);
            lowest = number;
        }
        return BEHIND;
    }

    /** Confirms the pending jump: it and the packet {@code step} after it are the first two of a new run. */
    private void restart(int step, int interval) {
        count(jumpKind, -1);
        window().closeRun(lowest, highest);
        earlierExpected += highest - lowest + 1;
        restarts++;
        int first = jumpTo;
        jumpTo = NONE;
        lowest = first;
        highest = first;
        window().reset(lowest, highest, interval);
        if (step > 0) {
            window().advance(lowest, highest, highest + step, interval);
            highest += step;
        } else {
            acceptBehind(highest + step, interval);
        }
    }

    private void count(int kind, int change) {
        if (kind == DUPLICATE) {
            duplicates += change;
        } else if (kind == LATE) {
            late += change;
        } else {
            strays += change;
        }
    }

    /** The window, created on demand: so far every number of the run has arrived in order. */
    private SequenceWindow window() {
        SequenceWindow window = this.window;
        if (window == null) {
            window = new SequenceWindow();
            window.reset(lowest, highest, 0);
            this.window = window;
        }
        return window;
    }

    long packets() {
        return packets;
    }

    long expected() {
        return packets == 0 ? 0 : earlierExpected + highest - lowest + 1;
    }

    long distinct() {
        return packets - duplicates - late - strays;
    }

    long lost() {
        return expected() - distinct();
    }

    /** The expected packets of RFC 3550, A.3, counted from the number of the first packet instead of the lowest. */
    long expectedSinceFirst() {
        return expected() - lowered;
    }

    /** The received packets of RFC 3550, A.3: duplicates count, packets that A.1 rejects as too far away do not. */
    long received() {
        return packets - late - strays;
    }

    long lowest() {
        return lowest;
    }

    long highest() {
        return highest;
    }

    int duplicates() {
        return duplicates;
    }

    int reordered() {
        return reordered;
    }

    int late() {
        return late;
    }

    int strays() {
        return strays;
    }

    int restarts() {
        return restarts;
    }

    /** The length of the longest hole when it showed, in numbers; some may have arrived later. */
    int longestHole() {
        return longestHole;
    }

    /** When the packet before that hole arrived. */
    long longestHoleNs() {
        return longestHoleNs;
    }

    /** The number of the packet before, if that was {@link #BEHIND}. */
    long behind() {
        return behind;
    }

    /** Marks a number that arrived in an interval as discarded by the jitter buffer. */
    void discard(long number, int interval) {
        settled = null;
        window().discard(number, highest, interval);
    }

    /** What became of all numbers so far; not to be changed. */
    Impairments impairments() {
        Impairments known = settled;
        if (known != null) {
            return known;
        }
        if (window == null) {
            // not kept: the next packet need not be irregular
            return packets == 0 ? new Impairments() : Impairments.none(lowest, highest);
        }
        known = window.settled(lowest, highest);
        settled = known;
        return known;
    }
}
