package io.offhook.proxy.statistics;

import java.util.Locale;

/** Where a call is. */
public enum CallState {
    /** Its INVITE is being routed, or was forwarded and nothing came back. */
    TRYING,
    /** A provisional response beyond 100 was forwarded. */
    RINGING,
    /** A 2xx was forwarded. */
    ANSWERED,
    /** A BYE or CANCEL was forwarded. */
    ENDING;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The state as it is written: "ringing". */
    public String word() {
        return word;
    }
}
