package io.offhook.cli.xray;

import io.offhook.monitor.xray.Cause;
import io.offhook.monitor.xray.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** All gaps in sums, and the longest of them. Bounded. */
final class XrayTotals {
    /** The most gaps that are kept: the longest. */
    static final int MOST_GAPS = 10_000;

    /** The most things to say of a cause; those that come later are summed up, but not named. */
    private static final int MOST_WHAT = 1000;

    private static final Comparator<JudgedGap> SHORTEST_FIRST =
            Comparator.comparingLong((JudgedGap one) -> one.gap().ns());

    private final Map<Cause, Sum> causes = new EnumMap<>(Cause.class);
    private final PriorityQueue<JudgedGap> longest = new PriorityQueue<>(SHORTEST_FIRST);
    private long count;
    private long ns;
    private long unanswered;

    /** What a cause has in all. */
    static final class Sum {
        private long ns;
        private long gaps;
        private final Map<String, Long> what = new HashMap<>();

        /** How long it has, in nanoseconds. */
        long ns() {
            return ns;
        }

        /** In how many gaps it has more than any other. */
        long gaps() {
            return gaps;
        }

        /** What there is to say of it, what holds for longest first; and how long, in nanoseconds. */
        List<Map.Entry<String, Long>> what(int most) {
            return what.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(most)
                    .map(one -> Map.entry(one.getKey(), one.getValue()))
                    .toList();
        }

        private void add(Slice slice) {
            ns += slice.ns();
            if (!slice.what().isEmpty() && (what.size() < MOST_WHAT || what.containsKey(slice.what()))) {
                what.merge(slice.what(), slice.ns(), Long::sum);
            }
        }
    }

    void add(JudgedGap judged) {
        longest.add(judged);
        if (longest.size() > MOST_GAPS) {
            longest.remove();
        }
        if (!judged.gap().isAnswered()) {
            unanswered++; // their length is that of the limit, which would drown the others
            return;
        }
        count++;
        ns += judged.gap().ns();
        judged.slices().forEach(slice -> of(slice.cause()).add(slice));
        of(judged.main()).gaps++;
    }

    private Sum of(Cause cause) {
        return causes.computeIfAbsent(cause, _ -> new Sum());
    }

    /** The sums, of causes that have any, in their order. */
    Map<Cause, Sum> causes() {
        return causes;
    }

    /** The gaps that are kept, the longest first: unanswered ones, too. */
    List<JudgedGap> longest() {
        List<JudgedGap> all = new ArrayList<>(longest);
        all.sort(SHORTEST_FIRST.reversed().thenComparingLong(one -> one.gap().fromNs()));
        return all;
    }

    /** How many gaps have an end. */
    long count() {
        return count;
    }

    /** How long these are together, in nanoseconds. */
    long ns() {
        return ns;
    }

    /** How many requests had no answer within the limit. */
    long unanswered() {
        return unanswered;
    }
}
