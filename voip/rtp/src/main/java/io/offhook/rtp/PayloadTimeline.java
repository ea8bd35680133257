package io.offhook.rtp;

import io.offhook.rtp.figures.MediaFigures;
import io.offhook.rtp.figures.PayloadFigures;
import io.offhook.rtp.figures.PlayoutFigures;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.playout.Playout;
import io.offhook.rtp.playout.Resync;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The payload types of one stream, and what depends on their codecs: jitter and key presses.
 *
 * <p>While the codec of a payload type is unknown, packets wait, and are processed when the codec becomes known. Beyond
 * {@value WaitingPackets#LIMIT} packets waiting ends: packets without a codec are excluded and counted.
 */
final class PayloadTimeline {
    /** The most payload types per stream. */
    static final int LIMIT = 8;

    /** A flag beside those of {@link Playout}: the number was captured before, which only jitter takes note of. */
    static final int DUPLICATE = 1 << 8;

    /** Video has another kind of buffer, and no E-model. */
    private static final int VIDEO_CLOCK = 90_000;

    private final SequenceCounter sequence;
    private final @Nullable Playout playout;
    /** Beside a fixed buffer, what phones have: whether its discards would be heard; else null. */
    private final @Nullable Playout adaptive;

    private final AudioPauses audio;
    private @Nullable PayloadUse first;
    private @Nullable PayloadUse current;
    private @Nullable WaitingPackets waiting;
    private @Nullable TelephoneEvents events;
    private Jitter jitter = new Jitter();
    private final PacketTime packetTime;
    private long lastNumber;
    private int lastTimestamp;
    private int usualTicks;
    private int usualSteps;
    private int untimed;
    /** Packets that waited where these figures were taken. */
    private int waitedElsewhere;

    /**
     * @param sequence that the packets' numbers were counted by; is told what the buffer discards
     * @param playout the jitter buffer; null for none
     */
    PayloadTimeline(SequenceCounter sequence, @Nullable Playout playout) {
        this.sequence = sequence;
        this.playout = playout;
        adaptive = playout != null && playout.kind() == JitterBuffer.Kind.FIXED ? JitterBuffer.DEFAULT.playout() : null;
        audio = new AudioPauses();
        packetTime = new PacketTime();
    }

    private PayloadTimeline(
            SequenceCounter sequence, MediaFigures figures, JitterBuffer buffer, @Nullable PlayoutFigures played) {
        this.sequence = sequence;
        playout = buffer.playout();
        adaptive = buffer.kind() == JitterBuffer.Kind.FIXED ? JitterBuffer.DEFAULT.playout() : null;
        if (playout != null && played != null) {
            playout.resume(played);
        }
        if (adaptive != null && played != null) {
            adaptive.resumeDiscarded(played.discardedByAdaptive());
        }
        audio = AudioPauses.of(figures.audio());
        events = figures.keys() == null ? null : TelephoneEvents.of(figures.keys());
        jitter = Jitter.of(figures.jitter());
        packetTime = PacketTime.of(figures.pace());
        untimed = figures.unmeasured().untimed();
        waitedElsewhere = figures.unmeasured().waiting();
        PayloadUse last = null;
        for (PayloadFigures payload : figures.payloads()) {
            PayloadUse use = PayloadUse.of(payload);
            if (last == null) {
                first = use;
            } else {
                last.next = use;
            }
            last = use;
        }
        current = find(figures.pace().payloadType());
    }

    /**
     * The payload types as figures have them, to which no packets may be added.
     *
     * @param sequence of the same stream
     * @param buffer of the receiver
     * @param playout what it did; null if nothing
     */
    static PayloadTimeline of(
            SequenceCounter sequence, MediaFigures figures, JitterBuffer buffer, @Nullable PlayoutFigures playout) {
        return new PayloadTimeline(sequence, figures, buffer, playout);
    }

    /** All but what the buffer did. */
    MediaFigures figures() {
        List<PayloadFigures> payloads = new ArrayList<>(2);
        for (PayloadUse use = first; use != null; use = use.next) {
            payloads.add(use.figures());
        }
        return new MediaFigures(
                payloads,
                packetTime.figures(current == null ? -1 : current.payloadType),
                jitter().figures(),
                new MediaFigures.Unmeasured(untimed(), waiting()),
                audio.figures(),
                events == null ? null : events.figures());
    }

    /** What the buffer did; null if nothing has entered it, or there is none. */
    @Nullable
    PlayoutFigures playoutFigures() {
        return playout == null || playout.resyncs(Resync.FIRST) == 0 ? null : playout.figures(discardedByAdaptive());
    }

    /** Packets that wait until the codec of a payload type is known. */
    int waiting() {
        return waiting == null ? waitedElsewhere : waiting.count();
    }

    /**
     * Adds a packet that arrived in its run.
     *
     * @param number its extended sequence number
     * @param flags as {@link Playout} has them, and {@link #DUPLICATE}
     * @param intervals of the stream
     * @return what is known of its payload type, if packets that follow it one by one may be {@link #regular}
     */
    @Nullable
    PayloadUse packet(RtpRows rows, int row, long number, int flags, StreamIntervals intervals) {
        long arrivalNs = rows.arrivalNs(row);
        int timestamp = (int) rows.timestamp(row);
        int payloadType = rows.payloadType(row);
        int payloadLength = rows.payloadLength(row);
        PayloadUse use = count(arrivalNs, payloadType);
        if (use == null) {
            untimed++;
            return null;
        }
        boolean isEmpty = use.isEmpty(payloadLength);
        if (use.kind != PayloadUse.Kind.EVENT && (flags & DUPLICATE) == 0) {
            if (isEmpty) {
                audio.empty();
            } else {
                audio.packet(arrivalNs, timestamp, number, use.msPerTick, use.isSilence(payloadLength));
                if (use.modes != null) {
                    use.modes.add(payloadLength, rows.payloadHead(row));
                }
            }
        }
        if (waiting == null && use.kind == PayloadUse.Kind.TIMED) {
            timed(use, arrivalNs, timestamp, number, flags, intervals);
            return usualTicks > 0 && !isEmpty && !use.isSilence(payloadLength) ? use : null;
        }
        if (use.kind == PayloadUse.Kind.UNKNOWN && waiting == null) {
            waiting = new WaitingPackets(arrivalNs);
        }
        if (waiting != null && (use.kind == PayloadUse.Kind.UNKNOWN || use.kind == PayloadUse.Kind.TIMED)) {
            if (waiting.add(arrivalNs, timestamp, payloadType, number, flags, payloadLength, rows.payloadHead(row))) {
                return null;
            }
            giveUpWaiting(intervals);
        }
        if (use.kind == PayloadUse.Kind.TIMED) {
            timed(use, arrivalNs, timestamp, number, flags, intervals);
        } else {
            untimed(use, arrivalNs, timestamp, flags, payloadLength, rows.payloadHead(row));
        }
        return null;
    }

    /**
     * Adds packets that follow one for which {@link #packet} returned something: one by one, with the usual step, its
     * payload type, and speech in them.
     *
     * @param arrivals of the packets, in order and without a pause between them
     * @param timestamp of the first
     * @param number its extended sequence number
     * @param step from one timestamp to the next
     */
    void regular(long[] arrivals, int count, int timestamp, long number, int step, StreamIntervals intervals) {
        PayloadUse use = current;
        if (use == null) {
            throw new IllegalStateException("regular packets before any other");
        }
        use.packets += count;
        use.lastNs = arrivals[count - 1];
        int i = 0;
        while (i < count) {
            int ts = timestamp + i * step;
            int taken = audio.isFollowedBy(arrivals[i]) ? playable(use, arrivals, i, count, step) : 0;
            if (taken == 0) {
                audio.packet(arrivals[i], ts, number + i, use.msPerTick, false);
                timed(use, arrivals[i], ts, number + i, 0, intervals);
                i++;
                continue;
            }
            jitter.update(arrivals, i, i + taken, ts, step, use.msPerTick);
            usualSteps += taken;
            lastNumber += taken;
            lastTimestamp += taken * step;
            i += taken;
            audio.next(arrivals[i - 1], lastTimestamp, lastNumber);
        }
    }

    /** How many regular packets need nothing but to be played in their time; the buffer took them. */
    private int playable(PayloadUse use, long[] arrivals, int from, int to, int step) {
        return playout == null || use.clockRate == VIDEO_CLOCK
                ? to - from
                : playout.regular(arrivals, from, to, step, use.clockRate);
    }

    /** Counts the steps that were only noted. */
    private void countSteps() {
        packetTime.add(usualSteps);
        usualSteps = 0;
    }

    private void timed(
            PayloadUse use, long arrivalNs, int timestamp, long number, int flags, StreamIntervals intervals) {
        countSteps();
        if ((flags & Playout.RESTARTED) != 0) {
            jitter.forgetReference();
            packetTime.clear();
        }
        jitter.update(arrivalNs, timestamp, use.msPerTick);
        if ((flags & DUPLICATE) != 0) {
            return;
        }
        if (playout != null && use.clockRate != VIDEO_CLOCK) {
            int allFlags = use.isComfortNoise ? flags | Playout.COMFORT_NOISE : flags;
            int ticks = packetTime.ticks(use.clockRate);
            if (playout.packet(arrivalNs, timestamp, use.clockRate, number, ticks, allFlags)) {
                sequence.discard(number, intervals.of(arrivalNs));
            }
            if (adaptive != null) {
                adaptive.packet(arrivalNs, timestamp, use.clockRate, number, ticks, allFlags);
            }
        }
        if (number == lastNumber + 1 && (flags & Playout.RESTARTED) == 0) {
            packetTime.step(timestamp - lastTimestamp);
        }
        usualTicks = packetTime.usual();
        lastNumber = number;
        lastTimestamp = timestamp;
    }

    private void untimed(
            PayloadUse use, long arrivalNs, int timestamp, int flags, int payloadLength, long payloadHead) {
        if ((flags & Playout.RESTARTED) != 0) {
            jitter.forgetReference();
        }
        if (use.kind == PayloadUse.Kind.EVENT) {
            events(use).packet(arrivalNs, timestamp, (flags & Playout.MARKER) != 0, payloadLength, payloadHead);
        } else {
            untimed++;
        }
    }

    /** Counts a packet that carries no timing information; null if it exceeds the limit on payload types. */
    @Nullable
    PayloadUse count(long arrivalNs, int payloadType) {
        PayloadUse use = current;
        if (use == null || use.payloadType != payloadType) {
            use = findOrAdd(payloadType);
            if (use == null) {
                return null;
            }
            current = use;
        }
        use.packets++;
        use.lastNs = arrivalNs;
        return use;
    }

    /** Sets the codec of a payload type, replacing what was known. */
    void codec(int payloadType, Codec codec, StreamIntervals intervals) {
        PayloadUse use = findOrAdd(payloadType);
        if (use == null || codec.equals(use.codec)) {
            return;
        }
        if (use.kind == PayloadUse.Kind.UNTIMED) {
            jitter.forgetReference(); // packets in between were not measured
        }
        use.codec(codec);
        if (waiting != null && !isAnyUnknown()) {
            replay(waiting, intervals);
        }
    }

    /** Sets the octets of the tag behind each payload of a type from the next packet on. */
    void tag(int payloadType, int octets) {
        PayloadUse use = octets > 0 ? findOrAdd(payloadType) : find(payloadType);
        if (use != null) {
            use.tag(octets);
        }
    }

    /** Corrects the codec of a payload type for the past: measurements by another clock are discarded. */
    void correct(int payloadType, Codec codec) {
        PayloadUse use = find(payloadType);
        if (use == null) {
            return;
        }
        Codec before = use.codec;
        boolean otherClock = before != null && before.clockRate() != codec.clockRate();
        if (use.kind == PayloadUse.Kind.TIMED && otherClock && jitter.isKnown()) {
            jitter = new Jitter();
            countAllAsUntimed();
        }
        use.codec(codec);
    }

    private void countAllAsUntimed() {
        untimed = 0;
        for (PayloadUse use = first; use != null; use = use.next) {
            untimed += use.kind == PayloadUse.Kind.EVENT ? 0 : use.packets;
        }
    }

    private boolean isAnyUnknown() {
        for (PayloadUse use = first; use != null; use = use.next) {
            if (use.kind == PayloadUse.Kind.UNKNOWN && use.packets > 0) {
                return true;
            }
        }
        return false;
    }

    private void giveUpWaiting(StreamIntervals intervals) {
        for (PayloadUse use = first; use != null; use = use.next) {
            if (use.kind == PayloadUse.Kind.UNKNOWN && use.packets > 0) {
                use.kind = PayloadUse.Kind.UNTIMED;
            }
        }
        if (waiting != null) {
            replay(waiting, intervals);
        }
    }

    private void replay(WaitingPackets packets, StreamIntervals intervals) {
        waiting = null;
        for (int i = 0; i < packets.count(); i++) {
            PayloadUse use = find(packets.payloadType(i));
            long arrivalNs = packets.arrivalNs(i);
            int timestamp = packets.timestamp(i);
            int flags = packets.flags(i);
            if (use != null && use.kind == PayloadUse.Kind.TIMED) {
                timed(use, arrivalNs, timestamp, packets.number(i), flags, intervals);
            } else if (use != null) {
                untimed(use, arrivalNs, timestamp, flags, packets.payloadLength(i), packets.payloadHead(i));
            }
        }
    }

    private TelephoneEvents events(PayloadUse use) {
        TelephoneEvents events = this.events;
        if (events == null) {
            events = new TelephoneEvents();
            this.events = events;
        }
        events.clockRate(use.codec == null ? 0 : use.codec.clockRate());
        return events;
    }

    private @Nullable PayloadUse find(int payloadType) {
        PayloadUse use = first;
        while (use != null && use.payloadType != payloadType) {
            use = use.next;
        }
        return use;
    }

    private @Nullable PayloadUse findOrAdd(int payloadType) {
        int count = 0;
        PayloadUse last = null;
        for (PayloadUse use = first; use != null; use = use.next) {
            if (use.payloadType == payloadType) {
                return use;
            }
            last = use;
            count++;
        }
        if (count == LIMIT) {
            return null;
        }
        PayloadUse added = new PayloadUse(payloadType);
        Codec codec = PayloadType.staticCodec(payloadType);
        if (codec != null) {
            added.codec(codec);
        }
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        return added;
    }

    /** The jitter so far; waiting packets count if their clock is known. */
    Jitter jitter() {
        WaitingPackets packets = waiting;
        if (packets == null) {
            return jitter;
        }
        Jitter view = new Jitter(jitter);
        for (int i = 0; i < packets.count(); i++) {
            if ((packets.flags(i) & Playout.RESTARTED) != 0) {
                view.forgetReference();
            }
            PayloadUse use = find(packets.payloadType(i));
            if (use != null && use.kind == PayloadUse.Kind.TIMED) {
                view.update(packets.arrivalNs(i), packets.timestamp(i), use.msPerTick);
            }
        }
        return view;
    }

    @Nullable
    TelephoneEvents events() {
        return events;
    }

    /** Packets excluded from jitter and key presses because their codec was not known in time. */
    int untimed() {
        int count = untimed;
        WaitingPackets packets = waiting;
        if (packets != null) {
            for (int i = 0; i < packets.count(); i++) {
                PayloadUse use = find(packets.payloadType(i));
                count += use != null && use.kind == PayloadUse.Kind.UNKNOWN ? 1 : 0;
            }
        }
        return count;
    }

    /** The payload types in order of appearance. */
    List<PayloadCount> payloads() {
        List<PayloadCount> payloads = new ArrayList<>(2);
        for (PayloadUse use = first; use != null; use = use.next) {
            if (use.packets > 0) {
                payloads.add(use.toCount());
            }
        }
        return payloads;
    }

    /** The payload type of most packets; those that carry media are preferred. */
    @Nullable
    PayloadCount main() {
        PayloadUse main = null;
        for (PayloadUse use = first; use != null; use = use.next) {
            boolean isBetter =
                    main == null || (use.isMedia() == main.isMedia() ? use.packets > main.packets : use.isMedia());
            main = use.packets > 0 && isBetter ? use : main;
        }
        return main == null ? null : main.toCount();
    }

    /** Likewise of the open interval; -1 if it has no packets. */
    int intervalPayloadType() {
        PayloadUse main = null;
        for (PayloadUse use = first; use != null; use = use.next) {
            boolean isBetter = main == null
                    || (use.isMedia() == main.isMedia()
                            ? use.intervalPackets() > main.intervalPackets()
                            : use.isMedia());
            main = use.intervalPackets() > 0 && isBetter ? use : main;
        }
        return main == null ? -1 : main.payloadType;
    }

    /** Begins another interval. */
    void beginInterval() {
        jitter.beginInterval();
        for (PayloadUse use = first; use != null; use = use.next) {
            use.packetsBefore = use.packets;
        }
    }

    /** The codec of a payload type that has occurred; null if unknown. */
    @Nullable
    Codec codecOf(int payloadType) {
        PayloadUse use = find(payloadType);
        return use == null ? null : use.codec;
    }

    /** The modes of a payload type that has occurred; null if unknown, or its codec has one. */
    @Nullable
    SpeechModes modesOf(int payloadType) {
        PayloadUse use = find(payloadType);
        return use == null ? null : use.modes;
    }

    /** The jitter buffer; null for none. */
    @Nullable
    Playout playout() {
        return playout;
    }

    /** What an adaptive buffer discarded. */
    long discardedByAdaptive() {
        Playout measured = adaptive == null ? playout : adaptive;
        return measured == null ? 0 : measured.discarded();
    }

    /** The step of the timestamp from one regular packet to the next. */
    int usualTicks() {
        return usualTicks;
    }

    AudioPauses audio() {
        return audio;
    }

    /** The packet time in milliseconds; 0 while the clock is unknown. */
    double packetMs() {
        PayloadUse use = current;
        return use == null || use.clockRate == 0 ? 0 : packetTime.ticks(use.clockRate) * 1000.0 / use.clockRate;
    }

    /** The packet time in ticks; 0 while the clock is unknown. */
    int packetTicks() {
        PayloadUse use = current;
        return use == null || use.clockRate == 0 ? 0 : packetTime.ticks(use.clockRate);
    }

    /** The arrival of the last packet that is not an event; Long.MIN_VALUE if there is none. */
    long lastMediaNs() {
        long last = Long.MIN_VALUE;
        for (PayloadUse use = first; use != null; use = use.next) {
            if (use.packets > 0 && use.kind != PayloadUse.Kind.EVENT) {
                last = Math.max(last, use.lastNs);
            }
        }
        return last;
    }

    long comfortNoisePackets() {
        long count = 0;
        for (PayloadUse use = first; use != null; use = use.next) {
            count += use.isComfortNoise ? use.packets : 0;
        }
        return count;
    }
}
