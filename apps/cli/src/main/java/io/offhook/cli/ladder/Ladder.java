package io.offhook.cli.ladder;

import java.util.List;

/**
 * What passed between the hosts of a call, in order.
 *
 * @param columns the hosts as they are called, in the order of their appearance
 * @param rows what passed
 */
record Ladder(List<String> columns, List<LadderRow> rows) {
    Ladder {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }
}
