package io.offhook.rtp.quality;

import java.util.Locale;

/** Where the values of a codec come from. */
public enum Basis {
    /** A table of the ITU. */
    ITU,
    /** A published measurement, or another product. */
    PUBLISHED,
    /** An assumption of this project. */
    ASSUMED,
    /** Often quoted, but not seen in a source that could be opened; only with {@link QualitySettings#unverified()}. */
    UNVERIFIED,
    /** The user's configuration. */
    CONFIGURED;

    /** Whether a MOS that rests on it is an estimate. */
    public boolean isEstimate() {
        return this == PUBLISHED || this == ASSUMED || this == UNVERIFIED;
    }

    /** The name in JSON: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
