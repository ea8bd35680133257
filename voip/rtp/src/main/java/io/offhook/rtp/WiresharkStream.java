package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * The values that {@code tshark -q -z rtp,streams} (version 4.0) prints for a stream, computed with its arithmetic; for
 * comparison with Wireshark only. {@link RtpStream} has the exact values.
 *
 * <p>Known differences from the exact values: the last packet's sequence number, not the highest, ends the expected
 * range; duplicates compensate for losses, so {@link #lost()} may be negative; the clock of jitter is in whole
 * kilohertz; packets with the marker bit and around comfort noise are excluded from minimum, mean and maximum, but
 * count in the divisor of the mean; a packet with a timestamp before the first one's is excluded from jitter and delta.
 *
 * <p>Single-threaded; accessors change nothing.
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

    // the last packet in time, and the media time of the last packet with a known clock
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
     * Creates a stream without packets.
     *
     * @param captureStartNs the time of the first frame of the capture, to which Wireshark's times are relative, in
     *     nanoseconds since the epoch
     */
    public WiresharkStream(long captureStartNs) {
        this.captureStartNs = captureStartNs;
    }

    /**
     * Adds the next packet in the order of the capture.
     *
     * @param rows the packet is in; the key of the stream is not read
     * @param row its index there, 0 or more
     * @param codec the codec that signalling had bound to a dynamic payload type before this packet; null if none
     */
    public void packet(RtpRows rows, int row, @Nullable Codec codec) {
        long arrivalNs = rows.arrivalNs(row);
        int sequenceNumber = rows.sequenceNumber(row);
        int payloadType = rows.payloadType(row);
        boolean marker = rows.marker(row);
        long relativeNs = arrivalNs - captureStartNs;
        // the sum of whole seconds and nanoseconds, scaled separately, as Wireshark computes it
        long seconds = relativeNs / 1_000_000_000;
        double nowMs = seconds * 1000.0 + (relativeNs - seconds * 1_000_000_000) / 1_000_000.0;
        int ts = (int) rows.timestamp(row);
        bandwidth.add(arrivalNs, rows.rtpLength(row) + (rows.isIpv6(row) ? 48 : 28));
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
        // media time is counted from the first packet by the clock of this one, whatever the clock of earlier packets
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

    /** The clock that Wireshark uses: of static types by its table, of others by signalling; 0 if it knows none. */
    private static int clock(int payloadType, @Nullable Codec codec) {
        if (payloadType == 1 || payloadType == 2) {
            return 8000; // 1016 and G721 of RFC 1890, which RFC 3551 withdrew
        }
        Codec known = PayloadType.isDynamic(payloadType) ? codec : PayloadType.staticCodec(payloadType);
        return known == null || known.isTelephoneEvent() ? 0 : known.clockRate();
    }

    /** All captured packets. */
    public long packets() {
        return packets;
    }

    /** The sequence numbers from the first to the last captured one, by Wireshark's count of cycles. */
    public long expected() {
        return packets == 0 ? 0 : lastSequence + 65_536L * cycles - firstSequence + 1;
    }

    /** Expected minus captured packets; negative if duplicates outnumber losses. */
    public long lost() {
        return expected() - packets;
    }

    /** {@link #lost()} as a percentage of {@link #expected()}. */
    public double lostPercent() {
        long expected = expected();
        return expected == 0 ? 0 : 100.0 * lost() / expected;
    }

    /**
     * Gaps, late packets, duplicates and timestamps before the first one; Wireshark sets "Problems?" if there are any.
     */
    public int sequenceErrors() {
        return sequenceErrors;
    }

    /** The shortest time between consecutive packets, in milliseconds; -1 if no packet counts. */
    public double minDeltaMs() {
        return minDelta;
    }

    /** The mean time between consecutive packets, in milliseconds. */
    public double meanDeltaMs() {
        return meanDelta;
    }

    /** The longest time between consecutive packets, in milliseconds. */
    public double maxDeltaMs() {
        return maxDelta;
    }

    /** The lowest interarrival jitter, in milliseconds; -1 if no packet counts or the clock is unknown. */
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

    /** Media time minus arrival time after the last packet, in milliseconds. */
    public double skewMs() {
        return skew;
    }

    /** The skew farthest from 0, in milliseconds. */
    public double maxSkewMs() {
        return maxSkew;
    }

    /**
     * How far the sender's clock advanced relative to arrival over the whole stream, by least squares, in milliseconds.
     */
    public double clockDriftMs() {
        return (lastMs - firstMs) * (slope.value() - 1);
    }

    /** The bit rate in the second before the last packet, IP and UDP headers included, in kbit/s. */
    public double bandwidthKbps() {
        return bandwidth.octets() * 8 / 1000.0;
    }

    /** The least-squares line of media time over arrival time. */
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

        /** The slope; 1 while there is no line. */
        double value() {
            double divisor = x * x - points * xx;
            return points < 2 || divisor == 0 ? 1 : (x * y - points * xy) / divisor;
        }
    }
}
