package io.offhook.cli.screen;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.cli.stats.StatsText;
import io.offhook.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;

/** The pages that are text. */
final class Pages {
    private Pages() {}

    /** The figures of calls, as {@code offhook stats} has them. */
    static Screen statistics(CallSource source, View view, CallSource.State state, List<CallReport> listed) {
        AnalysisResult result = state.result();
        List<CallReport> calls = List.copyOf(listed);
        return new TextScreen(
                new Chrome(source),
                "statistics of " + source.names(),
                width -> Captured.lines(
                        width,
                        view.unicode(),
                        terminal -> StatsText.print(calls, result, view.times(), terminal, View.STYLED)));
    }

    /** The streams of a call, or of several, over time. */
    static Screen streams(Chrome chrome, View view, CallDetail detail) {
        return new TextScreen(chrome, "streams of " + CallDetail.name(detail.calls()), width -> {
            List<String> lines = new ArrayList<>();
            for (StreamPicture stream : detail.streams()) {
                if (!lines.isEmpty()) {
                    lines.add("");
                }
                lines.addAll(stream.lines(width, view.unicode()));
            }
            return lines.isEmpty() ? List.of("No RTP was captured.") : lines;
        });
    }

    /** The session descriptions of a call, or of several. */
    static Screen sessions(Chrome chrome, View view, CallDetail detail) {
        return new TextScreen(
                chrome,
                "offer and answer of " + CallDetail.name(detail.calls()),
                width -> SessionPairs.lines(detail.messages(), width));
    }

    /** What keys do on a page, and everywhere. */
    static Screen help(Chrome chrome, List<String> own) {
        List<String> lines = new ArrayList<>();
        StringBuilder title = new StringBuilder();
        Style.HEADING.append(title, "On this page", true);
        if (!own.isEmpty()) {
            lines.add(title.toString());
            lines.addAll(own);
            lines.add("");
        }
        StringBuilder everywhere = new StringBuilder();
        Style.HEADING.append(everywhere, "Everywhere", true);
        lines.add(everywhere.toString());
        lines.addAll(List.of(
                "Up, Down, j, k    one row up or down",
                "PgUp, PgDn        a page up or down",
                "Home, End, g, G   the first row, the last row",
                "Wheel, click      scroll; go to a row, and open it with a second click",
                "Esc, q            back",
                "Ctrl-L            draw anew",
                "Ctrl-C            quit",
                "?, h, F1          this page"));
        return new TextScreen(chrome, "help", _ -> lines);
    }

    /** Draws a prompt above the keys. */
    static void prompt(Cells cells, Prompt prompt) {
        int row = cells.height() - 2;
        if (row > 0) {
            cells.text(row, 0, " ".repeat(cells.width()), Style.PLAIN);
            prompt.draw(cells, row);
        }
    }
}
