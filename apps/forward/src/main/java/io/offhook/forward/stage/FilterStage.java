package io.offhook.forward.stage;

import io.offhook.filter.PacketFilter;
import io.offhook.forward.Burst;
import io.offhook.forward.Stage;
import java.util.List;

/**
 * Drops or lets pass by expressions of pcap-filter(7): the first rule that a packet matches decides, a rule that only counts
 * decides nothing. Rules can be exchanged while it runs.
 */
public final class FilterStage implements Stage {
    /** What a rule does with a packet that it matches. */
    public enum Action {
        /** Lets it pass, whatever rules come behind. */
        ALLOW,
        /** Drops it. */
        DENY,
        /** Counts it, and goes on to the next rule. */
        COUNT
    }

    /**
     * One rule; several lanes may use it at a time, where its filter allows it.
     *
     * @param action what is done
     * @param filter which packets, of Ethernet
     */
    public record Rule(Action action, PacketFilter filter) {}

    /** What is exchanged as one. */
    public static final class Rules {
        private final Rule[] rules;
        private final boolean isAllowed;
        private final long[] matches;

        /**
         * Rules that have not matched yet.
         *
         * @param rules in their order
         * @param isAllowed whether a packet that none decides on passes
         */
        public Rules(List<Rule> rules, boolean isAllowed) {
            this.rules = rules.toArray(Rule[]::new);
            this.isAllowed = isAllowed;
            matches = new long[rules.size()];
        }

        /** How many packets a rule has matched; any thread. */
        public long matches(int rule) {
            return matches[rule];
        }
    }

    private volatile Rules rules;

    /**
     * With rules.
     *
     * @param rules in their order
     * @param isAllowed whether a packet that none decides on passes
     */
    public FilterStage(List<Rule> rules, boolean isAllowed) {
        this(new Rules(rules, isAllowed));
    }

    /**
     * With rules whose counts can be asked for from outside.
     *
     * @param rules of this one alone, for they count
     */
    public FilterStage(Rules rules) {
        this.rules = rules;
    }

    /** Takes other rules from the next burst on; what they matched is counted from 0. Any thread. */
    public void exchange(List<Rule> rules, boolean isAllowed) {
        exchange(new Rules(rules, isAllowed));
    }

    /**
     * Takes other rules from the next burst on; their counts go on from where they are. Any thread.
     *
     * @param rules of this one alone
     */
    public void exchange(Rules rules) {
        this.rules = rules;
    }

    /** How many packets a rule has matched since it was given; any thread. */
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

    /** @return COUNT where no rule decides */
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
