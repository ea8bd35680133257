package io.offhook.cli;

import io.offhook.flow.TcpStream;
import io.offhook.flow.TcpStreamHandler;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.sip.SipBufferPool;
import io.offhook.sip.SipMatch;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipStream;
import io.offhook.sip.SipStreamCounters;
import io.offhook.sip.SipText;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the TCP segments of some calls. Of a connection that carries nothing else all packets belong to them, so that it
 * reads as it did; of one that others share, those that carry bytes of their messages. Single-threaded.
 */
final class CallExtractStreams implements TcpStreamHandler {
    /** Of connections with more packets only those that carry messages are taken. */
    private static final int MAX_CONNECTION_FRAMES = 1 << 16;
    /** Connections of which all packets are remembered; those begun longest ago give way. */
    private static final int MAX_CONNECTIONS = 1 << 17;
    /** Packets remembered for all connections together. */
    private static final int MAX_FRAMES = 1 << 22;
    /** For messages that span segments. */
    private static final long POOL_BYTES = 16L << 20;
    /** How much of a message's end is held against the end of a piece. */
    private static final int TAIL = 64;

    /** The first byte of a whole text or binary message (RFC 6455, 5.2). */
    private static final int WEB_SOCKET_TEXT = 0x81;

    private static final int WEB_SOCKET_BINARY = 0x82;

    /** Says whose messages are wanted, and notes which calls they are of. */
    interface Wanted {
        boolean isMessage(byte[] octets, int offset, int length);
    }

    private record Ends(Endpoint one, Endpoint other, int scope) {}

    /** What {@link Connection#call} is before there is a message, and where messages are of several calls. */
    private static final int NO_CALL = -1;

    private static final int SEVERAL_CALLS = -2;

    /** What was seen of a connection, of both its directions. */
    private static final class Connection {
        private long[] frames = new long[8];
        private int count;
        private int call = NO_CALL;
        private boolean isWanted;
        private boolean isShared;

        void isOf(CallExtractHits hits) {
            isWanted = true;
            int one = hits.count() == 1 ? hits.call(0) : SEVERAL_CALLS;
            call = call == NO_CALL || call == one ? one : SEVERAL_CALLS;
        }

        void add(long frame) {
            if (count == frames.length) {
                frames = Arrays.copyOf(frames, count * 2);
            }
            frames[count++] = frame;
        }
    }

    /** One direction: the frames that bytes of an unfinished message may lie in. */
    private static final class Direction {
        private final SipStream sip;
        private final Connection connection;
        private long[] pending = new long[4];
        private int pendingCount;

        Direction(SipStream sip, Connection connection) {
            this.sip = sip;
            this.connection = connection;
        }

        void add(long frame) {
            if (pendingCount == pending.length) {
                pending = Arrays.copyOf(pending, pendingCount * 2);
            }
            pending[pendingCount++] = frame;
        }
    }

    private final Wanted wanted;
    private final CallExtractHits hits;
    private final CallExtractFrames frames;
    private final SipBufferPool pool = new SipBufferPool(POOL_BYTES);
    private final SipStreamCounters counters = new SipStreamCounters();
    private final Map<Ends, Connection> connections = new LinkedHashMap<>();
    private int remembered;

    /** The first bytes of a connection that may be followed. */
    private final SipText start = new SipText();
    /** The piece that is being looked at. */
    private final SipText piece = new SipText();

    private long pieceFrame;
    /** Whether the last message found in it went to its very end. */
    private boolean isUsedUp;

    /**
     * @param hits the calls of the message that was asked about last
     * @param frames gets the frames found
     */
    CallExtractStreams(Wanted wanted, CallExtractHits hits, CallExtractFrames frames) {
        this.wanted = wanted;
        this.hits = hits;
        this.frames = frames;
    }

    /** Every TCP packet, before its stream is told of it. */
    void packet(Endpoint source, Endpoint destination, int scope, long frame) {
        Connection connection = connection(source, destination, scope);
        if (!connection.isShared) {
            if (connection.count == MAX_CONNECTION_FRAMES || remembered == MAX_FRAMES) {
                share(connection);
            } else {
                connection.add(frame);
                remembered++;
            }
        }
    }

    private void share(Connection connection) {
        connection.isShared = true;
        remembered -= connection.count;
        connection.count = 0;
        connection.frames = new long[0];
    }

    private Connection connection(Endpoint source, Endpoint destination, int scope) {
        boolean isOrdered = source.low() != destination.low()
                ? source.low() < destination.low()
                : source.high() != destination.high()
                        ? source.high() < destination.high()
                        : source.port() < destination.port();
        Ends ends = isOrdered ? new Ends(source, destination, scope) : new Ends(destination, source, scope);
        Connection known = connections.get(ends);
        if (known != null) {
            return known;
        }
        if (connections.size() == MAX_CONNECTIONS) {
            // what carries messages of the calls is taken one by one anyhow
            Iterator<Connection> oldest = connections.values().iterator();
            share(oldest.next());
            oldest.remove();
        }
        Connection connection = new Connection();
        connections.put(ends, connection);
        return connection;
    }

    /** Adds the packets of the connections that are the calls' own. For the end, when all streams were flushed. */
    void finish() {
        for (Connection connection : connections.values()) {
            if (connection.isWanted && !connection.isShared) {
                for (int i = 0; i < connection.count; i++) {
                    if (connection.call == SEVERAL_CALLS) {
                        frames.add(connection.frames[i]); // of the calls, but of none of them by itself
                    } else {
                        frames.add(connection.frames[i], connection.call);
                    }
                }
            }
        }
    }

    @Override
    public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
        int first = NetworkOrder.u8(segment, payloadOffset);
        boolean isWebSocket = first == WEB_SOCKET_TEXT || first == WEB_SOCKET_BINARY;
        if (isWebSocket || SipRecognizer.match(segment, payloadOffset, payloadLength, start) == SipMatch.YES) {
            return Pickup.NOW;
        }
        return SipRecognizer.looksLikeText(segment, payloadOffset, payloadLength, start) ? Pickup.WAIT : Pickup.IGNORE;
    }

    @Override
    public void data(
            TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        Direction direction = direction(stream);
        direction.add(frameNumber);
        pieceFrame = frameNumber;
        for (int taken = 0; taken < length; taken += piece.length()) {
            piece.copy(segment, offset + taken, length - taken);
            isUsedUp = false;
            direction.sip.data(
                    piece.octets(),
                    0,
                    piece.length(),
                    timestampNs,
                    frameNumber,
                    (message, at, size, ns, frame) -> message(direction, message, at, size, frame));
        }
        if (isUsedUp) {
            direction.pendingCount = 0;
        }
        if (direction.sip.isRejected()) {
            stream.ignore();
            share(direction.connection);
        }
    }

    private Direction direction(TcpStream stream) {
        Direction direction = (Direction) stream.attachment();
        if (direction == null) {
            Connection connection = connection(stream.source(), stream.destination(), stream.scope());
            direction = new Direction(new SipStream(pool, counters), connection);
            stream.attachment(direction);
        }
        return direction;
    }

    @SuppressWarnings("ReferenceEquality") // in which array, not with which bytes
    private void message(Direction direction, byte[] octets, int offset, int length, long frame) {
        boolean isInPlace = octets == piece.octets();
        // one that the next start line ended has nothing in the piece that this line begins
        boolean isBefore = !isInPlace && frame != pieceFrame;
        if (wanted.isMessage(octets, offset, length)) {
            direction.connection.isOf(hits);
            if (isInPlace) {
                frames.add(pieceFrame, hits);
            } else {
                int end = isBefore ? direction.pendingCount - 1 : direction.pendingCount;
                for (int i = 0; i < end; i++) {
                    frames.add(direction.pending[i], hits);
                }
            }
        } else {
            share(direction.connection);
        }
        direction.pendingCount = 0;
        direction.add(pieceFrame);
        isUsedUp = !isBefore && (isInPlace ? isNothingBehind(offset + length) : endsAlike(octets, offset, length));
    }

    /** Whether only line ends follow in the piece. */
    private boolean isNothingBehind(int from) {
        int at = from;
        while (at < piece.length() && isLineEnd(piece.octets()[at])) {
            at++;
        }
        return at == piece.length();
    }

    private static boolean isLineEnd(int octet) {
        return octet == '\r' || octet == '\n';
    }

    /**
     * Whether the piece ends as the message does, as sent or masked with a four-byte key (RFC 6455, 5.3): then nothing of
     * another message is in it.
     */
    private boolean endsAlike(byte[] octets, int offset, int length) {
        int bytes = Math.min(TAIL, Math.min(length, piece.length()));
        if (bytes < 8) {
            return false;
        }
        int ours = piece.length() - bytes;
        int theirs = offset + length - bytes;
        int key = 0;
        for (int i = 0; i < bytes; i++) {
            int difference = (piece.octets()[ours + i] ^ octets[theirs + i]) & 0xff;
            if (i >= 4 && difference != (key >>> 24)) {
                return false;
            }
            key = key << 8 | difference;
        }
        return true;
    }

    @Override
    public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {
        Direction direction = (Direction) stream.attachment();
        if (direction != null) {
            direction.sip.gap(missingBytes);
            direction.pendingCount = 0;
        }
    }

    @Override
    public void end(TcpStream stream, End reason) {
        @Nullable Direction direction = (Direction) stream.attachment();
        if (direction != null) {
            direction.sip.end();
        }
    }
}
