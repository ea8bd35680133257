package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The security tag of IEEE 802.1AE-2018, 9.3, behind the EtherType 0x88e5. What follows is encrypted, or only ends on a
 * check value of 16 bytes.
 *
 * <pre>
 *  0               8               16              24              32
 * +-----------+---+---+-----------+-------------------------------+
 * |   flags   | an|   |short leng.|         packet number         |
 * +-----------+---+---+-----------+-------------------------------+
 * |              ...              |
 * +-------------------------------+
 * | secure channel identifier (64 bits) ...
 * </pre>
 */
public final class MacSecView extends CarrierView<MacSecView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 6;
    /** Bytes of the channel identifier, which a flag says is there. */
    public static final int CHANNEL_IDENTIFIER_LENGTH = 8;

    /** The offset of flags (6 bits), in bytes. */
    public static final int FLAGS = 0;
    /** The offset of the short length, in bytes. */
    public static final int SHORT_LENGTH = 1;

    private static final int PACKET_NUMBER = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public MacSecView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.MACSEC;
    }

    /**
     * Wraps a tag: TRUNCATED if fewer bytes are available than its flags require, UNSUPPORTED if its version is not 0.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int first = NetworkOrder.u8(segment, offset + FLAGS);
        if ((first & 0x80) != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, (first & 0x20) != 0 ? MIN_LENGTH + 8 : MIN_LENGTH);
    }

    /**
     * The flags, from the highest bit: version, end station, identifier present, single copy broadcast, encrypted,
     * changed.
     */
    public int flags() {
        return u8(FLAGS) >>> 2;
    }

    /** Sets {@link #flags()}; 0 to 63. */
    public MacSecView flags(int flags) {
        return putBits(FLAGS, 0, 6, "flags", flags);
    }

    /** The secure association in its channel, 2 bits. */
    public int associationNumber() {
        return u8(FLAGS) & 0x3;
    }

    /** Sets {@link #associationNumber()}; 0 to 3. */
    public MacSecView associationNumber(int associationNumber) {
        return putBits(FLAGS, 6, 2, "associationNumber", associationNumber);
    }

    /** Bytes of what is protected, where there are fewer than 48; else 0. */
    public int shortLength() {
        return u8(SHORT_LENGTH) & 0x3f;
    }

    /** Sets {@link #shortLength()}; 0 to 63. */
    public MacSecView shortLength(int shortLength) {
        return putBits(SHORT_LENGTH, 2, 6, "shortLength", shortLength);
    }

    /** The number of the packet in its secure association. */
    public long packetNumber() {
        return u32(PACKET_NUMBER);
    }

    /** Sets {@link #packetNumber()}; 0 to 4294967295. */
    public MacSecView packetNumber(long packetNumber) {
        return putU32(PACKET_NUMBER, "packetNumber", packetNumber);
    }

    /** Whether {@link #channelIdentifier()} is there. */
    public boolean hasChannelIdentifier() {
        return (flags() & 0x08) != 0;
    }

    /** Whether what follows is encrypted. */
    public boolean isEncrypted() {
        return (flags() & 0x02) != 0;
    }

    /** Whether encryption, or the check value's key alone, changed the bytes. */
    public boolean isChanged() {
        return (flags() & 0x01) != 0;
    }

    /** The secure channel identifier, 64 bits: a MAC address and a port; 0 if it is not there. */
    public long channelIdentifier() {
        return hasChannelIdentifier() ? bits64(MIN_LENGTH) : 0;
    }

    /**
     * Sets {@link #channelIdentifier()}.
     *
     * @throws IllegalStateException if the tag has none
     */
    public MacSecView channelIdentifier(long channelIdentifier) {
        FieldRange.require("channelIdentifier", hasChannelIdentifier());
        return putBits64(MIN_LENGTH, channelIdentifier);
    }

    @Override
    public String toString() {
        return "macsec packet " + packetNumber();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<MacSecView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "macsec",
                    new MacSecView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .bits("flags", FLAGS, 0, 6)
                            .bits("associationNumber", FLAGS, 6, 2)
                            .bits("shortLength", SHORT_LENGTH, 2, 6)
                            .number("packetNumber", PACKET_NUMBER, 32));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.hasChannelIdentifier()) {
                to.bytes("channelIdentifier", layer.segment(), layer.offset() + MIN_LENGTH, CHANNEL_IDENTIFIER_LENGTH);
            }
        }
    }
}
