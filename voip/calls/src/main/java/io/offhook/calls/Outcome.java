package io.offhook.calls;

import io.offhook.calls.invite.InviteLeg;
import java.util.Locale;

/** How a call ended, or how far it got by the end of the capture. */
public enum Outcome {
    /** A 2xx to the INVITE, or a message that can only follow one, and a BYE. */
    ANSWERED,
    /** 486 Busy Here or 600 Busy Everywhere. */
    BUSY,
    /** 603 Decline (or 607 Unwanted, 608 Rejected). */
    DECLINED,
    /** The caller sent CANCEL, or BYE before the answer, and the INVITE ended in 487. */
    CANCELLED,
    /**
     * 404, 408, 410 or 480; or no response, or no final one, within the time that SIP allows (RFC 3261, 17.1.1.2,
     * 16.6).
     */
    UNAVAILABLE,
    /** Any other final response of 400 or higher. */
    FAILED,
    /** A 3xx that was not followed by another INVITE. */
    REDIRECTED,
    /** No final response yet. */
    RINGING,
    /** Answered, and no BYE yet. */
    ONGOING;

    /** The outcome of an INVITE that ended in {@code status}, 300 to 699 or {@link InviteLeg#REFUSED}. */
    static Outcome ofFailure(int status, boolean cancelled) {
        return switch (status) {
            case 486, 600 -> BUSY;
            case 603, 607, 608 -> DECLINED;
            case 404, 408, 410, 480 -> UNAVAILABLE;
            case 487, InviteLeg.REFUSED -> cancelled ? CANCELLED : FAILED;
            default -> status < 400 ? REDIRECTED : FAILED;
        };
    }

    /** The name in JSON and tables: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
