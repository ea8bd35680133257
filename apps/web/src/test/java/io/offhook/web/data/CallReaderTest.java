package io.offhook.web.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.web.FixedData;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallReaderTest {
    private static final String IDS = "SELECT id FROM running_calls ORDER BY id";

    private final FixedData data = new FixedData(() -> DriverManager.getConnection("jdbc:duckdb:"));
    private final CallReader reader = reader(data);

    private static CallReader reader(FixedData data) {
        try {
            return new CallReader(data);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() throws SQLException {
        reader.close();
    }

    private List<Long> asked(String sql) throws SQLException {
        List<Long> found = new ArrayList<>();
        try (ResultSet result = reader.statement(sql).executeQuery()) {
            while (result.next()) {
                found.add(result.getLong(1));
            }
        }
        return found;
    }

    private void running(long version, Set<Long> ids) {
        data.running = new CallData.RunningCalls(version, ids);
    }

    @Test
    void followsTheCallsThatGoOn() throws SQLException {
        assertThat(asked(IDS)).isEmpty();
        running(1, Set.of(3L, 1L, Long.MAX_VALUE));
        assertThat(asked(IDS)).containsExactly(1L, 3L, Long.MAX_VALUE);
        running(2, Set.of(3L, 4L));
        assertThat(asked(IDS)).containsExactly(3L, 4L);
        running(3, Set.of());
        assertThat(asked(IDS)).isEmpty();
        running(4, Set.of(7L));
        assertThat(asked(IDS)).containsExactly(7L);
    }

    @Test
    void followsHowMuchEverChanges() throws SQLException {
        long step = RunningTable.MOST_CHANGED_ROWS / 3 + 1;
        for (int version = 1; version <= 8; version++) { // after the third the table is made anew
            long from = step * version;
            Set<Long> ids = LongStream.range(from, from + step).boxed().collect(Collectors.toSet());
            running(version, ids);
            assertThat(new HashSet<>(asked(IDS))).isEqualTo(ids);
        }
    }

    @Test
    void statementsThatAreKeptSeeViewsThatChanged(@TempDir Path folder) throws SQLException {
        String url = "jdbc:duckdb:" + folder.resolve("a.duckdb");
        try (Connection writing = DriverManager.getConnection(url);
                CallReader kept = new CallReader(new FixedData(() -> DriverManager.getConnection(url)));
                Statement writer = writing.createStatement()) {
            writer.execute("CREATE TABLE recent (id BIGINT)");
            writer.execute("INSERT INTO recent VALUES (1)");
            writer.execute("CREATE VIEW calls AS SELECT id FROM recent");
            String sql = "SELECT count(*) FROM calls";
            PreparedStatement statement = kept.statement(sql);
            assertThat(count(statement)).isOne();
            writer.execute("CREATE OR REPLACE VIEW calls AS SELECT id FROM recent UNION ALL SELECT 7");
            assertThat(count(kept.statement(sql))).isEqualTo(2);
            assertThat(kept.statement(sql)).isSameAs(statement);
        }
    }

    private static long count(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    @Test
    void keepsTheStatementsThatWereAskedLast() throws SQLException {
        PreparedStatement first = reader.statement("SELECT 1");
        assertThat(reader.statement("SELECT 1")).isSameAs(first);
        for (int i = 0; i < CallReader.MOST_STATEMENTS - 1; i++) {
            reader.statement("SELECT 10 + " + i);
        }
        assertThat(reader.statement("SELECT 1")).isSameAs(first);
        for (int i = 0; i < CallReader.MOST_STATEMENTS; i++) {
            reader.statement("SELECT 100 + " + i);
        }
        assertThat(first.isClosed()).isTrue();
        assertThat(asked("SELECT 1")).containsExactly(1L);
    }
}
