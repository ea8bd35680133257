package io.offhook.cli.ladder;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import java.util.List;

/**
 * A row of a ladder: a message, a stream, key presses or an error, from one column to another.
 *
 * @param frame the number of its packet; 0 for what is not one packet
 * @param timestampNs the time, nanoseconds since the epoch
 * @param from the column of the sender, from 0
 * @param to the column of the receiver; equal to {@code from} if a host sent to itself
 * @param media whether the row is drawn as media instead of a message
 * @param label the text on the arrow, possibly from the network; masked by the constructor
 * @param style the style of arrow and label
 * @param notes lines below the arrow, masked likewise
 * @param message the index of the message that it shows; {@link #NONE} if it shows none
 */
record LadderRow(
        long frame,
        long timestampNs,
        int from,
        int to,
        boolean media,
        String label,
        Style style,
        List<String> notes,
        int message) {
    /** No message. */
    static final int NONE = -1;

    LadderRow(
            long frame,
            long timestampNs,
            int from,
            int to,
            boolean media,
            String label,
            Style style,
            List<String> notes) {
        this(frame, timestampNs, from, to, media, label, style, notes, NONE);
    }

    LadderRow {
        label = Text.printable(label);
        notes = notes.stream().map(Text::printable).toList();
    }
}
