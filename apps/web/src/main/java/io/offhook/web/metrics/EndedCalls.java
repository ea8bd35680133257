package io.offhook.web.metrics;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.Problem;
import io.offhook.calls.statistics.CallFigures;
import io.offhook.metrics.MetricHistogram;
import io.offhook.report.StreamFields;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * What was counted of ended calls; an attempt, and what ASR and NER are, is what docs/METRICS.md and the page's totals say.
 *
 * <p>One thread adds; any thread reads.
 */
final class EndedCalls {
    private static final double NS_PER_SECOND = 1e9;

    final Map<Outcome, LongAdder> outcomes = adders(Outcome.class);
    final Map<Problem.Kind, LongAdder> problems = adders(Problem.Kind.class);
    final LongAdder attempts = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder effective = new LongAdder();
    final LongAdder bad = new LongAdder();
    final MetricHistogram setUp =
            new MetricHistogram(0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 20, 30, 60, 120);
    final MetricHistogram duration =
            new MetricHistogram(1, 5, 10, 30, 60, 120, 180, 300, 600, 1200, 1800, 3600, 7200, 14_400);
    final Map<MosScale, MetricHistogram> mos = new EnumMap<>(MosScale.class);

    EndedCalls() {
        for (MosScale scale : MosScale.values()) {
            mos.put(
                    scale,
                    new MetricHistogram(1.5, 2, 2.5, 2.75, 3, 3.25, 3.5, 3.6, 3.75, 4, 4.1, 4.2, 4.3, 4.4, 4.5, 5));
        }
    }

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
        Map<E, LongAdder> adders = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            adders.put(constant, new LongAdder());
        }
        return adders;
    }

    /** Counts a call. */
    void add(CallReport call) {
        count(outcomes, call.outcome());
        rates(call);
        if (call.isBad()) {
            bad.increment();
        }
        Set<Problem.Kind> kinds = EnumSet.noneOf(Problem.Kind.class);
        for (Problem problem : call.problems()) {
            if (kinds.add(problem.kind())) {
                count(problems, problem.kind());
            }
        }
        seconds(setUp, call.times().setUpNs());
        seconds(duration, call.times().durationNs());
        Quality worst = StreamFields.worstQuality(call);
        if (worst != null) {
            MetricHistogram histogram = mos.get(worst.scale());
            if (histogram != null) {
                histogram.add(worst.mos());
            }
        }
    }

    private void rates(CallReport call) {
        if (!CallFigures.isAttempt(call)) {
            return;
        }
        attempts.increment();
        if (CallFigures.isAnswered(call)) {
            answered.increment();
        }
        if (CallFigures.isEffective(call)) {
            effective.increment();
        }
    }

    private static <E extends Enum<E>> void count(Map<E, LongAdder> adders, E constant) {
        LongAdder adder = adders.get(constant);
        if (adder != null) {
            adder.increment();
        }
    }

    private static void seconds(MetricHistogram histogram, long ns) {
        if (ns != CallReport.NEVER) {
            histogram.add(ns / NS_PER_SECOND);
        }
    }
}
