package io.offhook.cli.calls;

import io.offhook.calls.Outcome;
import io.offhook.cli.terminal.Style;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The outcomes of calls by their names in options and output. */
public final class CallOutcomes {
    /** The names, in the order of {@link Outcome}. */
    public static final Set<String> LABELS = labels();

    private CallOutcomes() {}

    private static Set<String> labels() {
        Set<String> labels = new LinkedHashSet<>();
        for (Outcome outcome : Outcome.values()) {
            labels.add(outcome.label());
        }
        return Collections.unmodifiableSet(labels);
    }

    public static Style style(Outcome outcome) {
        return switch (outcome) {
            case ANSWERED, ONGOING -> Style.GOOD;
            case FAILED -> Style.BAD;
            case BUSY, DECLINED, CANCELLED, UNAVAILABLE -> Style.WARNING;
            case REDIRECTED, RINGING -> Style.NOTE;
        };
    }
}
