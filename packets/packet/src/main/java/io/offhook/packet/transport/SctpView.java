package io.offhook.packet.transport;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Layers;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.checksum.Crc32c;
import java.lang.foreign.MemorySegment;

/**
 * The common header of an SCTP packet (RFC 9260, 3.1); chunks follow.
 *
 * <pre>
 *  0                16               32
 * +----------------+----------------+
 * |  source port   | destination p. |
 * +----------------+----------------+
 * |        verification tag         |
 * +---------------------------------+
 * |        checksum (CRC32c)        |
 * +---------------------------------+
 * |   chunks ...
 * </pre>
 */
public final class SctpView extends CarrierView<SctpView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 12;

    /** The offset of the source port, in bytes. */
    public static final int SOURCE_PORT = 0;

    private static final int DESTINATION_PORT = 2;
    /** The offset of the verification tag, in bytes. */
    public static final int VERIFICATION_TAG = 4;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 8;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public SctpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.SCTP;
    }

    /** Wraps a header; TRUNCATED below 12 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The source port. */
    public int sourcePort() {
        return u16(SOURCE_PORT);
    }

    /** Sets {@link #sourcePort()}; 0 to 65535. */
    public SctpView sourcePort(int sourcePort) {
        return putU16(SOURCE_PORT, "sourcePort", sourcePort);
    }

    /** The destination port. */
    public int destinationPort() {
        return u16(DESTINATION_PORT);
    }

    /** Sets {@link #destinationPort()}; 0 to 65535. */
    public SctpView destinationPort(int destinationPort) {
        return putU16(DESTINATION_PORT, "destinationPort", destinationPort);
    }

    /** The tag that the receiver gave the association; 0 in a packet with INIT. */
    public long verificationTag() {
        return u32(VERIFICATION_TAG);
    }

    /** Sets {@link #verificationTag()}; 0 to 4294967295. */
    public SctpView verificationTag(long verificationTag) {
        return putU32(VERIFICATION_TAG, "verificationTag", verificationTag);
    }

    /** CRC32c as the header has it, right or wrong; see {@link Crc32c}. */
    public long checksum() {
        return u32(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 4294967295. */
    public SctpView checksum(long checksum) {
        return putU32(CHECKSUM, "checksum", checksum);
    }

    @Override
    public String toString() {
        return "sctp " + sourcePort() + " -> " + destinationPort();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        private final SctpChunks chunks = new SctpChunks();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "sctp",
                    HeaderLayout.of(LENGTH)
                            .number("sourcePort", SOURCE_PORT, 16)
                            .number("destinationPort", DESTINATION_PORT, 16)
                            .number("verificationTag", VERIFICATION_TAG, 32)
                            .number("checksum", CHECKSUM, 32));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            if (layer.length() <= LENGTH) {
                return;
            }
            chunks.wrap(layer.segment(), layer.offset() + LENGTH, layer.length() - LENGTH);
            while (chunks.next()) {
                chunks.visit(to);
            }
        }

        /** The chunks by name (RFC 9260, 3.2), cut ones too. */
        @Override
        public boolean summarize(Layer layer, SafeText to) {
            Layers packet = layer.packet();
            MemorySegment segment = layer.segment();
            long at = packet.payloadOffset();
            long end = at + packet.payloadLength();
            boolean isFirst = true;
            while (end - at >= SctpChunks.HEADER) {
                int length = NetworkOrder.u16(segment, at + SctpChunks.CHUNK_LENGTH);
                to.text(isFirst ? "" : ", ").text(SctpChunks.name(NetworkOrder.u8(segment, at)));
                isFirst = false;
                if (length < SctpChunks.HEADER) {
                    break;
                }
                at += length + 3 & ~3;
            }
            return true;
        }
    }
}
