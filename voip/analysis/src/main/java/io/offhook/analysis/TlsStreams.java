package io.offhook.analysis;

import io.offhook.flow.FlowHash;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the connections that carry TLS, and which of them are for SIP: those on port 5061 and those whose hello names
 * SIP. Their content cannot be read.
 *
 * <p>Remembers {@link #MOST_CONNECTIONS} and evicts the oldest (the other direction of an evicted connection would
 * count again). Lists {@link #MOST_SERVERS}; streams to further servers are only counted. Single-threaded.
 */
final class TlsStreams implements StreamProtocol {
    private static final int MOST_CONNECTIONS = 1 << 14;
    static final int MOST_SERVERS = 256;

    /** By the hash of a connection's ends, whichever of them sends: whether it is known to be for SIP. */
    private final Map<Long, Boolean> connections = new LinkedHashMap<>();

    private final Map<Endpoint, PlacedCount> servers = new LinkedHashMap<>();
    private final PlacedCount streams = new PlacedCount();
    private final PlacedCount signalling = new PlacedCount();
    private final TlsHello hello = new TlsHello();

    /** A TLS record starts a stream: it is counted once, then ignored. */
    @Override
    public Pickup pickup(MemorySegment segment, long offset, int length) {
        return TlsHello.isRecord(segment, offset, length) ? Pickup.NOW : Pickup.IGNORE;
    }

    @Override
    public StreamReader begin(TcpStream stream, StreamOutput out) {
        return new Reader(stream);
    }

    /** Examines the first bytes of a direction and wants no more. */
    private final class Reader implements StreamReader {
        private final TcpStream stream;

        Reader(TcpStream stream) {
            this.stream = stream;
        }

        @Override
        public boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            see(stream.source(), stream.destination(), segment, offset, length, timestampNs, frameNumber);
            return false;
        }
    }

    /** Records a direction that begins with a {@linkplain TlsHello#isRecord TLS record}. */
    void see(
            Endpoint source,
            Endpoint destination,
            MemorySegment segment,
            long offset,
            int length,
            long timestampNs,
            long frameNumber) {
        hello.read(segment, offset, length);
        boolean onPort = source.port() == EncryptedSignalling.PORT || destination.port() == EncryptedSignalling.PORT;
        boolean sip = onPort || hello.isSip();
        Boolean before = connections.put(key(source, destination), sip);
        if (before == null) {
            streams.add(frameNumber, timestampNs);
            makeRoom();
        } else if (before) {
            connections.put(key(source, destination), true);
            return;
        }
        if (sip) {
            signalling.add(frameNumber, timestampNs);
            count(isServer(source, destination) ? source : destination, timestampNs, frameNumber);
        }
    }

    private static long key(Endpoint source, Endpoint destination) {
        return FlowHash.of(
                source.high(),
                source.low(),
                source.port(),
                destination.high(),
                destination.low(),
                destination.port(),
                6);
    }

    private boolean isServer(Endpoint source, Endpoint destination) {
        return hello.isServer()
                || !hello.isClient()
                        && source.port() == EncryptedSignalling.PORT
                        && destination.port() != EncryptedSignalling.PORT;
    }

    private void count(Endpoint server, long timestampNs, long frameNumber) {
        PlacedCount known = servers.get(server);
        if (known == null) {
            if (servers.size() == MOST_SERVERS) {
                return;
            }
            known = new PlacedCount();
            servers.put(server, known);
        }
        known.add(frameNumber, timestampNs);
    }

    private void makeRoom() {
        if (connections.size() > MOST_CONNECTIONS) {
            Iterator<Long> oldest = connections.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Connections that carry TLS. */
    PlacedCount streams() {
        return streams;
    }

    /** The connections among these that are for SIP. */
    PlacedCount signalling() {
        return signalling;
    }

    /** The SIP servers of several tables, in the order of their first frames. */
    static List<EncryptedSignalling> servers(List<TlsStreams> tables) {
        Map<Endpoint, PlacedCount> sums = new LinkedHashMap<>();
        for (TlsStreams table : tables) {
            table.servers.forEach((server, count) ->
                    sums.computeIfAbsent(server, s -> new PlacedCount()).add(count));
        }
        List<EncryptedSignalling> all = new ArrayList<>();
        sums.forEach((server, count) -> all.add(new EncryptedSignalling(
                server, count.count(), count.firstFrame(), count.lastFrame(), count.firstNs(), count.lastNs())));
        all.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return List.copyOf(all);
    }
}
