package io.offhook.cli.ladder;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.messages.KeptMessage;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call as {@code offhook call} shows it, and as often as somebody wants, at any width: its header and its ladder; or several
 * calls in one ladder. Built once; what changes of the calls later does not show.
 */
public final class CallLadder {
    private final List<CallReport> calls;
    private final Ladder ladder;
    private final List<@Nullable String> userAgents;

    private CallLadder(List<CallReport> calls, Ladder ladder, List<@Nullable String> userAgents) {
        this.calls = calls;
        this.ladder = ladder;
        this.userAgents = userAgents;
    }

    /** The ladder of calls, one or more, with the moments of loss and the reports of far ends among their messages. */
    public static CallLadder of(List<CallReport> calls, List<KeptMessage> messages) {
        LadderColumns columns = new LadderColumns(messages);
        Ladder ladder = LadderBuilder.build(calls, messages, columns, LadderBuilder.Detail.SUMMARY);
        List<StreamReport> streams =
                calls.stream().flatMap(call -> call.streams().stream()).toList();
        Ladder whole = LadderMoments.in(ladder, streams, columns);
        return new CallLadder(List.copyOf(calls), whole, columns.userAgents());
    }

    /**
     * The lines above the ladder: parties, times, outcome, problems; of several calls, two lines each.
     *
     * @param width columns, 40 or more
     */
    public List<String> header(Times times, int width, boolean colored) {
        StringBuilder text = new StringBuilder();
        try {
            if (calls.size() == 1) {
                LadderHeader.print(calls.getFirst(), ladder.columns(), userAgents, times, width, colored, text);
            } else {
                LadderHeader.printSeveral(calls, times, width, colored, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder throws none
        }
        return text.toString().stripTrailing().lines().toList();
    }

    /**
     * A line of the ladder.
     *
     * @param text with escape sequences
     * @param row the row that it belongs to, from 0; -1 above the first
     */
    public record Line(String text, int row) {}

    /**
     * The lines of the ladder.
     *
     * @param width columns, 40 or more
     */
    public List<Line> lines(Times times, int width, boolean colored, boolean unicode) {
        LadderText.Drawn drawn = LadderText.drawn(ladder, times, width, colored, unicode);
        List<Line> lines = new ArrayList<>();
        int row = -1;
        int at = 0;
        while (at < drawn.text().length()) {
            while (row + 1 < drawn.starts().length - 1 && drawn.starts()[row + 1] <= at) {
                row++;
            }
            int end = drawn.text().indexOf('\n', at);
            lines.add(new Line(drawn.text().substring(at, end), row));
            at = end + 1;
        }
        return lines;
    }

    /** The number of rows. */
    public int rows() {
        return ladder.rows().size();
    }

    /** The message that a row shows, as an index of the messages; -1 if it shows none. */
    public int message(int row) {
        return ladder.rows().get(row).message();
    }
}
