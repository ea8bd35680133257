package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A header of the GPRS tunnelling protocol's user plane, version 1 (3GPP TS 29.281, 5.1).
 *
 * <pre>
 *  0   3 4 5 6 7 8        16              32
 * +---+-+-+-+-+-+--------+----------------+
 * |ver|P| |E|S|N|  type  |     length     |
 * +---+-+-+-+-+-+--------+----------------+
 * |     tunnel endpoint identifier        |
 * +----------------------+-------+--------+
 * |   sequence number    | N-PDU |next ext|  when E, S or N is set
 * +----------------------+-------+--------+
 * | extension headers (E) ...
 * </pre>
 */
public final class GtpUView extends CarrierView<GtpUView> implements LayerView {
    /** The length of the part that every header has, in bytes. */
    public static final int FIXED_LENGTH = 8;
    /** The message type that carries a user's packet. */
    public static final int G_PDU = 255;

    /** The offset of version and flags, in bytes. */
    public static final int FLAGS = 0;
    /** The offset of the type, in bytes. */
    public static final int TYPE = 1;
    /** The offset of the length, in bytes. */
    public static final int MESSAGE_LENGTH = 2;

    /** The offset of the tunnel endpoint, in bytes. */
    public static final int TEID = 4;

    private static final int SEQUENCE_NUMBER = 8;
    private static final int N_PDU = 10;
    private static final int NEXT_EXTENSION = 11;
    private static final int OPTIONAL_LENGTH = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public GtpUView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GTP_U;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its flags and extensions require, UNSUPPORTED when it
     * is not version 1 of GTP, MALFORMED if an extension has the length 0.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < FIXED_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + FLAGS) >>> 4 != 3) {
            return WrapStatus.UNSUPPORTED;
        }
        int header = headerLength(segment, offset, length);
        if (header < 0) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /**
     * Bytes of the header with its extensions; a number above {@code length} (8 or more) when it goes on after that
     * many bytes; -1 if an extension has no length.
     */
    public static int headerLength(MemorySegment segment, long offset, int length) {
        int flags = NetworkOrder.u8(segment, offset + FLAGS);
        if ((flags & 7) == 0) {
            return FIXED_LENGTH;
        }
        int header = FIXED_LENGTH + OPTIONAL_LENGTH;
        if ((flags & 4) == 0) {
            return header;
        }
        while (header <= length && NetworkOrder.u8(segment, offset + header - 1) != 0) {
            if (header == length) {
                return header + 4;
            }
            int words = NetworkOrder.u8(segment, offset + header);
            if (words == 0) {
                return -1;
            }
            header += words << 2;
        }
        return header;
    }

    /** The version stated in the header. */
    public int version() {
        return u8(FLAGS) >>> 5;
    }

    /** Sets {@link #version()}; 0 to 7. */
    public GtpUView version(int version) {
        return putBits(FLAGS, 0, 3, "version", version);
    }

    /** {@link #G_PDU}, or a message of the tunnel itself. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public GtpUView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The length of what follows the first 8 bytes, in bytes, as stated in the header. */
    public int messageLength() {
        return u16(MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public GtpUView messageLength(int messageLength) {
        return putU16(MESSAGE_LENGTH, "messageLength", messageLength);
    }

    /** The tunnel endpoint identifier. */
    public long teid() {
        return u32(TEID);
    }

    /** Sets {@link #teid()}; 0 to 4294967295. */
    public GtpUView teid(long teid) {
        return putU32(TEID, "teid", teid);
    }

    /** Whether the header has a sequence number. */
    public boolean hasSequenceNumber() {
        return (u8(FLAGS) & 2) != 0;
    }

    /** Sets the S flag, and so whether there is such a field; the header must not become longer than what is there. */
    public GtpUView hasSequenceNumber(boolean isThere) {
        return flag(2, isThere);
    }

    /** 0 if there is none. */
    public int sequenceNumber() {
        return hasSequenceNumber() ? u16(SEQUENCE_NUMBER) : 0;
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public GtpUView sequenceNumber(int sequenceNumber) {
        FieldRange.require("sequenceNumber", hasSequenceNumber());
        return putU16(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    /** Whether the header has an N-PDU number. */
    public boolean hasNPdu() {
        return (u8(FLAGS) & 1) != 0;
    }

    /** Sets {@link #hasNPdu()}. */
    public GtpUView hasNPdu(boolean isThere) {
        return flag(1, isThere);
    }

    /** 0 if there is none. */
    public int nPdu() {
        return hasNPdu() ? u8(N_PDU) : 0;
    }

    /** Sets {@link #nPdu()}; 0 to 255. */
    public GtpUView nPdu(int nPdu) {
        FieldRange.require("nPdu", hasNPdu());
        return putU8(N_PDU, "nPdu", nPdu);
    }

    /** Whether extension headers follow. */
    public boolean hasExtensions() {
        return (u8(FLAGS) & 4) != 0;
    }

    /** Sets {@link #hasExtensions()}. */
    public GtpUView hasExtensions(boolean isThere) {
        return flag(4, isThere);
    }

    private GtpUView flag(int flag, boolean isSet) {
        int others = u8(FLAGS) & ~flag;
        return relaid(FLAGS, isSet ? others | flag : others);
    }

    /**
     * Sets a byte that says what the header is made of, unless that makes it malformed or longer than what is there.
     */
    private GtpUView relaid(int at, int value) {
        int before = u8(at);
        NetworkOrder.putU8(segment, offset + at, value);
        int header = headerLength(segment, offset, length);
        if (header < 0 || header > length) {
            NetworkOrder.putU8(segment, offset + at, before);
        }
        FieldRange.check("headerLength", header, FIXED_LENGTH, length);
        headerLength = header;
        return this;
    }

    /** The type of the first extension header, 0 if there is none. */
    public int nextExtension() {
        return hasExtensions() ? u8(NEXT_EXTENSION) : 0;
    }

    /** Sets {@link #nextExtension()}; 0 to 255. */
    public GtpUView nextExtension(int nextExtension) {
        FieldRange.check("nextExtension", nextExtension, 0xff);
        FieldRange.require("nextExtension", hasExtensions());
        return relaid(NEXT_EXTENSION, nextExtension);
    }

    /** The number of available bytes of the payload. */
    @Override
    public int payloadLength() {
        return Math.max(Math.min(FIXED_LENGTH + messageLength(), length) - headerLength, 0);
    }

    /** Whether the header states more bytes than are available. */
    public boolean isSnapped() {
        return FIXED_LENGTH + messageLength() > length;
    }

    @Override
    public String toString() {
        return "gtpu type " + type() + " teid 0x" + Long.toHexString(teid());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<GtpUView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "gtpu",
                    new GtpUView(),
                    HeaderLayout.of(FIXED_LENGTH)
                            .bits("version", FLAGS, 0, 3)
                            .bits("flags", FLAGS, 5, 3)
                            .number("type", TYPE, 8)
                            .number("messageLength", MESSAGE_LENGTH, 16)
                            .number("teid", TEID, 32));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.hasSequenceNumber()) {
                to.number("sequenceNumber", view.sequenceNumber());
            }
            if (view.hasNPdu()) {
                to.number("nPdu", view.nPdu());
            }
            if (view.hasExtensions()) {
                to.number("nextExtension", view.nextExtension());
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.number(layer.packet().payloadWireLength()).text(" bytes");
            return true;
        }
    }
}
