package io.offhook.calls;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides at the end which call each stream belongs to. The best bond is a call whose SDP names both ends; then the
 * receiving end (media from behind NAT comes from anywhere); then the sending end (symmetric RTP, RFC 4961), which also
 * binds the reverse of a stream; last, for a call whose SDP was not captured, the addresses of its signalling.
 */
final class StreamBinder {
    private static final int BY_SOURCE = 1;
    private static final int BY_DESTINATION = 2;

    /**
     * The share of its time from which a stream belongs to two calls whose SDP names both its ends: it passes through a
     * B2BUA.
     */
    private static final double SHARED = 0.8;

    /** The longest time between the BYE and the end of the media of a call without SDP. */
    private static final long GRACE_NS = 5_000_000_000L;

    /** The bond between a stream and a call. */
    record Bond(
            Call call,
            Side from,
            @Nullable MediaBinding receiver,
            @Nullable MediaBinding sender) {}

    /** Two hosts, ports left out. */
    private record Hosts(Endpoint source, Endpoint destination) {
        // written out as in Endpoint

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Hosts that && source.equals(that.source) && destination.equals(that.destination);
        }

        @Override
        public int hashCode() {
            return source.hashCode() * 31 + destination.hashCode();
        }
    }

    private final MediaBindings bindings;
    private final Map<Hosts, List<Call>> byHosts = new HashMap<>();

    /** @param undescribed answered calls without captured SDP */
    StreamBinder(MediaBindings bindings, List<Call> undescribed) {
        this.bindings = bindings;
        for (Call call : undescribed) {
            Endpoint source = call.firstSource().withPort(0);
            Endpoint destination = call.firstDestination().withPort(0);
            byHosts.computeIfAbsent(new Hosts(source, destination), hosts -> new ArrayList<>(1))
                    .add(call);
            byHosts.computeIfAbsent(new Hosts(destination, source), hosts -> new ArrayList<>(1))
                    .add(call);
        }
    }

    /** The calls that a stream belongs to: usually one; none if nothing binds it. */
    List<Bond> bind(MediaStream stream) {
        Map<Call, Candidate> candidates = new LinkedHashMap<>();
        collect(stream, stream.destination(), BY_DESTINATION, candidates);
        collect(stream, stream.source(), BY_SOURCE, candidates);
        complete(stream, stream.destination(), BY_DESTINATION, candidates);
        complete(stream, stream.source(), BY_SOURCE, candidates);
        Candidate best = null;
        for (Candidate candidate : candidates.values()) {
            if (best == null || candidate.isBetterThan(best)) {
                best = candidate;
            }
        }
        if (best == null) {
            return List.of();
        }
        List<Bond> bonds = new ArrayList<>(1);
        bonds.add(best.bond());
        for (Candidate candidate : candidates.values()) {
            if (candidate != best && candidate.isShared() && best.isShared()) {
                bonds.add(candidate.bond());
            }
        }
        return bonds;
    }

    /**
     * Binds a stream without SDP to the only call between the same hosts that ends with it, if there is exactly one.
     */
    List<Bond> bindByHosts(MediaStream stream) {
        Hosts hosts =
                new Hosts(stream.source().withPort(0), stream.destination().withPort(0));
        Call only = null;
        for (Call call : byHosts.getOrDefault(hosts, List.of())) {
            long apartNs = Math.abs(stream.statistics().lastNs() - call.byeNs());
            if (call.byeNs() != Call.NEVER
                    && apartNs <= GRACE_NS
                    && stream.statistics().firstNs() <= call.byeNs()) {
                if (only != null) {
                    return List.of();
                }
                only = call;
            }
        }
        if (only == null) {
            return List.of();
        }
        boolean fromCaller = only.firstSource().withPort(0).equals(hosts.source());
        return List.of(new Bond(only, fromCaller ? Side.CALLER : Side.CALLEE, null, null));
    }

    /**
     * Binds a stream without SDP to the call that an agent assigned its media to, in the direction that the hosts of the
     * signalling suggest.
     *
     * @param call that it was assigned to
     */
    static List<Bond> bindAssigned(MediaStream stream, Call call) {
        Endpoint caller = call.firstSource().withPort(0);
        Endpoint callee = call.firstDestination().withPort(0);
        boolean isFromCallee = stream.source().withPort(0).equals(callee)
                || stream.destination().withPort(0).equals(caller);
        return List.of(new Bond(call, isFromCallee ? Side.CALLEE : Side.CALLER, null, null));
    }

    private void collect(MediaStream stream, Endpoint endpoint, int how, Map<Call, Candidate> candidates) {
        long firstNs = stream.statistics().firstNs();
        long lastNs = Math.max(firstNs, stream.statistics().lastNs()); // before it if the clock was set back
        for (MediaBinding binding : bindings.near(endpoint, firstNs)) {
            long overlapNs = binding.overlapNs(firstNs, lastNs);
            if (overlapNs >= 0) {
                candidates
                        .computeIfAbsent(binding.call(), call -> new Candidate(call, firstNs, lastNs, overlapNs))
                        .add(binding, how, firstNs);
            }
        }
    }

    /** Completes candidates found by their other end, as a port of very many calls yields only the nearest bindings. */
    private void complete(MediaStream stream, Endpoint endpoint, int how, Map<Call, Candidate> candidates) {
        long firstNs = stream.statistics().firstNs();
        if (bindings.near(endpoint, firstNs).size() == bindings.at(endpoint).size()) {
            return;
        }
        for (Candidate candidate : candidates.values()) {
            if (!candidate.isBoundBy(how)) {
                for (MediaBinding binding : candidate.call.media().bindings()) {
                    if (binding.endpoint().equals(endpoint)) {
                        candidate.add(binding, how, firstNs);
                    }
                }
            }
        }
    }

    /** One call that a stream may belong to. */
    private static final class Candidate {
        private final Call call;
        private final long overlapNs;
        private final double within;
        private @Nullable MediaBinding receiver;
        private @Nullable MediaBinding sender;

        Candidate(Call call, long firstNs, long lastNs, long overlapNs) {
            this.call = call;
            this.overlapNs = overlapNs;
            long from = Math.max(firstNs, call.firstSeenNs());
            long until = Math.min(lastNs, call.mediaEndNs(0));
            this.within = lastNs == firstNs
                    ? (until >= from ? 1 : 0)
                    : (double) Math.max(0, until - from) / (lastNs - firstNs);
        }

        /** Adds a binding; of several, the last one before the stream began counts, otherwise the first one. */
        void add(MediaBinding binding, int how, long firstNs) {
            MediaBinding known = how == BY_DESTINATION ? receiver : sender;
            if (known == null || binding.fromNs() <= firstNs) {
                if (how == BY_DESTINATION) {
                    receiver = binding;
                } else {
                    sender = binding;
                }
            }
        }

        boolean isBoundBy(int how) {
            return (ends() & how) != 0;
        }

        private int ends() {
            return (receiver != null ? BY_DESTINATION : 0) + (sender != null ? BY_SOURCE : 0);
        }

        boolean isBetterThan(Candidate other) {
            boolean mostly = within > 0.5;
            boolean otherMostly = other.within > 0.5;
            if (mostly != otherMostly) {
                return mostly;
            }
            if (ends() != other.ends()) {
                return ends() > other.ends();
            }
            if (within != other.within) {
                return within > other.within;
            }
            return overlapNs != other.overlapNs
                    ? overlapNs > other.overlapNs
                    : call.firstFrame() > other.call.firstFrame();
        }

        boolean isShared() {
            return ends() == BY_DESTINATION + BY_SOURCE && within >= SHARED;
        }

        /** The bond; the sender is the side that does not receive there. */
        Bond bond() {
            if (receiver != null) {
                return new Bond(call, receiver.side().other(), receiver, sender);
            }
            if (sender != null) {
                return new Bond(call, sender.side(), null, sender);
            }
            throw new IllegalStateException("a candidate without a binding");
        }
    }
}
