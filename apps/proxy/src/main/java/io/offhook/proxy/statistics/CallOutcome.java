package io.offhook.proxy.statistics;

import java.util.Locale;

/** How a call ended. */
public enum CallOutcome {
    /** It was answered, and somebody hung up. */
    COMPLETED,
    /** It was answered, and its end was never seen: the proxy forgot it. */
    FORGOTTEN,
    /** The caller gave up before it was answered (CANCEL, 487). */
    CANCELLED,
    /** The callee, or a proxy on the way, refused it: a final response of 300 to 699. */
    REFUSED,
    /** Nobody answered in time: 408, timer B or C. */
    TIMED_OUT,
    /** This proxy refused it: a limit, a ban, overload, no route. */
    REJECTED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The outcome as it is written: "timed_out". */
    public String word() {
        return word;
    }
}
