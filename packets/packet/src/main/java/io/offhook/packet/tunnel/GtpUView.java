package io.offhook.packet.tunnel;

import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
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
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters reject a value
 * that the field cannot hold, and change nothing else, not even a checksum; see {@link io.offhook.packet}.
 */
public final class GtpUView implements LayerView {
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

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int headerLength;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public GtpUView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GTP_U;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its flags and extensions require, UNSUPPORTED
     * when it is not version 1 of GTP, MALFORMED if an extension has the length 0.
     *
     * @param length the number of bytes available from {@code offset}
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
        if (length < header) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        headerLength = header;
        return WrapStatus.OK;
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
        return NetworkOrder.u8(segment, offset + FLAGS) >>> 5;
    }

    /** Sets {@link #version()}; 0 to 7. */
    public GtpUView version(int version) {
        FieldBits.put(segment, offset, 8 * FLAGS, 3, "version", version);
        return this;
    }

    /** {@link #G_PDU}, or a message of the tunnel itself. */
    public int type() {
        return NetworkOrder.u8(segment, offset + TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public GtpUView type(int type) {
        FieldRange.check("type", type, 0xff);
        NetworkOrder.putU8(segment, offset + TYPE, type);
        return this;
    }

    /** The length of what follows the first 8 bytes, in bytes, as stated in the header. */
    public int messageLength() {
        return NetworkOrder.u16(segment, offset + MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public GtpUView messageLength(int messageLength) {
        FieldRange.check("messageLength", messageLength, 0xffff);
        NetworkOrder.putU16(segment, offset + MESSAGE_LENGTH, messageLength);
        return this;
    }

    /** The tunnel endpoint identifier. */
    public long teid() {
        return NetworkOrder.u32(segment, offset + TEID);
    }

    /** Sets {@link #teid()}; 0 to 4294967295. */
    public GtpUView teid(long teid) {
        FieldRange.check("teid", teid, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + TEID, teid);
        return this;
    }

    /** Whether the header has a sequence number. */
    public boolean hasSequenceNumber() {
        return (NetworkOrder.u8(segment, offset + FLAGS) & 2) != 0;
    }

    /** Sets the S flag, and so whether there is such a field; the header must not become longer than what is there. */
    public GtpUView hasSequenceNumber(boolean isThere) {
        return flag(2, isThere);
    }

    /** 0 if there is none. */
    public int sequenceNumber() {
        return hasSequenceNumber() ? NetworkOrder.u16(segment, offset + SEQUENCE_NUMBER) : 0;
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public GtpUView sequenceNumber(int sequenceNumber) {
        FieldRange.check("sequenceNumber", sequenceNumber, 0xffff);
        FieldRange.require("sequenceNumber", hasSequenceNumber());
        NetworkOrder.putU16(segment, offset + SEQUENCE_NUMBER, sequenceNumber);
        return this;
    }

    /** Whether the header has an N-PDU number. */
    public boolean hasNPdu() {
        return (NetworkOrder.u8(segment, offset + FLAGS) & 1) != 0;
    }

    /** Sets {@link #hasNPdu()}. */
    public GtpUView hasNPdu(boolean isThere) {
        return flag(1, isThere);
    }

    /** 0 if there is none. */
    public int nPdu() {
        return hasNPdu() ? NetworkOrder.u8(segment, offset + N_PDU) : 0;
    }

    /** Sets {@link #nPdu()}; 0 to 255. */
    public GtpUView nPdu(int nPdu) {
        FieldRange.check("nPdu", nPdu, 0xff);
        FieldRange.require("nPdu", hasNPdu());
        NetworkOrder.putU8(segment, offset + N_PDU, nPdu);
        return this;
    }

    /** Whether extension headers follow. */
    public boolean hasExtensions() {
        return (NetworkOrder.u8(segment, offset + FLAGS) & 4) != 0;
    }

    /** Sets {@link #hasExtensions()}. */
    public GtpUView hasExtensions(boolean isThere) {
        return flag(4, isThere);
    }

    private GtpUView flag(int flag, boolean isSet) {
        int others = NetworkOrder.u8(segment, offset + FLAGS) & ~flag;
        return relaid(FLAGS, isSet ? others | flag : others);
    }

    /**
     * Sets a byte that says what the header is made of, unless that makes it malformed or longer than what is there.
     */
    private GtpUView relaid(int at, int value) {
        int before = NetworkOrder.u8(segment, offset + at);
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
        return hasExtensions() ? NetworkOrder.u8(segment, offset + NEXT_EXTENSION) : 0;
    }

    /** Sets {@link #nextExtension()}; 0 to 255. */
    public GtpUView nextExtension(int nextExtension) {
        FieldRange.check("nextExtension", nextExtension, 0xff);
        FieldRange.require("nextExtension", hasExtensions());
        return relaid(NEXT_EXTENSION, nextExtension);
    }

    /** The length of the header, in bytes. */
    public int headerLength() {
        return headerLength;
    }

    /** The offset in the segment of the first byte after the header. */
    public long payloadOffset() {
        return offset + headerLength;
    }

    /** The number of available bytes of the payload. */
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
    public static final class Descriptor extends Protocol {
        private final GtpUView gtpU = new GtpUView();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "gtpu",
                    HeaderLayout.of(FIXED_LENGTH)
                            .bits("version", FLAGS, 0, 3)
                            .bits("flags", FLAGS, 5, 3)
                            .number("type", TYPE, 8)
                            .number("messageLength", MESSAGE_LENGTH, 16)
                            .number("teid", TEID, 32));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            if (!layer.wrapHeader(gtpU)) {
                return;
            }
            if (gtpU.hasSequenceNumber()) {
                to.number("sequenceNumber", gtpU.sequenceNumber());
            }
            if (gtpU.hasNPdu()) {
                to.number("nPdu", gtpU.nPdu());
            }
            if (gtpU.hasExtensions()) {
                to.number("nextExtension", gtpU.nextExtension());
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.number(layer.packet().payloadWireLength()).text(" bytes");
            return true;
        }
    }
}
