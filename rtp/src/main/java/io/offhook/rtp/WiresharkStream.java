package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * The figures that {@code tshark -q -z rtp,streams} (version 4.0) prints for a stream, with its arithmetic: for
 * comparing with Wireshark only. {@link RtpStream} has the exact ones.
 *
 * <p>Known to differ from the exact ones: the last packet's sequence number ends the expected range, not the highest;
 * duplicates make up for losses, so {@link #lost()} may be negative; jitter clocks are whole kilohertz; packets with
 * the marker bit and around comfort noise are left out of minimum, mean and maximum, yet count in the divisor of the
 * mean; a packet whose timestamp is before the first one's is left out of jitter and delta altogether.
 *
 * <p>Plain mutable state of one thread; reading changes nothing.
 */
public final class WiresharkStream {
    private static final int HALF_RANGE_BITS = 31;
    private static final double NONE = -1;

    private final long captureStartNs;
    private final Bandwidth bandwidth = new Bandwidth();

    private long packets;
    private int firstSequence;
    private int lastSequence;
    private int cycles;
    private boolean under;
    private int orderedSequence;
    private int sequenceErrors;

    private int firstTimestamp;
    private double firstMs;
    private double lastMs;
    private int lastPayloadType;

    // the last packet in time, and the media time of the last one of those whose clock is known
    private double referenceMs;
    private double nominalMs;
    private double delta;
    private double jitter;

    private double minDelta = NONE;
    private double meanDelta;
    private double maxDelta;
    private double minJitter = NONE;
    private double meanJitter;
    private double maxJitter;

    private double skew;
    private double maxSkew;
    private final Slope slope = new Slope();

    /**
     * A stream without packets.
     *
     * @param captureStartNs time of the first frame of the capture, against which Wireshark measures, in nanoseconds
     */
    public WiresharkStream(long captureStartNs) {
        this.captureStartNs = captureStartNs;
    }

    /**
     * Takes the next packet in order of capture.
     *
     * @param arrivalNs nanoseconds since the epoch
     * @param sequenceNumber 0 to 65535
     * @param timestamp of RTP, 0 to 2^32 - 1
     * @param payloadType 0 to 127
     * @param rtpLength octets of the RTP packet, header included
     * @param ipv6 whether it came over IPv6
     * @param codec what signalling before this packet said of a dynamic payload type, null when nothing
     */
    public void packet(
            long arrivalNs,
            int sequenceNumber,
            long timestamp,
            int payloadType,
            boolean marker,
            int rtpLength,
            boolean ipv6,
            @Nullable Codec codec) {
        long relativeNs = arrivalNs - captureStartNs;
        // the sum of whole seconds and nanoseconds, each scaled by itself, as Wireshark forms it
        long seconds = relativeNs / 1_000_000_000;
        double nowMs = seconds * 1000.0 + (relativeNs - seconds * 1_000_000_000) / 1_000_000.0;
        int ts = (int) timestamp;
        bandwidth.add(arrivalNs, rtpLength + (ipv6 ? 48 : 28));
        if (packets == 0) {
            first(nowMs, sequenceNumber, ts, payloadType);
            return;
        }
        boolean inTime = (ts - firstTimestamp) >>> HALF_RANGE_BITS == 0;
        countCycles(sequenceNumber, inTime);
        countSequenceError(sequenceNumber, inTime);
        if (inTime) {
            int clock = clock(payloadType, codec);
            measure(nowMs, ts, clock);
            if (!marker && !isComfortNoise(payloadType) && !isComfortNoise(lastPayloadType)) {
                collect(clock);
            }
            referenceMs = nowMs;
        }
        lastMs = nowMs;
        lastPayloadType = payloadType;
        lastSequence = sequenceNumber;
        packets++;
    }

    private void first(double nowMs, int sequenceNumber, int timestamp, int payloadType) {
        packets = 1;
        firstSequence = sequenceNumber;
        lastSequence = sequenceNumber;
        orderedSequence = sequenceNumber;
        firstTimestamp = timestamp;
        firstMs = nowMs;
        lastMs = nowMs;
        referenceMs = nowMs;
        lastPayloadType = payloadType;
    }

    private void countCycles(int sequenceNumber, boolean inTime) {
        if (!inTime) {
            return;
        }
        if (under) {
            under = sequenceNumber <= firstSequence;
        } else if (sequenceNumber < firstSequence || sequenceNumber == 0 && lastSequence == 0xffff) {
            cycles++;
            under = true;
        }
    }

    private void countSequenceError(int sequenceNumber, boolean inTime) {
        int step = sequenceNumber - orderedSequence & 0xffff;
        if (inTime && step == 1) {
            orderedSequence = sequenceNumber;
            return;
        }
        sequenceErrors++;
        if (inTime && (sequenceNumber > orderedSequence || orderedSequence - sequenceNumber > 0xff00)) {
            orderedSequence = sequenceNumber;
        }
    }

    private void measure(double nowMs, int timestamp, int clock) {
        delta = nowMs - referenceMs;
        if (clock < 1000) {
            return;
        }
        // media time is counted from the first packet in the clock of this one, whatever the clock of those before
        int ticksPerMs = clock / 1000;
        double nominal = (timestamp - firstTimestamp & 0xffff_ffffL) / (double) ticksPerMs;
        double difference = Math.abs(nowMs - (referenceMs + (nominal - nominalMs)));
        jitter = (15 * jitter + difference) / 16;
        nominalMs = nominal;
        skew = nominalMs - (nowMs - firstMs);
        if (Math.abs(skew) > Math.abs(maxSkew)) {
            maxSkew = skew;
        }
        slope.add(nowMs, nominalMs);
    }

    private void collect(int clock) {
        long before = packets;
        minDelta = minDelta == NONE ? delta : Math.min(minDelta, delta);
        maxDelta = Math.max(maxDelta, delta);
        meanDelta = (meanDelta * (before - 1) + delta) / before;
        if (clock >= 1000) {
            minJitter = minJitter == NONE ? jitter : Math.min(minJitter, jitter);
            maxJitter = Math.max(maxJitter, jitter);
            meanJitter = (meanJitter * (before - 1) + jitter) / before;
        }
    }

    private static boolean isComfortNoise(int payloadType) {
        return payloadType == PayloadType.COMFORT_NOISE || payloadType == PayloadType.OLD_COMFORT_NOISE;
    }

    /** The clock that Wireshark takes: static types by its table, others by signalling, 0 where it knows none. */
    private static int clock(int payloadType, @Nullable Codec codec) {
        if (payloadType == 1 || payloadType == 2) {
            return 8000; // 1016 and G721 of RFC 1890, which RFC 3551 has taken back
        }
        Codec known = PayloadType.isDynamic(payloadType) ? codec : PayloadType.staticCodec(payloadType);
        return known == null || known.isTelephoneEvent() ? 0 : known.clockRate();
    }

    /** All captured packets. */
    public long packets() {
        return packets;
    }

    /** From the first to the last captured sequence number, by Wireshark's count of cycles. */
    public long expected() {
        return packets == 0 ? 0 : lastSequence + 65_536L * cycles - firstSequence + 1;
    }

    /** Expected less packets; below 0 where there are more duplicates than losses. */
    public long lost() {
        return expected() - packets;
    }

    /** {@link #lost()} of {@link #expected()}, in percent. */
    public double lostPercent() {
        long expected = expected();
        return expected == 0 ? 0 : 100.0 * lost() / expected;
    }

    /**
     * Gaps, late packets, duplicates and timestamps before the first one; Wireshark asks "Problems?" where there are
     * any.
     */
    public int sequenceErrors() {
        return sequenceErrors;
    }

    /** -1 where no packet counts. */
    public double minDeltaMs() {
        return minDelta;
    }

    /** The mean time between two packets in a row, in milliseconds. */
    public double meanDeltaMs() {
        return meanDelta;
    }

    /** The longest time between two packets in a row, in milliseconds. */
    public double maxDeltaMs() {
        return maxDelta;
    }

    /** -1 where no packet counts, or the clock is not known. */
    public double minJitterMs() {
        return minJitter;
    }

    /** The mean interarrival jitter, in milliseconds. */
    public double meanJitterMs() {
        return meanJitter;
    }

    /** The highest interarrival jitter, in milliseconds. */
    public double maxJitterMs() {
        return maxJitter;
    }

    /** Media time less arrival time, after the last packet. */
    public double skewMs() {
        return skew;
    }

    /** The skew that was farthest from 0. */
    public double maxSkewMs() {
        return maxSkew;
    }

    /** How far the sender's clock went ahead over the whole stream, by least squares. */
    public double clockDriftMs() {
        return (lastMs - firstMs) * (slope.value() - 1);
    }

    /** Kilobits in the second before the last packet, IP and UDP headers included. */
    public double bandwidthKbps() {
        return bandwidth.octets() * 8 / 1000.0;
    }

    /** The least-squares line through media time over arrival time. */
    private static final class Slope {
        private long points;
        private double x;
        private double y;
        private double xx;
        private double xy;

        void add(double x, double y) {
            points++;
            this.x += x;
            this.y += y;
            xx += x * x;
            xy += x * y;
        }

        /** 1 while there is no line. */
        double value() {
            double divisor = x * x - points * xx;
            return points < 2 || divisor == 0 ? 1 : (x * y - points * xy) / divisor;
        }
    }
}
