package io.offhook.cli.ladder;

import io.offhook.cli.messages.MessageArrow;
import io.offhook.cli.terminal.Style;
import io.offhook.report.text.Times;
import java.util.ArrayList;
import java.util.List;

/** The ladder of messages of which only method, status and ends are known. */
public final class HopLadder {
    private final List<String> columns = new ArrayList<>();
    private final List<LadderRow> rows = new ArrayList<>();

    /**
     * A message.
     *
     * @param timestampNs nanoseconds since the epoch
     * @param method of the request, or of that which a response answers
     * @param status of a response; 0 for a request
     * @param isAgain whether it is a retransmission
     */
    public record Message(long timestampNs, String method, int status, boolean isAgain) {
        private String label() {
            String label = status == 0 ? method : method.equals("INVITE") ? status + "" : status + " (" + method + ")";
            return isAgain ? label + " (again)" : label;
        }
    }

    /** An empty ladder. */
    public HopLadder() {}

    /** Adds a message between two ends, in the order of time. */
    public void add(String from, String to, Message message) {
        rows.add(new LadderRow(
                0,
                message.timestampNs(),
                column(from),
                column(to),
                false,
                message.label(),
                message.isAgain() ? Style.FAINT : MessageArrow.style(message.status()),
                List.of()));
    }

    private int column(String name) {
        int known = columns.indexOf(name);
        if (known < 0) {
            columns.add(name);
        }
        return known < 0 ? columns.size() - 1 : known;
    }

    /**
     * Draws the ladder.
     *
     * @param width columns, 40 or more
     * @param colored whether with colours
     * @param unicode whether to draw with box-drawing characters instead of ASCII
     */
    public String text(Times times, int width, boolean colored, boolean unicode) {
        return LadderText.of(new Ladder(columns, rows), times, width, colored, unicode);
    }
}
