package io.offhook.calls;

import java.util.Locale;

/** One of the two parties of a call. */
public enum Side {
    /** The sender of the INVITE. */
    CALLER,
    /** The receiver of the INVITE. */
    CALLEE;

    /** The opposite one. */
    public Side other() {
        return this == CALLER ? CALLEE : CALLER;
    }

    /** The name in JSON and tables: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
