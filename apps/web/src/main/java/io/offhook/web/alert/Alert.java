package io.offhook.web.alert;

import io.offhook.report.fields.JsonFields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An alert that is raised, or was.
 *
 * @param name of its rule
 * @param kind of its rule
 * @param sinceNs since when, nanoseconds since the epoch
 * @param value the last one that was measured; NaN if there is none
 * @param text what it is about; parts of it may come from the network
 */
public record Alert(String name, AlertKind kind, long sinceNs, double value, String text) {
    private static final int DECIMALS = 3;
    private static final int MOST_DETAIL = 80;
    private static final double NS_PER_SECOND = 1e9;

    static Alert of(AlertRule rule, long sinceNs, AlertQueries.Measured measured) {
        return new Alert(rule.name(), rule.kind(), sinceNs, measured.value(), text(rule, measured));
    }

    private static String text(AlertRule rule, AlertQueries.Measured measured) {
        StringBuilder text = new StringBuilder();
        if (measured.source() != null) {
            text.append(measured.source()).append(": ");
        }
        text.append(shown(measured.value())).append(' ');
        text.append(rule.kind().words());
        text.append(" in ").append(shown(rule.window().ns() / NS_PER_SECOND)).append(" s (raised at ");
        text.append(shown(rule.limits().raise())).append(')');
        if (measured.detail() != null) {
            text.append("; mostly ").append(shortened(measured.detail()));
        }
        return text.toString();
    }

    private static String shortened(@Nullable String detail) {
        String whole = String.valueOf(detail);
        return whole.length() <= MOST_DETAIL ? whole : whole.substring(0, MOST_DETAIL) + "…";
    }

    private static String shown(double value) {
        if (Double.isNaN(value)) {
            return "no value";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.1f", value);
    }

    /** Writes its fields into the object that is open. */
    void write(JsonFields out) {
        out.field("name", name).field("kind", kind.label()).time("since", sinceNs);
        out.field("value", value, DECIMALS).field("text", text);
    }
}
