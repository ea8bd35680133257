package io.offhook.decrypt;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.Payload;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hellos of DTLS 1.2 in datagrams (RFC 6347, 4.1 and 4.2.2), of one lane.
 *
 * <pre>
 * record     type (8) | version (16) | epoch (16) | number (48) | length (16)
 * handshake  type (8) | length (24) | message number (16) | fragment offset (24) | fragment length (24)
 * hello      as in {@link TlsHandshake}; a client's has a cookie behind the session id
 * </pre>
 *
 * <p>Only the first fragment of a message is read, which has the random and, unless it is very small, the whole hello of a
 * server.
 */
final class DtlsHellos implements FrameSink {
    static final int MOST_HELLOS = 200_000;

    private static final int RECORD_HEADER = 13;
    private static final int HANDSHAKE_HEADER = 12;
    private static final int HANDSHAKE = 22;
    private static final int LONGEST_HELLO = 1 << 14;

    /**
     * A hello.
     *
     * @param client the random of a client's; null for a server's
     * @param server a server's; null for a client's
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Hello(
            long frame,
            Endpoint source,
            Endpoint destination,
            KeyLog.@Nullable ClientRandom client,
            byte[] random,
            TlsHandshake.@Nullable ServerHello server) {}

    private final List<Hello> hellos = new ArrayList<>(0);
    private final Reader reader = new Reader();

    /** The hello at hand. */
    private static final class Reader implements TlsHandshake.Messages {
        KeyLog.@Nullable ClientRandom client;
        byte[] random = new byte[0];
        TlsHandshake.@Nullable ServerHello server;

        @Override
        public void clientHello(KeyLog.ClientRandom of, byte[] randomBytes, boolean hasEarlyData) {
            client = of;
            random = randomBytes;
        }

        @Override
        public void serverHello(TlsHandshake.ServerHello hello) {
            server = hello;
        }

        @Override
        public void other(int type) {}
    }

    @Override
    public void frame(DecodedFrame frame) {
        if (frame.payload() != Payload.OTHER) {
            return;
        }
        PacketWalker layers = frame.layers();
        if (layers.transport() < 0 || layers.layerType(layers.transport()) != LayerType.UDP) {
            return;
        }
        MemorySegment segment = layers.segment();
        long at = layers.payloadOffset();
        long end = at + layers.payloadLength();
        while (end - at >= RECORD_HEADER + HANDSHAKE_HEADER && isHandshake(segment, at)) {
            long content = at + RECORD_HEADER;
            long next = content + NetworkOrder.u16(segment, at + 11);
            hello(segment, content, Math.min(next, end), frame);
            at = next;
        }
    }

    /** A handshake in clear, of DTLS 1.0 to 1.2. */
    private static boolean isHandshake(MemorySegment segment, long at) {
        int version = NetworkOrder.u16(segment, at + 1);
        return NetworkOrder.u8(segment, at) == HANDSHAKE
                && (version == 0xfeff || version == 0xfefd)
                && NetworkOrder.u16(segment, at + 3) == 0;
    }

    private void hello(MemorySegment segment, long at, long end, DecodedFrame frame) {
        if (end - at < HANDSHAKE_HEADER || NetworkOrder.u24(segment, at + 6) != 0 || hellos.size() >= MOST_HELLOS) {
            return;
        }
        int type = NetworkOrder.u8(segment, at);
        long body = at + HANDSHAKE_HEADER;
        int length = (int) Math.min(NetworkOrder.u24(segment, at + 9), end - body);
        if (length > LONGEST_HELLO || type != TlsHandshake.CLIENT_HELLO && type != TlsHandshake.SERVER_HELLO) {
            return;
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, body, bytes, 0, length);
        reader.client = null;
        reader.server = null;
        if (type == TlsHandshake.CLIENT_HELLO) {
            TlsHandshake.clientHello(bytes, length, reader);
        } else {
            TlsHandshake.serverHello(bytes, length, reader);
        }
        if (reader.client != null || reader.server != null) {
            PacketWalker layers = frame.layers();
            hellos.add(new Hello(
                    frame.number(),
                    new Endpoint(layers.sourceHigh(), layers.sourceLow(), layers.sourcePort()),
                    new Endpoint(layers.destinationHigh(), layers.destinationLow(), layers.destinationPort()),
                    reader.client,
                    reader.random,
                    reader.server));
        }
    }

    List<Hello> hellos() {
        return hellos;
    }

    /** Moves the hellos into another list. */
    void drainTo(List<Hello> to) {
        if (!hellos.isEmpty()) {
            to.addAll(hellos);
            hellos.clear();
        }
    }
}
