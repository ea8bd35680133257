package io.offhook.web.alert;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Alerts, as a section of a configuration.
 *
 * @param rules what raises them
 * @param targets whom they are sent to, by name
 * @param mostAnHour the most notices in any hour, all rules together
 */
public record AlertConfig(List<AlertRule> rules, Map<String, TargetConfig> targets, int mostAnHour) {
    /** No alerts. */
    public static final AlertConfig NONE = new AlertConfig(List.of(), Map.of(), 1);

    private static final int MOST_RULES = 64;
    private static final int MOST_TARGETS = 16;

    private static final ConfigKey<List<AlertRule>> RULES =
            ConfigKey.repeated("rules", AlertRule.schema(), MOST_RULES, "What raises alerts.");
    private static final ConfigKey<Map<String, TargetConfig>> TARGETS = ConfigKey.optional(
            "targets", ConfigTypes.map(TargetConfig.type(), MOST_TARGETS), "Whom notices are sent to, by name.");
    private static final ConfigKey<Integer> MOST_AN_HOUR = ConfigKey.of(
            "most-an-hour",
            ConfigTypes.integer(1, 10_000),
            "60",
            "The most notices in an hour, all rules together; how many were held back stands in the next one.");

    private static final ConfigSchema<AlertConfig> SCHEMA = ConfigSchema.of(
            "alerts",
            "Rules that watch the calls, and whom they notify.",
            AlertConfig::of,
            RULES,
            TARGETS,
            MOST_AN_HOUR);

    /** Copies lists and maps. */
    public AlertConfig {
        rules = List.copyOf(rules);
        targets = Map.copyOf(targets);
    }

    /** The keys of the section. */
    public static ConfigSchema<AlertConfig> schema() {
        return SCHEMA;
    }

    private static AlertConfig of(ConfigValues values) {
        List<AlertRule> rules = values.get(RULES);
        Map<String, TargetConfig> given = values.find(TARGETS);
        Map<String, TargetConfig> targets = given == null ? Map.of() : given;
        Set<String> names = new HashSet<>();
        for (AlertRule rule : rules) {
            if (!names.add(rule.name())) {
                values.fault(RULES, "has two rules with the name " + rule.name());
            }
            for (String target : rule.to()) {
                if (!targets.containsKey(target) && !values.isFaulty(TARGETS)) {
                    values.fault(
                            RULES, "has a rule " + rule.name() + " to " + target + ", which is not one of targets");
                }
            }
        }
        return new AlertConfig(rules, targets, values.get(MOST_AN_HOUR));
    }
}
