package io.offhook.cli.reproduce;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.Problem;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Words;
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
    private final Terminal terminal;

    ReproduceRun(ReproducedCall call, Path folder, AnalysisOptions options, long longestPauseNs, Terminal terminal) {
        this.call = call;
        this.folder = folder;
        this.options = options;
        this.longestPauseNs = longestPauseNs;
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
        int code = ExitCode.DONE;
        if (problem != null) {
            Minimizer minimizer = new Minimizer(call, options, problem, runs, terminal);
            Minimizer.Result result = minimizer.minimize(whole);
            if (!result.isReproduced()) {
                terminal.error("played again, the call does not have the problem " + problem.label()
                        + "; the whole scenario was written");
                code = ExitCode.FOUND;
            } else {
                whole = result.part();
                write(whole, List.of(result.note()));
            }
        }
        print(whole);
        if (toleranceNs >= 0) {
            code = check(whole, toleranceNs) ? code : ExitCode.FOUND;
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

    private void print(Part part) throws IOException {
        Reproduction scenario = part.scenario(call);
        terminal.out()
                .append("Leg " + (call.chosen() + 1) + " of " + call.legs().size() + ": "
                        + call.leg().summary() + "\n");
        terminal.out().append("Messages: " + Comparison.kinds(part.leg) + "\n");
        if (scenario.playsMedia()) {
            terminal.out()
                    .append("Media: "
                            + Words.count(scenario.callerTrack().packets().size(), "packet")
                            + " of the caller, "
                            + scenario.calleeTrack().packets().size() + " of the callee\n");
        }
        terminal.out()
                .append("Written to " + Text.printable(folder.toString()) + "; " + Reproduction.RUN + " plays it, "
                        + Reproduction.README + " says what differs\n");
    }

    private boolean check(Part part, long toleranceNs) throws IOException {
        terminal.flush();
        Reproduction scenario = part.scenario(call);
        Playback playback = Playback.play(folder, scenario, options, terminal);
        Timeline timeline = ScenarioMaker.timeline(part.leg, part.longestPauseNs);
        Comparison comparison = Comparison.of(call, part.leg, scenario, timeline, playback, toleranceNs);
        terminal.out().append('\n');
        for (Comparison.Line line : comparison.lines()) {
            print(line);
        }
        terminal.out().append(comparison.isSame() ? "It plays again the same.\n" : "It does not play the same.\n");
        if (!playback.isPassed()) {
            playback.said().lines().forEach(terminal::error);
        }
        return comparison.isSame();
    }

    private void print(Comparison.Line line) throws IOException {
        String what = line.what() + ": ";
        if (line.isSame()) {
            boolean isOne = line.captured().isEmpty() || line.captured().equals(line.played());
            terminal.out().append("same     " + what + (isOne ? "" : line.captured() + "; ") + line.played() + "\n");
        } else {
            terminal.out()
                    .append((line.isCounted() ? "DIFFERS  " : "differs  ") + what + Text.printable(line.captured())
                            + "\n");
            terminal.out().append("         played: " + Text.printable(line.played()) + "\n");
        }
    }
}
