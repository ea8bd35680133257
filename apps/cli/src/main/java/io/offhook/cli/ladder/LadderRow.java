package io.offhook.cli.ladder;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import java.util.List;

/**
 * One thing that passed from a column of a ladder to another: a message, a stream, key presses, an error.
 *
 * @param timestampNs when
 * @param from column that it left, from 0
 * @param to column that it went to; the same one where a host sent it to itself
 * @param media whether it is drawn as media, not as a message
 * @param label what stands on the arrow; may come from the network, and is masked here
 * @param style of arrow and label
 * @param notes lines below it, likewise
 */
record LadderRow(long timestampNs, int from, int to, boolean media, String label, Style style, List<String> notes) {
    LadderRow {
        label = Text.printable(label);
        notes = notes.stream().map(Text::printable).toList();
    }
}
