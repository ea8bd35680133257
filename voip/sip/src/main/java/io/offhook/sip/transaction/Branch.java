package io.offhook.sip.transaction;

import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import java.nio.charset.StandardCharsets;

/**
 * The branch parameter that we write into our Via (RFC 3261, 8.1.1.7 and 16.6 step 8). It names the lane and the place of
 * the client transaction, so that a response finds both without a search.
 *
 * <pre>
 *  z9hG4bKoh  01    f        00002a    5d41402abc4b2a76   9e107d9d
 *  cookie     lane  f or s   place     random or hash     loop
 *             2     1        6         16                 8          hexadecimal digits
 * </pre>
 *
 * <p>{@code f} is a transaction of ours; {@code s} a request forwarded without one, whose branch is a hash of that of the
 * request, so that a retransmission gets the same (16.11). {@code loop} is a hash of all that decides on the way of a request;
 * one that comes back with the same is in a loop (RFC 5393, 4.2).
 */
final class Branch {
    private static final byte[] COOKIE = "z9hG4bKoh".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NAME = "branch".getBytes(StandardCharsets.US_ASCII);
    private static final int LANE = COOKIE.length;
    private static final int KIND = LANE + 2;
    private static final int SLOT = KIND + 1;
    private static final int TOKEN = SLOT + 6;
    private static final int LOOP = TOKEN + 16;
    private static final int LENGTH = LOOP + 8;

    /** The most lanes: two hexadecimal digits. */
    static final int LANES = 256;

    /** The most client transactions of a lane: six hexadecimal digits. */
    static final int SLOTS = 1 << 24;

    private boolean stateless;
    private int lane;
    private int slot;
    private long token;
    private int loop;

    /** Appends the branch of a client transaction. */
    static void write(int lane, int slot, long token, int loop, OctetWriter out) {
        out.put(COOKIE)
                .putHex(lane, 2)
                .put('f')
                .putHex(slot, 6)
                .putHex(token, 16)
                .putHex(loop, 8);
    }

    /** Appends the branch of a request that is forwarded without a transaction. */
    static void writeStateless(int lane, long hash, int loop, OctetWriter out) {
        out.put(COOKIE).putHex(lane, 2).put('s').putHex(0, 6).putHex(hash, 16).putHex(loop, 8);
    }

    /** Reads the branch of a Via; false if it was not written by a proxy of this kind. */
    boolean read(SipViaView via, byte[] octets) {
        if (!via.find(NAME) || via.valueLength() != LENGTH) {
            return false;
        }
        int from = via.valueOffset();
        for (int i = 0; i < COOKIE.length; i++) {
            if (octets[from + i] != COOKIE[i]) {
                return false;
            }
        }
        long laneNumber = hex(octets, from + LANE, 2);
        long place = hex(octets, from + SLOT, 6);
        long loopHash = hex(octets, from + LOOP, 8);
        int kind = octets[from + KIND];
        if (laneNumber < 0 || place < 0 || loopHash < 0 || !isHex(octets, from + TOKEN) || kind != 'f' && kind != 's') {
            return false;
        }
        stateless = kind == 's';
        lane = (int) laneNumber;
        slot = (int) place;
        token = hex(octets, from + TOKEN, 8) << 32 | hex(octets, from + TOKEN + 8, 8);
        loop = (int) loopHash;
        return true;
    }

    boolean isStateless() {
        return stateless;
    }

    int lane() {
        return lane;
    }

    int slot() {
        return slot;
    }

    long token() {
        return token;
    }

    int loop() {
        return loop;
    }

    private static boolean isHex(byte[] octets, int from) {
        return hex(octets, from, 8) >= 0 && hex(octets, from + 8, 8) >= 0;
    }

    /** The number of up to eight digits; -1 if one is none. */
    private static long hex(byte[] octets, int from, int digits) {
        long number = 0;
        for (int i = from; i < from + digits; i++) {
            int octet = octets[i];
            int digit =
                    octet >= '0' && octet <= '9' ? octet - '0' : octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
            if (digit < 0) {
                return -1;
            }
            number = number << 4 | digit;
        }
        return number;
    }
}
