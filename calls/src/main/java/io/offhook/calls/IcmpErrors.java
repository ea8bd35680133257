package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * ICMP errors, kept until it is known which call the packets they quote belong to. One of each reporter, quoted pair of
 * endpoints, quoted Call-ID and meaning; at most {@link #MAX}, more are counted.
 */
final class IcmpErrors {
    private static final int MAX = 4096;

    /** Media has no Call-ID: its errors, one for each packet, are of one kind. */
    private record Kind(Endpoint reporter, Endpoint source, Endpoint destination, long callIdHash, String meaning) {}

    private final List<IcmpEvent> events = new ArrayList<>();
    private final Set<Kind> kinds = new HashSet<>();
    private final PlacedCount seen = new PlacedCount();
    private final PlacedCount dropped = new PlacedCount();

    void accept(IcmpEvent event) {
        seen.add(event.frameNumber(), event.timestampNs());
        Kind kind =
                new Kind(event.reporter(), event.source(), event.destination(), event.callIdHash(), event.meaning());
        if (kinds.contains(kind)) {
            return;
        }
        if (events.size() == MAX) {
            dropped.add(event.frameNumber(), event.timestampNs());
        } else {
            kinds.add(kind);
            events.add(event);
        }
    }

    /** The first of each kind, in the order of capture. */
    List<IcmpEvent> events() {
        return events;
    }

    PlacedCount seen() {
        return seen;
    }

    PlacedCount dropped() {
        return dropped;
    }
}
