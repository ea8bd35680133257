package io.offhook.web.alert;

import java.util.Locale;

/** What a rule watches. */
public enum AlertKind {
    /** Calls that ended and whose service failed, in percent. */
    BAD_CALLS("% of calls were bad", true, AlertQueries.BAD_CALLS),
    /** The answer-seizure ratio in percent; raised when it is low. */
    LOW_ASR("% of call attempts were answered", false, AlertQueries.LOW_ASR),
    /** By how many percentage points the answer-seizure ratio is below that of the time before. */
    ASR_DROP("percentage points fewer call attempts were answered than before", true, AlertQueries.ASR_DROP),
    /** REGISTERs a second. */
    REGISTRATION_STORM("REGISTERs a second", true, AlertQueries.REGISTRATION_STORM),
    /** Targets that one source asked, or refusals that it got, without reaching more than a tenth of them. */
    SCANNER("targets asked or refused", true, AlertQueries.SCANNER),
    /** Registrations of one source that were refused or challenged, beyond those that succeeded. */
    BRUTE_FORCE("registrations failed", true, AlertQueries.BRUTE_FORCE),
    /** What Offhook itself lost. */
    OWN_DROPS("packets or messages were dropped by Offhook", true, AlertQueries.OWN_DROPS);

    private final String words;
    private final boolean isHighBad;
    private final String sql;

    AlertKind(String words, boolean isHighBad, String sql) {
        this.words = words;
        this.isHighBad = isHighBad;
        this.sql = sql;
    }

    /** The name in configurations and JSON: lower case, with hyphens. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What stands behind the value, in words. */
    String words() {
        return words;
    }

    /** Whether it is a share of calls, of which a small sample says nothing. */
    boolean isShare() {
        return this == BAD_CALLS || this == LOW_ASR || this == ASR_DROP;
    }

    /** Whether an alert is raised by values that are too high, not too low. */
    boolean isHighBad() {
        return isHighBad;
    }

    /** The query for value, sample, source and detail in a window. */
    String sql() {
        return sql;
    }
}
