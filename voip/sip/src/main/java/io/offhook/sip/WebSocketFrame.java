package io.offhook.sip;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The header of a WebSocket frame (RFC 6455, 5.2), read in an array.
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
 *
 * <p>Except for {@link #startsWithSip} and {@link #needed}, which check the length, the header must be present.
 */
final class WebSocketFrame {
    static final int CONTINUATION = 0;
    static final int CLOSE = 8;
    private static final int BINARY = 2;
    private static final int PONG = 10;
    private static final int CONTROL_LIMIT = 125;
    /** The longest frame header, in bytes. */
    private static final int HEADER_LIMIT = 14;
    /** The payload bytes needed to recognise a frame in mid-stream. */
    private static final int RECOGNIZED_LENGTH = 24;

    private static final byte[][] KNOWN_STARTS = knownStarts();

    private WebSocketFrame() {}

    /** Whether the bytes begin with a data frame whose payload begins with a SIP start line. */
    static boolean startsWithSip(byte[] text, int offset, int length) {
        if (length < HEADER_LIMIT) {
            return false;
        }
        int first = text[offset];
        int opcode = first & 0xf;
        if ((first & 0x70) != 0 || opcode == CONTINUATION || opcode > BINARY) {
            return false;
        }
        int headerLength = headerLength(text, offset);
        long payloadLength = payloadLength(text, offset);
        if (payloadLength < 0 || payloadLength > SipBufferPool.MESSAGE_LIMIT) { // the highest of 64 bits must be 0
            return false;
        }
        int available = (int) Math.min(length - headerLength, payloadLength);
        if (available < RECOGNIZED_LENGTH) {
            return false;
        }
        int payload = offset + headerLength;
        if ((text[offset + 1] & 0x80) == 0) {
            return SipRecognizer.isMessageStart(text, payload, available);
        }
        return startsMaskedSip(text, payload, available, (int) number(text, payload - 4, 4));
    }

    /** As {@link #startsWithSip}, with a registered method in a request. */
    static boolean startsWithKnownSip(byte[] text, int offset, int length) {
        if (!startsWithSip(text, offset, length)) {
            return false;
        }
        boolean masked = (text[offset + 1] & 0x80) != 0; // then it was recognised by that very method
        int header = headerLength(text, offset);
        return masked || SipRecognizer.isKnownMethod(text, offset + header, length - header);
    }

    /**
     * Bytes of the frame, as far as they are known, at least one more than are present; negative if this is not a
     * frame.
     */
    static long needed(byte[] text, int at, int available) {
        if (available < 2) {
            return 2;
        }
        int first = text[at];
        int opcode = first & 0xf;
        boolean control = (opcode & 8) != 0;
        if ((first & 0x30) != 0 || opcode > PONG || opcode > BINARY && opcode < CLOSE) {
            return -1;
        }
        int shortLength = text[at + 1] & 0x7f;
        if (control && (shortLength > CONTROL_LIMIT || (first & 0xc0) != 0x80)) {
            return -1;
        }
        int headerLength = headerLength(text, at);
        if (available < headerLength) {
            return headerLength;
        }
        long payload = payloadLength(text, at);
        return payload < 0 ? -1 : Math.min(payload, Long.MAX_VALUE - HEADER_LIMIT) + headerLength;
    }

    static int headerLength(byte[] text, int at) {
        int second = text[at + 1];
        int shortLength = second & 0x7f;
        int extended = shortLength == 126 ? 2 : shortLength == 127 ? 8 : 0;
        return 2 + extended + ((second & 0x80) != 0 ? 4 : 0);
    }

    static long payloadLength(byte[] text, int at) {
        int shortLength = text[at + 1] & 0x7f;
        if (shortLength == 126) {
            return number(text, at + 2, 2);
        }
        return shortLength == 127 ? number(text, at + 2, 8) : shortLength;
    }

    static long number(byte[] text, int at, int bytes) {
        long number = 0;
        for (int i = at; i < at + bytes; i++) {
            number = number << 8 | text[i] & 0xff;
        }
        return number;
    }

    private static boolean startsMaskedSip(byte[] text, int payload, int available, int key) {
        // the key may be any, so only bytes that unmask to the start of a SIP message identify a frame
        for (byte[] start : KNOWN_STARTS) {
            if (start.length <= available && matchesMasked(text, payload, key, start)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matchesMasked(byte[] text, int payload, int key, byte[] start) {
        for (int i = 0; i < start.length; i++) {
            if ((byte) (text[payload + i] ^ key >>> 24 - 8 * (i & 3)) != start[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[][] knownStarts() {
        List<byte[]> starts = new ArrayList<>();
        for (SipMethod method : SipMethod.values()) {
            if (method == SipMethod.OTHER) {
                starts.add("SIP/2.0 ".getBytes(StandardCharsets.US_ASCII));
            } else {
                starts.add((method.name() + " sip").getBytes(StandardCharsets.US_ASCII));
                starts.add((method.name() + " tel:").getBytes(StandardCharsets.US_ASCII));
            }
        }
        return starts.toArray(byte[][]::new);
    }
}
