package io.offhook.calls;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Other ends of a call than its BYE, and what was said about an end: a request within the dialog that got 408 or 481 (RFC
 * 3261, 12.2.1.2), and Reason headers (RFC 3326).
 */
final class DialogEnd {
    private static final int Q850_RECOVERY_ON_TIMER = 102;

    private long requestCseq = -1;
    private long requestNs = Call.NEVER;
    private long droppedNs = Call.NEVER;
    private int droppedStatus;
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

    /** Notes a response to a request within the dialog. */
    void response(SipMessageView message, long timestampNs) {
        int status = message.statusCode();
        if ((status == 408 || status == 481) && isTelling(message.cseqMethod()) && droppedNs == Call.NEVER) {
            droppedNs = message.cseqNumber() == requestCseq ? requestNs : timestampNs;
            droppedStatus = status;
        }
    }

    /** Requests whose refusal shows that the other side no longer knows the dialog. */
    private static boolean isTelling(SipMethod method) {
        return switch (method) {
            case INVITE, UPDATE, OPTIONS, BYE -> true;
            default -> false;
        };
    }

    /** When the request was sent that the other side refused; {@link Call#NEVER} if there was none. */
    long droppedNs() {
        return droppedNs;
    }

    /** 408 or 481. */
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
}
