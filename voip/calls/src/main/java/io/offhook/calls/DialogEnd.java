package io.offhook.calls;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Other ends of a call than its BYE, and what was said about an end: a request within the dialog whose response ends the
 * dialog (RFC 3261, 12.2.1.2; RFC 5057, 5), and Reason headers (RFC 3326).
 */
final class DialogEnd {
    private static final int Q850_RECOVERY_ON_TIMER = 102;

    private long requestCseq = -1;
    private long requestNs = Call.NEVER;
    private long droppedNs = Call.NEVER;
    private int droppedStatus;
    private long expiredNs = Call.NEVER;
    private long expirySeconds;
    private boolean completedElsewhere;
    private long mediaTimeoutNs = Call.NEVER;
    private @Nullable Side mediaTimeoutBy;

    /** Notes a request of a dialog, or a CANCEL. */
    void request(SipMessageView message, Side by, long timestampNs) {
        SipMethod method = message.method();
        if (method == SipMethod.CANCEL || method == SipMethod.BYE) {
            reason(message, by, timestampNs);
        }
        if (isTelling(method)) {
            requestCseq = message.cseqNumber();
            requestNs = timestampNs;
        }
    }

    private void reason(SipMessageView message, Side by, long timestampNs) {
        String reason = message.reason();
        if (reason.isEmpty()) {
            return;
        }
        String lower = reason.toLowerCase(Locale.ROOT);
        int cause = message.reasonCause();
        completedElsewhere |= lower.startsWith("sip") && cause == 200;
        boolean isMediaTimeout = lower.startsWith("q.850") && cause == Q850_RECOVERY_ON_TIMER
                || lower.contains("rtp")
                        && (lower.contains("timeout") || lower.contains("time out") || lower.contains("no rtp"))
                || lower.contains("media timeout");
        if (message.method() == SipMethod.BYE && isMediaTimeout) {
            mediaTimeoutNs = timestampNs;
            mediaTimeoutBy = by;
        }
    }

    /** Notes a response to a request within the dialog. One that succeeds later shows that the dialog goes on after all. */
    void response(SipMessageView message, long timestampNs) {
        int status = message.statusCode();
        boolean isOfLast = message.cseqNumber() == requestCseq;
        if (!isTelling(message.cseqMethod())) {
            return;
        }
        if (endsDialog(status) && droppedNs == Call.NEVER) {
            droppedNs = isOfLast ? requestNs : timestampNs;
            droppedStatus = status;
        } else if (status / 100 == 2 && isOfLast && droppedNs != Call.NEVER && requestNs > droppedNs) {
            droppedNs = Call.NEVER;
            droppedStatus = 0;
        }
    }

    /**
     * Statuses that end the dialog of their request, or its use for the call: for a call that is nothing else the same.
     *
     * <p>408 and 481 are certain: RFC 3261, 12.2.1.2. RFC 5057, section 5, adds others; its text was not at hand when this
     * list was checked, so that the following is from memory. 404, 410 and 604 (the target is gone), 416, 484 and 485 (it
     * cannot be reached by that URI), 482, 483 and 502 (the way to it is broken): all of the dialog ends. Left out are 405,
     * 480, 489 and 501, of which at most the usage ends: 489 is for subscriptions; re-INVITE, UPDATE and OPTIONS are also
     * refused with 405, 480 and 501 where the call goes on, and a wrong {@code dropped} is worse than a missed one. All
     * others, 488 and 491 above all, end the transaction only.
     */
    private static boolean endsDialog(int status) {
        return switch (status) {
            case 404, 408, 410, 416, 481, 482, 483, 484, 485, 502, 604 -> true;
            default -> false;
        };
    }

    /** Requests whose refusal shows that the other side no longer knows the dialog. */
    private static boolean isTelling(SipMethod method) {
        return switch (method) {
            case INVITE, UPDATE, OPTIONS, BYE -> true;
            default -> false;
        };
    }

    /** Notes that nobody refreshed the session, which ended at a time; {@link Call#NEVER} if it did not. */
    void expired(long endedNs, long seconds) {
        expiredNs = endedNs;
        expirySeconds = seconds;
    }

    /**
     * When the request was sent that the other side refused, or when the session ended that nobody refreshed;
     * {@link Call#NEVER} if neither happened.
     */
    long droppedNs() {
        return droppedNs == Call.NEVER ? expiredNs : droppedNs;
    }

    /** The interval of the session timer that ran out, in seconds; NaN if none did. */
    double expirySeconds() {
        return droppedNs == Call.NEVER && expiredNs != Call.NEVER ? expirySeconds : Double.NaN;
    }

    /** The status of that response; 0 if the session timer ran out. */
    int droppedStatus() {
        return droppedStatus;
    }

    /** Whether the caller's side was told that another one answered. */
    boolean isCompletedElsewhere() {
        return completedElsewhere;
    }

    /** When a BYE gave the lack of media as its reason; {@link Call#NEVER} if none did. */
    long mediaTimeoutNs() {
        return mediaTimeoutNs;
    }

    /** Who sent that BYE. */
    @Nullable
    Side mediaTimeoutBy() {
        return mediaTimeoutBy;
    }

    /**
     * The session timer of a call (RFC 4028): the session expires unless an INVITE or an UPDATE refreshes it. A 2xx to one of
     * them sets the interval, or ends the timer if it names none; the request itself counts as a refresh as well, as its response
     * may be missing to the capture.
     */
    static final class SessionTimer {
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
}
