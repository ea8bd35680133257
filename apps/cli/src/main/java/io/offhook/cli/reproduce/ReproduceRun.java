package io.offhook.cli.reproduce;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.Problem;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the folder of a call, and plays it if that is asked for. */
final class ReproduceRun {
    private final ReproducedCall call;
    private final Path folder;
    private final AnalysisOptions options;
    private final long longestPauseNs;
    private final boolean isJson;
    private final Terminal terminal;

    ReproduceRun(
            ReproducedCall call,
            Path folder,
            AnalysisOptions options,
            long longestPauseNs,
            boolean isJson,
            Terminal terminal) {
        this.call = call;
        this.folder = folder;
        this.options = options;
        this.longestPauseNs = longestPauseNs;
        this.isJson = isJson;
        this.terminal = terminal;
    }

    /**
     * Writes the scenario, plays and compares it, or makes it smaller.
     *
     * @param toleranceNs how far from its time a message may be when it is played; negative not to play it
     * @param problem that stays while it is made smaller; null to leave it as it is
     * @param runs the most times that it is played to make it smaller
     * @return the exit code
     */
    int run(long toleranceNs, Problem.@Nullable Kind problem, int runs) throws IOException {
        Files.createDirectories(folder);
        Part whole = new Part(call.leg(), call.media().caller(), call.media().callee(), longestPauseNs);
        write(whole, List.of());
        if (problem == null && toleranceNs < 0) {
            return written(whole);
        }
        try (PlayStop stop = new PlayStop()) {
            return play(whole, toleranceNs, problem, runs, stop);
        }
    }

    /** Reports what was written, and is not played. */
    private int written(Part whole) throws IOException {
        ReproduceOutput output = new ReproduceOutput(call, folder.toString(), whole, null, null);
        if (isJson) {
            output.json(terminal);
        } else {
            output.written(terminal);
            terminal.flush();
            output.compared(terminal);
        }
        return ExitCode.DONE;
    }

    private int play(Part written, long toleranceNs, Problem.@Nullable Kind problem, int runs, PlayStop stop)
            throws IOException {
        Part whole = written;
        int code = ExitCode.DONE;
        Minimizer.Result result = null;
        if (problem != null) {
            result = new Minimizer(call, options, problem, runs, stop, terminal).minimize(whole);
            if (!result.isReproduced() && stop.isStopped()) {
                terminal.error("interrupted before it was known whether the call has the problem " + problem.label()
                        + " when it is played; the whole scenario was written");
                code = ExitCode.FOUND;
            } else if (!result.isReproduced()) {
                terminal.error("played again, the call does not have the problem " + problem.label()
                        + "; the whole scenario was written");
                code = ExitCode.FOUND;
            } else {
                whole = result.part();
                write(whole, List.of(result.note()));
            }
        }
        ReproduceOutput output = new ReproduceOutput(call, folder.toString(), whole, result, null);
        if (!isJson) {
            output.written(terminal);
            terminal.flush();
        }
        if (toleranceNs >= 0 && !stop.isStopped()) {
            Comparison comparison = played(whole, toleranceNs, stop);
            output = new ReproduceOutput(call, folder.toString(), whole, result, comparison);
            code = comparison.isSame() ? code : ExitCode.FOUND;
        }
        if (isJson) {
            output.json(terminal);
        } else {
            output.compared(terminal);
        }
        return code;
    }

    /**
     * What is played of a call.
     *
     * @param leg with the messages
     * @param caller what the caller plays
     * @param callee what the callee plays
     * @param longestPauseNs the longest pause between two messages
     */
    record Part(CallLeg leg, Track caller, Track callee, long longestPauseNs) {
        Reproduction scenario(ReproducedCall call) {
            return call.reproduction(leg, caller, callee, longestPauseNs);
        }
    }

    private void write(Part part, List<String> more) throws IOException {
        Reproduction scenario = part.scenario(call);
        scenario.write(folder, Readme.of(call, part.leg, scenario, part.longestPauseNs, more));
    }

    private Comparison played(Part part, long toleranceNs, PlayStop stop) throws IOException {
        Reproduction scenario = part.scenario(call);
        Playback playback = Playback.play(folder, scenario, options, stop, terminal);
        Timeline timeline = ScenarioMaker.timeline(part.leg, part.longestPauseNs);
        if (!playback.isPassed()) {
            playback.said().lines().forEach(terminal::error);
        }
        return Comparison.of(call, part.leg, scenario, timeline, playback, toleranceNs);
    }
}
