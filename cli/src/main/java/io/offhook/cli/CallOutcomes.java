package io.offhook.cli;

import io.offhook.calls.Outcome;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The outcomes of calls by the names that are typed and printed. */
final class CallOutcomes {
    /** In the order of {@link Outcome}. */
    static final Set<String> LABELS = labels();

    private CallOutcomes() {}

    private static Set<String> labels() {
        Set<String> labels = new LinkedHashSet<>();
        for (Outcome outcome : Outcome.values()) {
            labels.add(outcome.label());
        }
        return Collections.unmodifiableSet(labels);
    }

    static Style style(Outcome outcome) {
        return switch (outcome) {
            case ANSWERED, ONGOING -> Style.GOOD;
            case FAILED -> Style.BAD;
            case BUSY, DECLINED, CANCELLED, UNAVAILABLE -> Style.WARNING;
            case REDIRECTED, RINGING -> Style.NOTE;
        };
    }
}
