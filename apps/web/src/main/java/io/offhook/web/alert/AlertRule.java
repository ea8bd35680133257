package io.offhook.web.alert;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import java.util.List;

/**
 * A rule.
 *
 * @param name identifies it
 * @param kind what it watches
 * @param window how far back it looks
 * @param limits when it is raised and cleared
 * @param forNs how long a limit must be passed, nanoseconds; 0 for once
 * @param repeatNs the least time between two notices of it, nanoseconds
 * @param to the names of the targets
 */
public record AlertRule(
        String name, AlertKind kind, Window window, Limits limits, long forNs, long repeatNs, List<String> to) {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long HOUR_NS = 3600 * SECOND_NS;
    private static final double MOST = 1e9;

    private static final ConfigKey<String> NAME = ConfigKey.required("name", ConfigTypes.text(64), "Names the alert.");
    private static final ConfigKey<AlertKind> KIND = ConfigKey.required(
            "kind",
            ConfigTypes.oneOf(AlertKind.class),
            "What it watches: the percentage of bad calls (`bad-calls`), a low answer-seizure ratio in percent"
                    + " (`low-asr`), by how many percentage points it is lower than in the time `before` (`asr-drop`),"
                    + " REGISTERs a second (`registration-storm`), targets that one source asked or refusals"
                    + " that it got while it reached hardly any (`scanner`), registrations of one source that failed"
                    + " (`brute-force`), what Offhook itself dropped (`own-drops`).");
    private static final ConfigKey<Long> WINDOW =
            ConfigKey.of("window", ConfigTypes.durationNs(5 * SECOND_NS, HOUR_NS), "1m", "How far back it looks.");
    private static final ConfigKey<Long> BEFORE = ConfigKey.of(
            "before",
            ConfigTypes.durationNs(60 * SECOND_NS, 7 * 24 * HOUR_NS),
            "1h",
            "Of `asr-drop`: the time before the window that it is compared with.");
    private static final ConfigKey<Double> RAISE = ConfigKey.required(
            "raise",
            ConfigTypes.decimal(0, MOST),
            "The value from which the alert is raised, inclusive; of `low-asr`, down from which.");
    private static final ConfigKey<Double> CLEAR = ConfigKey.optional(
            "clear",
            ConfigTypes.decimal(0, MOST),
            "The value at which it is cleared again, on the good side of `raise`. Default `raise` itself, not"
                    + " inclusive.");
    private static final ConfigKey<Integer> MINIMUM = ConfigKey.of(
            "minimum",
            ConfigTypes.integer(1, 1_000_000_000),
            "1",
            "Calls or messages without which a window says nothing: with fewer, a percentage neither raises nor"
                    + " clears, and a number or rate does not raise. Of `asr-drop`, both in the window and before it.");
    private static final ConfigKey<Long> FOR = ConfigKey.of(
            "for", ConfigTypes.durationNs(0, HOUR_NS), "0s", "How long the value must be beyond `raise`, or `clear`.");
    private static final ConfigKey<Long> REPEAT = ConfigKey.of(
            "repeat",
            ConfigTypes.durationNs(10 * SECOND_NS, 7 * 24 * HOUR_NS),
            "1h",
            "The least time between two notices that it is raised; as often it is repeated while it is.");
    private static final ConfigKey<List<String>> TO =
            ConfigKey.repeated("to", ConfigTypes.text(64), 16, "The targets that are notified, by name.");

    private static final ConfigSchema<AlertRule> SCHEMA = ConfigSchema.of(
            "rule",
            "What raises an alert.",
            AlertRule::of,
            NAME,
            KIND,
            WINDOW,
            BEFORE,
            RAISE,
            CLEAR,
            MINIMUM,
            FOR,
            REPEAT,
            TO);

    /**
     * How far back a rule looks.
     *
     * @param ns its length, nanoseconds
     * @param beforeNs the length of the time before it that some kinds compare it with, nanoseconds
     */
    public record Window(long ns, long beforeNs) {}

    /**
     * When a rule is raised and cleared.
     *
     * @param raise the value from which it is raised
     * @param clear the value from which it is cleared, on the good side of {@code raise} or equal to it
     * @param minimum the least sample
     */
    public record Limits(double raise, double clear, int minimum) {}

    /** Copies the targets. */
    public AlertRule {
        to = List.copyOf(to);
    }

    /** The keys of a rule. */
    static ConfigSchema<AlertRule> schema() {
        return SCHEMA;
    }

    private static AlertRule of(ConfigValues values) {
        AlertKind kind = values.get(KIND);
        double raise = values.get(RAISE);
        Double given = values.find(CLEAR);
        double clear = given == null ? raise : given;
        if (kind.isHighBad() ? clear > raise : clear < raise) {
            values.fault(
                    CLEAR,
                    "is " + clear + " and should be at " + (kind.isHighBad() ? "most" : "least") + " raise, " + raise);
        }
        return new AlertRule(
                values.get(NAME),
                kind,
                new Window(values.get(WINDOW), values.get(BEFORE)),
                new Limits(raise, clear, values.get(MINIMUM)),
                values.get(FOR),
                values.get(REPEAT),
                values.get(TO));
    }

    /** Whether a value is as bad as to raise the alert. */
    boolean isRaisedBy(double value) {
        return kind.isHighBad() ? value >= limits.raise : value <= limits.raise;
    }

    /** Whether a value is as good as to clear it. */
    boolean isClearedBy(double value) {
        return !isRaisedBy(value) && (kind.isHighBad() ? value <= limits.clear : value >= limits.clear);
    }
}
