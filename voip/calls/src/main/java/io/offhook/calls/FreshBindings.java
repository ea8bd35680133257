package io.offhook.calls;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the dialogs of one shard have to say to media at the end of a round: endpoints that SDP has named, and calls that
 * are no longer kept. Single-threaded.
 */
final class FreshBindings {
    /** Descriptions that are alike are kept once; it starts over when so many differ. */
    private static final int MAX_SHARED = 1024;

    private final List<MediaBinding> bindings = new ArrayList<>();
    private final List<Call> evicted = new ArrayList<>();
    private final Map<MediaLines, MediaLines> shared = new HashMap<>();
    private final PlacedCount dropped = new PlacedCount();

    void add(MediaBinding binding) {
        bindings.add(binding);
    }

    /** Says that a call names more endpoints than its share. */
    void drop(SipPacket packet) {
        dropped.add(packet.frameNumber(), packet.timestampNs());
    }

    PlacedCount dropped() {
        return dropped;
    }

    void evict(Call call) {
        evicted.add(call);
    }

    /** An equal one that others have already, or the same. */
    MediaLines share(MediaLines lines) {
        MediaLines known = shared.get(lines);
        if (known != null) {
            return known;
        }
        if (shared.size() == MAX_SHARED) {
            shared.clear();
        }
        shared.put(lines, lines);
        return lines;
    }

    /** Hands over what there is since the last time, in the order of capture. */
    void drain(List<MediaBinding> bindingsSink, List<Call> evictedSink) {
        bindingsSink.addAll(bindings);
        bindings.clear();
        evictedSink.addAll(evicted);
        evicted.clear();
    }
}
