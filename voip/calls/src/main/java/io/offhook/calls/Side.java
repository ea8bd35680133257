package io.offhook.calls;

import java.util.Locale;

/** One of the two parties of a call. */
public enum Side {
    /** Who sent the INVITE. */
    CALLER,
    /** Who received it. */
    CALLEE;

    /** The opposite one. */
    public Side other() {
        return this == CALLER ? CALLEE : CALLER;
    }

    /** As JSON and tables say it: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
