package io.offhook.testkit.truth;

import java.util.Locale;

/** How a call ended, or how far it got. */
public enum PlannedOutcome {
    ANSWERED,
    BUSY,
    DECLINED,
    CANCELLED,
    UNAVAILABLE,
    REDIRECTED,
    FAILED,
    RINGING,
    ONGOING;

    /** The outcome of a call whose INVITE ended in {@code status}, 300 to 699. */
    public static PlannedOutcome ofFailure(int status, boolean cancelled) {
        return switch (status) {
            case 486, 600 -> BUSY;
            case 603 -> DECLINED;
            case 404, 408, 410, 480 -> UNAVAILABLE;
            case 487 -> cancelled ? CANCELLED : FAILED;
            default -> status < 400 ? REDIRECTED : FAILED;
        };
    }

    /** As output says it: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
