package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.filter.PacketFilter;
import io.offhook.forward.Stage;
import io.offhook.forward.application.ForwardTypes;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageFigure;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageType;
import io.offhook.packet.LinkType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code filter} of a configuration: {@link FilterStage}. */
public final class FilterStageType implements StageType<FilterStageType.Config> {
    /**
     * The values of its keys.
     *
     * @param rules the rules, in order
     * @param isAllowed whether a packet passes if no rule decides
     */
    public record Config(List<RuleConfig> rules, boolean isAllowed) {}

    /**
     * A rule as configured.
     *
     * @param action the action
     * @param expression an expression of pcap-filter(7)
     */
    public record RuleConfig(FilterStage.Action action, String expression) {}

    private static final ConfigKey<FilterStage.Action> ACTION = ConfigKey.required(
            "action",
            ConfigTypes.oneOf(FilterStage.Action.class),
            "`allow` and `deny` decide; `count` continues with the next rule.");
    private static final ConfigKey<String> MATCH =
            ConfigKey.required("match", ForwardTypes.EXPRESSION, "The packets, as an expression of tcpdump.");
    private static final ConfigSchema<RuleConfig> RULE = ConfigSchema.of(
            "rule",
            "A rule; the first that decides applies.",
            values -> new RuleConfig(values.get(ACTION), values.get(MATCH)),
            ACTION,
            MATCH);
    private static final ConfigKey<List<RuleConfig>> RULES =
            ConfigKey.repeated("rules", RULE, 1000, "The rules, in order.").whileRunning();

    private enum Otherwise {
        ALLOW,
        DENY
    }

    private static final ConfigKey<Otherwise> OTHERWISE = ConfigKey.of(
                    "otherwise",
                    ConfigTypes.oneOf(Otherwise.class),
                    "allow",
                    "What happens to packets that no rule decides on.")
            .whileRunning();
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "filter",
            "Allows, denies or counts packets by filter expressions.",
            values -> new Config(values.get(RULES), values.get(OTHERWISE) == Otherwise.ALLOW),
            RULES,
            OTHERWISE);

    /** For {@link java.util.ServiceLoader}. */
    public FilterStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        return new Instances(config);
    }

    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(prepare(config, context));
    }

    /** Each lane has its own filters, as interpreted filters are not thread-safe. */
    private static final class Instances implements StageInstances<Config> {
        private final List<FilterStage> stages = new ArrayList<>();
        private Config config;
        /** The rules of each lane, by that configuration. */
        private List<FilterStage.Rules> rules = new ArrayList<>();

        Instances(Config config) {
            this.config = config;
        }

        private static FilterStage.Rules rules(Config config) {
            List<FilterStage.Rule> rules = config.rules().stream()
                    .map(rule ->
                            new FilterStage.Rule(rule.action(), PacketFilter.of(rule.expression(), LinkType.ETHERNET)))
                    .toList();
            return new FilterStage.Rules(rules, config.isAllowed());
        }

        @Override
        public Stage ofALane() {
            rules.add(rules(config));
            FilterStage stage = new FilterStage(rules.getLast());
            stages.add(stage);
            return stage;
        }

        @Override
        public List<Runnable> exchange(Config before, Config after) {
            if (before.equals(after)) {
                return List.of(); // the counts continue
            }
            List<Runnable> exchanges = new ArrayList<>();
            List<FilterStage.Rules> others = new ArrayList<>();
            for (FilterStage stage : stages) {
                FilterStage.Rules ofStage = rules(after);
                others.add(ofStage);
                exchanges.add(() -> stage.exchange(ofStage));
            }
            config = after;
            rules = others;
            return exchanges;
        }

        @Override
        public List<StageFigure> figures() {
            List<StageFigure> counts = new ArrayList<>();
            for (int i = 0; i < config.rules().size(); i++) {
                int rule = i;
                long packets = rules.stream().mapToLong(of -> of.matches(rule)).sum();
                RuleConfig of = config.rules().get(i);
                counts.add(new StageFigure.RuleCount(
                        of.action().name().toLowerCase(Locale.ROOT), of.expression(), packets));
            }
            return counts;
        }
    }
}
