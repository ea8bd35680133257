package io.offhook.rtp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the packets of one RTP stream: one pair of endpoints and one SSRC, in order of capture.
 *
 * <p>Every packet is exactly one of these: the first captured one of its sequence number ({@link #distinct()}), one of
 * {@link #duplicates()}, one that came {@link #late()}, beyond what is remembered, or one of {@link #strays()}. {@link
 * #expected()} are all numbers from the lowest to the highest, and {@link #lost()} those of them that were not
 * captured: packets out of order are no loss, and duplicates make up for none.
 *
 * <p>A sender that starts over, seen as two packets in a row far from the others (RFC 3550, A.1: {@value #MAX_DROPOUT}
 * or more ahead, {@value #MAX_MISORDER} or more behind onto what is there already), begins a new run: expected adds up
 * over the runs, and what lies between them is no loss. A single packet so far away is a stray one, or a late one.
 *
 * <p>Jitter is that of RFC 3550, A.8, over all packets in order of arrival, but not over telephone-events (their
 * timestamps stand still), mirrored packets (they did not arrive twice), and those too far away. Where the codec of a
 * payload type is told later by {@link #codec(int, Codec)}, the first {@value WaitingPackets#LIMIT} packets are gone
 * through again.
 *
 * <p>Plain mutable state of one thread. Reading changes nothing and can be done between any two packets. A stream
 * without irregularities takes about 360 bytes; the first gap, duplicate or reordered packet adds a window of the last
 * {@value SequenceWindow#SIZE} numbers.
 */
public final class RtpStream {
    /** A step of so many numbers or more is not loss but a new start, if a second packet follows there. */
    public static final int MAX_DROPOUT = 3000;

    /** A step back by so many numbers or more is not reordering but a new start, if a second packet follows there. */
    public static final int MAX_MISORDER = 100;

    /** How close to the first delivery the second one of a mirrored packet comes, in nanoseconds. */
    public static final long MIRROR_NS = 5_000_000;

    /**
     * Time between the receiver reports that {@link #intervalFractionLost()} stands for, in nanoseconds (RFC 3550,
     * 6.2).
     */
    public static final long REPORT_INTERVAL_NS = 5_000_000_000L;

    private static final int NONE = -1;

    private final SequenceCounter sequence = new SequenceCounter();
    private final PayloadTimeline timeline = new PayloadTimeline();
    private @Nullable RecentPackets recent;

    private long payloadOctets;
    private long firstNs;
    private long lastNs;
    private long lastUniqueNs;
    private long minDeltaNs = Long.MAX_VALUE;
    private long maxDeltaNs;
    private long lastFingerprint;
    private int firstTimestamp;
    private int lastTimestamp;
    private int markers;
    private int mirrored;

    private long intervalEndNs;
    private long intervalExpected;
    private long intervalReceived;
    private short intervalFraction = NONE;
    private short maxIntervalFraction = NONE;

    /** A stream without packets. */
    public RtpStream() {}

    /**
     * Takes the next packet in order of capture.
     *
     * @param arrivalNs nanoseconds since the epoch
     * @param sequenceNumber 0 to 65535
     * @param timestamp of RTP, 0 to 2^32 - 1
     * @param payloadType 0 to 127
     * @param payloadLength octets on the wire, padding off
     * @param payloadHead the first eight octets of the payload, the first one in the highest bits, zeros where it is
     *     shorter
     * @param ipIdentification of the IPv4 header; -1 for IPv6
     */
    public void packet(
            long arrivalNs,
            int sequenceNumber,
            long timestamp,
            int payloadType,
            boolean marker,
            int payloadLength,
            long payloadHead,
            int ipIdentification) {
        int ts = (int) timestamp;
        long fingerprint = RecentPackets.fingerprint(
                sequenceNumber, ts, payloadType, marker, payloadLength, payloadHead, ipIdentification);
        if (sequence.packets() == 0) {
            first(arrivalNs, ts);
        } else if (arrivalNs >= intervalEndNs) {
            closeInterval(arrivalNs);
        }
        int verdict = sequence.accept(sequenceNumber);
        payloadOctets += payloadLength;
        markers += marker ? 1 : 0;
        lastNs = arrivalNs;
        if (verdict == SequenceCounter.DUPLICATE && isMirrored(fingerprint, arrivalNs)) {
            mirrored++;
            timeline.count(arrivalNs, payloadType);
            return;
        }
        if (sequence.packets() > 1) {
            long deltaNs = arrivalNs - lastUniqueNs;
            minDeltaNs = Math.min(minDeltaNs, deltaNs);
            maxDeltaNs = Math.max(maxDeltaNs, deltaNs);
        }
        lastUniqueNs = arrivalNs;
        lastTimestamp = ts;
        lastFingerprint = fingerprint;
        if (recent != null) {
            recent.add(fingerprint, arrivalNs);
        }
        if (verdict == SequenceCounter.LATE || verdict == SequenceCounter.STRAY) {
            timeline.count(arrivalNs, payloadType);
            return;
        }
        boolean restart = verdict == SequenceCounter.RESTARTED;
        timeline.packet(arrivalNs, ts, payloadType, marker, restart, payloadLength, payloadHead);
    }

    /**
     * Says what a payload type means, as signalling has it; this goes over the static table. Told before the first
     * packet or after the last, the figures are the same, within the limit above. Repeating it costs nothing.
     *
     * @param payloadType 0 to 127
     */
    public void codec(int payloadType, Codec codec) {
        timeline.codec(payloadType, codec);
    }

    /**
     * Says that a payload type meant something else all the time than was told while its packets came: another call's
     * SDP was taken for that of this one. Where the clocks differ, jitter and skew begin anew, and the packets up to now
     * count as {@linkplain #untimedPackets() untimed}.
     *
     * @param payloadType 0 to 127
     */
    public void correctCodec(int payloadType, Codec codec) {
        timeline.correct(payloadType, codec);
    }

    private void first(long arrivalNs, int timestamp) {
        firstNs = arrivalNs;
        firstTimestamp = timestamp;
        intervalEndNs = arrivalNs + REPORT_INTERVAL_NS;
    }

    /** What a receiver that reports every five seconds would have put into its report now (RFC 3550, A.3). */
    private void closeInterval(long arrivalNs) {
        long expected = sequence.expectedSinceFirst();
        long received = sequence.received();
        intervalFraction = (short) fractionLost(expected - intervalExpected, received - intervalReceived);
        maxIntervalFraction = (short) Math.max(maxIntervalFraction, intervalFraction);
        intervalExpected = expected;
        intervalReceived = received;
        intervalEndNs += ((arrivalNs - intervalEndNs) / REPORT_INTERVAL_NS + 1) * REPORT_INTERVAL_NS;
    }

    private boolean isMirrored(long fingerprint, long arrivalNs) {
        RecentPackets recent = this.recent;
        if (recent == null) {
            recent = new RecentPackets();
            recent.add(lastFingerprint, lastUniqueNs);
            this.recent = recent;
        }
        return recent.contains(fingerprint, arrivalNs, MIRROR_NS);
    }

    /** All captured packets. */
    public long packets() {
        return sequence.packets();
    }

    /** Packets less duplicates, late and stray ones: sequence numbers that were captured. */
    public long distinct() {
        return sequence.distinct();
    }

    /** Sequence numbers from the lowest to the highest, over all runs. */
    public long expected() {
        return sequence.expected();
    }

    /** Expected numbers that were not captured. */
    public long lost() {
        return sequence.lost();
    }

    /** {@link #lost()} of {@link #expected()}, 0 to 100. */
    public double lostPercent() {
        return expected() == 0 ? 0 : 100.0 * lost() / expected();
    }

    /** Packets whose number had been captured before, whatever their content. */
    public long duplicates() {
        return sequence.duplicates();
    }

    /** Of the duplicates: equal ones within {@link #MIRROR_NS}, as a mirror port delivers them. */
    public long mirrored() {
        return mirrored;
    }

    /** Packets that came after one with a higher number, and were new. */
    public long reordered() {
        return sequence.reordered();
    }

    /** Packets so far behind that nothing tells whether they are new; their numbers count as lost. */
    public long late() {
        return sequence.late();
    }

    /** Packets with a number far off, which no second one followed. */
    public long strays() {
        return sequence.strays();
    }

    /** How often the sender started over with other numbers. */
    public int restarts() {
        return sequence.restarts();
    }

    /**
     * The lowest sequence number of the current run, extended by the cycles (RFC 3550, A.1) since the run's first
     * packet; below 0 where a packet came late from before a wrap.
     */
    public long lowestSequenceNumber() {
        return sequence.lowest();
    }

    /** The highest sequence number of the current run, extended alike. */
    public long highestSequenceNumber() {
        return sequence.highest();
    }

    /**
     * The "cumulative number of packets lost" of RFC 3550, A.3: duplicates make up for losses, so it may be below 0.
     */
    public long cumulativeLost() {
        return sequence.expectedSinceFirst() - sequence.received();
    }

    /** The "fraction lost" of RFC 3550, A.3, in 1/256, as one report over the whole stream would have it. */
    public int fractionLost() {
        return fractionLost(sequence.expectedSinceFirst(), sequence.received());
    }

    /** The "fraction lost" of the last whole interval of {@link #REPORT_INTERVAL_NS}, in 1/256; -1 before its end. */
    public int intervalFractionLost() {
        return intervalFraction;
    }

    /** The highest "fraction lost" of any such interval, in 1/256; -1 before the first one's end. */
    public int maxIntervalFractionLost() {
        return maxIntervalFraction;
    }

    private static int fractionLost(long expected, long received) {
        long lost = expected - received;
        return expected <= 0 || lost <= 0 ? 0 : (int) Math.min(255, (lost << 8) / expected);
    }

    /** Runs of lost packets by length, as of now; a copy that the caller owns. */
    public LossBursts lossBursts() {
        return sequence.bursts();
    }

    /**
     * BurstR of ITU-T G.107: how many packets are lost in a row, over how many would be if losses fell at random. 1 for
     * random or sparser loss, and without any.
     */
    public double burstRatio() {
        double ratio = lossBursts().meanLength() * (1 - lostPercent() / 100);
        return Math.max(1, ratio);
    }

    /** Arrival of the first captured packet, nanoseconds since the epoch. */
    public long firstNs() {
        return firstNs;
    }

    /** Arrival of the last captured packet, nanoseconds since the epoch. */
    public long lastNs() {
        return lastNs;
    }

    /**
     * Arrival of the last packet that carries media, comfort noise included, and not key presses, nanoseconds since the
     * epoch; {@link Long#MIN_VALUE} where none does.
     */
    public long lastMediaNs() {
        return timeline.lastMediaNs();
    }

    /** The RTP timestamp of the first captured packet. */
    public long firstTimestamp() {
        return firstTimestamp & 0xffff_ffffL;
    }

    /** The RTP timestamp of the last captured packet. */
    public long lastTimestamp() {
        return lastTimestamp & 0xffff_ffffL;
    }

    /** Packets with the marker bit. */
    public long markers() {
        return markers;
    }

    /** Octets of payload, padding off, in all packets. */
    public long payloadOctets() {
        return payloadOctets;
    }

    /**
     * Bits a second from the first packet to the last; 0 where both have the same time.
     *
     * @param headerOctets to count with each packet: 12 for RTP alone, 40 with UDP and IPv4, 60 with UDP and IPv6
     */
    public double bitsPerSecond(int headerOctets) {
        long durationNs = lastNs - firstNs;
        return durationNs <= 0 ? 0 : (payloadOctets + packets() * headerOctets) * 8e9 / durationNs;
    }

    /** The shortest time between packets that follow each other, mirrored ones left out; 0 below two packets. */
    public double minDeltaMs() {
        return minDeltaNs == Long.MAX_VALUE ? 0 : minDeltaNs / 1e6;
    }

    /** The longest time between two packets in a row, in milliseconds. */
    public double maxDeltaMs() {
        return maxDeltaNs / 1e6;
    }

    /** The mean time between two packets in a row, in milliseconds. */
    public double meanDeltaMs() {
        long deltas = packets() - mirrored - 1;
        return deltas <= 0 ? 0 : (lastUniqueNs - firstNs) / 1e6 / deltas;
    }

    /** Whether the clock of any packet is known: without it jitter and skew are 0 and mean nothing. */
    public boolean isJitterKnown() {
        return timeline.jitter().isKnown();
    }

    /** Interarrival jitter after the last packet. */
    public double jitterMs() {
        return timeline.jitter().currentMs();
    }

    /** The highest interarrival jitter, in milliseconds. */
    public double maxJitterMs() {
        return timeline.jitter().maxMs();
    }

    /** The mean of the jitter after each packet. */
    public double meanJitterMs() {
        return timeline.jitter().meanMs();
    }

    /**
     * Media time less arrival time since the first packet: above 0 where the sender's clock runs fast or delay shrank.
     */
    public double skewMs() {
        return timeline.jitter().skewMs();
    }

    /** Steps of the timestamp of ten seconds and more against the arrival, which are left out of jitter and skew. */
    public int timestampJumps() {
        return timeline.jitter().timestampJumps();
    }

    /**
     * Packets left out of jitter and key presses because their codec was told too late or never, or because their payload
     * type is none of the first eight.
     */
    public long untimedPackets() {
        return timeline.untimed();
    }

    /** The payload types that packets had, in order of appearance, at most eight. */
    public List<PayloadCount> payloads() {
        return timeline.payloads();
    }

    /** The payload type of most packets, media before events and comfort noise; null before the first packet. */
    public @Nullable PayloadCount mainPayload() {
        return timeline.main();
    }

    /** Packets of comfort noise (13, 19, and what signalling calls CN). */
    public long comfortNoisePackets() {
        return timeline.comfortNoisePackets();
    }

    /** The stream's key presses; null when it has had none, or nothing tells which payload type they are. */
    public @Nullable TelephoneEvents telephoneEvents() {
        return timeline.events();
    }

    /** The keys pressed, in order; empty without any. */
    public String digits() {
        TelephoneEvents events = timeline.events();
        return events == null ? "" : events.digits();
    }
}
