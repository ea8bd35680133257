package io.offhook.analysis;

import io.offhook.analysis.tls.TlsHello;
import io.offhook.flow.FlowHash;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections that carry TLS, and which of them are for SIP: those on port 5061 and those whose hello names
 * SIP. Their content cannot be read, unless a {@link TlsOpener} has its keys: then they are not counted.
 *
 * <p>Remembers {@link #MOST_CONNECTIONS} and evicts the oldest (the other direction of an evicted connection would
 * count again). Lists {@link #MOST_SERVERS}; streams to further servers are only counted. Single-threaded.
 */
final class TlsStreams implements StreamProtocol {
    private static final int MOST_CONNECTIONS = 1 << 14;
    static final int MOST_SERVERS = 256;

    /** By the hash of a connection's ends, whichever of them sends: whether it is known to be for SIP. */
    private final Map<Long, Boolean> connections = new LinkedHashMap<>();

    /** With an opener: connections of which nothing was opened yet, which are counted as long as that lasts. */
    private final Map<Long, Unopened> unopened = new LinkedHashMap<>();

    private final Map<Endpoint, PlacedCount> servers = new LinkedHashMap<>();
    private final PlacedCount streams = new PlacedCount();
    private final PlacedCount signalling = new PlacedCount();
    private final TlsHello hello = new TlsHello();
    private final SipStreams sip;
    private final @Nullable TlsOpener opener;

    /** What would be counted of a connection. */
    private static final class Unopened {
        final PlacedCount streams = new PlacedCount();
        final PlacedCount signalling = new PlacedCount();

        @Nullable
        Endpoint server;
    }

    TlsStreams() {
        this(new SipStreams(), null);
    }

    /**
     * @param sip reads what is opened
     * @param opener has keys; or null
     */
    TlsStreams(SipStreams sip, @Nullable TlsOpener opener) {
        this.sip = sip;
        this.opener = opener;
    }

    /** A TLS record starts a stream: it is counted once, then ignored. */
    @Override
    public Pickup pickup(MemorySegment segment, long offset, int length) {
        return TlsHello.isRecord(segment, offset, length) ? Pickup.NOW : Pickup.IGNORE;
    }

    @Override
    public StreamReader begin(TcpStream stream, StreamOutput out) {
        return new Reader(stream, out);
    }

    /** Examines the first bytes of a direction, and wants more only if they can be opened. */
    private final class Reader implements StreamReader {
        private final TcpStream stream;
        private final @Nullable PlainSip plain;
        private final @Nullable StreamReader records;
        private boolean isSeen;
        private boolean isOpened;

        Reader(TcpStream stream, StreamOutput out) {
            this.stream = stream;
            plain = opener == null ? null : new PlainSip(stream, sip, out);
            records = opener == null || plain == null ? null : opener.open(stream, plain);
        }

        @Override
        public boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            if (!isSeen) {
                isSeen = true;
                see(stream.source(), stream.destination(), segment, offset, length, timestampNs, frameNumber);
            }
            if (records == null || plain == null) {
                return false;
            }
            plain.captured(length);
            boolean goesOn = records.data(segment, offset, length, timestampNs, frameNumber);
            opened(plain);
            return goesOn;
        }

        @Override
        public void gap(long missingBytes, long timestampNs, long frameNumber) {
            if (records != null && plain != null) {
                plain.captured(missingBytes);
                records.gap(missingBytes, timestampNs, frameNumber);
                opened(plain);
            }
        }

        @Override
        public void end() {
            if (records != null && plain != null) {
                records.end();
                opened(plain);
            }
        }

        private void opened(PlainSip of) {
            if (!isOpened && of.isOpened()) {
                isOpened = true;
                unopened.remove(key(stream.source(), stream.destination()));
            }
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
        long key = key(source, destination);
        Boolean before = connections.put(key, sip);
        Unopened waiting = unopened(key, before == null);
        if (before == null) {
            (waiting == null ? streams : waiting.streams).add(frameNumber, timestampNs);
            makeRoom();
        } else if (before) {
            connections.put(key, true);
            return;
        }
        if (!sip || before != null && opener != null && waiting == null) {
            return;
        }
        Endpoint server = isServer(source, destination) ? source : destination;
        if (waiting == null) {
            signalling.add(frameNumber, timestampNs);
            PlacedCount known = room(servers, server);
            if (known != null) {
                known.add(frameNumber, timestampNs);
            }
        } else {
            waiting.signalling.add(frameNumber, timestampNs);
            waiting.server = server;
        }
    }

    /** What is kept of a connection until it is opened; null if it is counted at once. */
    private @Nullable Unopened unopened(long key, boolean isNew) {
        if (opener == null || !isNew) {
            return unopened.get(key);
        }
        Unopened made = new Unopened();
        unopened.put(key, made);
        if (unopened.size() > MOST_CONNECTIONS) {
            Iterator<Unopened> oldest = unopened.values().iterator();
            Unopened given = oldest.next();
            oldest.remove();
            streams.add(given.streams);
            signalling.add(given.signalling);
            count(servers, given);
        }
        return made;
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

    private static void count(Map<Endpoint, PlacedCount> servers, Unopened given) {
        if (given.server != null) {
            PlacedCount known = room(servers, given.server);
            if (known != null) {
                known.add(given.signalling);
            }
        }
    }

    private static @Nullable PlacedCount room(Map<Endpoint, PlacedCount> servers, Endpoint server) {
        PlacedCount known = servers.get(server);
        if (known == null && servers.size() < MOST_SERVERS) {
            known = new PlacedCount();
            servers.put(server, known);
        }
        return known;
    }

    private void makeRoom() {
        if (connections.size() > MOST_CONNECTIONS) {
            Iterator<Long> oldest = connections.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Connections that carry TLS that is not opened. */
    PlacedCount streams() {
        PlacedCount sum = new PlacedCount();
        sum.add(streams);
        unopened.values().forEach(waiting -> sum.add(waiting.streams));
        return sum;
    }

    /** The connections among these that are for SIP. */
    PlacedCount signalling() {
        PlacedCount sum = new PlacedCount();
        sum.add(signalling);
        unopened.values().forEach(waiting -> sum.add(waiting.signalling));
        return sum;
    }

    /** Reports what its opener counts. */
    void counters(BiConsumer<String, PlacedCount> to) {
        if (opener != null) {
            opener.counters(to);
        }
    }

    /** The SIP servers of several tables, in the order of their first frames. */
    static List<EncryptedSignalling> servers(List<TlsStreams> tables) {
        Map<Endpoint, PlacedCount> sums = new LinkedHashMap<>();
        for (TlsStreams table : tables) {
            table.servers.forEach((server, count) ->
                    sums.computeIfAbsent(server, s -> new PlacedCount()).add(count));
            for (Unopened waiting : table.unopened.values()) {
                if (waiting.server != null) {
                    sums.computeIfAbsent(waiting.server, s -> new PlacedCount()).add(waiting.signalling);
                }
            }
        }
        List<EncryptedSignalling> all = new ArrayList<>();
        sums.forEach((server, count) -> all.add(new EncryptedSignalling(
                server, count.count(), count.firstFrame(), count.lastFrame(), count.firstNs(), count.lastNs())));
        all.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return List.copyOf(all);
    }

    /**
     * Reads the SIP that a {@link TlsOpener} finds in a stream. Positions of messages are those of the bytes that carried them:
     * from the first captured byte after what was opened before. Single-threaded.
     */
    private static final class PlainSip implements StreamReader, StreamOutput {
        /** Data of another application is read no further than this. */
        private static final int MOST_FOREIGN_BYTES = 1 << 16;

        private static final int MOST_MARKS = 256;

        private final TcpStream stream;
        private final SipStreams sip;
        private final StreamOutput out;
        /** Pairs: a position in what was opened, and the captured position from which on it was carried. */
        private final long[] marks = new long[2 * MOST_MARKS];

        private int markCount;
        private @Nullable StreamReader reader;
        private boolean isOpened;
        private int foreignBytes;
        /** Bytes of the stream that were captured so far, including those being read. */
        private long captured;
        /** The captured position up to which everything is opened. */
        private long openedUntil;

        private long position;

        PlainSip(TcpStream stream, SipStreams sip, StreamOutput out) {
            this.stream = stream;
            this.sip = sip;
            this.out = out;
        }

        /** The stream goes on by captured bytes, or by a hole in them. */
        void captured(long bytes) {
            captured += bytes;
        }

        /** Whether anything was opened. */
        boolean isOpened() {
            return isOpened;
        }

        @Override
        public boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            isOpened = true;
            StreamReader reading = reader;
            if (reading == null) {
                Pickup pickup = sip.pickup(segment, offset, length);
                if (pickup == Pickup.IGNORE) {
                    foreignBytes += length;
                    return foreignBytes < MOST_FOREIGN_BYTES;
                }
                reading = sip.begin(stream, this);
                reader = reading;
            }
            mark();
            position += length;
            boolean goesOn = reading.data(segment, offset, length, timestampNs, frameNumber);
            openedUntil = captured;
            return goesOn;
        }

        private void mark() {
            if (markCount == MOST_MARKS) {
                System.arraycopy(marks, 2, marks, 0, marks.length - 2);
                markCount--;
            }
            marks[2 * markCount] = position;
            marks[2 * markCount + 1] = openedUntil;
            markCount++;
        }

        @Override
        public void gap(long missingBytes, long timestampNs, long frameNumber) {
            StreamReader reading = reader;
            if (reading != null) {
                position += missingBytes;
                reading.gap(missingBytes, timestampNs, frameNumber);
            }
        }

        @Override
        public void end() {
            if (reader != null) {
                reader.end();
            }
        }

        @Override
        public void message(TcpStream of, StreamMessage message, SipTransport transport) {
            int at = 0;
            while (at + 1 < markCount && marks[2 * (at + 1)] <= message.start()) {
                at++;
            }
            long start = marks[2 * at + 1];
            System.arraycopy(marks, 2 * at, marks, 0, 2 * (markCount - at));
            markCount -= at;
            out.message(
                    of,
                    new StreamMessage(
                            message.octets(),
                            message.offset(),
                            message.length(),
                            message.timestampNs(),
                            message.frameNumber(),
                            start,
                            captured),
                    transport == SipTransport.WS ? SipTransport.WSS : SipTransport.TLS);
        }
    }
}
