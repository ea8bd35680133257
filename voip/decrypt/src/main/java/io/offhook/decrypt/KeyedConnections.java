package io.offhook.decrypt;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.Payload;
import io.offhook.decrypt.KeyLog.ClientRandom;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The TCP connections in some frames that begin with a TLS session whose secret a key log has of its own. Sees the frames in a
 * {@link io.offhook.analysis.FrameLoop}; a session is found by a ClientHello at the beginning of a segment. At most 10,000
 * connections are found. Single-threaded.
 */
public final class KeyedConnections implements FrameSink {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int RANDOM_LENGTH = 32;

    private final DecryptionKeys keys;
    private final Set<Ends> found = new LinkedHashSet<>();
    private final byte[] random = new byte[RANDOM_LENGTH];

    /**
     * The ends of a connection.
     *
     * @param client sent the ClientHello
     * @param server received it
     */
    public record Ends(Endpoint client, Endpoint server) {}

    /** Looks for the sessions of a key log. */
    public KeyedConnections(DecryptionKeys keys) {
        this.keys = keys;
    }

    @Override
    public void frame(DecodedFrame frame) {
        if (frame.payload() != Payload.TCP || found.size() == MOST_CONNECTIONS) {
            return;
        }
        PacketWalker layers = frame.layers();
        if (isClientHello(layers.segment(), layers.payloadOffset(), layers.payloadLength())
                && keys.log().has(ClientRandom.of(random, 0))) {
            found.add(new Ends(
                    new Endpoint(layers.sourceHigh(), layers.sourceLow(), layers.sourcePort()),
                    new Endpoint(layers.destinationHigh(), layers.destinationLow(), layers.destinationPort())));
        }
    }

    /** Whether bytes begin with a ClientHello; then its random is in {@link #random}. */
    private boolean isClientHello(MemorySegment segment, long at, int length) {
        boolean isHello = length >= WrittenSecrets.RANDOM_AT + RANDOM_LENGTH
                && NetworkOrder.u8(segment, at) == WrittenSecrets.HANDSHAKE
                && NetworkOrder.u8(segment, at + 1) == 3
                && NetworkOrder.u8(segment, at + TlsRecordCipher.HEADER) == TlsHandshake.CLIENT_HELLO;
        if (isHello) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + WrittenSecrets.RANDOM_AT, random, 0, RANDOM_LENGTH);
        }
        return isHello;
    }

    /** The connections that were found. */
    public Set<Ends> found() {
        return Set.copyOf(found);
    }
}
