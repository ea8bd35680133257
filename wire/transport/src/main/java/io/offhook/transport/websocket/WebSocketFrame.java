package io.offhook.transport.websocket;

/**
 * The header of a frame (RFC 6455, 5.2), read from bytes that may be incomplete. No extension is agreed on, so reserved
 * bits are faults.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-------+-+-------------+-------------------------------+
 * |F|R|R|R| opcode|M| Payload len |    Extended payload length    |
 * |I|S|S|S|  (4)  |A|     (7)     |             (16/64)           |
 * |N|V|V|V|       |S|             |   (if payload len==126/127)   |
 * | |1|2|3|       |K|             |                               |
 * +-+-+-+-+-------+-+-------------+ - - - - - - - - - - - - - - - +
 * |     Masking-key, if MASK set to 1             | Payload Data  |
 * +-----------------------------------------------+---------------+
 * </pre>
 */
final class WebSocketFrame {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;
    private static final int MOST_CONTROL_BYTES = 125;

    /** What the bytes are. */
    enum Status {
        OK,
        INCOMPLETE,
        /** A violation of the protocol. */
        FAULT
    }

    private final boolean isMaskRequired;
    private int opcode;
    private boolean isLast;
    private int headerLength;
    private long payloadLength;
    private int mask;

    /** @param isMaskRequired whether the frames are a client's, which must be masked; a server's must not be */
    WebSocketFrame(boolean isMaskRequired) {
        this.isMaskRequired = isMaskRequired;
    }

    Status read(byte[] octets, int at, int available) {
        if (available < 2) {
            return Status.INCOMPLETE;
        }
        int first = octets[at] & 0xff;
        int second = octets[at + 1] & 0xff;
        opcode = first & 0xf;
        isLast = (first & 0x80) != 0;
        int shortLength = second & 0x7f;
        if ((first & 0x70) != 0
                || opcode > BINARY && opcode < CLOSE
                || opcode > PONG
                || isControl() && (!isLast || shortLength > MOST_CONTROL_BYTES)
                || second >= 0x80 != isMaskRequired) {
            return Status.FAULT;
        }
        int extended = shortLength == 127 ? 8 : shortLength == 126 ? 2 : 0;
        headerLength = 2 + extended + (isMaskRequired ? 4 : 0);
        if (available < headerLength) {
            return Status.INCOMPLETE;
        }
        payloadLength = extended == 0 ? shortLength : number(octets, at + 2, extended);
        long least = extended == 8 ? 0x1_0000 : extended == 2 ? 126 : 0;
        if (payloadLength < least) { // longer than needed, or the highest of 64 bits set
            return Status.FAULT;
        }
        mask = isMaskRequired ? (int) number(octets, at + headerLength - 4, 4) : 0;
        return Status.OK;
    }

    boolean isControl() {
        return opcode >= CLOSE;
    }

    int opcode() {
        return opcode;
    }

    boolean isLast() {
        return isLast;
    }

    int headerLength() {
        return headerLength;
    }

    long payloadLength() {
        return payloadLength;
    }

    /** Removes the mask from the payload in place. */
    void unmask(byte[] octets, int at, int length) {
        if (mask != 0) {
            unmask(octets, at, length, mask);
        }
    }

    /** Applies a mask, or removes it. */
    static void unmask(byte[] octets, int at, int length, int mask) {
        for (int i = 0; i < length; i++) {
            octets[at + i] ^= (byte) (mask >>> 24 - 8 * (i & 3));
        }
    }

    /** Writes the header of a frame that is a whole message, without a mask; returns its length. */
    static int writeHeader(byte[] header, int opcode, int length) {
        header[0] = (byte) (0x80 | opcode);
        if (length < 126) {
            header[1] = (byte) length;
            return 2;
        }
        int extended = length <= 0xffff ? 2 : 8;
        header[1] = (byte) (extended == 2 ? 126 : 127);
        for (int i = 0; i < extended; i++) {
            header[2 + i] = (byte) ((long) length >>> 8 * (extended - 1 - i));
        }
        return 2 + extended;
    }

    private static long number(byte[] octets, int at, int length) {
        long number = 0;
        for (int i = 0; i < length; i++) {
            number = number << 8 | octets[at + i] & 0xff;
        }
        return number;
    }
}
