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
    private final LanePlacement placement;
    private final LanePlacement.Place[] places;
    private @Nullable IOException unwritable;

    private LiveCalls(
            LiveInput input, LiveCallsView view, Predicate<CallReport> wanted, LanePlacement placement, int lanes) {
        this.input = input;
        this.view = view;
        this.wanted = wanted;
        this.placement = placement;
        places = new LanePlacement.Place[lanes];
        for (int i = 0; i < lanes; i++) {
            places[i] = placement.reserve("calls-" + i);
        }
    }

    /** Adds the options for following calls on the wire. */
    static void describe(CommandSpec spec) {
        spec.addOption(
                LiveOptions.REMEMBER,
                "N",
                Integer.class,
                "With -i: remember at most N calls (default 20,000, 5 KB each); beyond that, the calls that ended first"
                        + " are forgotten.");
    }

    /** The options of an analysis whose memory stays bounded however long it runs. */
    static AnalysisOptions analysis(ParseResult arguments) {
        int calls = arguments.matchedOptionValue(LiveOptions.REMEMBER, REMEMBERED);
        if (calls < AnalysisOptions.LEAST_CALLS || calls > CallAssembly.MOST_CALLS) {
            throw new MisuseException(LiveOptions.REMEMBER + " " + calls + " is outside "
                    + Decimals.grouped(AnalysisOptions.LEAST_CALLS) + " to "
                    + Decimals.grouped(CallAssembly.MOST_CALLS));
        }
        return InputOptions.analysis(arguments).withKeptCalls(calls);
    }

    /** Follows a call in memory, so that the code that follows calls is compiled. */
    static void rehearse(LiveOptions options, AnalysisOptions analysis) {
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
     * @param filter selects the calls that are shown
     * @param placement the processors for the lanes
     * @return the result at the end
     */
    static AnalysisResult watch(
            LiveInput input,
            AnalysisOptions options,
            OutputOptions output,
            Predicate<CallReport> filter,
            LanePlacement placement,
            Terminal terminal)
            throws IOException {
        LiveCallsView view = view(input, output, filter, terminal);
        LiveCalls watcher = new LiveCalls(input, view, filter, placement, options.lanes());
        AnalysisResult result;
        try (Terminal.Queued _ = terminal.queued()) {
            try {
                result = Analysis.watch(input.source(), options, watcher);
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
        if (begins) {
            places[lane].enter();
        } else {
            places[lane].leave();
        }
    }

    @Override
    public void look(AnalysisResult standing, List<CallReport> changed) {
        placement.sample();
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
