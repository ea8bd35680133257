package io.offhook.rtp;

import io.offhook.rtp.figures.ArrivalFigures;
import io.offhook.rtp.figures.IntervalFigures;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.figures.StreamUpdate;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.playout.Playout;
import io.offhook.rtp.playout.Resync;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one RTP stream: the packets of one SSRC between one pair of endpoints, in the order of the capture.
 *
 * <p>Each packet falls into exactly one category: the first captured packet of its sequence number
 * ({@link #distinct()}), {@link #duplicates()}, packets that are {@link #late()} beyond the window, or
 * {@link #strays()}. {@link #expected()} counts the numbers from the lowest to the highest; {@link #lost()} counts
 * those of them that were not captured. Reordering is not loss, and duplicates do not compensate for loss.
 *
 * <p>A sender that restarts shows as two consecutive packets far from the others (RFC 3550, A.1): {@value #MAX_DROPOUT}
 * or more ahead, or {@value #MAX_MISORDER} or more behind at a number already captured. They begin a new run. Expected
 * packets add up over the runs, and numbers between runs are not lost. A single packet that far away is stray or late.
 *
 * <p>Jitter is that of RFC 3550, A.8, over all packets in order of arrival. It excludes telephone-events (their
 * timestamps do not advance), mirrored packets (they did not arrive twice) and packets too far away. If
 * {@link #codec(int, Codec)} sets the codec of a payload type later, the first {@value WaitingPackets#LIMIT} packets
 * are evaluated again.
 *
 * <p>Single-threaded. Accessors change nothing and may be called between any two packets. A regular stream takes about
 * 1,400 bytes and three more each interval; the first gap, discarded, duplicate or reordered packet adds a window of the
 * last {@value SequenceWindow#SIZE} numbers, 1.6 KB, and each interval that loses packets 16 bytes.
 */
public final class RtpStream extends RegularPackets {
    /** The pause in nanoseconds after which the ports of a stream may serve another call. */
    public static final long PAUSE_NS = 100_000_000;

    /** A forward step of this many numbers or more is a restart instead of loss, if a second packet confirms it. */
    public static final int MAX_DROPOUT = 3000;

    /**
     * A backward step of this many numbers or more is a restart instead of reordering, if a second packet confirms it.
     */
    public static final int MAX_MISORDER = 100;

    /** The longest time between the two deliveries of a mirrored packet without an IP identification, in nanoseconds. */
    public static final long MIRROR_NS = 5_000_000;

    /** Likewise with one, which another packet does not have: two places of capture may lie that far apart. */
    public static final long IDENTIFIED_MIRROR_NS = 100_000_000;

    /**
     * The interval between the receiver reports that {@link #intervalFractionLost()} emulates, in nanoseconds (RFC
     * 3550, 6.2).
     */
    public static final long REPORT_INTERVAL_NS = StreamInterval.LENGTH_NS;

    private static final int NONE = -1;

    /** A dropout this far ahead could as well be behind. */
    private static final int MAX_OUTAGE = 0x7fff;

    private static final double OUTAGE_TOLERANCE = 0.1;

    private final SequenceCounter sequence;
    private final PayloadTimeline timeline;
    private final StreamIntervals intervals;
    private final JitterBuffer buffer;
    private final long[] recent = new long[RecentPackets.SIZE];

    private int nextRecent;
    /** For packets that come one at a time; null otherwise. */
    private @Nullable RtpRows single;

    private long payloadOctets;
    private long firstNs;
    private long lastUniqueNs;
    private long minDeltaNs = Long.MAX_VALUE;
    private long earlierMaxDeltaNs;
    private long intervalMaxDeltaNs;
    private int firstTimestamp;
    private int lastTimestamp;
    private int markers;
    private int mirrored;

    private long intervalEndNs;
    private int openInterval;
    private long intervalExpected;
    private long intervalReceived;
    private short intervalFraction = NONE;
    private short maxIntervalFraction = NONE;

    /** Made of figures: takes no packets. */
    private final boolean isClosed;

    /** Creates a stream without packets, for a receiver with {@link JitterBuffer#DEFAULT}. */
    public RtpStream() {
        this(JitterBuffer.DEFAULT, false);
    }

    /**
     * Creates a stream without packets.
     *
     * @param buffer of the receiver
     * @param keepsFigures whether {@link #intervals()} has {@link StreamInterval.Figures}, which take 28 octets each
     */
    public RtpStream(JitterBuffer buffer, boolean keepsFigures) {
        this.buffer = buffer;
        isClosed = false;
        sequence = new SequenceCounter();
        timeline = new PayloadTimeline(sequence, buffer.playout());
        intervals = new StreamIntervals(keepsFigures);
    }

    private RtpStream(StreamFigures figures, JitterBuffer buffer) {
        this.buffer = buffer;
        isClosed = true;
        ArrivalFigures arrival = figures.arrival();
        firstNs = arrival.times().firstNs();
        lastNs = arrival.times().lastNs();
        lastUniqueNs = arrival.times().lastUniqueNs();
        minDeltaNs = arrival.deltas().minNs();
        earlierMaxDeltaNs = arrival.deltas().maxNs();
        intervalMaxDeltaNs = arrival.deltas().openMaxNs();
        firstTimestamp = arrival.headers().firstTimestamp();
        lastTimestamp = arrival.headers().lastTimestamp();
        lastNumber = arrival.headers().lastNumber();
        payloadOctets = arrival.payloadOctets();
        markers = arrival.markers();
        intervalFraction = (short) arrival.fractions().last();
        maxIntervalFraction = (short) arrival.fractions().max();
        mirrored = figures.sequence().odd().mirrored();
        IntervalLosses losses = new IntervalLosses();
        intervals = StreamIntervals.of(figures.intervals(), firstNs, losses);
        sequence = SequenceCounter.of(figures.sequence(), Impairments.of(figures.losses(), losses));
        timeline = PayloadTimeline.of(sequence, figures.media(), buffer, figures.playout());
    }

    /**
     * A stream that answers as another one did when its {@link #figures} were taken. It takes codecs, but no packets: these
     * are an {@link IllegalStateException}. Only where packets {@linkplain #waitingPackets wait} for their codec does setting
     * it later change less than it would have changed there.
     *
     * @param figures of the other one, whole
     * @throws IllegalArgumentException if their buffer, or a codec, is none
     */
    public static RtpStream of(StreamFigures figures) {
        JitterBuffer buffer = JitterBuffer.parse(figures.buffer());
        if (buffer == null) {
            throw new IllegalArgumentException("no jitter buffer: \"" + figures.buffer() + "\"");
        }
        return new RtpStream(figures, buffer);
    }

    /**
     * What all accessors answer from, as it is now. May be taken at any time, and changes nothing. Of a stream of many hours
     * the intervals are most of it: {@link #figuresSince} leaves out those that did not change.
     */
    public StreamFigures figures() {
        settle();
        Impairments impairments = sequence.impairments();
        return figures(impairments, intervals.figures(impairments.intervals()));
    }

    /**
     * What {@link #figures} has, but of the closed intervals only those that changed since the mark, which is set to now.
     * Folded together by {@link StreamFigures#with}, all that was taken by one mark equals {@link #figures}.
     *
     * @param mark of this stream and who takes its figures; a new one to begin with
     */
    public StreamUpdate figuresSince(FiguresMark mark) {
        settle();
        Impairments impairments = sequence.impairments();
        StreamFigures open = figures(impairments, intervals.openFigures(impairments.intervals()));
        return new StreamUpdate(open, intervals.open(), intervals.changedSince(mark, impairments.intervals()));
    }

    private StreamFigures figures(Impairments impairments, IntervalFigures ofIntervals) {
        return new StreamFigures(
                buffer.toString(),
                new ArrivalFigures(
                        new ArrivalFigures.Times(firstNs, lastNs, lastUniqueNs),
                        new ArrivalFigures.Deltas(
                                minDeltaNs, Math.max(earlierMaxDeltaNs, intervalMaxDeltaNs), intervalMaxDeltaNs),
                        new ArrivalFigures.Headers(firstTimestamp, lastTimestamp, lastNumber),
                        payloadOctets,
                        markers,
                        new ArrivalFigures.Fractions(intervalFraction, maxIntervalFraction)),
                sequence.figures(mirrored),
                impairments.figures(),
                timeline.figures(),
                timeline.playoutFigures(),
                ofIntervals);
    }

    /**
     * Adds the next packet in the order of the capture if it follows the one before as nearly all do: by one number and one
     * packet time, with the same payload type, no marker, and no pause of {@link #PAUSE_NS}. Nothing else needs to be
     * known of such a packet.
     *
     * @param rows the packet is in; the key of the stream is not read
     * @param row its index there, 0 or more
     * @return whether it was added; otherwise {@link #packet} adds it
     */
    public boolean packetInTurn(RtpRows rows, int row) {
        if (!note(rows, row)) {
            return false;
        }
        if (isFull()) {
            settle();
        }
        return true;
    }

    /**
     * Adds the next packet in the order of the capture.
     *
     * @param rows the packet is in; the key of the stream is not read
     * @param row its index there, 0 or more
     */
    public void packet(RtpRows rows, int row) {
        if (!packetInTurn(rows, row)) {
            settle();
            evaluate(rows, row);
        }
    }

    /**
     * Adds the next packet in the order of the capture, one at a time: for programs that have a view of it. Of many packets,
     * rows are cheaper.
     *
     * @param arrivalNs when it was captured, nanoseconds since the epoch
     */
    public void packet(RtpView packet, long arrivalNs) {
        RtpRows row = single == null ? new RtpRows() : single;
        single = row;
        row.clear();
        packet(row, row.add(packet, arrivalNs, 0));
    }

    /** The next packet is not taken by {@link #packetInTurn}: somebody else wants to see it, too. */
    public void evaluateNext() {
        expectNone();
    }

    /** Evaluates the packets that were only noted. */
    private void settle() {
        int count = notedPackets();
        if (count > 0) {
            int octets = notedOctets();
            long[] arrivals = arrivals(recent, nextRecent, lastUniqueNs);
            nextRecent += count;
            forgetNoted();
            settle(arrivals, count, octets);
        }
    }

    private void settle(long[] arrivals, int count, int octets) {
        long number = sequence.highest() + 1;
        sequence.acceptNext(count, openInterval);
        payloadOctets += octets;
        minDeltaNs = Math.min(minDeltaNs, leastDeltaNs());
        intervalMaxDeltaNs = Math.max(intervalMaxDeltaNs, mostDeltaNs());
        lastUniqueNs = arrivals[count - 1];
        timeline.regular(arrivals, count, lastTimestamp + regularStep(), number, regularStep(), intervals);
        lastTimestamp += count * regularStep();
    }

    private void evaluate(RtpRows rows, int row) {
        if (isClosed) {
            throw new IllegalStateException("a stream of figures takes no packets");
        }
        expectNone();
        long arrivalNs = rows.arrivalNs(row);
        int sequenceNumber = rows.sequenceNumber(row);
        int ts = (int) rows.timestamp(row);
        int payloadType = rows.payloadType(row);
        boolean marker = rows.marker(row);
        if (sequence.packets() == 0) {
            first(arrivalNs, ts);
        } else if (arrivalNs >= intervalEndNs) {
            closeInterval(arrivalNs);
        }
        int maxDropout = sequence.isNext(sequenceNumber) ? MAX_DROPOUT : maxDropout(sequenceNumber, ts, arrivalNs);
        int verdict = sequence.accept(sequenceNumber, openInterval, maxDropout, lastUniqueNs);
        payloadOctets += rows.payloadLength(row);
        markers += marker ? 1 : 0;
        lastNs = arrivalNs;
        lastNumber = sequenceNumber;
        long fingerprint = RecentPackets.fingerprint(rows, row);
        if (verdict == SequenceCounter.DUPLICATE && isMirrored(fingerprint, arrivalNs, rows.ipIdentification(row))) {
            mirrored++;
            timeline.count(arrivalNs, payloadType);
            return;
        }
        if (sequence.packets() > 1) {
            long deltaNs = arrivalNs - lastUniqueNs;
            minDeltaNs = deltaNs < 0 ? minDeltaNs : Math.min(minDeltaNs, deltaNs); // the clock was set back
            intervalMaxDeltaNs = Math.max(intervalMaxDeltaNs, deltaNs);
        }
        lastUniqueNs = arrivalNs;
        lastTimestamp = ts;
        RecentPackets.add(recent, nextRecent++, fingerprint, arrivalNs);
        if (verdict == SequenceCounter.LATE || verdict == SequenceCounter.STRAY) {
            timeline.count(arrivalNs, payloadType);
            return;
        }
        boolean isBehind = verdict == SequenceCounter.BEHIND;
        int flags = (marker ? Playout.MARKER : 0)
                | (isBehind ? Playout.REORDERED : 0)
                | (verdict == SequenceCounter.RESTARTED ? Playout.RESTARTED : 0)
                | (verdict == SequenceCounter.DUPLICATE ? PayloadTimeline.DUPLICATE : 0);
        long number = isBehind ? sequence.behind() : sequence.highest();
        PayloadUse use = timeline.packet(rows, row, number, flags, intervals);
        if (use != null && (flags & ~Playout.MARKER) == 0) {
            expectAfter(rows.header(row), use, rows.payloadLength(row), timeline.usualTicks(), intervalEndNs);
        }
    }

    /**
     * The numbers ahead from which a packet is taken for a restart: {@link #MAX_DROPOUT}, or more if its timestamp and
     * its arrival both advanced by as much as its number: the path failed for that long, and the sender went on.
     */
    private int maxDropout(int sequenceNumber, int timestamp, long arrivalNs) {
        int ahead = sequence.packets() == 0 ? 0 : sequence.ahead(sequenceNumber);
        if (ahead < MAX_DROPOUT || ahead > MAX_OUTAGE) {
            return MAX_DROPOUT;
        }
        double expectedTicks = (double) ahead * timeline.packetTicks();
        double expectedNs = ahead * timeline.packetMs() * 1e6;
        boolean isOutage = expectedTicks > 0
                && Math.abs(timestamp - lastTimestamp - expectedTicks) <= OUTAGE_TOLERANCE * expectedTicks
                && Math.abs(arrivalNs - lastUniqueNs - expectedNs) <= OUTAGE_TOLERANCE * expectedNs;
        return isOutage ? ahead + 1 : MAX_DROPOUT;
    }

    /**
     * Sets the codec of a payload type as signalled; it overrides the static table. The results are the same whether
     * the call precedes the first packet or follows the last, within the limit above. Repeated calls cost nothing.
     *
     * @param payloadType 0 to 127
     * @param codec the codec
     */
    public void codec(int payloadType, Codec codec) {
        settle();
        expectNone();
        timeline.codec(payloadType, codec, intervals);
    }

    /**
     * Sets how many octets of an authentication tag are behind each payload of a type, if it is SRTP (RFC 3711, 3.1): a
     * packet with no more than these is empty. It counts from the next packet on.
     *
     * @param payloadType 0 to 127
     * @param octets 0 or more
     */
    public void tag(int payloadType, int octets) {
        settle();
        expectNone();
        timeline.tag(payloadType, octets);
    }

    /**
     * Corrects the codec of a payload type for the whole stream, because SDP of another call had been taken for this
     * one. If the clocks differ, jitter and skew restart, and the packets so far count as
     * {@linkplain #untimedPackets() untimed}.
     *
     * @param payloadType 0 to 127
     * @param codec the correct codec
     */
    public void correctCodec(int payloadType, Codec codec) {
        settle();
        expectNone();
        timeline.correct(payloadType, codec);
    }

    private void first(long arrivalNs, int timestamp) {
        firstNs = arrivalNs;
        firstTimestamp = timestamp;
        intervals.begin(arrivalNs);
        intervalEndNs = intervals.endNs();
    }

    /** Computes what a receiver that reports every five seconds would report now (RFC 3550, A.3). */
    private void closeInterval(long arrivalNs) {
        long expected = sequence.expectedSinceFirst();
        long received = sequence.received();
        intervalFraction = (short) fractionLost(expected - intervalExpected, received - intervalReceived);
        maxIntervalFraction = (short) Math.max(maxIntervalFraction, intervalFraction);
        intervalExpected = expected;
        intervalReceived = received;
        intervals.close(arrivalNs, this, timeline);
        intervalEndNs = intervals.endNs();
        openInterval = intervals.open();
        earlierMaxDeltaNs = Math.max(earlierMaxDeltaNs, intervalMaxDeltaNs);
        intervalMaxDeltaNs = 0;
    }

    private boolean isMirrored(long fingerprint, long arrivalNs, int ipIdentification) {
        long withinNs = ipIdentification > 0 ? IDENTIFIED_MIRROR_NS : MIRROR_NS;
        return RecentPackets.contains(recent, fingerprint, arrivalNs, withinNs)
                || isOtherSideOfRelay(fingerprint, arrivalNs, ipIdentification);
    }

    /** Whether a duplicate is a packet that was captured inside a protocol that carried it, and outside. */
    private boolean isOtherSideOfRelay(long fingerprint, long arrivalNs, int ipIdentification) {
        if (ipIdentification == RtpRows.IDENTIFICATION_OF_CARRIED) {
            return RecentPackets.containsContent(recent, fingerprint, arrivalNs, IDENTIFIED_MIRROR_NS);
        }
        long inside = ((ipIdentification ^ RtpRows.IDENTIFICATION_OF_CARRIED) & 0xffffL) << 32;
        return RecentPackets.contains(recent, fingerprint ^ inside, arrivalNs, IDENTIFIED_MIRROR_NS);
    }

    /** All captured packets. */
    public long packets() {
        return sequence().packets();
    }

    /** Packets other than duplicates, late and stray ones: the number of captured sequence numbers. */
    public long distinct() {
        return sequence().distinct();
    }

    /** The sequence numbers from the lowest to the highest, over all runs. */
    public long expected() {
        return sequence().expected();
    }

    /** The expected numbers that were not captured. */
    public long lost() {
        return sequence().lost();
    }

    /** {@link #lost()} as a percentage of {@link #expected()}, 0 to 100. */
    public double lostPercent() {
        return expected() == 0 ? 0 : 100.0 * lost() / expected();
    }

    /** Packets whose number had been captured before, whatever their content. */
    public long duplicates() {
        return sequence().duplicates();
    }

    /**
     * Duplicates with the same content, and with an IP identification within {@link #IDENTIFIED_MIRROR_NS}, otherwise
     * within {@link #MIRROR_NS}, as a mirror port or a second place of capture delivers them.
     */
    public long mirrored() {
        return mirrored;
    }

    /** New packets that arrived after one with a higher number. */
    public long reordered() {
        return sequence().reordered();
    }

    /** Packets too far behind to decide whether they are new; their numbers count as lost. */
    public long late() {
        return sequence().late();
    }

    /** Packets with a distant number that no second packet confirmed. */
    public long strays() {
        return sequence().strays();
    }

    /** How often the sender restarted with other numbers. */
    public int restarts() {
        return sequence().restarts();
    }

    /**
     * The lowest sequence number of the current run, extended by the cycles (RFC 3550, A.1) since the run's first
     * packet; negative if a packet from before a wrap arrived late.
     */
    public long lowestSequenceNumber() {
        return sequence().lowest();
    }

    /** The highest sequence number of the current run, extended likewise. */
    public long highestSequenceNumber() {
        return sequence().highest();
    }

    /**
     * The "cumulative number of packets lost" of RFC 3550, A.3: duplicates compensate for losses, so it may be
     * negative.
     */
    public long cumulativeLost() {
        return sequence().expectedSinceFirst() - sequence().received();
    }

    /** The "fraction lost" of RFC 3550, A.3, in 1/256, as a single report over the whole stream would state it. */
    public int fractionLost() {
        return fractionLost(sequence().expectedSinceFirst(), sequence().received());
    }

    /**
     * The "fraction lost" of the last complete interval of {@link #REPORT_INTERVAL_NS}, in 1/256; -1 before the end of
     * the first.
     */
    public int intervalFractionLost() {
        return intervalFraction;
    }

    /** The highest "fraction lost" of any such interval, in 1/256; -1 before the end of the first. */
    public int maxIntervalFractionLost() {
        return maxIntervalFraction;
    }

    private static int fractionLost(long expected, long received) {
        long lost = expected - received;
        return expected <= 0 || lost <= 0 ? 0 : (int) Math.min(255, (lost << 8) / expected);
    }

    /** The loss bursts so far, by length; a copy that the caller owns. */
    public LossBursts lossBursts() {
        return sequence().impairments().lostBursts();
    }

    /**
     * When the longest loss burst began: the arrival of the packet before it, in nanoseconds since the epoch;
     * Long.MIN_VALUE without loss, or if packets arrived later after all so that it is unknown.
     */
    public long longestLossNs() {
        int hole = sequence().longestHole();
        return hole == 0 || hole != lossBursts().longest()
                ? Long.MIN_VALUE
                : sequence().longestHoleNs();
    }

    /**
     * BurstR of ITU-T G.107: the mean length of observed loss bursts, relative to that of random loss. 1 for random or
     * sparser loss, and without loss.
     */
    public double burstRatio() {
        double ratio = lossBursts().meanLength() * (1 - lostPercent() / 100);
        return Math.max(1, ratio);
    }

    /** The arrival of the first captured packet, in nanoseconds since the epoch. */
    public long firstNs() {
        return firstNs;
    }

    /** The arrival of the last captured packet, in nanoseconds since the epoch. */
    public long lastNs() {
        return lastNs;
    }

    /** The sequence number of the last captured packet, 0 to 65535. */
    public int lastSequenceNumber() {
        return lastNumber;
    }

    /**
     * The arrival of the last packet that carries media, including comfort noise but not key presses, in nanoseconds
     * since the epoch; {@link Long#MIN_VALUE} if there is none.
     */
    public long lastMediaNs() {
        return timeline().lastMediaNs();
    }

    /** The RTP timestamp of the first captured packet. */
    public long firstTimestamp() {
        return firstTimestamp & 0xffff_ffffL;
    }

    /** The RTP timestamp of the last captured packet. */
    public long lastTimestamp() {
        settle();
        return lastTimestamp & 0xffff_ffffL;
    }

    /** Packets with the marker bit. */
    public long markers() {
        settle();
        return markers;
    }

    /** Octets of payload in all packets, without padding. */
    public long payloadOctets() {
        settle();
        return payloadOctets;
    }

    /**
     * The mean bit rate from the first packet to the last, in bits per second; 0 if both have the same time.
     *
     * @param headerOctets header octets to add per packet: 12 for RTP only, 40 with UDP and IPv4, 60 with UDP and IPv6
     */
    public double bitsPerSecond(int headerOctets) {
        settle();
        long durationNs = lastNs - firstNs;
        return durationNs <= 0 ? 0 : (payloadOctets + packets() * headerOctets) * 8e9 / durationNs;
    }

    /** The shortest time between consecutive packets, in milliseconds, excluding mirrored ones; 0 below two packets. */
    public double minDeltaMs() {
        settle();
        return minDeltaNs == Long.MAX_VALUE ? 0 : minDeltaNs / 1e6;
    }

    /** The longest time between consecutive packets, in milliseconds. */
    public double maxDeltaMs() {
        settle();
        return Math.max(earlierMaxDeltaNs, intervalMaxDeltaNs) / 1e6;
    }

    /** Likewise since the open interval began. */
    double intervalMaxDeltaMs() {
        settle();
        return intervalMaxDeltaNs / 1e6;
    }

    /** The mean time between consecutive packets, in milliseconds. */
    public double meanDeltaMs() {
        settle();
        long deltas = packets() - mirrored - 1;
        return deltas <= 0 ? 0 : Math.max(0, lastUniqueNs - firstNs) / 1e6 / deltas;
    }

    /** Whether the clock of any packet is known; if not, jitter and skew are 0 and meaningless. */
    public boolean isJitterKnown() {
        return timeline().jitter().isKnown();
    }

    /** The interarrival jitter after the last packet, in milliseconds. */
    public double jitterMs() {
        return timeline().jitter().currentMs();
    }

    /** The highest interarrival jitter, in milliseconds. */
    public double maxJitterMs() {
        return timeline().jitter().maxMs();
    }

    /** The mean of the jitter after each packet, in milliseconds. */
    public double meanJitterMs() {
        return timeline().jitter().meanMs();
    }

    /**
     * Media time minus arrival time since the first packet, in milliseconds: positive if the sender's clock is fast or
     * the delay has decreased.
     */
    public double skewMs() {
        return timeline().jitter().skewMs();
    }

    /**
     * Steps of the timestamp by ten seconds or more relative to the arrival, which are excluded from jitter and skew.
     */
    public int timestampJumps() {
        return timeline().jitter().timestampJumps();
    }

    /**
     * Packets excluded from jitter and key presses because their codec was set too late or never, or because their
     * payload type is not among the first eight.
     */
    public long untimedPackets() {
        return timeline().untimed();
    }

    /**
     * Packets whose measurement waits until the codec of a payload type is known. While there are some, figures lack what a
     * later {@link #codec} would make of them.
     */
    public int waitingPackets() {
        return timeline().waiting();
    }

    /** The payload types of the packets in order of appearance, at most eight. */
    public List<PayloadCount> payloads() {
        return timeline().payloads();
    }

    /**
     * The payload type of most packets; media is preferred to events and comfort noise. Null before the first packet.
     */
    public @Nullable PayloadCount mainPayload() {
        return timeline().main();
    }

    /** Packets of comfort noise (13, 19, and what signalling calls CN). */
    public long comfortNoisePackets() {
        return timeline().comfortNoisePackets();
    }

    /** The stream's key presses; null if there were none, or if their payload type is unknown. */
    public @Nullable TelephoneEvents telephoneEvents() {
        return timeline().events();
    }

    /** The keys pressed, in order; empty if there were none. */
    public String digits() {
        TelephoneEvents events = timeline().events();
        return events == null ? "" : events.digits();
    }

    /** The jitter buffer of the receiver, as set. */
    public JitterBuffer buffer() {
        return buffer;
    }

    /**
     * What the receiver's jitter buffer would have played; null if there is none, or no clock is known.
     */
    public @Nullable PlayoutSummary playout() {
        Playout playout = timeline().playout();
        return playout == null || playout.resyncs(Resync.FIRST) == 0
                ? null
                : new PlayoutSummary(
                        playout,
                        sequence().expected(),
                        sequence().lost(),
                        sequence().impairments());
    }

    /**
     * What an adaptive buffer would have discarded, in percent of the expected packets: also where the receiver is taken
     * to have a fixed one.
     */
    public double adaptiveDiscardPercent() {
        return expected() == 0 ? 0 : 100.0 * timeline().discardedByAdaptive() / expected();
    }

    /** The bursts and gaps of numbers that were lost or discarded (RFC 3611, 4.7.2). */
    public BurstsAndGaps burstsAndGaps() {
        return sequence().impairments().burstsAndGaps();
    }

    /** The stream in intervals of five seconds, at most {@link StreamInterval#LIMIT}. */
    public List<StreamInterval> intervals() {
        return intervals.list(this, timeline(), sequence().impairments().intervals());
    }

    /** The codec of a payload type that has occurred; null if unknown. */
    public @Nullable Codec codecOf(int payloadType) {
        return timeline().codecOf(payloadType);
    }

    /** How many packets of a payload type had each mode of its codec; null if it has one, or is unknown. */
    public @Nullable SpeechModes modesOf(int payloadType) {
        return timeline().modesOf(payloadType);
    }

    /** The usual time from one packet to the next by timestamps, in milliseconds; 0 while the clock is unknown. */
    public double packetTimeMs() {
        return timeline().packetMs();
    }

    /**
     * The arrival of the first packet with audio: a payload of more than its {@link #tag}, and no key press.
     * Long.MIN_VALUE if there was none.
     */
    public long firstAudioNs() {
        return timeline().audio().firstNs();
    }

    /** The arrival of the last packet with audio; Long.MIN_VALUE if there was none. */
    public long lastAudioNs() {
        return timeline().audio().lastNs();
    }

    /** Whether the last packet with audio describes background noise. */
    public boolean endsWithComfortNoise() {
        return timeline().audio().isLastNoise();
    }

    /** Packets without a payload, or with nothing but their {@link #tag}, since the last packet with audio. */
    public int emptyPacketsAtEnd() {
        return timeline().audio().emptyAtEnd();
    }

    /** Times of two seconds or more without audio between two packets that had some; the first 256. */
    public List<AudioPause> audioPauses() {
        return timeline().audio().pauses();
    }

    /** Further such times, which are not kept. */
    public int audioPausesDropped() {
        return timeline().audio().dropped();
    }

    private SequenceCounter sequence() {
        settle();
        return sequence;
    }

    PayloadTimeline timeline() {
        settle();
        return timeline;
    }
}
