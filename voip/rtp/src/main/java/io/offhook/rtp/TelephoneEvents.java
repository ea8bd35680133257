package io.offhook.rtp;

import io.offhook.rtp.figures.KeyFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key presses of one stream, assembled from its telephone-event packets (RFC 4733, 2.3).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |     event     |E|R| volume    |          duration             |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>All packets of an event carry the timestamp of its start, and its end is sent three times. A packet with the
 * timestamp of a known event belongs to that event; a new timestamp begins a new event, whether or not the end of the
 * last one arrived. Events too long for 16 bits of duration continue in segments with their own timestamps (2.5.1.3),
 * which are joined. Some senders advance the timestamp with every packet of an event; such packets are recognised by
 * their growing duration, and ends by one that does not shrink.
 *
 * <p>Keeps the first {@value #LIMIT} events and counts later ones. Single-threaded; results are owned by the caller.
 */
public final class TelephoneEvents {
    /** The length of an event's payload, in octets. */
    static final int PAYLOAD_LENGTH = 4;

    /** The most events kept per stream. */
    public static final int LIMIT = 256;

    private static final int DEFAULT_CLOCK = 8000;
    private static final int RECENT = 4;
    private static final int LONG_EVENT = 0x8000;
    private static final long SAME_EVENT_NS = 100_000_000;

    private final List<Press> presses = new ArrayList<>(4);
    private int clockRate = DEFAULT_CLOCK;
    private int dropped;
    private int malformed;
    private int packets;

    /** An event in progress. */
    private static final class Press {
        final int event;
        final long startedNs;
        final int timestamp;
        final int clockRate;
        int segmentTimestamp;
        long lastNs;
        long earlierSegments;
        int duration;
        int volume;
        boolean ended;
        int packets;

        Press(int event, long startedNs, int timestamp, int clockRate) {
            this.event = event;
            this.startedNs = startedNs;
            this.timestamp = timestamp;
            this.clockRate = clockRate;
            segmentTimestamp = timestamp;
        }

        Press(KeyFigures.Press figures) {
            this(
                    figures.event(),
                    figures.startedNs(),
                    figures.timestamp(),
                    figures.length().clockRate());
            earlierSegments = figures.length().ticks();
            volume = figures.volume();
            ended = figures.isEnded();
            packets = figures.packets();
        }

        KeyFigures.Press figures() {
            KeyFigures.Length length = new KeyFigures.Length(earlierSegments + duration, clockRate);
            return new KeyFigures.Press(event, startedNs, timestamp, length, volume, ended, packets);
        }

        TelephoneEvent toEvent() {
            return new TelephoneEvent(
                    event,
                    startedNs,
                    timestamp & 0xffff_ffffL,
                    earlierSegments + duration,
                    clockRate,
                    volume,
                    ended,
                    packets);
        }
    }

    /** Creates it without events. */
    public TelephoneEvents() {}

    /** The events as figures have them; packets that follow begin new ones. */
    static TelephoneEvents of(KeyFigures figures) {
        TelephoneEvents events = new TelephoneEvents();
        for (KeyFigures.Press press : figures.presses()) {
            events.presses.add(new Press(press));
        }
        events.packets = figures.packets();
        events.dropped = figures.dropped();
        events.malformed = figures.malformed();
        return events;
    }

    KeyFigures figures() {
        List<KeyFigures.Press> kept = new ArrayList<>(presses.size());
        for (Press press : presses) {
            kept.add(press.figures());
        }
        return new KeyFigures(kept, packets, dropped, malformed);
    }

    /** The clock of the packets that follow, in Hz; 0 for the usual one, 8000. */
    public void clockRate(int clockRate) {
        this.clockRate = clockRate > 0 ? clockRate : DEFAULT_CLOCK;
    }

    /**
     * Adds a packet.
     *
     * @param arrivalNs when it was captured, nanoseconds since the epoch
     * @param timestamp of RTP, as 32 bits
     * @param marker the marker bit
     * @param payloadLength octets of the payload; fewer than four are malformed
     * @param payloadHead the first octets of the payload in the upper half
     */
    public void packet(long arrivalNs, int timestamp, boolean marker, int payloadLength, long payloadHead) {
        if (payloadLength < PAYLOAD_LENGTH) {
            malformed++;
            return;
        }
        packets++;
        int event = (int) (payloadHead >>> 56);
        int duration = (int) (payloadHead >>> 32) & 0xffff;
        boolean end = (payloadHead >>> 55 & 1) != 0;
        Press press = find(arrivalNs, timestamp, event, duration, marker, end);
        if (press == null) {
            if (presses.size() == LIMIT) {
                dropped++;
                return;
            }
            press = new Press(event, arrivalNs, timestamp, clockRate);
            presses.add(press);
        }
        press.duration = Math.max(press.duration, duration);
        press.volume = (int) (payloadHead >>> 48) & 0x3f;
        press.ended |= end;
        press.lastNs = arrivalNs;
        press.packets++;
    }

    private @Nullable Press find(long arrivalNs, int timestamp, int event, int duration, boolean marker, boolean end) {
        int size = presses.size();
        for (int i = size - 1; i >= Math.max(0, size - RECENT); i--) {
            Press press = presses.get(i);
            if (press.event == event && press.segmentTimestamp == timestamp) {
                return press;
            }
        }
        if (size == 0 || marker) {
            return null;
        }
        Press last = presses.get(size - 1);
        boolean isSoon = arrivalNs - last.lastNs < SAME_EVENT_NS;
        if (end && last.event == event && duration >= last.duration && isSoon) {
            last.segmentTimestamp = timestamp;
            return last;
        }
        if (last.event != event || last.ended) {
            return null;
        }
        int step = timestamp - last.segmentTimestamp;
        if (last.duration >= LONG_EVENT && step >= last.duration && step <= 0xffff) {
            last.earlierSegments += step;
            last.duration = 0;
            last.segmentTimestamp = timestamp;
            return last;
        }
        if (step > 0 && duration > last.duration && isSoon) {
            last.segmentTimestamp = timestamp;
            return last;
        }
        return null;
    }

    /** The keys in order of their first packet: 0-9, *, #, A-D, flash as '!'. Other events are omitted. */
    public String digits() {
        StringBuilder digits = new StringBuilder(presses.size());
        for (Press press : presses) {
            char key = TelephoneEvent.key(press.event);
            if (key != 0) {
                digits.append(key);
            }
        }
        return digits.toString();
    }

    /** The events kept, in order of their first packet. */
    public List<TelephoneEvent> events() {
        return presses.stream().map(Press::toEvent).toList();
    }

    /** Telephone-event packets, including retransmissions. */
    public int packets() {
        return packets;
    }

    /** Packets of events beyond the limit. */
    public int dropped() {
        return dropped;
    }

    /** Packets too short to contain an event. */
    public int malformed() {
        return malformed;
    }
}
