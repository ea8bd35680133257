package io.offhook.packet.transport;

import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.TypedElements;

/**
 * The chunks of an SCTP packet (RFC 9260, 3.2), one after the other.
 *
 * <pre>
 *  0               8               16                              32
 * +---------------+---------------+-------------------------------+
 * |     type      |     flags     |            length             |
 * +---------------+---------------+-------------------------------+
 * | value, padded to 4 bytes ...
 * </pre>
 */
public final class SctpChunks extends TypedElements<SctpChunks> {
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int DATA = 0;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int INIT = 1;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int INIT_ACK = 2;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int SACK = 3;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int HEARTBEAT = 4;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int HEARTBEAT_ACK = 5;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int ABORT = 6;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int SHUTDOWN = 7;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int SHUTDOWN_ACK = 8;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int ERROR = 9;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int COOKIE_ECHO = 10;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int COOKIE_ACK = 11;
    /** A type of chunk (RFC 9260, 3.2). */
    public static final int SHUTDOWN_COMPLETE = 14;
    /** A type of chunk (RFC 8260, 2.1). */
    public static final int I_DATA = 64;
    /** A type of chunk (RFC 5061, 4.1). */
    public static final int ASCONF_ACK = 128;
    /** A type of chunk (RFC 5061, 4.1). */
    public static final int ASCONF = 193;

    /** Bytes of a chunk's own header. */
    public static final int HEADER = 4;

    static final int FLAGS = 1;
    /** The offset of the length, in bytes from the start of a chunk. */
    public static final int CHUNK_LENGTH = 2;

    // where fields are, from the value's start: of DATA and I-DATA
    private static final int DATA_SEQUENCE_NUMBER = 0;
    private static final int STREAM_ID = 4;
    private static final int STREAM_SEQUENCE_NUMBER = 6;
    private static final int MESSAGE_ID = 8;
    private static final int DATA_PROTOCOL = 8;
    private static final int I_DATA_PROTOCOL = 12;
    private static final int DATA_HEADER = 12;
    private static final int I_DATA_HEADER = 16;

    // of INIT, INIT ACK and SACK
    private static final int INITIATE_TAG = 0;
    private static final int RECEIVER_WINDOW = 4;
    private static final int OUTBOUND_STREAMS = 8;
    private static final int INBOUND_STREAMS = 10;
    private static final int INITIAL_SEQUENCE_NUMBER = 12;
    private static final int GAP_BLOCK_COUNT = 8;
    private static final int SACK_BLOCKS = 12;
    private static final int SACK_BLOCK = 4;
    private static final int GAP_END = 2;

    /** Creates an iterator; call {@code wrap} with the payload of {@link SctpView} before {@code next}. */
    public SctpChunks() {
        super(TypeLengthValues.Form.SCTP_CHUNKS);
    }

    /** The type; 0, as of {@link #DATA}, before the first chunk and after the last. */
    public int type() {
        return (int) list.type();
    }

    /** 8 bits; what they mean, the type says. */
    public int flags() {
        return list.flags();
    }

    /**
     * Sets {@link #flags()}.
     *
     * @throws IllegalArgumentException if it is not in 0 to 255, or there is no chunk
     */
    public SctpChunks flags(int flags) {
        list.flags(flags);
        return this;
    }

    /** The offset of the value in the segment. */
    public long valueOffset() {
        return list.valueOffset();
    }

    /** The length of the value, in bytes. */
    public int valueLength() {
        return list.valueLength();
    }

    /** Whether a chunk carries a user's message, or a part of it: DATA, or I-DATA (RFC 8260, 2.1). */
    public boolean isData() {
        return list.length() > 0 && (type() == DATA || type() == I_DATA);
    }

    /** Whether a data chunk begins a message. */
    public boolean isBeginning() {
        return isData() && (flags() & 2) != 0;
    }

    /** Sets {@link #isBeginning()}. */
    public SctpChunks beginning(boolean beginning) {
        FieldRange.require("beginning", isData());
        FieldBits.put(list.segment(), list.offset(), 8 * FLAGS + 6, beginning);
        return this;
    }

    /** Whether a data chunk ends a message. */
    public boolean isEnding() {
        return isData() && (flags() & 1) != 0;
    }

    /** Sets {@link #isEnding()}. */
    public SctpChunks ending(boolean ending) {
        FieldRange.require("ending", isData());
        FieldBits.put(list.segment(), list.offset(), 8 * FLAGS + 7, ending);
        return this;
    }

    /**
     * The transmission sequence number: of data its own, of INIT and INIT ACK the first, of SACK and SHUTDOWN the last.
     */
    public long transmissionSequenceNumber() {
        return switch (type()) {
            case DATA, I_DATA, SACK, SHUTDOWN -> list.u32(DATA_SEQUENCE_NUMBER);
            case INIT, INIT_ACK -> list.u32(INITIAL_SEQUENCE_NUMBER);
            default -> 0;
        };
    }

    /**
     * Sets {@link #transmissionSequenceNumber()}.
     *
     * @throws IllegalArgumentException if it does not fit in 32 bits, or the chunk has none
     */
    public SctpChunks transmissionSequenceNumber(long transmissionSequenceNumber) {
        boolean hasOne = isData() || isInit() || type() == SACK || type() == SHUTDOWN;
        int at = isInit() ? INITIAL_SEQUENCE_NUMBER : DATA_SEQUENCE_NUMBER;
        return put("transmissionSequenceNumber", hasOne, at, 0, 32, transmissionSequenceNumber);
    }

    /** The stream of a data chunk. */
    public int streamId() {
        return isData() ? list.u16(STREAM_ID) : 0;
    }

    /** Sets {@link #streamId()}. */
    public SctpChunks streamId(int streamId) {
        return put("streamId", isData(), STREAM_ID, 0, 16, streamId);
    }

    /** The sequence number of DATA in its stream; {@link #messageId()} numbers the messages of I-DATA. */
    public int streamSequenceNumber() {
        return type() == DATA ? list.u16(STREAM_SEQUENCE_NUMBER) : 0;
    }

    /** Sets {@link #streamSequenceNumber()}. */
    public SctpChunks streamSequenceNumber(int streamSequenceNumber) {
        return put("streamSequenceNumber", type() == DATA, STREAM_SEQUENCE_NUMBER, 0, 16, streamSequenceNumber);
    }

    /** The message id of I-DATA: the number of the message in its stream, 32 bits. */
    public long messageId() {
        return type() == I_DATA ? list.u32(MESSAGE_ID) : 0;
    }

    /** Sets {@link #messageId()}. */
    public SctpChunks messageId(long messageId) {
        return put("messageId", type() == I_DATA, MESSAGE_ID, 0, 32, messageId);
    }

    /**
     * Of data: what it carries, as IANA numbers it; 3 is M3UA, 46 Diameter. The first chunk of an I-DATA message has
     * it.
     */
    public long payloadProtocol() {
        return hasPayloadProtocol() ? list.u32(protocolAt()) : 0;
    }

    /** Sets {@link #payloadProtocol()}. */
    public SctpChunks payloadProtocol(long payloadProtocol) {
        return put("payloadProtocol", hasPayloadProtocol(), protocolAt(), 0, 32, payloadProtocol);
    }

    private boolean hasPayloadProtocol() {
        return type() == DATA || isBeginning();
    }

    private int protocolAt() {
        return type() == DATA ? DATA_PROTOCOL : I_DATA_PROTOCOL;
    }

    /** Where the user's bytes of a data chunk start. */
    public long dataOffset() {
        return list.valueOffset() + (isData() ? Math.min(dataHeader(), list.valueLength()) : 0);
    }

    /** The length of the data, in bytes. */
    public int dataLength() {
        return isData() ? Math.max(list.valueLength() - dataHeader(), 0) : list.valueLength();
    }

    private int dataHeader() {
        return type() == DATA ? DATA_HEADER : I_DATA_HEADER;
    }

    private boolean isInit() {
        return type() == INIT || type() == INIT_ACK;
    }

    /** The verification tag that INIT or INIT ACK asks the peer to use. */
    public long initiateTag() {
        return isInit() ? list.u32(INITIATE_TAG) : 0;
    }

    /** Sets {@link #initiateTag()}. */
    public SctpChunks initiateTag(long initiateTag) {
        return put("initiateTag", isInit(), INITIATE_TAG, 0, 32, initiateTag);
    }

    /** The receiver window of INIT, INIT ACK and SACK, in bytes. */
    public long receiverWindow() {
        return isInit() || type() == SACK ? list.u32(RECEIVER_WINDOW) : 0;
    }

    /** Sets {@link #receiverWindow()}. */
    public SctpChunks receiverWindow(long receiverWindow) {
        return put("receiverWindow", isInit() || type() == SACK, RECEIVER_WINDOW, 0, 32, receiverWindow);
    }

    /** The number of outbound streams of INIT and INIT ACK. */
    public int outboundStreams() {
        return isInit() ? list.u16(OUTBOUND_STREAMS) : 0;
    }

    /** Sets {@link #outboundStreams()}. */
    public SctpChunks outboundStreams(int outboundStreams) {
        return put("outboundStreams", isInit(), OUTBOUND_STREAMS, 0, 16, outboundStreams);
    }

    /** The maximum number of inbound streams of INIT and INIT ACK. */
    public int inboundStreams() {
        return isInit() ? list.u16(INBOUND_STREAMS) : 0;
    }

    /** Sets {@link #inboundStreams()}. */
    public SctpChunks inboundStreams(int inboundStreams) {
        return put("inboundStreams", isInit(), INBOUND_STREAMS, 0, 16, inboundStreams);
    }

    /** Blocks of what a SACK has received beyond its cumulative number, as far as they are there. */
    public int gapBlockCount() {
        int there = Math.max(list.valueLength() - SACK_BLOCKS, 0) / SACK_BLOCK;
        return type() == SACK ? Math.min(list.u16(GAP_BLOCK_COUNT), there) : 0;
    }

    /** The first number of gap block {@code i}, less the cumulative one; 0 if there is no such block. */
    public int gapStart(int i) {
        return i >= 0 && i < gapBlockCount() ? list.u16(SACK_BLOCKS + SACK_BLOCK * i) : 0;
    }

    /** Sets {@link #gapStart(int)}, 16 bits. */
    public SctpChunks gapStart(int i, int gapStart) {
        return put("gapStart", i >= 0 && i < gapBlockCount(), SACK_BLOCKS + SACK_BLOCK * i, 0, 16, gapStart);
    }

    /** The last number of gap block {@code i}, likewise. */
    public int gapEnd(int i) {
        return i >= 0 && i < gapBlockCount() ? list.u16(SACK_BLOCKS + SACK_BLOCK * i + GAP_END) : 0;
    }

    /** Sets {@link #gapEnd(int)}, 16 bits. */
    public SctpChunks gapEnd(int i, int gapEnd) {
        return put("gapEnd", i >= 0 && i < gapBlockCount(), SACK_BLOCKS + SACK_BLOCK * i + GAP_END, 0, 16, gapEnd);
    }

    @Override
    public String toString() {
        return "sctp chunk " + type() + " of " + length() + " bytes";
    }

    /** What tables call a chunk of that type. */
    static String name(int type) {
        return switch (type) {
            case DATA -> "DATA";
            case INIT -> "INIT";
            case INIT_ACK -> "INIT_ACK";
            case SACK -> "SACK";
            case HEARTBEAT -> "HEARTBEAT";
            case HEARTBEAT_ACK -> "HEARTBEAT_ACK";
            case ABORT -> "ABORT";
            case SHUTDOWN -> "SHUTDOWN";
            case SHUTDOWN_ACK -> "SHUTDOWN_ACK";
            case ERROR -> "ERROR";
            case COOKIE_ECHO -> "COOKIE_ECHO";
            case COOKIE_ACK -> "COOKIE_ACK";
            case SHUTDOWN_COMPLETE -> "SHUTDOWN_COMPLETE";
            case I_DATA -> "I_DATA";
            case ASCONF_ACK -> "ASCONF_ACK";
            case ASCONF -> "ASCONF";
            default -> "chunk " + type;
        };
    }

    /** Reports the chunk at hand. For output. */
    void visit(FieldVisitor to) {
        to.number("chunkType", type());
        switch (type()) {
            case DATA -> {
                to.number("tsn", transmissionSequenceNumber());
                to.number("streamId", streamId());
                to.number("streamSequenceNumber", streamSequenceNumber());
                to.number("payloadProtocol", payloadProtocol());
            }
            case I_DATA -> {
                to.number("tsn", transmissionSequenceNumber());
                to.number("streamId", streamId());
                to.number("messageId", messageId());
                if (isBeginning()) {
                    to.number("payloadProtocol", payloadProtocol());
                }
            }
            case INIT, INIT_ACK -> {
                to.number("initiateTag", initiateTag());
                to.number("receiverWindow", receiverWindow());
                to.number("outboundStreams", outboundStreams());
                to.number("inboundStreams", inboundStreams());
                to.number("initialTsn", transmissionSequenceNumber());
            }
            case SACK, SHUTDOWN -> to.number("cumulativeTsn", transmissionSequenceNumber());
            default -> {}
        }
    }
}
