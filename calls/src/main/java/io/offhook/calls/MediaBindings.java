package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which call receives media where, and when: from address and port to the bindings that SDP made of it, in the order in
 * which they were seen.
 *
 * <p>Written between rounds by one thread, read by many during a round. Bounded by {@link #MAX_PER_ENDPOINT} and by the
 * number of calls; what does not fit is counted.
 */
final class MediaBindings {
    /** A media server's one port may serve many calls, one after another; the oldest of so many give way. */
    private static final int MAX_PER_ENDPOINT = 256;

    private final Map<Endpoint, List<MediaBinding>> byEndpoint = new HashMap<>();
    private long version;
    private final PlacedCount dropped = new PlacedCount();

    void add(MediaBinding binding) {
        List<MediaBinding> bindings = byEndpoint.computeIfAbsent(binding.endpoint(), e -> new ArrayList<>(1));
        if (bindings.size() == MAX_PER_ENDPOINT) {
            bindings.removeFirst();
            dropped.add(binding.frameNumber(), binding.fromNs());
        }
        bindings.add(binding);
        version++;
    }

    /** Grows with every binding: who found none need not look again before it does. */
    long version() {
        return version;
    }

    PlacedCount dropped() {
        return dropped;
    }

    List<MediaBinding> at(Endpoint endpoint) {
        return byEndpoint.getOrDefault(endpoint, List.of());
    }

    /**
     * The binding of an endpoint that holds at a time: the one whose SDP came last before it, else the first one after.
     */
    @Nullable
    MediaBinding find(Endpoint endpoint, long timestampNs) {
        MediaBinding best = null;
        for (MediaBinding binding : at(endpoint)) {
            if (binding.holdsAt(timestampNs) && (best == null || binding.fromNs() <= timestampNs)) {
                best = binding;
            }
        }
        return best;
    }
}
