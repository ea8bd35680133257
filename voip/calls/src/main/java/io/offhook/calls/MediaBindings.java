package io.offhook.calls;

import io.offhook.calls.join.DialogFacts;
import io.offhook.calls.join.NearDialogs;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.Arrays;
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
    private final RoundCount versions = new RoundCount();
    private final RoundCount removedCalls = new RoundCount();
    /** The calls that were given up in this round: its earlier packets are still theirs. */
    private final List<Call> leaving = new ArrayList<>();

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

    /** Makes known what the dialogs of a round reported, and forgets what they gave up in the round before. */
    void publish(List<MediaBinding> fresh, List<Call> evicted) {
        forgetRemoved();
        versions.beginRound();
        removedCalls.beginRound();
        if (candidates != null) {
            candidates.beginRound();
        }
        fresh.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        evicted.sort((a, b) -> Long.compare(a.media().removedFrame(), b.media().removedFrame()));
        int next = 0;
        for (Call call : evicted) {
            while (next < fresh.size()
                    && fresh.get(next).frameNumber() <= call.media().removedFrame()) {
                add(fresh.get(next++));
            }
            giveUp(call);
        }
        fresh.subList(next, fresh.size()).forEach(this::add);
    }

    /** Makes room for others: the bindings of a call are known to its packets of this round only. */
    void giveUp(Call call) {
        size -= call.media().boundEndpoints();
        removedCalls.add(call.media().removedFrame());
        leaving.add(call);
    }

    /** Forgets the bindings of calls that were given up, once all packets of their last round were processed. */
    void forgetRemoved() {
        leaving.forEach(this::remove);
        leaving.clear();
    }

    void add(MediaBinding binding) {
        if (size == limit) {
            dropped.add(binding.frameNumber(), binding.fromNs());
            binding.call().media().bindingDropped();
            return;
        }
        size++;
        binding.call().media().bound();
        versions.add(binding.frameNumber());
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
                before.call().media().takenOver(before.side(), binding);
            }
        }
    }

    /** Removes the bindings of a call, whose media then belongs to no call. */
    private void remove(Call call) {
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
            if (known.size() == 1) {
                byEndpoint.remove(binding.endpoint());
            } else {
                known.remove(index);
            }
        }
    }

    /**
     * Increases with every binding that was captured before a frame: a failed search need not be repeated before it does.
     */
    long version(long frame) {
        return versions.before(frame);
    }

    /** Increases with every call whose payloads are to be sampled since a message before a frame. */
    long sampledCalls(long frame) {
        return candidates == null ? 0 : candidates.sampledCalls(frame);
    }

    /** The number of calls given up before a frame; streams may have lost their calls. */
    long removedCalls(long frame) {
        return removedCalls.before(frame);
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

    /** The same as {@link #find(Endpoint, long, long)} by all that was captured. */
    @Nullable
    MediaBinding find(Endpoint endpoint, long timestampNs) {
        return find(endpoint, timestampNs, MediaBinding.ALL_FRAMES);
    }

    /**
     * The binding of an endpoint that holds at a time: the one whose SDP came last before it, else the first one after.
     *
     * @param frame of the packet; SDP that was captured later is not known yet
     */
    @Nullable
    MediaBinding find(Endpoint endpoint, long timestampNs, long frame) {
        List<MediaBinding> all = at(endpoint);
        if (all.isEmpty()) {
            return null;
        }
        int middle = countUntil(all, timestampNs);
        MediaBinding before = nearest(all, middle - 1, -1, timestampNs, frame);
        return before != null ? before : nearest(all, middle, 1, timestampNs, frame);
    }

    private static @Nullable MediaBinding nearest(
            List<MediaBinding> all, int from, int step, long timestampNs, long frame) {
        int seen = 0;
        for (int i = from; i >= 0 && i < all.size() && seen < NEAREST; i += step) {
            MediaBinding binding = all.get(i);
            if (binding.isKnownTo(frame)) {
                seen++;
                if (binding.holdsAt(timestampNs, frame)) {
                    return binding;
                }
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
        private final RoundCount sampledCalls = new RoundCount();

        /** Notes a new binding, in the order of the capture. */
        void bound(MediaBinding binding) {
            Call call = binding.call();
            CallMedia media = call.media();
            if (!media.isCompared()) {
                List<Call> parents = compare(call, media.introduction());
                media.mayBelongTo(parents);
                if (!parents.isEmpty()) {
                    media.candidateFrom(binding);
                    parents.forEach(each -> each.media().candidateFrom(binding));
                }
            }
            List<Call> earlier = media.mayBelongTo();
            if (binding.side() == Side.CALLEE && !earlier.isEmpty()) {
                earlier.forEach(each -> sampled(each, binding));
                sampled(call, binding);
                media.mayBelongTo(List.of());
            }
        }

        /**
         * Compares a call with those before it, and remembers it for those that follow.
         *
         * @return the calls that it may be a leg of
         */
        private List<Call> compare(Call call, CallMedia.Introduction known) {
            List<CallReport.Leg> legs = known.legs();
            if (legs.isEmpty()) {
                return List.of();
            }
            List<Endpoint> destinations = new ArrayList<>(legs.size());
            legs.forEach(leg -> destinations.add(leg.destination()));
            String from = known.fromUser();
            String to = known.toUser();
            List<Call> earlier = new ArrayList<>(0);
            near.add(
                    call,
                    known.invitedNs(),
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

        private void sampled(Call call, MediaBinding since) {
            if (call.media().sampledFromNs(MediaBinding.ALL_FRAMES) == CallMedia.NOT_SAMPLED) {
                call.media().sampledFrom(since);
                sampledCalls.add(since.frameNumber());
            }
        }

        void beginRound() {
            sampledCalls.beginRound();
        }

        /** Calls whose payloads are sampled since a message before a frame. */
        long sampledCalls(long frame) {
            return sampledCalls.before(frame);
        }
    }

    /** How often something happened before a frame, for frames of this round and later ones. */
    private static final class RoundCount {
        private long count;
        private long[] frames = new long[8];
        private int size;

        /** Forgets where in the round before it happened. */
        void beginRound() {
            size = 0;
        }

        /** Counts it; in the order of frames. */
        void add(long frame) {
            if (size == frames.length) {
                frames = Arrays.copyOf(frames, 2 * size);
            }
            frames[size] = size == 0 ? frame : Math.max(frame, frames[size - 1]);
            size++;
            count++;
        }

        long before(long frame) {
            if (size == 0 || frames[size - 1] < frame) {
                return count;
            }
            int from = 0;
            int until = size;
            while (from < until) {
                int middle = (from + until) >>> 1;
                if (frames[middle] < frame) {
                    from = middle + 1;
                } else {
                    until = middle;
                }
            }
            return count - (size - from);
        }
    }
}
