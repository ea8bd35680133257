package io.offhook.cli.calls;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallWatcher;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReport;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveSource;
import io.offhook.live.PlacedLanes;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code offhook calls -i NAME}: lists calls on the wire while they happen, and all of them at the end. */
public final class LiveCalls implements CallWatcher {
    /** The default of {@code --remember}: 100 MB, with two streams per call. */
    private static final int REMEMBERED = 20_000;

    private final LiveInput input;
    private final LiveCallsView view;
    private final Predicate<CallReport> wanted;
    private final @Nullable HepOutput agent;
    private final PlacedLanes lanes;
    private @Nullable IOException unwritable;

    /**
     * Who receives the calls.
     *
     * @param filter selects the calls that are shown
     * @param agent sends all to a collector; null to send none
     */
    record Shown(Predicate<CallReport> filter, @Nullable HepOutput agent) {}

    private LiveCalls(LiveInput input, LiveCallsView view, Shown shown, LanePlacement placement, int lanes) {
        this.input = input;
        this.view = view;
        wanted = shown.filter();
        agent = shown.agent();
        this.lanes = new PlacedLanes(placement, "calls", lanes);
    }

    /** Adds the options for following calls on the wire. */
    public static void describe(CommandSpec spec) {
        spec.addOption(
                LiveOptions.REMEMBER,
                "N",
                Integer.class,
                "With -i: remember at most N calls (default 20,000, 5 KB each); beyond that, the calls that ended first"
                        + " are forgotten.");
    }

    /** The options of an analysis whose memory stays bounded however long it runs. */
    public static AnalysisOptions analysis(ParseResult arguments) {
        return bounded(arguments, InputOptions.analysis(arguments));
    }

    /** How many calls are to be remembered. */
    public static int remembered(ParseResult arguments) {
        return arguments.matchedOptionValue(LiveOptions.REMEMBER, REMEMBERED);
    }

    /** The options with as many calls as are to be remembered. */
    public static AnalysisOptions bounded(ParseResult arguments, AnalysisOptions options) {
        int calls = remembered(arguments);
        if (calls < AnalysisOptions.LEAST_CALLS || calls > CallAssembly.MOST_CALLS) {
            throw new MisuseException(LiveOptions.REMEMBER + " " + calls + " is outside "
                    + Decimals.grouped(AnalysisOptions.LEAST_CALLS) + " to "
                    + Decimals.grouped(CallAssembly.MOST_CALLS));
        }
        return options.withKeptCalls(calls);
    }

    /** Follows a call in memory, so that the code that follows calls is compiled. */
    public static void rehearse(LiveOptions options, AnalysisOptions analysis) {
        try (LiveSource source = options.rehearsal()) {
            Analysis.watch(source, analysis, new CallWatcher() {
                @Override
                public long nowNs() {
                    return Times.epochNs();
                }

                @Override
                public void look(AnalysisResult standing, List<CallReport> changed) {}
            });
        }
    }

    /**
     * Captures until asked to stop.
     *
     * @param shown the calls that are shown, and who else receives them
     * @param placement the processors for the lanes
     * @return the result at the end
     */
    static AnalysisResult watch(
            LiveInput input,
            AnalysisOptions options,
            OutputOptions output,
            Shown shown,
            LanePlacement placement,
            Terminal terminal)
            throws IOException {
        LiveCallsView view = view(input, output, shown.filter(), terminal);
        LiveCalls watcher = new LiveCalls(input, view, shown, placement, options.lanes());
        AnalysisResult result;
        try (Terminal.Queued _ = terminal.queued()) {
            try {
                HepOutput agent = shown.agent();
                result = agent == null
                        ? Analysis.watch(input.source(), options, watcher)
                        : Analysis.watch(input.source(), options, watcher, agent.export()::beside);
            } finally {
                view.end();
            }
        }
        IOException thrown = watcher.unwritable;
        if (thrown != null) {
            throw thrown;
        }
        return result;
    }

    private static LiveCallsView view(
            LiveInput input, OutputOptions output, Predicate<CallReport> filter, Terminal terminal) {
        return switch (output.format()) {
            case JSON -> new LiveCallsJson(terminal, input.source());
            case CSV -> (standing, changed, counts, nowNs) -> {};
            case TABLE ->
                terminal.isTerminal()
                        ? new LiveCallsScreen(
                                terminal,
                                output.times(),
                                terminal.isColored(output.color()),
                                new LiveHeading(input.names(), Times.epochNs()),
                                filter)
                        : new LiveCallsLog(terminal, output.times());
        };
    }

    @Override
    public long nowNs() {
        return Times.epochNs();
    }

    @Override
    public void lane(int lane, boolean begins) {
        lanes.lane(lane, begins);
    }

    @Override
    public void waits(boolean begins) {
        PlacedLanes.waits(begins);
    }

    @Override
    public void look(AnalysisResult standing, List<CallReport> changed) {
        lanes.sample();
        if (agent != null) {
            agent.report(changed);
        }
        if (unwritable != null) {
            return;
        }
        List<CallReport> news = new ArrayList<>(changed);
        news.removeIf(call -> !wanted.test(call));
        try {
            view.show(standing, news, input.source().counts(), Times.epochNs());
        } catch (IOException | UncheckedIOException e) {
            unwritable = e instanceof IOException io ? io : ((UncheckedIOException) e).getCause();
            input.source().stop();
        }
    }
}
