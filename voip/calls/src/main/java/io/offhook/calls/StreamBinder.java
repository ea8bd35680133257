package io.offhook.calls;

import io.offhook.calls.binding.BestCall;
import io.offhook.calls.binding.BestCall.End;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides at the end which call each stream belongs to. The best bond is a call whose SDP names both ends; then the
 * receiving end (media from behind NAT comes from anywhere); then the sending end (symmetric RTP, RFC 4961), which also
 * binds the reverse of a stream; last, for a call whose SDP was not captured, the addresses of its signalling.
 */
final class StreamBinder {
    /** By hand: those that the JDK makes generate classes (decision 7). */
    private static final Comparator<Call> LATER = (a, b) -> Long.compare(a.firstFrame(), b.firstFrame());

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
        long firstNs = stream.statistics().firstNs();
        BestCall<Call, MediaBinding> calls =
                new BestCall<>(firstNs, stream.statistics().lastNs(), LATER);
        collect(stream.destination(), firstNs, End.DESTINATION, calls);
        collect(stream.source(), firstNs, End.SOURCE, calls);
        complete(stream.destination(), firstNs, End.DESTINATION, calls);
        complete(stream.source(), firstNs, End.SOURCE, calls);
        List<Bond> bonds = new ArrayList<>(1);
        for (BestCall.Found<Call, MediaBinding> found : calls.best()) {
            bonds.add(bond(found));
        }
        return bonds;
    }

    /** The bond; the sender is the side that does not receive there. */
    private static Bond bond(BestCall.Found<Call, MediaBinding> found) {
        MediaBinding receiver = found.receiver();
        MediaBinding sender = found.sender();
        if (receiver != null) {
            return new Bond(found.call(), receiver.side().other(), receiver, sender);
        }
        if (sender != null) {
            return new Bond(found.call(), sender.side(), null, sender);
        }
        throw new IllegalStateException("a candidate without a binding");
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

    private void collect(Endpoint endpoint, long firstNs, End end, BestCall<Call, MediaBinding> calls) {
        for (MediaBinding binding : bindings.near(endpoint, firstNs)) {
            calls.add(binding.call(), binding, binding.fromNs(), end);
        }
    }

    /** Completes candidates found by their other end, as a port of very many calls yields only the nearest bindings. */
    private void complete(Endpoint endpoint, long firstNs, End end, BestCall<Call, MediaBinding> calls) {
        if (bindings.near(endpoint, firstNs).size() == bindings.at(endpoint).size()) {
            return;
        }
        calls.eachWithout(end, call -> {
            for (MediaBinding binding : call.media().bindings()) {
                if (binding.endpoint().equals(endpoint)) {
                    calls.add(call, binding, binding.fromNs(), end);
                }
            }
        });
    }
}
