package io.offhook.sip.stream;

import io.offhook.packet.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Answers STUN Binding requests on the port of SIP: the keep-alive of RFC 5626, 3.5.2, by which a client behind NAT learns
 * that its address has changed (RFC 8489). Nothing is required of the client, so anyone is answered: with what fits into
 * three times the request, so that a forged source gains nothing.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |              type             |         message length        |
 * +-------------------------------+-------------------------------+
 * |                             cookie                            |
 * +---------------------------------------------------------------+
 * |                         transaction id                        |
 * |                                                    (12 bytes) |
 * +-------------------------------+-------------------------------+
 * |         attribute type        |             length            |
 * +-------------------------------+-------------------------------+
 * | value, padded to a multiple of 4 ...
 * </pre>
 *
 * <p>One thread uses one object; nothing is allocated.
 */
public final class StunKeepAlive {
    /** The longest answer, in bytes. */
    public static final int MOST_ANSWER_BYTES = 128;

    private static final int HEADER_LENGTH = 20;
    private static final int COOKIE = 0x2112a442;
    private static final int BINDING_REQUEST = 0x0001;
    private static final int BINDING_SUCCESS = 0x0101;
    private static final int BINDING_ERROR = 0x0111;
    private static final int ERROR_CODE = 0x0009;
    private static final int UNKNOWN_ATTRIBUTES = 0x000a;
    private static final int XOR_MAPPED_ADDRESS = 0x0020;
    private static final int FINGERPRINT = 0x8028;
    private static final int FINGERPRINT_LENGTH = 8;
    private static final int FINGERPRINT_MASK = 0x5354554e;
    private static final int OPTIONAL = 0x8000;
    private static final int MOST_UNKNOWN = 16;
    private static final byte[] REASON = "Unknown Attribute".getBytes(StandardCharsets.US_ASCII);

    private final CRC32 crc = new CRC32();
    private final int[] unknown = new int[MOST_UNKNOWN];
    private int unknownCount;
    private boolean hasFingerprint;

    /** Creates an answerer. */
    public StunKeepAlive() {}

    /** Whether a datagram is STUN and not SIP: two bits that are 0 and the cookie. */
    public static boolean isStun(byte[] octets, int offset, int length) {
        return length >= HEADER_LENGTH && (octets[offset] & 0xc0) == 0 && int32(octets, offset + 4) == COOKIE;
    }

    /**
     * Writes the answer to a datagram.
     *
     * @param octets the array that the datagram is in
     * @param offset its first byte
     * @param length its length
     * @param source the address that it came from
     * @param port the port that it came from, 0 to 65535
     * @param answer where the answer is written, from index 0; at least {@link #MOST_ANSWER_BYTES}
     * @return the length of the answer, at most three times that of the request; 0 if there is none, because the datagram
     *     is no Binding request, or is damaged
     */
    public int answer(byte[] octets, int offset, int length, IpAddress source, int port, byte[] answer) {
        if (!isStun(octets, offset, length)
                || int16(octets, offset) != BINDING_REQUEST
                || int16(octets, offset + 2) != length - HEADER_LENGTH
                || (length & 3) != 0
                || !readAttributes(octets, offset, offset + length)) {
            return 0;
        }
        System.arraycopy(octets, offset, answer, 0, HEADER_LENGTH);
        int end = unknownCount == 0 ? mappedAddress(answer, source, port) : error(answer);
        putInt16(answer, 0, unknownCount == 0 ? BINDING_SUCCESS : BINDING_ERROR);
        putInt16(answer, 2, end - HEADER_LENGTH);
        if (hasFingerprint) {
            end = fingerprint(answer, end);
        }
        return end <= 3 * length ? end : 0;
    }

    /** Returns false if the attributes are damaged. */
    private boolean readAttributes(byte[] octets, int start, int end) {
        unknownCount = 0;
        hasFingerprint = false;
        int at = start + HEADER_LENGTH;
        while (at < end) {
            int type = int16(octets, at);
            int length = int16(octets, at + 2);
            int next = at + 4 + (length + 3 & ~3);
            if (next > end || hasFingerprint) { // which is the last (RFC 8489, 14.7)
                return false;
            }
            if (type == FINGERPRINT) {
                if (length != 4 || int32(octets, at + 4) != fingerprintOf(octets, start, at - start)) {
                    return false;
                }
                hasFingerprint = true;
            } else if (type < OPTIONAL && !isKnown(type) && unknownCount < MOST_UNKNOWN) {
                unknown[unknownCount++] = type;
            }
            at = next;
        }
        return true;
    }

    /** What a server may ignore that authenticates nobody: user name, integrity, error code and the like, realm, nonce. */
    private static boolean isKnown(int type) {
        return switch (type) {
            case 0x0001, 0x0006, 0x0008, 0x0009, 0x000a, 0x0014, 0x0015, 0x001c, 0x001d, 0x001e, 0x0020 -> true;
            default -> false;
        };
    }

    private static int mappedAddress(byte[] answer, IpAddress source, int port) {
        boolean isIpv4 = source.isIpv4();
        int at = HEADER_LENGTH;
        putInt16(answer, at, XOR_MAPPED_ADDRESS);
        putInt16(answer, at + 2, isIpv4 ? 8 : 20);
        putInt16(answer, at + 4, isIpv4 ? 1 : 2);
        putInt16(answer, at + 6, port ^ COOKIE >>> 16);
        if (isIpv4) {
            putInt32(answer, at + 8, (int) source.low() ^ COOKIE);
            return at + 12;
        }
        // with the cookie and the transaction id, which follow each other in the header
        for (int i = 0; i < 4; i++) {
            long half = i < 2 ? source.high() : source.low();
            putInt32(answer, at + 8 + 4 * i, (int) (half >>> 32 * (1 - (i & 1))) ^ int32(answer, 4 + 4 * i));
        }
        return at + 24;
    }

    /** 420 (RFC 8489, 14.8 and 14.9). */
    private int error(byte[] answer) {
        int at = HEADER_LENGTH;
        putInt16(answer, at, ERROR_CODE);
        putInt16(answer, at + 2, 4 + REASON.length);
        putInt32(answer, at + 4, 4 << 8 | 20);
        System.arraycopy(REASON, 0, answer, at + 8, REASON.length);
        int end = at + 8 + REASON.length;
        while ((end & 3) != 0) {
            answer[end++] = 0;
        }
        at = end;
        putInt16(answer, at, UNKNOWN_ATTRIBUTES);
        putInt16(answer, at + 2, 2 * unknownCount);
        for (int i = 0; i < unknownCount; i++) {
            putInt16(answer, at + 4 + 2 * i, unknown[i]);
        }
        end = at + 4 + 2 * unknownCount;
        while ((end & 3) != 0) {
            answer[end++] = 0;
        }
        return end;
    }

    private int fingerprint(byte[] answer, int end) {
        putInt16(answer, 2, end + FINGERPRINT_LENGTH - HEADER_LENGTH); // which the sum covers
        putInt16(answer, end, FINGERPRINT);
        putInt16(answer, end + 2, 4);
        putInt32(answer, end + 4, fingerprintOf(answer, 0, end));
        return end + FINGERPRINT_LENGTH;
    }

    private int fingerprintOf(byte[] octets, int offset, int length) {
        crc.reset();
        crc.update(octets, offset, length);
        return (int) crc.getValue() ^ FINGERPRINT_MASK;
    }

    private static int int16(byte[] octets, int at) {
        return (octets[at] & 0xff) << 8 | octets[at + 1] & 0xff;
    }

    private static int int32(byte[] octets, int at) {
        return int16(octets, at) << 16 | int16(octets, at + 2);
    }

    private static void putInt16(byte[] octets, int at, int value) {
        octets[at] = (byte) (value >>> 8);
        octets[at + 1] = (byte) value;
    }

    private static void putInt32(byte[] octets, int at, int value) {
        putInt16(octets, at, value >>> 16);
        putInt16(octets, at + 2, value);
    }
}
