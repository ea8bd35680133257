package io.offhook.calls.binding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the call that a stream belongs to, among those whose SDP names one of its ends. A call in which most of the stream lies is
 * better than others; then one that names both ends, then the destination, then the source; then the one that has more of its
 * time, and of equal ones the later one. A stream that passes through a B2BUA belongs to several calls.
 *
 * @param <C> a call
 * @param <B> what a call says of an endpoint
 */
public final class BestCall<C extends CallSpan, B> {
    /** The share of its time from which a stream belongs to each of the calls whose SDP names both its ends. */
    private static final double SHARED = 0.8;

    /** The end of a stream that a call names. */
    public enum End {
        /** Its sender. */
        SOURCE,
        /** Its receiver. */
        DESTINATION
    }

    /**
     * A call that a stream belongs to; one of its ends is named.
     *
     * @param <C> a call
     * @param <B> what a call says of an endpoint
     * @param call which one
     * @param receiver what names its destination; null if nothing does
     * @param sender what names its source; null if nothing does
     */
    public record Found<C, B>(
            C call, @Nullable B receiver, @Nullable B sender) {}

    private final long firstNs;
    private final long lastNs;
    private final Comparator<? super C> order;
    private final Map<C, Candidate<C, B>> candidates = new LinkedHashMap<>();

    /**
     * For one stream.
     *
     * @param firstNs the time of its first packet, nanoseconds since the epoch
     * @param lastNs the time of its last packet; of one before the first, as after a step of the clock, the first counts
     * @param order which of two calls came later
     */
    public BestCall(long firstNs, long lastNs, Comparator<? super C> order) {
        this.firstNs = firstNs;
        this.lastNs = Math.max(firstNs, lastNs);
        this.order = order;
    }

    /**
     * Adds what a call says of an end, in the order in which it said so, if the stream may be of its time.
     *
     * @param fromNs since when it says so, nanoseconds since the epoch
     */
    public void add(C call, B binding, long fromNs, End end) {
        long overlapNs = call.overlapNs(firstNs, lastNs);
        if (overlapNs >= 0) {
            candidates
                    .computeIfAbsent(call, _ -> new Candidate<>(call, within(call), overlapNs))
                    .add(binding, fromNs <= firstNs, end);
        }
    }

    /** The share of the stream's time in which it may be the call's. */
    private double within(C call) {
        long from = Math.max(firstNs, call.firstSeenNs());
        long until = Math.min(lastNs, call.mediaEndNs(0));
        return lastNs == firstNs ? (until >= from ? 1 : 0) : (double) Math.max(0, until - from) / (lastNs - firstNs);
    }

    /** Passes on the calls that name the other end of the stream, but, as far as is known, not this one. */
    public void eachWithout(End end, Consumer<? super C> sink) {
        for (Candidate<C, B> candidate : List.copyOf(candidates.values())) {
            if (!candidate.names(end)) {
                sink.accept(candidate.call);
            }
        }
    }

    /** The calls that the stream belongs to, the best one first: usually one; none if nothing was added. */
    public List<Found<C, B>> best() {
        Candidate<C, B> best = null;
        for (Candidate<C, B> candidate : candidates.values()) {
            if (best == null || candidate.isBetterThan(best, order)) {
                best = candidate;
            }
        }
        if (best == null) {
            return List.of();
        }
        List<Found<C, B>> found = new ArrayList<>(1);
        found.add(best.found());
        for (Candidate<C, B> candidate : candidates.values()) {
            if (candidate != best && candidate.isShared() && best.isShared()) {
                found.add(candidate.found());
            }
        }
        return found;
    }

    /** One call that a stream may belong to. */
    private static final class Candidate<C, B> {
        private static final int BOTH = 3;

        private final C call;
        private final double within;
        private final long overlapNs;
        private @Nullable B receiver;
        private @Nullable B sender;

        Candidate(C call, double within, long overlapNs) {
            this.call = call;
            this.within = within;
            this.overlapNs = overlapNs;
        }

        /** Of several, the last one before the stream began counts, otherwise the first one. */
        void add(B binding, boolean isBefore, End end) {
            if (end == End.DESTINATION) {
                receiver = receiver == null || isBefore ? binding : receiver;
            } else {
                sender = sender == null || isBefore ? binding : sender;
            }
        }

        boolean names(End end) {
            return (end == End.DESTINATION ? receiver : sender) != null;
        }

        /** 3 for both ends, 2 for the destination, 1 for the source. */
        private int ends() {
            return (receiver == null ? 0 : 2) + (sender == null ? 0 : 1);
        }

        boolean isBetterThan(Candidate<C, B> other, Comparator<? super C> order) {
            boolean isMostly = within > 0.5;
            if (isMostly != other.within > 0.5) {
                return isMostly;
            }
            if (ends() != other.ends()) {
                return ends() > other.ends();
            }
            if (within != other.within) {
                return within > other.within;
            }
            return overlapNs != other.overlapNs ? overlapNs > other.overlapNs : order.compare(call, other.call) > 0;
        }

        boolean isShared() {
            return ends() == BOTH && within >= SHARED;
        }

        Found<C, B> found() {
            return new Found<>(call, receiver, sender);
        }
    }
}
