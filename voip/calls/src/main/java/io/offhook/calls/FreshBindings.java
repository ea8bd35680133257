package io.offhook.calls;

import io.offhook.calls.event.SipPacket;
import io.offhook.calls.sdp.MediaLines;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the dialogs of one shard report to media at the end of a round: new endpoints, and calls that are no longer
 * kept. Single-threaded.
 */
final class FreshBindings {
    /** The most different descriptions that are shared; beyond that, sharing starts over. */
    private static final int MAX_SHARED = 1024;

    private final List<MediaBinding> bindings = new ArrayList<>();
    private final List<Call> evicted = new ArrayList<>();
    /** The calls that know which packets know what: of this round, and of the one before. */
    private List<MediaStates> changed = new ArrayList<>();

    private List<MediaStates> changedBefore = new ArrayList<>();
    private long round;
    private final Map<MediaLines, MediaLines> shared = new HashMap<>();
    private final PlacedCount dropped = new PlacedCount();

    void add(MediaBinding binding) {
        bindings.add(binding);
    }

    /** Counts a message whose endpoints exceed the limit of its call. */
    void drop(SipPacket packet) {
        dropped.add(packet.frameNumber(), packet.timestampNs());
    }

    PlacedCount dropped() {
        return dropped;
    }

    /** Notes that a call is no longer kept, as a message of this frame took its place. */
    void evict(Call call, long frame) {
        call.media().remove(frame);
        evicted.add(call);
    }

    /** The number of the round whose messages are being processed. */
    long round() {
        return round;
    }

    /** Notes a call that knows which of its packets know what, until the round after this one. */
    void changed(MediaStates states) {
        changed.add(states);
    }

    /** Returns an equal description that is in use, or the same one. */
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

    /** Moves everything since the last call to the lists, in the order of capture. */
    void drain(List<MediaBinding> bindingsSink, List<Call> evictedSink) {
        bindingsSink.addAll(bindings);
        bindings.clear();
        evictedSink.addAll(evicted);
        evicted.clear();
        changedBefore.forEach(MediaStates::forget);
        changedBefore.clear();
        List<MediaStates> free = changedBefore;
        changedBefore = changed;
        changed = free;
        round++;
    }
}
