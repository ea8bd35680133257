package io.offhook.analysis;

import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events that arrived one by one and are reported as one round. Their bytes are copied to memory of the round, which
 * the next round reuses. One thread at a time.
 */
final class EventRound {
    /** The most bytes of the packets of a round; with unused ends of chunks, at most twice as much memory is taken. */
    static final long MOST_BYTES = 32L << 20;

    /** A round counts as full if a message of this length may not fit. */
    private static final int USUAL_BYTES = 0xffff;

    /** An event, of which one kind is set. */
    private record Event(
            long timestampNs,
            @Nullable SipPacket sip,
            @Nullable RtcpPacket rtcp,
            @Nullable MediaReport report) {}

    private final int mostEvents;
    private final RoundMemory memory;
    private final List<Event> events = new ArrayList<>();
    private long bytes;
    private long beganNs;

    EventRound(Arena arena, int mostEvents) {
        this.mostEvents = mostEvents;
        memory = new RoundMemory(arena);
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    int size() {
        return events.size();
    }

    boolean isFull() {
        return events.size() == mostEvents || bytes + USUAL_BYTES > MOST_BYTES;
    }

    /** Whether another event of this length fits. */
    boolean hasRoom(int length) {
        return events.size() < mostEvents && bytes + length <= MOST_BYTES;
    }

    /** When its first event arrived, by {@link System#nanoTime}. */
    long beganNs() {
        return beganNs;
    }

    void add(SipPacket message) {
        MemorySegment copy = copy(message.segment(), message.offset(), message.length());
        SipPacket own = new SipPacket(
                message.callIdHash(),
                message.context().withCutLength(0), // that is not copied
                message.transport(),
                message.ipIdentification(),
                copy,
                memory.offset(),
                message.length());
        add(new Event(message.timestampNs(), own, null, null));
    }

    void add(RtcpPacket packet) {
        MemorySegment copy = copy(packet.segment(), packet.offset(), packet.length());
        RtcpPacket own = new RtcpPacket(packet.context(), copy, memory.offset(), packet.length(), packet.wireLength());
        add(new Event(packet.timestampNs(), null, own, null));
    }

    void add(MediaReport report) {
        add(new Event(report.timestampNs(), null, null, report));
    }

    private void add(Event event) {
        if (events.isEmpty()) {
            beganNs = System.nanoTime();
        }
        events.add(event);
    }

    private MemorySegment copy(MemorySegment segment, long offset, int length) {
        memory.copy(segment, offset, length);
        bytes += length;
        return memory.segment(memory.chunk());
    }

    /** Puts the events in the order of their times; those of the same time stay in the order of their arrival. */
    void sort() {
        events.sort((a, b) -> Long.compare(a.timestampNs(), b.timestampNs()));
    }

    /** Time of the first event in their order. */
    long firstNs() {
        return events.getFirst().timestampNs();
    }

    /** Time of the last event in their order. */
    long lastNs() {
        return events.getLast().timestampNs();
    }

    /** Bytes of all packets. */
    long bytes() {
        return bytes;
    }

    /**
     * Reports all events in their order, with the round's {@code publish} between SIP and the others.
     *
     * @param before events of the rounds before, which all have lower numbers
     */
    void report(TrafficFan to, long before) {
        for (int i = 0; i < events.size(); i++) {
            SipPacket sip = events.get(i).sip();
            if (sip != null) {
                to.sip(Shards.sip(sip.callIdHash()), sip.withFrameNumber(before + i + 1));
            }
        }
        to.publish(before + events.size(), lastNs());
        for (int i = 0; i < events.size(); i++) {
            RtcpPacket rtcp = events.get(i).rtcp();
            if (rtcp != null) {
                to.rtcp(rtcp.withFrameNumber(before + i + 1));
            }
        }
        for (int i = 0; i < events.size(); i++) {
            MediaReport report = events.get(i).report();
            if (report != null) {
                to.measured(numbered(report, before + i + 1));
            }
        }
    }

    private static MediaReport numbered(MediaReport of, long number) {
        return new MediaReport(
                of.timestampNs(), number, of.callId(), of.source(), of.destination(), of.ssrc(), of.figures());
    }

    void clear() {
        events.clear();
        memory.clear();
        bytes = 0;
    }
}
