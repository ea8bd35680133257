package io.offhook.cli.xray;

import io.offhook.monitor.OwnSocket;
import io.offhook.monitor.xray.Gap;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which ends of messages belong to a process, by its sockets; those of connections that were closed are remembered for a while. */
final class OwnEnds {
    private static final int MOST = 10_000;

    private final Set<IpAddress> addresses;
    private Map<Endpoint, Long> datagrams = Map.of();
    private Map<Endpoint, Long> listeners = Map.of();
    private final Map<Ends, Long> connections = new LinkedHashMap<>();

    private record Ends(Endpoint local, Endpoint remote) {}

    /**
     * Knows no socket yet.
     *
     * @param addresses those of this machine, which a socket may receive at that is bound to none
     */
    OwnEnds(Set<IpAddress> addresses) {
        this.addresses = Set.copyOf(addresses);
    }

    /** Takes over the sockets that there are now. */
    void update(List<OwnSocket> sockets) {
        Map<Endpoint, Long> newDatagrams = new HashMap<>();
        Map<Endpoint, Long> newListeners = new HashMap<>();
        for (OwnSocket socket : sockets) {
            Endpoint local = Endpoint.parse(socket.local());
            Endpoint remote = Endpoint.parse(socket.remote());
            if (local == null) {
                continue;
            }
            if (!socket.isTcp()) {
                newDatagrams.put(local, socket.inode());
            } else if (remote == null) {
                newListeners.put(local, socket.inode());
            } else {
                connections.remove(new Ends(local, remote));
                connections.put(new Ends(local, remote), socket.inode());
            }
        }
        while (connections.size() > MOST) {
            connections.remove(connections.keySet().iterator().next());
        }
        datagrams = newDatagrams;
        listeners = newListeners;
    }

    /** Whether one end of a message belongs to the process; the other end tells connections apart. */
    boolean has(Endpoint end, Endpoint other, boolean isStream) {
        return isStream
                ? connections.containsKey(new Ends(end, other)) || find(listeners, end) != Gap.NO_QUEUE
                : find(datagrams, end) != Gap.NO_QUEUE;
    }

    /** The queue that a message came in by; {@link Gap#NO_QUEUE} if that is not known. */
    long queue(Endpoint end, Endpoint other, boolean isStream) {
        return isStream ? connections.getOrDefault(new Ends(end, other), Gap.NO_QUEUE) : find(datagrams, end);
    }

    private long find(Map<Endpoint, Long> bound, Endpoint end) {
        Long exact = bound.get(end);
        if (exact != null) {
            return exact;
        }
        if (!addresses.contains(end.address()) && !end.address().isLoopback()) {
            return Gap.NO_QUEUE;
        }
        Long ofAny = bound.get(Endpoint.ofIpv4(0, end.port()));
        Long ofAny6 = bound.get(new Endpoint(0, 0, end.port()));
        return end.isIpv4() && ofAny != null ? ofAny : ofAny6 != null ? ofAny6 : Gap.NO_QUEUE;
    }
}
