package io.offhook.proxy.stream;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The flows by their number and by their peer's address. As many as connections may be open. Thread-safe. */
final class FlowTable {
    /** What a flow is found by. */
    private record Peer(SipTransport transport, Endpoint remote) {}

    private final ConcurrentHashMap<Long, StreamFlow> byId = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Peer, List<StreamFlow>> byPeer = new ConcurrentHashMap<>();

    int size() {
        return byId.size();
    }

    void add(StreamFlow flow) {
        byId.put(flow.id(), flow);
        addAs(flow, flow.remote());
    }

    /** Has the flow be found by an address; the newest is found first. */
    private void addAs(StreamFlow flow, Endpoint remote) {
        byPeer.compute(new Peer(flow.transport(), remote), (_, flows) -> with(flows, flow));
    }

    private static List<StreamFlow> with(@Nullable List<StreamFlow> flows, StreamFlow flow) {
        List<StreamFlow> more = new ArrayList<>();
        more.add(flow);
        if (flows != null) {
            flows.stream().filter(one -> one != flow).forEach(more::add);
        }
        return List.copyOf(more);
    }

    /** Has the flow be found by another port of its peer too, in the place of one that was set before. */
    void addAlias(StreamFlow flow, int port) {
        int before = flow.alias(port);
        if (before != 0 && before != port) {
            removeAs(flow, flow.remote().withPort(before));
        }
        addAs(flow, flow.remote().withPort(port));
        if (!flow.isOpen()) {
            removeAs(flow, flow.remote().withPort(port)); // it may have ended in between
        }
    }

    void remove(StreamFlow flow) {
        // first what waits for one that is just being added
        removeAs(flow, flow.remote());
        if (flow.alias() != 0) {
            removeAs(flow, flow.remote().withPort(flow.alias()));
        }
        byId.remove(flow.id(), flow);
    }

    private void removeAs(StreamFlow flow, Endpoint remote) {
        byPeer.computeIfPresent(new Peer(flow.transport(), remote), (_, flows) -> {
            List<StreamFlow> left = flows.stream().filter(one -> one != flow).toList();
            return left.isEmpty() ? null : left;
        });
    }

    @Nullable
    StreamFlow find(long id) {
        StreamFlow flow = byId.get(id);
        return flow != null && flow.isOpen() ? flow : null;
    }

    @Nullable
    StreamFlow find(SipTransport transport, Endpoint remote, Predicate<StreamFlow> condition) {
        return first(byPeer.get(new Peer(transport, remote)), condition);
    }

    private static @Nullable StreamFlow first(@Nullable List<StreamFlow> flows, Predicate<StreamFlow> condition) {
        if (flows != null) {
            for (StreamFlow flow : flows) {
                if (flow.isOpen() && condition.test(flow)) {
                    return flow;
                }
            }
        }
        return null;
    }

    /** Finds a flow, or has one made if there is none; of several threads that ask for the same, one makes it. */
    @Nullable
    StreamFlow findOrBegin(
            SipTransport transport,
            Endpoint remote,
            Predicate<StreamFlow> condition,
            Supplier<@Nullable StreamFlow> maker) {
        StreamFlow known = find(transport, remote, condition);
        if (known != null) {
            return known;
        }
        StreamFlow[] found = new StreamFlow[1];
        byPeer.compute(new Peer(transport, remote), (_, flows) -> {
            StreamFlow other = first(flows, condition);
            StreamFlow made = other == null ? maker.get() : null;
            found[0] = other == null ? made : other;
            if (made != null) {
                byId.put(made.id(), made);
                return with(flows, made);
            }
            return flows;
        });
        return found[0];
    }
}
