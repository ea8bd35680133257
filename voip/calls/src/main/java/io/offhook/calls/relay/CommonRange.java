package io.offhook.calls.relay;

import io.offhook.rtp.RtpStream;
import org.jspecify.annotations.Nullable;

/**
 * The sequence numbers that two points have in common, if they carry the same stream: same SSRC, and the same timestamp for
 * each number.
 *
 * <p>No list of packets is kept to compare. The first and the last packet of each point are known, and the timestamp of a
 * regular stream advances by one packet time a number; so the first packets of both points have to fit each other, and the
 * last ones. Two streams that began by themselves agree with a probability of 2^-128.
 *
 * @param ahead from the lowest number of the first point to that of the second; negative if the second began earlier
 * @param numbers from the first to the last number that both may have
 * @param firstOutside numbers of the first point that are not among them
 * @param secondOutside likewise of the second point
 * @param firstDelayNs from the first point to the second, when the streams began; negative if the second was earlier
 * @param lastDelayNs likewise when they ended
 */
record CommonRange(
        long ahead, long numbers, long firstOutside, long secondOutside, long firstDelayNs, long lastDelayNs) {
    /** The fewest packets that have to be the same. */
    static final int FEWEST_PACKETS = 32;

    /** Of the packets of the point that has fewer of them. */
    private static final double LEAST_SHARE = 0.8;

    /** The longest time from one point to the other. */
    private static final long LONGEST_DELAY_NS = 2_000_000_000L;

    /** What two points have in common; null if they do not carry the same stream. */
    static @Nullable CommonRange of(StreamPoint one, StreamPoint other) {
        return one.ssrc() == other.ssrc() ? of(one, other, 0, 0) : null;
    }

    /**
     * What two points have in common, of which the second is where a relay sends the stream as its own.
     *
     * @param packets some of both
     * @return null if the numbers at the second point are not those of the first, but for a difference that stays
     */
    static @Nullable CommonRange rewritten(StreamPoint one, StreamPoint other, PacketPairs packets) {
        int last = packets.count() - 1;
        return of(one, other, packets.ticksAhead(last), packets.numbersAhead(last));
    }

    /**
     * @param ticks by how much timestamps at the second point are ahead of those of the same packets at the first
     * @param numbersAhead likewise their numbers
     */
    private static @Nullable CommonRange of(StreamPoint one, StreamPoint other, int ticks, int numbersAhead) {
        RtpStream first = one.statistics();
        RtpStream second = other.statistics();
        boolean isComparable = first != second
                && first.restarts() == 0
                && second.restarts() == 0
                && one.clockRate() == other.clockRate();
        int step = one.step();
        if (!isComparable || step != other.step()) {
            return null;
        }
        int beginTicks = (int) (second.firstTimestamp() - first.firstTimestamp()) - ticks;
        int endTicks = (int) (second.lastTimestamp() - first.lastTimestamp()) - ticks;
        long begin = second.lowestSequenceNumber() - first.lowestSequenceNumber() - numbersAhead;
        long end = second.highestSequenceNumber() - first.highestSequenceNumber() - numbersAhead;
        if (!fits(beginTicks, begin, step) || !fits(endTicks, end, step)) {
            return null;
        }
        long ahead = packets(beginTicks, step);
        long length = first.highestSequenceNumber() - first.lowestSequenceNumber();
        long otherLength = second.highestSequenceNumber() - second.lowestSequenceNumber();
        if (ahead + otherLength - length != packets(endTicks, step)) {
            return null;
        }
        long numbers = Math.min(length, ahead + otherLength) - Math.max(0, ahead) + 1;
        CommonRange range = new CommonRange(
                ahead,
                numbers,
                length + 1 - numbers,
                otherLength + 1 - numbers,
                second.firstNs() - first.firstNs() - nanoseconds(beginTicks, one.clockRate()),
                second.lastNs() - first.lastNs() - nanoseconds(endTicks, one.clockRate()));
        return range.isEnough(first.lost(), second.lost()) ? range : null;
    }

    /** Whether a difference of timestamps is that of sequence numbers, of which 16 bits are known. */
    private static boolean fits(int ticks, long numbers, int step) {
        if (ticks != 0 && (step <= 0 || ticks % step != 0)) {
            return false;
        }
        return (packets(ticks, step) - numbers & 0xffff) == 0;
    }

    private static long packets(int ticks, int step) {
        return ticks == 0 ? 0 : ticks / step;
    }

    private static long nanoseconds(int ticks, int clockRate) {
        return ticks == 0 ? 0 : ticks * 1_000_000_000L / clockRate;
    }

    /** Whether at least so many packets were captured at both points, at about the same time. */
    private boolean isEnough(long firstLost, long secondLost) {
        long atBoth = numbers - firstLost - secondLost;
        long atOne = numbers - Math.max(firstLost, secondLost);
        return atBoth >= FEWEST_PACKETS
                && atBoth >= LEAST_SHARE * atOne
                && Math.abs(firstDelayNs) <= LONGEST_DELAY_NS
                && Math.abs(lastDelayNs) <= LONGEST_DELAY_NS;
    }

    /** From the first point to the second, in nanoseconds: the mean of begin and end. */
    long delayNs() {
        return (firstDelayNs + lastDelayNs) / 2;
    }
}
