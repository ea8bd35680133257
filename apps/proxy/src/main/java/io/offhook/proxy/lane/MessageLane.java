package io.offhook.proxy.lane;

import io.offhook.sip.SipMessageView;
import io.offhook.transport.CallIdLane;
import java.nio.charset.StandardCharsets;

/**
 * The lane that a message belongs to, found without parsing it: a response to what we sent names it in its topmost Via; any
 * other message goes by the hash of its Call-ID, so that all of a dialog has one lane.
 *
 * <pre>
 *  SIP/2.0 200 OK ... ;branch=z9hG4bKoh 01 ...      lane 1
 * </pre>
 */
final class MessageLane {
    private static final byte[] RESPONSE = "SIP/2.0 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BRANCH = "branch=z9hG4bKoh".getBytes(StandardCharsets.US_ASCII);
    private static final int REACH = 512;

    private MessageLane() {}

    /** The lane of a message, 0 to {@code lanes - 1}; {@code own} if nothing tells. */
    static int of(byte[] message, int length, int own, int lanes) {
        if (isResponse(message, length)) {
            int lane = branchLane(message, Math.min(length, REACH));
            return lane >= 0 && lane < lanes ? lane : own;
        }
        int from = SipMessageView.callIdOffset(message, 0, length);
        if (from < 0) {
            return own;
        }
        int end = from;
        while (end < length && message[end] != '\r' && message[end] != '\n') {
            end++;
        }
        return CallIdLane.of(message, from, end, lanes);
    }

    private static boolean isResponse(byte[] message, int length) {
        if (length < RESPONSE.length) {
            return false;
        }
        for (int i = 0; i < RESPONSE.length; i++) {
            if (message[i] != RESPONSE[i]) {
                return false;
            }
        }
        return true;
    }

    /** The lane in the first branch that is one of ours; -1 if there is none. */
    private static int branchLane(byte[] message, int end) {
        int last = end - BRANCH.length - 2;
        for (int at = RESPONSE.length; at <= last; at++) {
            if (message[at] == 'b' && matches(message, at)) {
                int high = digit(message[at + BRANCH.length]);
                int low = digit(message[at + BRANCH.length + 1]);
                return high < 0 || low < 0 ? -1 : high << 4 | low;
            }
        }
        return -1;
    }

    private static boolean matches(byte[] message, int at) {
        for (int i = 0; i < BRANCH.length; i++) {
            if (message[at + i] != BRANCH[i]) {
                return false;
            }
        }
        return true;
    }

    private static int digit(int octet) {
        return octet >= '0' && octet <= '9' ? octet - '0' : octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
    }
}
