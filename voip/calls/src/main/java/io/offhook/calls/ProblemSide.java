package io.offhook.calls;

import java.util.Locale;

/** Whose packets a problem is about. */
public enum ProblemSide {
    /** The sender of the INVITE. */
    CALLER,
    /** The receiver of the INVITE. */
    CALLEE,
    /** Those of either. */
    BOTH;

    static ProblemSide of(Side side) {
        return side == Side.CALLER ? CALLER : CALLEE;
    }

    /** The name in JSON and texts: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
