package io.offhook.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Which partitions are to be moved to files. */
final class MoveQueue {
    private final Connection connection;
    private final Archive archive;
    private final LocalDate until;
    private final Set<LocalDate> inTables = new TreeSet<>();

    /** @param until the first day that stays in tables */
    MoveQueue(Connection connection, Archive archive, LocalDate until) throws SQLException {
        this.connection = connection;
        this.archive = archive;
        this.until = until;
        for (Table<?> table : Schema.IN_FILES) {
            addDays(table);
        }
    }

    private void addDays(Table<?> table) throws SQLException {
        String sql = String.format(
                Locale.ROOT,
                "SELECT DISTINCT %1$s::DATE FROM %2$s WHERE %1$s >= make_timestamp_ns(%3$d) AND %1$s <"
                        + " make_timestamp_ns(%4$d)",
                Sql.name(table.key().time()),
                table.stored(),
                TimeRange.FIRST_NS,
                Partition.ns(until));
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                inTables.add(result.getObject(1, LocalDate.class));
            }
        }
    }

    /** Days no row of which was moved before. */
    Set<LocalDate> newDays() throws SQLException {
        Set<LocalDate> days = new HashSet<>(inTables);
        for (DayFile file : archive.files(connection)) {
            if (!file.isOdd()) {
                days.remove(file.day());
            }
        }
        return days;
    }

    /** New days, those with rows that came late, those with rows that were replaced, and odd times. */
    List<Partition> all(LocalDate today) throws SQLException {
        List<Partition> all = new ArrayList<>();
        inTables.forEach(day -> all.add(Partition.of(day)));
        boolean isOdd = hasOddTimes();
        for (Partition partition : archive.withReplaced(connection)) {
            if (partition.isOdd()) {
                isOdd = true;
            } else if (!all.contains(partition)) {
                all.add(partition);
            }
        }
        if (isOdd) {
            all.add(Partition.odd(today));
        }
        return all;
    }

    private boolean hasOddTimes() throws SQLException {
        for (Table<?> table : Schema.IN_FILES) {
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT 1 FROM " + table.stored() + " WHERE "
                            + Partition.odd(until)
                                    .condition(Sql.name(table.key().time())) + " LIMIT 1")) {
                if (result.next()) {
                    return true;
                }
            }
        }
        return false;
    }
}
