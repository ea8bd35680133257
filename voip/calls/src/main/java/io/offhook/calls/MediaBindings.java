package io.offhook.calls;

import io.offhook.calls.join.DialogFacts;
import io.offhook.calls.join.NearDialogs;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which call receives media where and when: maps each endpoint to the bindings that SDP made of it, in the order of
 * their times.
 *
 * <p>One port may serve any number of calls, one after another (a telephone with a fixed port, a test tool, a media
 * server). All bindings are kept as long as their calls; a search by time examines the {@value #NEAREST} before it and
 * the {@value #NEAREST} after it.
 *
 * <p>Written between rounds by one thread, read by many during a round. Holds {@link #MAX_BINDINGS}; further ones are
 * counted, and their calls note that media may not be found.
 */
final class MediaBindings {
    /** The most bindings: four for each call, for two sides and two hops. */
    static final int MAX_BINDINGS = 1 << 21;

    /** With more calls than this on one port at one time, only the port of the other end identifies the call. */
    static final int NEAREST = 256;

    private final Map<Endpoint, List<MediaBinding>> byEndpoint = new HashMap<>();
    private final int limit;
    private int size;
    private long version;
    private long removedCalls;
    /** Null where legs are not joined. */
    private final @Nullable LegCandidates candidates;

    private final PlacedCount dropped = new PlacedCount();

    MediaBindings() {
        this(MAX_BINDINGS);
    }

    /** @param candidates whose payloads are sampled; null if nobody's are */
    MediaBindings(@Nullable LegCandidates candidates) {
        this(MAX_BINDINGS, candidates);
    }

    MediaBindings(int limit) {
        this(limit, null);
    }

    private MediaBindings(int limit, @Nullable LegCandidates candidates) {
        this.limit = limit;
        this.candidates = candidates;
    }

    void add(MediaBinding binding) {
        if (size == limit) {
            dropped.add(binding.frameNumber(), binding.fromNs());
            binding.call().media().bindingDropped();
            return;
        }
        size++;
        version++;
        if (candidates != null) {
            candidates.bound(binding);
        }
        List<MediaBinding> known = byEndpoint.get(binding.endpoint());
        if (known == null) {
            byEndpoint.put(binding.endpoint(), List.of(binding)); // nearly all ports serve one call only
            return;
        }
        if (known.size() == 1) {
            known = new ArrayList<>(known);
            byEndpoint.put(binding.endpoint(), known);
        }
        int at = countUntil(known, binding.fromNs());
        takeOver(known, at, binding);
        known.add(at, binding);
    }

    /** Notes that the calls that had the port before may have lost it to this one. */
    private static void takeOver(List<MediaBinding> known, int at, MediaBinding binding) {
        for (int i = Math.max(0, at - NEAREST); i < at; i++) {
            MediaBinding before = known.get(i);
            if (before.call() != binding.call()) {
                before.call().media().takenOver(before.side(), binding.call());
            }
        }
    }

    /** Removes the bindings of a call, whose media then belongs to no call. */
    void remove(Call call) {
        removedCalls++;
        call.media().remove();
        for (MediaBinding binding : call.media().bindings()) {
            List<MediaBinding> known = byEndpoint.getOrDefault(binding.endpoint(), List.of());
            int index = countUntil(known, binding.fromNs()) - 1;
            // messages of several calls may share a frame, and so a time
            while (index >= 0
                    && known.get(index).call() != call
                    && known.get(index).fromNs() == binding.fromNs()) {
                index--;
            }
            if (index < 0 || known.get(index).call() != call) {
                continue; // it exceeded the limit
            }
            size--;
            if (known.size() == 1) {
                byEndpoint.remove(binding.endpoint());
            } else {
                known.remove(index);
            }
        }
    }

    /** Increases with every binding: a failed search need not be repeated before it does. */
    long version() {
        return version;
    }

    /** Increases with every call whose payloads are to be sampled. */
    long sampledCalls() {
        return candidates == null ? 0 : candidates.sampledCalls();
    }

    /** The number of calls removed so far; streams may have lost their calls. */
    long removedCalls() {
        return removedCalls;
    }

    int size() {
        return size;
    }

    /** Bindings beyond the limit. */
    PlacedCount dropped() {
        return dropped;
    }

    List<MediaBinding> at(Endpoint endpoint) {
        return byEndpoint.getOrDefault(endpoint, List.of());
    }

    /** The bindings of an endpoint nearest to a time, before and after it, in the order of their times. */
    List<MediaBinding> near(Endpoint endpoint, long timestampNs) {
        List<MediaBinding> all = at(endpoint);
        if (all.size() <= 2 * NEAREST) {
            return all;
        }
        int middle = countUntil(all, timestampNs);
        return all.subList(Math.max(0, middle - NEAREST), Math.min(all.size(), middle + NEAREST));
    }

    /**
     * The binding of an endpoint that holds at a time: the one whose SDP came last before it, else the first one after.
     */
    @Nullable
    MediaBinding find(Endpoint endpoint, long timestampNs) {
        List<MediaBinding> near = near(endpoint, timestampNs);
        int middle = countUntil(near, timestampNs);
        for (int i = middle - 1; i >= 0; i--) {
            if (near.get(i).holdsAt(timestampNs)) {
                return near.get(i);
            }
        }
        for (int i = middle; i < near.size(); i++) {
            if (near.get(i).holdsAt(timestampNs)) {
                return near.get(i);
            }
        }
        return null;
    }

    /** How many of the bindings are as old as a time, or older. */
    private static int countUntil(List<MediaBinding> bindings, long timestampNs) {
        int low = 0;
        int high = bindings.size();
        while (low < high) {
            int middle = low + high >>> 1;
            if (bindings.get(middle).fromNs() <= timestampNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Decides whose payloads are sampled: those of calls that may be legs of one, from the answer of the later one on, when media
     * passes both. All other calls pay nothing for it. Used between rounds, by one thread.
     */
    static final class LegCandidates {
        private final NearDialogs<Call> near = new NearDialogs<>();
        private long sampledCalls;

        /** Notes a new binding, in the order of the capture. */
        void bound(MediaBinding binding) {
            Call call = binding.call();
            CallMedia media = call.media();
            if (!media.isCompared()) {
                media.mayBelongTo(compare(call));
            }
            List<Call> earlier = media.mayBelongTo();
            if (binding.side() == Side.CALLEE && !earlier.isEmpty()) {
                earlier.forEach(each -> sampled(each, binding.fromNs()));
                sampled(call, binding.fromNs());
                media.mayBelongTo(List.of());
            }
        }

        /**
         * Compares a call with those before it, and remembers it for those that follow.
         *
         * @return the calls that it may be a leg of
         */
        private List<Call> compare(Call call) {
            List<CallReport.Leg> legs = call.legs();
            if (legs.isEmpty()) {
                return List.of();
            }
            List<Endpoint> destinations = new ArrayList<>(legs.size());
            legs.forEach(leg -> destinations.add(leg.destination()));
            String from = call.parties().fromUser();
            String to = call.parties().toUser();
            List<Call> earlier = new ArrayList<>(0);
            near.add(
                    call,
                    call.invitedNs(),
                    legs.getFirst().source(),
                    destinations,
                    DialogFacts.Users.of(from == null ? "" : from, to == null ? "" : to),
                    (parent, _) -> {
                        if (!earlier.contains(parent)) {
                            earlier.add(parent);
                        }
                    });
            return earlier;
        }

        private void sampled(Call call, long fromNs) {
            if (call.media().sampledFromNs() == CallMedia.NOT_SAMPLED) {
                call.media().sampledFrom(fromNs);
                sampledCalls++;
            }
        }

        /** Calls whose payloads are sampled, so far. */
        long sampledCalls() {
            return sampledCalls;
        }
    }
}
