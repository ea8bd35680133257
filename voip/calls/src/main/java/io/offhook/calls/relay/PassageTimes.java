package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The packets of a stream at two points, each number compared: what arrived, and how long it took. Over the range from the
 * first to the last number that was captured at both; of copies the first counts.
 *
 * @param present numbers captured at the first point
 * @param lost of these, not captured at the second, and of a payload type that the second has
 * @param lostBefore numbers that the first point lacks
 * @param extra numbers that only the second has
 * @param stripped of those present, not captured at the second, whose payload type it never has
 * @param medianMs the median of the time from the first to the second, by nearest rank
 * @param p95Ms its 95th percentile
 * @param maxMs the longest
 * @param spreadMs the 95th percentile less the 5th
 */
public record PassageTimes(
        long present,
        long lost,
        long lostBefore,
        long extra,
        long stripped,
        double medianMs,
        double p95Ms,
        double maxMs,
        double spreadMs) {

    /** When each number arrived at a point. */
    private static final class Arrivals {
        private final long[] firstNs;
        private final int[] timestamps;
        private final byte[] payloadTypes;
        private final boolean[] hasType = new boolean[128];

        /**
         * @param ahead of the first number, from the first number of the first point
         * @param numbers from there on
         */
        Arrivals(PacketLog log, long ahead, int numbers) {
            firstNs = new long[numbers];
            timestamps = new int[numbers];
            payloadTypes = new byte[numbers];
            Arrays.fill(firstNs, Long.MIN_VALUE);
            long highest = log.sequenceNumber(0);
            long first = highest;
            for (int i = 0; i < log.size(); i++) {
                long number = highest + (short) (log.sequenceNumber(i) - highest);
                highest = Math.max(highest, number);
                long index = number - first + ahead;
                hasType[log.payloadType(i)] = true;
                if (index >= 0 && index < numbers && firstNs[(int) index] == Long.MIN_VALUE) {
                    firstNs[(int) index] = log.arrivalNs(i);
                    timestamps[(int) index] = log.timestamp(i);
                    payloadTypes[(int) index] = (byte) log.payloadType(i);
                }
            }
        }

        boolean has(int index) {
            return firstNs[index] != Long.MIN_VALUE;
        }
    }

    /** Compares what was logged at two points; null if a log is not there or not complete. */
    static @Nullable PassageTimes of(StreamPoint from, StreamPoint to, CommonRange range) {
        PacketLog before = from.log();
        PacketLog after = to.log();
        if (before == null || after == null || before.dropped() + after.dropped() > 0) {
            return null;
        }
        long length =
                from.statistics().highestSequenceNumber() - from.statistics().lowestSequenceNumber() + 1;
        if (length > PacketLog.MOST_PACKETS * 2L) {
            return null;
        }
        long firstOf = firstIndex(from, before);
        Arrivals sent = new Arrivals(before, firstOf, (int) length);
        Arrivals received = new Arrivals(after, range.ahead() + firstIndex(to, after), (int) length);
        return compare(sent, received, (int) length);
    }

    /** Where the first packet is, counted from the lowest number: it need not be that itself. */
    private static long firstIndex(StreamPoint point, PacketLog log) {
        return log.sequenceNumber(0) - point.statistics().lowestSequenceNumber() & 0xffff;
    }

    private static @Nullable PassageTimes compare(Arrivals sent, Arrivals received, int length) {
        int first = -1;
        int last = -1;
        int count = 0;
        double[] delays = new double[length];
        for (int i = 0; i < length; i++) {
            if (sent.has(i) && received.has(i) && sent.timestamps[i] == received.timestamps[i]) {
                first = first < 0 ? i : first;
                last = i;
                delays[count++] = (received.firstNs[i] - sent.firstNs[i]) / 1e6;
            }
        }
        if (count == 0) {
            return null;
        }
        long present = 0;
        long lost = 0;
        long extra = 0;
        long stripped = 0;
        for (int i = first; i <= last; i++) {
            present += sent.has(i) ? 1 : 0;
            boolean isMissing = sent.has(i) && !received.has(i);
            boolean isPassedOn = received.hasType[sent.payloadTypes[i]];
            lost += isMissing && isPassedOn ? 1 : 0;
            stripped += isMissing && !isPassedOn ? 1 : 0;
            extra += !sent.has(i) && received.has(i) ? 1 : 0;
        }
        double[] sorted = Arrays.copyOf(delays, count);
        Arrays.sort(sorted);
        return new PassageTimes(
                present,
                lost,
                last - first + 1 - present,
                extra,
                stripped,
                rank(sorted, 0.5),
                rank(sorted, 0.95),
                sorted[count - 1],
                rank(sorted, 0.95) - rank(sorted, 0.05));
    }

    /** The nearest rank. */
    private static double rank(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
