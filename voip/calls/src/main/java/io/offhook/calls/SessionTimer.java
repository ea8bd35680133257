package io.offhook.calls;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;

/**
 * The session timer of a call (RFC 4028): the session expires unless an INVITE or an UPDATE refreshes it. A 2xx to one of
 * them sets the interval, or ends the timer if it names none; the request itself counts as a refresh as well, as its response
 * may be missing to the capture.
 */
final class SessionTimer {
    private long seconds = -1;
    private long refreshedNs = Call.NEVER;

    /** Notes a message of the call. */
    void message(SipMessageView message, long timestampNs) {
        SipMethod method = message.isRequest() ? message.method() : message.cseqMethod();
        if (method != SipMethod.INVITE && method != SipMethod.UPDATE) {
            return;
        }
        if (message.isRequest()) {
            refreshedNs = timestampNs;
        } else if (message.statusCode() / 100 == 2) {
            seconds = message.sessionExpires();
            refreshedNs = timestampNs;
        }
    }

    /** When the session expires, nanoseconds since the epoch; Long.MAX_VALUE if it does not. */
    long expiresNs() {
        return seconds <= 0 ? Long.MAX_VALUE : refreshedNs + seconds * 1_000_000_000L;
    }

    /** The interval in seconds, at most 2^32 - 1; -1 without a timer. */
    long seconds() {
        return seconds;
    }
}
