package io.offhook.packet.tunnel;

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
 * A header of GTP-C, version 1 (3GPP TS 29.060, 6) or 2 (3GPP TS 29.274, 5). Which of the optional fields there are,
 * the flags say; those that are not there read 0.
 *
 * <pre>
 *  0               8               16              24              32
 * +-----+-+-+-----+---------------+-------------------------------+
 * |vers.| | |flags|      type     |         message length        |
 * +-----+-+-+-----+---------------+-------------------------------+
 * | TEID, sequence number ...
 * </pre>
 */
public final class GtpCView extends CarrierView<GtpCView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 4;

    /** The offset of version and flags, in bytes. */
    public static final int VERSION = 0;

    /** The offset of the type, in bytes. */
    public static final int TYPE = 1;
    /** The offset of the length, in bytes. */
    public static final int MESSAGE_LENGTH = 2;

    private static final int TEID = 4;
    private static final int SEQUENCE_NUMBER_1 = 8;
    /** Bytes of a header with a TEID of version 2, or with any optional field of version 1. */
    private static final int LONG_LENGTH = 12;

    private static final int SHORT_LENGTH = 8;
    /** From the end of the header, in version 2. */
    private static final int SEQUENCE_NUMBER_2 = -4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public GtpCView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GTP_C;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its version and flags require, UNSUPPORTED if its
     * version is neither 1 nor 2.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int first = NetworkOrder.u8(segment, offset + VERSION);
        if (first >>> 5 != 2 && first >>> 4 != 3) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, headerLength(first));
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION) >>> 5;
    }

    /** Sets {@link #version()}; 0 to 7. */
    public GtpCView version(int version) {
        return putBits(VERSION, 0, 3, "version", version);
    }

    /** The flags of version 1: extension, sequence number, N-PDU number. */
    public int flags() {
        return u8(VERSION) & 0x7;
    }

    /** Sets {@link #flags()}; 0 to 7. */
    public GtpCView flags(int flags) {
        return putBits(VERSION, 5, 3, "flags", flags);
    }

    /** 1 echo request, 2 echo response, 16 create PDP context (1), 32 create session (2)... */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public GtpCView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The number of bytes after the first 8 (version 1) or 4 (version 2). */
    public int messageLength() {
        return u16(MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public GtpCView messageLength(int messageLength) {
        return putU16(MESSAGE_LENGTH, "messageLength", messageLength);
    }

    /**
     * Bytes of a header, 8 or 12, with its optional fields.
     *
     * @param first its first byte, 0 to 255: version and flags
     */
    public static int headerLength(int first) {
        if (first >>> 5 == 2) {
            return (first & 8) != 0 ? LONG_LENGTH : SHORT_LENGTH;
        }
        return (first & 7) != 0 ? LONG_LENGTH : SHORT_LENGTH;
    }

    /** Whether the header has a TEID; always true in version 1. */
    public boolean hasTeid() {
        return version() == 1 || (u8(VERSION) & 8) != 0;
    }

    /**
     * Sets {@link #hasTeid()}.
     *
     * @throws IllegalStateException of version 1, which always has one
     */
    public GtpCView hasTeid(boolean isThere) {
        FieldRange.require("hasTeid", version() == 2);
        int header = isThere ? LONG_LENGTH : SHORT_LENGTH;
        FieldRange.check("headerLength", header, length);
        putFlag(VERSION, 4, isThere);
        headerLength = header;
        return this;
    }

    /** Whether another message follows in the same datagram; of version 2. */
    public boolean isPiggybacked() {
        return version() == 2 && (u8(VERSION) & 16) != 0;
    }

    /** Sets {@link #isPiggybacked()}. */
    public GtpCView piggybacked(boolean piggybacked) {
        FieldRange.require("piggybacked", version() == 2);
        return putFlag(VERSION, 3, piggybacked);
    }

    /** The tunnel endpoint, 32 bits. */
    public long teid() {
        return hasTeid() ? u32(TEID) : 0;
    }

    /**
     * Sets {@link #teid()}.
     *
     * @throws IllegalStateException if the header does not have the field
     */
    public GtpCView teid(long teid) {
        FieldRange.require("teid", hasTeid());
        return putU32(TEID, "teid", teid);
    }

    /** Whether the header has a sequence number. */
    public boolean hasSequenceNumber() {
        return version() == 2 || (flags() & 2) != 0;
    }

    /** 16 bits in version 1, 24 in version 2. */
    public int sequenceNumber() {
        if (version() == 2) {
            return u24(sequenceNumberAt());
        }
        return hasSequenceNumber() ? u16(sequenceNumberAt()) : 0;
    }

    /** Sets {@link #sequenceNumber()}. */
    public GtpCView sequenceNumber(int sequenceNumber) {
        FieldRange.require("sequenceNumber", hasSequenceNumber());
        int bits = version() == 2 ? 24 : 16;
        return putBits(sequenceNumberAt(), 0, bits, "sequenceNumber", sequenceNumber);
    }

    private int sequenceNumberAt() {
        return version() == 2 ? headerLength() + SEQUENCE_NUMBER_2 : SEQUENCE_NUMBER_1;
    }

    @Override
    public String toString() {
        return "gtpc version " + version() + " type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<GtpCView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "gtpc",
                    new GtpCView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .bits("version", VERSION, 0, 3)
                            .bits("flags", VERSION, 5, 3)
                            .number("type", TYPE, 8)
                            .number("messageLength", MESSAGE_LENGTH, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.hasTeid()) {
                to.number("teid", view.teid());
            }
            if (view.hasSequenceNumber()) {
                to.number("sequenceNumber", view.sequenceNumber());
            }
        }
    }
}
