package io.offhook.cli.ladder;

import java.util.List;

/**
 * The messages, media and events between the hosts of a call, in order.
 *
 * @param columns the names of the hosts, in order of appearance
 * @param rows the messages, media and events
 */
record Ladder(List<String> columns, List<LadderRow> rows) {
    Ladder {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }
}
