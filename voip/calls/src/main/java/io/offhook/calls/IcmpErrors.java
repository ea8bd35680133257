package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * ICMP errors, kept until it is known which calls the quoted packets belong to. One is kept for each reporter, quoted
 * pair of endpoints, quoted Call-ID and message; beyond {@link #MAX}, the oldest are evicted and counted.
 */
final class IcmpErrors {
    private static final int MAX = 4096;

    /** What makes errors equal: media, which has no Call-ID, causes one error per packet. */
    private record Kind(
            Endpoint reporter, Endpoint source, Endpoint destination, long callIdHash, IcmpEvent.Message message) {}

    private final Map<Kind, IcmpEvent> events = new LinkedHashMap<>();
    private final PlacedCount seen = new PlacedCount();
    private final PlacedCount dropped = new PlacedCount();

    void accept(IcmpEvent event) {
        seen.add(event.frameNumber(), event.timestampNs());
        Kind kind =
                new Kind(event.reporter(), event.source(), event.destination(), event.callIdHash(), event.message());
        if (events.putIfAbsent(kind, event) == null && events.size() > MAX) {
            Iterator<IcmpEvent> oldest = events.values().iterator();
            IcmpEvent gone = oldest.next();
            oldest.remove();
            dropped.add(gone.frameNumber(), gone.timestampNs());
        }
    }

    /** The first of each kind, in the order of capture. */
    List<IcmpEvent> events() {
        return List.copyOf(events.values());
    }

    PlacedCount seen() {
        return seen;
    }

    PlacedCount dropped() {
        return dropped;
    }
}
