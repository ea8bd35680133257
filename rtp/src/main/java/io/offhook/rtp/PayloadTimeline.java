package io.offhook.rtp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The payload types of one stream, and what depends on knowing their codecs: jitter and key presses.
 *
 * <p>As long as a payload type has packets and no codec, the packets wait, and are gone through again when the codec
 * comes. Beyond {@value WaitingPackets#LIMIT} packets waiting ends: those without codec are left out and counted.
 */
final class PayloadTimeline {
    /** The most payload types that are told apart. */
    static final int LIMIT = 8;

    private @Nullable PayloadUse first;
    private @Nullable PayloadUse current;
    private @Nullable WaitingPackets waiting;
    private @Nullable TelephoneEvents events;
    private Jitter jitter = new Jitter();
    private int untimed;

    /** Takes a packet that arrived in its run. */
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

    /** Counts a packet that says nothing of time; null when its payload type is one too many. */
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

    /** Says what a payload type means, in place of what was known of it. */
    void codec(int payloadType, Codec codec) {
        PayloadUse use = findOrAdd(payloadType);
        if (use == null || codec.equals(use.codec)) {
            return;
        }
        if (use.kind == PayloadUse.Kind.UNTIMED) {
            jitter.forgetReference(); // what came in between was not measured
        }
        use.codec(codec);
        if (waiting != null && !isAnyUnknown()) {
            replay(waiting);
        }
    }

    /** Says that a payload type meant something else so far: what was measured by another clock is nothing. */
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

    /** The jitter up to now; of packets that wait, those whose clock is known. */
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

    /** Packets that were left out of jitter and key presses as nothing told their codec in time. */
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

    /** The payload types that packets had, in order of appearance. */
    List<PayloadCount> payloads() {
        List<PayloadCount> payloads = new ArrayList<>(2);
        for (PayloadUse use = first; use != null; use = use.next) {
            if (use.packets > 0) {
                payloads.add(use.toCount());
            }
        }
        return payloads;
    }

    /** The payload type of most packets, of those that carry media if there is one. */
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

    /** When the last packet came that is no event; Long.MIN_VALUE where none did. */
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
