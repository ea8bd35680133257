package io.offhook.packet;

import java.lang.foreign.MemorySegment;

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
 *
 * <p>{@code while (chunks.next()) switch (chunks.type()) ...}. A chunk whose length cannot be, or which goes on after what was
 * captured, ends the iteration; {@link #isMalformed()} then says so. The accessors of a type read 0 on a chunk of another
 * type, or too short for its own.
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class SctpChunks {
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

    private static final int DATA_HEADER = 12;

    private final TypeLengthValues list = new TypeLengthValues(TypeLengthValues.Form.SCTP_CHUNKS);

    /** An iterator over nothing yet: wrap it first. */
    public SctpChunks() {}

    /** Puts the iterator before the first of {@code length} bytes of chunks: the payload of {@link SctpView}. */
    public void wrap(MemorySegment segment, long offset, int length) {
        list.wrap(segment, offset, length);
    }

    /** Moves to the next chunk; false when there is none. */
    public boolean next() {
        return list.next();
    }

    /** Whether the iteration ended on a chunk that is not whole, or whose length cannot be. */
    public boolean isMalformed() {
        return list.isMalformed();
    }

    /** Also 0, {@link #DATA}, before the first chunk and after the last. */
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
     * @throws IllegalArgumentException when it is not in 0 to 255, or there is no chunk
     */
    public void flags(int flags) {
        FieldBits.require(list.length() > 0, "chunk");
        FieldBits.put(list.segment(), list.offset() + 1, 0, 8, "flags", flags);
    }

    /** With its header, without what pads it, in bytes. */
    public int length() {
        return list.length();
    }

    /** Where the value starts, in the segment. */
    public long valueOffset() {
        return list.valueOffset();
    }

    /** Of the value, in bytes. */
    public int valueLength() {
        return list.valueLength();
    }

    /** Whether a data chunk begins a message. */
    public boolean isBeginning() {
        return type() == DATA && (flags() & 2) != 0;
    }

    /** Whether a data chunk ends a message. */
    public boolean isEnding() {
        return type() == DATA && (flags() & 1) != 0;
    }

    /** The transmission sequence number: of data its own, of INIT and INIT ACK the first, of SACK and SHUTDOWN the last. */
    public long transmissionSequenceNumber() {
        return switch (type()) {
            case DATA, SACK, SHUTDOWN -> list.u32(0);
            case INIT, INIT_ACK -> list.u32(12);
            default -> 0;
        };
    }

    /**
     * Sets {@link #transmissionSequenceNumber()}.
     *
     * @throws IllegalArgumentException when it does not fit in 32 bits, or the chunk has none
     */
    public void transmissionSequenceNumber(long transmissionSequenceNumber) {
        boolean isInit = type() == INIT || type() == INIT_ACK;
        FieldBits.require(
                list.length() > 0 && (type() == DATA || isInit || type() == SACK || type() == SHUTDOWN),
                "transmissionSequenceNumber");
        list.u32(isInit ? 12 : 0, transmissionSequenceNumber);
    }

    /** Of data. */
    public int streamId() {
        return type() == DATA ? list.u16(4) : 0;
    }

    /** Of data. */
    public int streamSequenceNumber() {
        return type() == DATA ? list.u16(6) : 0;
    }

    /** Of data: what it carries, as IANA numbers it; 3 is M3UA, 46 Diameter. */
    public long payloadProtocol() {
        return type() == DATA ? list.u32(8) : 0;
    }

    /** Where the user's bytes of a data chunk start. */
    public long dataOffset() {
        return list.valueOffset() + (type() == DATA ? Math.min(DATA_HEADER, list.valueLength()) : 0);
    }

    /** Of the data, in bytes. */
    public int dataLength() {
        return type() == DATA ? Math.max(list.valueLength() - DATA_HEADER, 0) : list.valueLength();
    }

    /** Of INIT and INIT ACK: the verification tag that the peer is to use. */
    public long initiateTag() {
        return type() == INIT || type() == INIT_ACK ? list.u32(0) : 0;
    }

    /** Of INIT, INIT ACK and SACK, in bytes. */
    public long receiverWindow() {
        return type() == INIT || type() == INIT_ACK || type() == SACK ? list.u32(4) : 0;
    }

    /** Of INIT and INIT ACK. */
    public int outboundStreams() {
        return type() == INIT || type() == INIT_ACK ? list.u16(8) : 0;
    }

    /** Of INIT and INIT ACK. */
    public int inboundStreams() {
        return type() == INIT || type() == INIT_ACK ? list.u16(10) : 0;
    }

    @Override
    public String toString() {
        return "sctp chunk " + type() + " of " + length() + " bytes";
    }
}
