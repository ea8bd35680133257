package io.offhook.decrypt;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.Payload;
import io.offhook.decrypt.KeyLog.ClientRandom;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The secrets of the TLS sessions that begin in some frames, and of no others, to be written beside these frames. Sees the
 * frames in a {@link io.offhook.analysis.FrameLoop}; a session is found by a ClientHello at the beginning of a segment.
 */
public final class WrittenSecrets implements FrameSink {
    private static final int MOST_SESSIONS = 10_000;
    static final int HANDSHAKE = 22;
    static final int RANDOM_AT = TlsRecordCipher.HEADER + 4 + 2;
    private static final int RANDOM_LENGTH = 32;

    private final DecryptionKeys keys;
    private final LongPredicate frames;
    private final Set<ClientRandom> sessions = new LinkedHashSet<>();
    private final byte[] random = new byte[RANDOM_LENGTH];

    /**
     * Creates one.
     *
     * @param frames whether a frame, by its number, is among those that are written
     */
    public WrittenSecrets(DecryptionKeys keys, LongPredicate frames) {
        this.keys = keys;
        this.frames = frames;
    }

    @Override
    public void frame(DecodedFrame frame) {
        if (!frames.test(frame.number()) || frame.payload() != Payload.TCP || sessions.size() == MOST_SESSIONS) {
            return;
        }
        PacketWalker layers = frame.layers();
        MemorySegment segment = layers.segment();
        long at = layers.payloadOffset();
        if (layers.payloadLength() >= RANDOM_AT + RANDOM_LENGTH
                && NetworkOrder.u8(segment, at) == HANDSHAKE
                && NetworkOrder.u8(segment, at + 1) == 3
                && NetworkOrder.u8(segment, at + TlsRecordCipher.HEADER) == TlsHandshake.CLIENT_HELLO) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + RANDOM_AT, random, 0, RANDOM_LENGTH);
            sessions.add(ClientRandom.of(random, 0));
        }
    }

    /** A key log of these sessions, as {@link KeyLog} reads it; empty without any. The caller overwrites it after use. */
    public byte[] keyLog() {
        return keys.log().lines(sessions);
    }
}
