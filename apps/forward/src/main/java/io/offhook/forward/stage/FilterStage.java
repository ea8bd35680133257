package io.offhook.forward.stage;

import io.offhook.filter.PacketFilter;
import io.offhook.forward.Burst;
import io.offhook.forward.Stage;
import java.util.List;

/**
 * Drops or passes packets by expressions of pcap-filter(7): the first matching rule decides; a rule that only counts
 * decides nothing. The rules can be replaced while it runs.
 */
public final class FilterStage implements Stage {
    /** The action of a rule on packets that match. */
    public enum Action {
        /** Passes it; later rules are not applied. */
        ALLOW,
        /** Drops it. */
        DENY,
        /** Counts it and continues with the next rule. */
        COUNT
    }

    /**
     * A rule; lanes may share it if its filter is thread-safe.
     *
     * @param action the action
     * @param filter the packets, of Ethernet
     */
    public record Rule(Action action, PacketFilter filter) {}

    /** Rules with their counts, replaced as a whole. */
    public static final class Rules {
        private final Rule[] rules;
        private final boolean isAllowed;
        private final long[] matches;

        /**
         * Creates rules with all counts 0.
         *
         * @param rules the rules, in order
         * @param isAllowed whether a packet passes if no rule decides
         */
        public Rules(List<Rule> rules, boolean isAllowed) {
            this.rules = rules.toArray(Rule[]::new);
            this.isAllowed = isAllowed;
            matches = new long[rules.size()];
        }

        /** The packets that a rule has matched. Any thread. */
        public long matches(int rule) {
            return matches[rule];
        }
    }

    private volatile Rules rules;

    /**
     * Creates a stage.
     *
     * @param rules the rules, in order
     * @param isAllowed whether a packet passes if no rule decides
     */
    public FilterStage(List<Rule> rules, boolean isAllowed) {
        this(new Rules(rules, isAllowed));
    }

    /**
     * Creates a stage with rules whose counts can be read elsewhere.
     *
     * @param rules the rules, which no other stage may use, as they count
     */
    public FilterStage(Rules rules) {
        this.rules = rules;
    }

    /** Replaces the rules from the next burst on, with counts of 0. Any thread. */
    public void exchange(List<Rule> rules, boolean isAllowed) {
        exchange(new Rules(rules, isAllowed));
    }

    /**
     * Replaces the rules from the next burst on; their counts continue. Any thread.
     *
     * @param rules the rules, which no other stage may use
     */
    public void exchange(Rules rules) {
        this.rules = rules;
    }

    /** The packets that a rule has matched since it was installed. Any thread. */
    public long matches(int rule) {
        return rules.matches(rule);
    }

    @Override
    public String name() {
        return "filter";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("denied", "not allowed");
    }

    @Override
    public void process(Burst burst) {
        Rules current = rules;
        for (int i = 0, count = burst.count(); i < count; i++) {
            Action action = decide(current, burst, i);
            if (action == Action.DENY) {
                burst.drop(i, 0);
            } else if (action == Action.COUNT && !current.isAllowed) {
                burst.drop(i, 1);
            }
        }
    }

    /** @return COUNT if no rule decides */
    private static Action decide(Rules current, Burst burst, int i) {
        Rule[] rules = current.rules;
        for (int r = 0; r < rules.length; r++) {
            int length = burst.length(i);
            if (rules[r].filter().match(burst.memory(), burst.address(i), length, length) != 0) {
                current.matches[r]++;
                if (rules[r].action() != Action.COUNT) {
                    return rules[r].action();
                }
            }
        }
        return Action.COUNT;
    }
}
