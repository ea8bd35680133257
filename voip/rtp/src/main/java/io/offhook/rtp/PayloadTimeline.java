package io.offhook.rtp;

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

    private @Nullable PayloadUse first;
    private @Nullable PayloadUse current;
    private @Nullable WaitingPackets waiting;
    private @Nullable TelephoneEvents events;
    private Jitter jitter = new Jitter();
    private int untimed;

    /** Adds a packet that arrived in its run. */
    void packet(
            long arrivalNs,
            int timestamp,
            int payloadType,
            boolean marker,
            boolean restart,
            int payloadLength,
            long payloadHead) {
        PayloadUse use = count(arrivalNs, payloadType);
        if (use == null) {
            untimed++;
            return;
        }
        if (waiting == null && use.kind == PayloadUse.Kind.TIMED && !restart) {
            jitter.update(arrivalNs, timestamp, use.msPerTick);
            return;
        }
        if (use.kind == PayloadUse.Kind.UNKNOWN && waiting == null) {
            waiting = new WaitingPackets(arrivalNs);
        }
        if (waiting != null && (use.kind == PayloadUse.Kind.UNKNOWN || use.kind == PayloadUse.Kind.TIMED)) {
            if (waiting.add(arrivalNs, timestamp, payloadType, marker, restart, payloadLength, payloadHead)) {
                return;
            }
            giveUpWaiting();
        }
        apply(use, jitter, arrivalNs, timestamp, marker, restart, payloadLength, payloadHead);
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
    void codec(int payloadType, Codec codec) {
        PayloadUse use = findOrAdd(payloadType);
        if (use == null || codec.equals(use.codec)) {
            return;
        }
        if (use.kind == PayloadUse.Kind.UNTIMED) {
            jitter.forgetReference(); // packets in between were not measured
        }
        use.codec(codec);
        if (waiting != null && !isAnyUnknown()) {
            replay(waiting);
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

    private void giveUpWaiting() {
        for (PayloadUse use = first; use != null; use = use.next) {
            if (use.kind == PayloadUse.Kind.UNKNOWN && use.packets > 0) {
                use.kind = PayloadUse.Kind.UNTIMED;
            }
        }
        if (waiting != null) {
            replay(waiting);
        }
    }

    private void replay(WaitingPackets packets) {
        waiting = null;
        for (int i = 0; i < packets.count(); i++) {
            PayloadUse use = find(packets.payloadType(i));
            if (use != null) {
                apply(
                        use,
                        jitter,
                        packets.arrivalNs(i),
                        packets.timestamp(i),
                        packets.marker(i),
                        packets.restart(i),
                        packets.payloadLength(i),
                        packets.payloadHead(i));
            }
        }
    }

    private void apply(
            PayloadUse use,
            Jitter jitter,
            long arrivalNs,
            int timestamp,
            boolean marker,
            boolean restart,
            int payloadLength,
            long payloadHead) {
        if (restart) {
            jitter.forgetReference();
        }
        switch (use.kind) {
            case TIMED -> jitter.update(arrivalNs, timestamp, use.msPerTick);
            case EVENT -> events(use).packet(arrivalNs, timestamp, marker, payloadLength, payloadHead);
            case UNKNOWN, UNTIMED -> untimed++;
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
            if (packets.restart(i)) {
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
            if (use.packets > 0 && (main == null || isBetter(use, main))) {
                main = use;
            }
        }
        return main == null ? null : main.toCount();
    }

    private static boolean isBetter(PayloadUse use, PayloadUse than) {
        return use.isMedia() == than.isMedia() ? use.packets > than.packets : use.isMedia();
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
            count += use.codec != null && use.codec.isComfortNoise() ? use.packets : 0;
        }
        return count;
    }
}
