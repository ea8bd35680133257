package io.offhook.cli.reproduce;

import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Words;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What {@code offhook reproduce} reports.
 *
 * @param call of which a leg was reproduced
 * @param folder that was written
 * @param part what is played
 * @param minimized what became of making it smaller; null if that was not asked for
 * @param comparison with the call as it was played; null if it was not played
 */
record ReproduceOutput(
        ReproducedCall call,
        String folder,
        ReproduceRun.Part part,
        Minimizer.@Nullable Result minimized,
        @Nullable Comparison comparison) {

    void json(Terminal terminal) throws IOException {
        Reproduction scenario = part.scenario(call);
        try (JsonFields json = terminal.json()) {
            json.object()
                    .field("folder", folder)
                    .field("callId", call.leg().callId())
                    .field("leg", call.chosen() + 1)
                    .field("legs", call.legs().size())
                    .field("messages", part.leg().messages().size())
                    .object("media")
                    .field("callerPackets", scenario.callerTrack().packets().size())
                    .field("calleePackets", scenario.calleeTrack().packets().size())
                    .end();
            json.line();
            if (minimized == null) {
                json.field("minimized", (String) null);
            } else {
                json.object("minimized")
                        .field("hasProblem", minimized.isReproduced())
                        .field("note", minimized.note().isEmpty() ? null : minimized.note())
                        .end();
            }
            json.line();
            if (comparison == null) {
                json.field("check", (String) null);
            } else {
                json.object("check").field("same", comparison.isSame()).array("compared");
                for (Comparison.Line line : comparison.lines()) {
                    json.line()
                            .object()
                            .field("what", line.what())
                            .field("captured", line.captured().isEmpty() ? null : line.captured())
                            .field("played", line.played())
                            .field("same", line.isSame())
                            .field("counts", line.isCounted())
                            .end();
                }
                json.line().end().end();
            }
            json.line().end();
        }
    }

    /** What was written; it comes before the call is played. */
    void written(Terminal terminal) throws IOException {
        Reproduction scenario = part.scenario(call);
        Appendable out = terminal.out();
        out.append("Leg " + (call.chosen() + 1) + " of " + call.legs().size() + ": "
                + call.leg().summary() + "\n");
        out.append("Messages: " + Comparison.kinds(part.leg()) + "\n");
        if (scenario.playsMedia()) {
            out.append("Media: "
                    + Words.count(scenario.callerTrack().packets().size(), "packet") + " of the caller, "
                    + scenario.calleeTrack().packets().size() + " of the callee\n");
        }
        out.append("Written to " + Text.printable(folder) + "; " + Reproduction.RUN + " plays it, "
                + Reproduction.README + " says what differs\n");
    }

    /** What was compared, if it was played. */
    void compared(Terminal terminal) throws IOException {
        Comparison played = comparison;
        if (played == null) {
            return;
        }
        terminal.out().append('\n');
        for (Comparison.Line line : played.lines()) {
            print(line, terminal.out());
        }
        terminal.out().append(played.isSame() ? "It plays again the same.\n" : "It does not play the same.\n");
    }

    private static void print(Comparison.Line line, Appendable out) throws IOException {
        String what = line.what() + ": ";
        if (line.isSame()) {
            boolean isOne = line.captured().isEmpty() || line.captured().equals(line.played());
            out.append("same     " + what + (isOne ? "" : line.captured() + "; ") + line.played() + "\n");
        } else {
            out.append((line.isCounted() ? "DIFFERS  " : "differs  ") + what + Text.printable(line.captured()) + "\n");
            out.append("         played: " + Text.printable(line.played()) + "\n");
        }
    }
}
