package io.offhook.doctor;

import io.offhook.doctor.PortSocket.Kind;
import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.TcpSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches the sockets that are bound or connected to some ports: their queues, what they dropped and what TCP sent again, with
 * the programs that own them. Each {@link #look} compares with the one before. Needs no capability, but only root can see the
 * owners of all sockets. Changes nothing. Not thread-safe.
 */
public final class PortWatch {
    /** The most sockets that are watched; more are counted in {@link #unwatched}. */
    private static final int MOST = 1 << 17;
    /** The most totals of sockets that are gone. */
    private static final int MOST_GONE = 1_000;

    private static final Comparator<PortSocket> ORDER = Comparator.comparing(PortSocket::kind)
            .thenComparing(Comparator.comparingLong((PortSocket socket) ->
                            socket.receive().most() + socket.send().most())
                    .reversed())
            .thenComparing(PortSocket::local)
            .thenComparing(PortSocket::remote);

    private final Set<Integer> ports;
    private final PortTables tables;
    /** By inode. */
    private Map<Long, Watched> watched = new LinkedHashMap<>();
    /** The totals of UDP sockets and listeners that are gone. */
    private final List<PortSocket> gone = new ArrayList<>();

    private long closedConnections;
    private long closedRetransmissions;
    private long unwatched;
    private boolean hasLooked;

    PortWatch(Set<Integer> ports, PortTables tables) {
        for (int port : ports) {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port " + port + " is outside 1 to 65535");
            }
        }
        this.ports = new TreeSet<>(ports);
        this.tables = tables;
    }

    /**
     * Watches ports of this machine, in the network namespace of this process.
     *
     * @param ports the ports, each 1 to 65535
     */
    public static PortWatch ofThisMachine(Set<Integer> ports) {
        SocketOwners owners = new SocketOwners(new SystemTree(Path.of("/")));
        return new PortWatch(ports, new PortTables() {
            @Override
            public List<KernelSocket> udp(int port) {
                return KernelSocket.udp(port);
            }

            @Override
            public List<TcpSocket> tcp(int port) {
                return TcpSocket.onPort(port);
            }

            @Override
            public Map<Long, SocketOwners.Owner> owners(Set<Long> inodes) {
                return owners.ownersOf(inodes);
            }
        });
    }

    /** The watched ports, in order. */
    public Set<Integer> ports() {
        return Collections.unmodifiableSet(ports);
    }

    /** The figures of a socket at one look. */
    private record Figures(
            TcpSocket.@Nullable State state,
            long receive,
            long receiveLimit,
            long send,
            long sendLimit,
            long drops,
            long again,
            long us) {
        static Figures of(KernelSocket socket) {
            KernelSocket.Memory memory = socket.memory();
            return new Figures(
                    null,
                    memory.receiveBytes(),
                    memory.receiveLimit(),
                    memory.sendBytes(),
                    memory.sendLimit(),
                    socket.drops(),
                    0,
                    0);
        }

        static Figures of(TcpSocket socket) {
            return socket.isListening()
                    ? new Figures(socket.state(), socket.receiveQueue(), socket.sendQueue(), 0, 0, socket.drops(), 0, 0)
                    : new Figures(
                            socket.state(),
                            socket.receiveQueue(),
                            0,
                            socket.sendQueue(),
                            0,
                            socket.drops(),
                            socket.retransmissions(),
                            socket.roundTripUs());
        }
    }

    /** What a socket is, and where. */
    private record Place(Kind kind, String local, String remote) {}

    /** A socket from its first look on. */
    private static final class Watched {
        private static final Figures NOTHING = new Figures(null, 0, 0, 0, 0, 0, 0, 0);

        final Place place;
        final Figures first;
        Figures before;
        Figures now;
        SocketOwners.Owner owner = SocketOwners.Owner.UNKNOWN;
        long mostReceive;
        long mostSend;

        /** @param isLater whether it did not exist at the first look: all that it counts is new */
        Watched(Place place, Figures now, boolean isLater) {
            this.place = place;
            first = isLater ? NOTHING : now;
            before = first;
            this.now = now;
        }

        PortSocket since(Figures then) {
            return new PortSocket(
                    place.kind,
                    place.local,
                    place.remote,
                    now.state,
                    owner.name(),
                    owner.pid(),
                    new PortSocket.Queue(now.receive, then.receive, mostReceive, now.receiveLimit),
                    new PortSocket.Queue(now.send, then.send, mostSend, now.sendLimit),
                    now.drops,
                    Math.max(0, now.drops - then.drops),
                    now.again,
                    Math.max(0, now.again - then.again),
                    now.us);
        }
    }

    /**
     * Reads queues and counters of all sockets of the ports.
     *
     * @throws io.offhook.linux.LinuxException if the kernel does not report them
     */
    public void look() {
        Map<Long, Watched> then = watched;
        boolean isFirst = !hasLooked;
        watched = new LinkedHashMap<>();
        unwatched = 0;
        for (int port : ports) {
            for (KernelSocket socket : tables.udp(port)) {
                add(
                        socket.owner().inode(),
                        Figures.of(socket),
                        then,
                        isFirst,
                        () -> new Place(Kind.UDP, socket.local(), socket.remote()));
            }
            for (TcpSocket socket : tables.tcp(port)) {
                add(
                        socket.owner().inode(),
                        Figures.of(socket),
                        then,
                        isFirst,
                        () -> new Place(
                                socket.isListening() ? Kind.LISTENER : Kind.CONNECTION,
                                socket.local(),
                                socket.remote()));
            }
        }
        Map<Long, SocketOwners.Owner> owners = tables.owners(new LinkedHashSet<>(watched.keySet()));
        watched.forEach((inode, socket) -> {
            socket.owner = owners.getOrDefault(inode, socket.owner);
            socket.mostReceive = Math.max(socket.mostReceive, socket.now.receive);
            socket.mostSend = Math.max(socket.mostSend, socket.now.send);
        });
        then.forEach((inode, socket) -> {
            if (!watched.containsKey(inode)) {
                end(socket);
            }
        });
        hasLooked = true;
    }

    private void add(long inode, Figures figures, Map<Long, Watched> then, boolean isFirst, Supplier<Place> place) {
        // no inode: its process has closed it; already there: both of its ports are watched
        if (inode == 0 || watched.containsKey(inode)) {
            return;
        }
        if (watched.size() == MOST) {
            unwatched++;
            return;
        }
        Watched known = then.get(inode);
        if (known == null) {
            watched.put(inode, new Watched(place.get(), figures, !isFirst));
        } else {
            known.before = known.now;
            known.now = figures;
            watched.put(inode, known);
        }
    }

    private void end(Watched socket) {
        PortSocket total = socket.since(socket.first);
        if (total.kind() == Kind.CONNECTION) {
            closedConnections++;
            closedRetransmissions += total.retransmissionsGrown();
        } else if (gone.size() < MOST_GONE) {
            gone.add(total);
        }
    }

    /** The sockets at the last look: UDP, listeners, connections; of each kind those with the longest queues first. */
    public List<PortSocket> sockets() {
        return watched.values().stream()
                .map(socket -> socket.since(socket.before))
                .sorted(ORDER)
                .toList();
    }

    /** What was lost between the last two looks, and in which queue. */
    public List<Loss> losses() {
        List<Loss> losses = new ArrayList<>();
        for (PortSocket socket : sockets()) {
            if (socket.kind() != Kind.CONNECTION && socket.dropsGrown() > 0) {
                losses.add(new Loss(
                        socket.kind() == Kind.UDP ? Loss.Cause.SOCKET : Loss.Cause.ACCEPT_QUEUE,
                        socket.subject(),
                        "drops",
                        socket.drops(),
                        socket.dropsGrown(),
                        socket.receive().waiting(),
                        socket.receive().limit()));
            }
        }
        return List.copyOf(losses);
    }

    /**
     * Each socket since the first look, also UDP sockets and listeners that are gone; connections that are gone are in
     * {@link #closedConnections} only.
     */
    public List<PortSocket> totals() {
        return Stream.concat(gone.stream(), watched.values().stream().map(socket -> socket.since(socket.first)))
                .sorted(ORDER)
                .toList();
    }

    /** The connections that ended while they were watched. */
    public long closedConnections() {
        return closedConnections;
    }

    /** The segments that those connections sent again while they were watched. */
    public long closedRetransmissions() {
        return closedRetransmissions;
    }

    /** The sockets at the last look beyond the most that are watched. */
    public long unwatched() {
        return unwatched;
    }
}
