package io.offhook.store;

import java.util.List;

/**
 * A row of the table of drops.
 *
 * @param source the interfaces, or the file
 */
record DropRow(String source, CaptureDrop drop) {
    static final Table<DropRow> TABLE = new Table<>(
            "drops",
            "What Offhook itself did not see, or could not keep: none of it is a fault of the network.",
            new Table.Key("source", "counted_at"),
            List.of(
                    Column.text("source", "The file or the interfaces that were captured.", DropRow::source),
                    Column.time("counted_at", "When it was counted.", row -> row.drop.countedNs()),
                    Column.text("place", "Where: an interface, a file, a queue, the store.", row -> row.drop.place()),
                    Column.text("cause", "Why, by the name of a counter.", row -> row.drop.cause()),
                    Column.whole("count", "How many since the row before.", row -> row.drop.count())));
}
