package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A STUN message (RFC 8489, 5), of TURN (RFC 8656) and ICE (RFC 8445) too.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |              type             |         message length        |
 * +-------------------------------+-------------------------------+
 * |                             cookie                            |
 * +---------------------------------------------------------------+
 * |                                                    (12 bytes) |
 * +---------------------------------------------------------------+
 * | attributes ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on. Setters change the
 * bytes in place; on a read-only segment they fail as the segment does. After one of a type, a flag or a length, wrap again.
 */
public final class StunView {
    /** Bytes of the header. */
    public static final int LENGTH = 20;

    private static final long MAGIC = 0x2112a442L;
    private static final int TYPE = 0;
    private static final int MESSAGE_LENGTH = 2;
    private static final int COOKIE = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public StunView() {}

    /**
     * Puts the view on a message: TRUNCATED below 20 bytes, UNSUPPORTED when its first two bits are not 0, or it has no cookie,
     * MALFORMED when its length is no multiple of 4.
     *
     * @param length bytes that are there from {@code offset} on
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset) > 0x3f || NetworkOrder.u32(segment, offset + COOKIE) != MAGIC) {
            return WrapStatus.UNSUPPORTED;
        }
        if ((NetworkOrder.u16(segment, offset + MESSAGE_LENGTH) & 3) != 0) {
            return WrapStatus.MALFORMED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** Two bits that are 0, 12 of the method with 2 of the class in between. */
    public int type() {
        return NetworkOrder.u16(segment, offset + TYPE);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public StunView type(int type) {
        FieldBits.put(segment, offset, 0, 16, "type", type);
        return this;
    }

    /** Of the attributes, in bytes. */
    public int messageLength() {
        return NetworkOrder.u16(segment, offset + MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 65535. */
    public StunView messageLength(int messageLength) {
        FieldBits.put(segment, offset, 16, 16, "messageLength", messageLength);
        return this;
    }

    /** 0x2112a442; older messages (RFC 3489) have another. */
    public long cookie() {
        return NetworkOrder.u32(segment, offset + COOKIE);
    }

    /** Sets {@link #cookie()}; 0 to 4294967295. */
    public StunView cookie(long cookie) {
        FieldBits.put(segment, offset, 32, 32, "cookie", cookie);
        return this;
    }

    /** 0 request, 1 indication, 2 success, 3 error. */
    public int messageClass() {
        return type() >>> 7 & 2 | type() >>> 4 & 1;
    }

    /** Sets {@link #messageClass()}; 0 to 3. */
    public StunView messageClass(int messageClass) {
        FieldRange.check("messageClass", messageClass, 3);
        return type(type() & ~0x110 | (messageClass & 2) << 7 | (messageClass & 1) << 4);
    }

    /** 1 binding, 3 allocate, 4 refresh, 6 send, 7 data, 8 create permission, 9 channel bind. */
    public int method() {
        return type() & 0x0f | type() >>> 1 & 0x70 | type() >>> 2 & 0xf80;
    }

    /** Sets {@link #method()}; 0 to 4095. */
    public StunView method(int method) {
        FieldRange.check("method", method, 0xfff);
        return type(type() & 0x110 | method & 0x0f | (method & 0x70) << 1 | (method & 0xf80) << 2);
    }

    /** Where the transaction id starts: 96 bits. */
    public long transactionIdOffset() {
        return offset + 8;
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#STUN_ATTRIBUTES}, before the first attribute. */
    public void attributes(TypeLengthValues attributes) {
        attributes.wrap(segment, offset + LENGTH, Math.min(messageLength(), length - LENGTH));
    }

    @Override
    public String toString() {
        return "stun method " + method() + " class " + messageClass();
    }
}
