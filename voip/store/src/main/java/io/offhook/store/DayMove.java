package io.offhook.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Moves the rows of a partition from tables to files, in one transaction: files are written and named first, then listed in the
 * transaction that deletes their rows. If there are files of the partition already, new ones take their place, without what
 * was replaced meanwhile.
 */
final class DayMove {
    private final Connection connection;
    private final Archive archive;
    private final Consumer<RetentionStep> steps;
    private final List<DayFile> published = new ArrayList<>();
    private final List<DayFile> superseded = new ArrayList<>();

    DayMove(Connection connection, Archive archive, Consumer<RetentionStep> steps) {
        this.connection = connection;
        this.archive = archive;
        this.steps = steps;
    }

    /**
     * Moves.
     *
     * @param tables that are replaced together
     * @return files that count no more; queries that run may read them yet
     */
    List<Path> move(Partition partition, List<Table<?>> tables) throws SQLException, IOException {
        boolean isDone = false;
        Archive.execute(connection, "BEGIN TRANSACTION");
        try {
            for (Table<?> table : tables) {
                move(partition, table);
            }
            forgetReplaced(partition, tables);
            archive.refreshViews(connection);
            archive.mayReach(Partition.ns(partition.day().plusDays(1)), partition.isOdd());
            steps.accept(RetentionStep.LISTED);
            Archive.execute(connection, "COMMIT");
            isDone = true;
        } finally {
            if (!isDone) {
                undo();
            }
        }
        steps.accept(RetentionStep.COMMITTED);
        return superseded.stream().map(archive.folder()::of).toList();
    }

    private void undo() throws IOException {
        try {
            Archive.execute(connection, "ROLLBACK");
        } catch (SQLException _) {
            return; // it is not known what became of the transaction: what is not listed is deleted at the next start
        }
        for (DayFile file : published) {
            archive.folder().delete(archive.folder().of(file));
        }
    }

    private void move(Partition partition, Table<?> table) throws SQLException, IOException {
        List<DayFile> before = archive.files(connection, table, partition);
        String columns = table.columnNames();
        String condition = partition.condition(Sql.name(table.key().time()));
        StringBuilder rows = new StringBuilder("SELECT " + columns + " FROM " + table.stored() + " WHERE " + condition);
        String filed = archive.withoutReplaced(table, before);
        if (filed != null) {
            rows.append(" UNION ALL ").append(filed);
        }
        DayFile file = new DayFile(table.name(), partition.day(), partition.isOdd(), number(partition, table), 0);
        Path part = archive.folder().part(file);
        long count = Archive.execute(connection, ParquetFile.copy(rows.toString(), table, part));
        steps.accept(RetentionStep.WRITTEN);
        if (count == 0) {
            archive.folder().delete(part);
        } else {
            publish(file.withBytes(Files.size(part)), table);
        }
        Archive.execute(connection, "DELETE FROM " + table.stored() + " WHERE " + condition);
        for (DayFile old : before) {
            Archive.unlist(connection, old);
            superseded.add(old);
        }
    }

    private void publish(DayFile file, Table<?> table) throws SQLException, IOException {
        published.add(file);
        archive.folder().publish(file);
        steps.accept(RetentionStep.PUBLISHED);
        archive.list(connection, file, table);
    }

    /** A number that no file there has, listed or not. */
    private long number(Partition partition, Table<?> table) {
        long number = 1;
        while (archive.folder().has(new DayFile(table.name(), partition.day(), partition.isOdd(), number, 0))) {
            number++;
        }
        return number;
    }

    /** What was hidden is not in the new files. */
    private void forgetReplaced(Partition partition, List<Table<?>> tables) throws SQLException {
        Archive.execute(
                connection,
                "DELETE FROM archived_replaced WHERE kind = '" + Archive.kind(tables.getFirst()) + "' AND "
                        + partition.condition("moment"));
    }
}
