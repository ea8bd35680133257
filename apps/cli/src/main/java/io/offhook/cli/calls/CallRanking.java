package io.offhook.cli.calls;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.StreamReport;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.report.StreamFields;
import io.offhook.report.text.Decimals;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Orders calls by a figure, selects them by MOS, and limits their number: {@code --sort}, {@code --min-mos},
 * {@code --max-mos} and {@code --limit}.
 */
final class CallRanking {
    private static final double LEAST_MOS = 1;
    private static final double GREATEST_MOS = 5;

    /** All calls, by time. */
    static final CallRanking NONE = new CallRanking(
            Order.TIME, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Integer.MAX_VALUE, CallReport.NEVER);

    private final Order order;
    private final double minMos;
    private final double maxMos;
    private final int limit;
    private final long untilNs;

    /** The figure of {@code --sort}; the worst or greatest first, except for {@link #TIME}. */
    enum Order {
        MOS(null),
        LOSS("Loss %"),
        JITTER("Jitter ms"),
        SET_UP(null),
        LENGTH(null),
        TIME(null);

        /** The column that shows the figure; null if the table of calls has one anyway. */
        private final @Nullable String column;

        Order(@Nullable String column) {
            this.column = column;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private CallRanking(Order order, double minMos, double maxMos, int limit, long untilNs) {
        this.order = order;
        this.minMos = minMos;
        this.maxMos = maxMos;
        this.limit = limit;
        this.untilNs = untilNs;
    }

    static void describe(CommandSpec spec) {
        spec.addOption(
                "--sort",
                "ORDER",
                Order.class,
                "time (default), or the worst first by mos (narrowband, then wideband, then fullband), loss (the highest of its"
                        + " streams), jitter (likewise), set-up or length; calls without the figure come last.");
        spec.addOption(
                "--min-mos", "MOS", String.class, "Only calls with this MOS or more, 1 to 5, as the table shows it.");
        spec.addOption("--max-mos", "MOS", String.class, "Only calls with this MOS or less.");
        spec.addOption(
                "--limit",
                "N",
                Integer.class,
                "List only the first N calls; --fail-on still checks all selected ones.");
    }

    static CallRanking of(ParseResult arguments) {
        double min = mos(arguments, "--min-mos", Double.NEGATIVE_INFINITY);
        double max = mos(arguments, "--max-mos", Double.POSITIVE_INFINITY);
        if (min > max) {
            throw new MisuseException("--min-mos " + arguments.optionValue("--min-mos", String.class)
                    + " is above --max-mos " + arguments.optionValue("--max-mos", String.class)
                    + "; no call can have such a MOS");
        }
        int limit = arguments.matchedOptionValue("--limit", Integer.MAX_VALUE);
        if (limit < 1) {
            throw new MisuseException("--limit " + limit + " is below 1");
        }
        return new CallRanking(arguments.matchedOptionValue("--sort", Order.TIME), min, max, limit, CallReport.NEVER);
    }

    private static double mos(ParseResult arguments, String option, double otherwise) {
        String text = arguments.optionValue(option, String.class);
        if (text == null) {
            return otherwise;
        }
        double mos = text.matches("[0-9](\\.[0-9]{1,4})?") ? Double.parseDouble(text) : Double.NaN;
        if (mos >= LEAST_MOS && mos <= GREATEST_MOS) {
            return mos;
        }
        throw new MisuseException(option + " " + text + " is not a MOS from 1 to 5; examples: 3.6, 4");
    }

    /** The same options for a capture that ends at a time, until which calls in progress are measured. */
    CallRanking until(long lastNs) {
        return new CallRanking(order, minMos, maxMos, limit, lastNs);
    }

    /** Whether the lowest MOS of a call is in range; a call without a MOS is in no range. */
    boolean matches(CallReport call) {
        return matches(StreamFields.worstQuality(call));
    }

    /** Whether the MOS of a stream is in range. */
    boolean matches(StreamReport stream) {
        return matches(stream.quality());
    }

    private boolean matches(@Nullable Quality quality) {
        boolean isOpen = minMos == Double.NEGATIVE_INFINITY && maxMos == Double.POSITIVE_INFINITY;
        return isOpen || quality != null && quality.mos() >= minMos && quality.mos() <= maxMos;
    }

    /**
     * The calls in the order asked for, at most as many as asked for.
     *
     * @param calls in the order of their first packets, which decides between equals
     */
    List<CallReport> of(List<CallReport> calls) {
        List<CallReport> ranked = order == Order.TIME ? new ArrayList<>(calls) : worstFirst(calls);
        return ranked.size() > limit ? ranked.subList(0, limit) : ranked;
    }

    /** A call and its figure, which is taken once: that of a call in progress may change while calls are ordered. */
    private record Ranked(CallReport call, double figure, MosScale scale) {}

    private List<CallReport> worstFirst(List<CallReport> calls) {
        List<Ranked> ranked = new ArrayList<>(calls.size());
        for (CallReport call : calls) {
            ranked.add(new Ranked(call, figure(call), scale(call)));
        }
        Comparator<Ranked> ascending = Comparator.comparingDouble(Ranked::figure);
        Comparator<Ranked> worstFirst = order == Order.MOS
                ? Comparator.comparing(Ranked::scale).thenComparing(ascending)
                : ascending.reversed();
        ranked.sort(
                Comparator.comparing((Ranked one) -> Double.isNaN(one.figure())).thenComparing(worstFirst));
        List<CallReport> sorted = new ArrayList<>(calls.size());
        ranked.forEach(one -> sorted.add(one.call()));
        return sorted;
    }

    /** What the calls are ordered by. */
    Order order() {
        return order;
    }

    /** The same options with another order. */
    CallRanking orderedBy(Order other) {
        return new CallRanking(other, minMos, maxMos, limit, untilNs);
    }

    /** The scale of the MOS by which a call is ordered: one does not compare with a MOS of another. */
    private static MosScale scale(CallReport call) {
        Quality worst = StreamFields.worstQuality(call);
        return worst == null ? MosScale.NARROWBAND : worst.scale();
    }

    /** The figure of a call by which it is ordered; NaN if it has none. */
    private double figure(CallReport call) {
        return switch (order) {
            case MOS -> {
                Quality worst = StreamFields.worstQuality(call);
                yield worst == null ? Double.NaN : worst.mos();
            }
            case LOSS -> greatest(call, stream -> stream.statistics().lostPercent());
            case JITTER -> greatest(call, CallRanking::jitterMs);
            case SET_UP -> figure(call.times().setUpNs());
            case LENGTH -> figure(lengthNs(call));
            case TIME -> figure(call.times().startedNs());
        };
    }

    private static double figure(long ns) {
        return ns == CallReport.NEVER ? Double.NaN : ns;
    }

    /** From the answer to the end, or to the end of the capture for a call that goes on. */
    private long lengthNs(CallReport call) {
        CallReport.Times times = call.times();
        boolean goesOn = call.outcome() == Outcome.ONGOING && times.answeredNs() != CallReport.NEVER;
        return goesOn && untilNs != CallReport.NEVER ? untilNs - times.answeredNs() : times.durationNs();
    }

    private static double jitterMs(StreamReport stream) {
        return stream.statistics().isJitterKnown() ? stream.statistics().meanJitterMs() : Double.NaN;
    }

    private static double greatest(CallReport call, ToDoubleFunction<StreamReport> figure) {
        double greatest = Double.NaN;
        for (StreamReport stream : call.streams()) {
            double value = figure.applyAsDouble(stream);
            greatest = Double.isNaN(greatest) || value > greatest ? value : greatest;
        }
        return greatest;
    }

    /** The heading of a further column for the figure; null if the table has it anyway. */
    @Nullable
    String column() {
        return order.column;
    }

    /** The cell of a call in that column. */
    String cell(CallReport call) {
        double figure = figure(call);
        return Double.isNaN(figure) ? "" : Decimals.text(figure, order == Order.LOSS ? 1 : 2);
    }
}
