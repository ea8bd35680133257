package io.offhook.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.store.CallStore;
import io.offhook.store.StoreSettings;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each question is asked both ways: of the file, and through the process that holds it. */
@Timeout(60)
class SqlSessionTest {
    private static final SqlLimits LIMITS = new SqlLimits(1000, 30_000);

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void make() throws IOException {
        file = folder.resolve("calls.duckdb");
        CallStore.open(file, StoreSettings.standard()).close();
    }

    /** What was delivered. */
    private static final class Taken implements SqlRows {
        final List<String> columns = new ArrayList<>();
        final List<String> rows = new ArrayList<>();

        @Override
        public void columns(List<SqlColumn> all) {
            all.forEach(column -> columns.add(column.name() + " " + column.kind()));
        }

        @Override
        public void row(List<@Nullable String> values) {
            List<String> texts = new ArrayList<>();
            values.forEach(value -> texts.add(String.valueOf(value)));
            rows.add(String.join("|", texts));
        }
    }

    private @Nullable CallStore store;
    private @Nullable SqlSocket socket;

    private SqlSession open(boolean isHeld) throws IOException {
        if (isHeld) {
            store = CallStore.open(file, StoreSettings.standard());
            socket = SqlSocket.listen(store);
        }
        SqlSession session = SqlSession.open(file, StoreSettings.standard());
        assertThat(session).isInstanceOf(isHeld ? SqlClient.class : SqlSession.Local.class);
        return session;
    }

    @AfterEach
    void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        if (store != null) {
            store.close();
        }
    }

    private static Taken ask(SqlSession session, String sql) throws IOException {
        Taken taken = new Taken();
        assertThat(session.ask(sql, LIMITS, taken)).isEqualTo(new SqlResult(taken.rows.size(), false));
        return taken;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deliversAllTypes(boolean isHeld) throws Exception {
        try (SqlSession session = open(isHeld)) {
            Taken taken = ask(session, """
                SELECT 1 AS a, sum(2::BIGINT) AS b, 1.50::DECIMAL(9,2) AS c, 0.25 AS d, 'NaN'::DOUBLE AS e,
                  true AS f, NULL AS g, 'x' || chr(233) AS h, make_timestamp_ns(1796000000123456789) AS i,
                  [1, 2] AS j, DATE '2026-11-27' AS k, TIMESTAMPTZ '2026-01-01 01:00:00+01' AS l, 3.0::DOUBLE AS m\
                """);
            assertThat(taken.columns)
                    .containsExactly(
                            "a NUMBER",
                            "b NUMBER",
                            "c NUMBER",
                            "d NUMBER",
                            "e NUMBER",
                            "f BOOLEAN",
                            "g TEXT",
                            "h TEXT",
                            "i TIME",
                            "j TEXT",
                            "k TEXT",
                            "l TIME",
                            "m NUMBER");
            assertThat(taken.rows)
                    .containsExactly("1|2|1.50|0.25|null|true|null|x\u00e9|1796000000123456789|[1, 2]|2026-11-27|"
                            + "1767225600000000000|3");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersQuestionAfterQuestion(boolean isHeld) throws Exception {
        try (SqlSession session = open(isHeld)) {
            assertThat(ask(session, "FROM calls; ").rows).isEmpty();
            assertThat(ask(session, "DESCRIBE calls").rows).isNotEmpty();
            assertThat(ask(session, "SHOW TABLES").rows).contains("calls");
            assertThat(ask(session, "EXPLAIN SELECT count(*) FROM calls").rows).isNotEmpty();
            assertThat(ask(session, "SELECT 1 -- one").rows).containsExactly("1");
            assertThat(ask(session, "SELECT * FROM range(5000) LIMIT 3 OFFSET 2").rows)
                    .containsExactly("2", "3", "4");
            assertThat(ask(session, "WITH n AS (SELECT range AS r FROM range(3)) SELECT r, r FROM n ORDER BY r DESC")
                            .rows)
                    .containsExactly("2|2", "1|1", "0|0");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void changesNothing(boolean isHeld) throws Exception {
        try (SqlSession session = open(isHeld)) {
            for (String sql : List.of(
                    "DROP TABLE calls",
                    "INSERT INTO drops VALUES ('x', NULL, 'x', 'x', 1) RETURNING *",
                    "SELECT 1; DROP TABLE calls",
                    "SELECT 1) LIMIT 1; DROP TABLE calls; SELECT * FROM (SELECT 1",
                    "ROLLBACK",
                    "CREATE TEMP TABLE x AS SELECT 1",
                    "COPY calls TO '" + folder.resolve("out.csv") + "'",
                    "ATTACH '" + folder.resolve("out.duckdb") + "'",
                    "SET memory_limit = '100GB'",
                    "PRAGMA enable_profiling",
                    "CHECKPOINT",
                    "EXPLAIN ANALYZE DELETE FROM calls",
                    "SELECT * FROM read_csv('/etc/passwd')",
                    "SELECT * FROM glob('/*')",
                    "SELECT * FROM query('DROP TABLE calls')",
                    "SELECT 1; SELECT 2",
                    "",
                    "-- nothing")) {
                assertThatThrownBy(() -> ask(session, sql)).as(sql).isInstanceOf(SqlException.class);
            }
            assertThat(ask(session, "SELECT count(*) FROM calls").rows).containsExactly("0");
        }
        assertThat(folder.resolve("out.csv")).doesNotExist();
        assertThat(folder.resolve("out.duckdb")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void saysWhatIsWrong(boolean isHeld) throws Exception {
        try (SqlSession session = open(isHeld)) {
            assertThatThrownBy(() -> ask(session, "SELEC 1")).hasMessageContaining("syntax error");
            assertThatThrownBy(() -> ask(session, "SELECT nothing FROM calls")).hasMessageContaining("nothing");
            assertThatThrownBy(() -> ask(session, "SELECT ('x' || range)::INTEGER FROM range(3)"))
                    .hasMessageContaining("Conversion Error");
            assertThatThrownBy(() -> ask(session, "DROP TABLE calls")).hasMessageContaining("only a question");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cutsWhatIsMoreThanTheLimit(boolean isHeld) throws Exception {
        try (SqlSession session = open(isHeld)) {
            for (int limit : new int[] {1, 2047, 2048, 2049, 5000}) {
                Taken taken = new Taken();
                String sql = "SELECT range FROM range(5001)";
                assertThat(session.ask(sql, new SqlLimits(limit, 30_000), taken))
                        .isEqualTo(new SqlResult(limit, true));
                assertThat(taken.rows).hasSize(limit).last().isEqualTo(Integer.toString(limit - 1));
            }
            assertThat(session.ask("SELECT range FROM range(4096)", new SqlLimits(4096, 30_000), new Taken()))
                    .isEqualTo(new SqlResult(4096, false));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsWhatTakesTooLong(boolean isHeld) throws Exception {
        try (SqlSession session = open(isHeld)) {
            assertThatThrownBy(() -> session.ask(
                            "SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 3",
                            new SqlLimits(10, 100), new Taken()))
                    .isInstanceOf(SqlException.class)
                    .hasMessageContaining("longer than 0.100 s");
            assertThat(ask(session, "SELECT 1").rows).containsExactly("1");
        }
    }

    @Test
    void onlyTheOwnerCanOpenTheSocket() throws Exception {
        open(true).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("calls.duckdb.sock"))))
                .isEqualTo("rw-------");
        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("calls.duckdb", "calls.duckdb.sock");
        }
    }

    @Test
    void aSocketThatWasLeftBehindIsNoHindrance() throws Exception {
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(folder.resolve("calls.duckdb.sock")));
        }
        assertThat(folder.resolve("calls.duckdb.sock")).exists();
        try (SqlSession session = open(false)) {
            assertThat(ask(session, "SELECT 1").rows).containsExactly("1");
        }
        try (SqlSession session = open(true)) {
            assertThat(ask(session, "SELECT 1").rows).containsExactly("1");
        }
    }

    @Test
    void whoGoesAwayIsNotWaitedFor() throws Exception {
        open(true).close();
        for (int i = 0; i < 2 * SqlSocket.MOST_CONNECTIONS; i++) {
            try (SocketChannel channel = connect()) {
                ByteArrayOutputStream question = new ByteArrayOutputStream();
                new SqlWire.Writer(question)
                        .question("SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 3", LIMITS);
                channel.write(ByteBuffer.wrap(question.toByteArray()));
            }
        }
        answersInTheEnd();
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("calls.duckdb.sock")));
    }

    /** Connections end after their clients did: until then there may be no room. */
    private void answersInTheEnd() throws IOException {
        boolean isAnswered = false;
        while (!isAnswered) {
            try (SqlSession session = SqlSession.open(file, StoreSettings.standard())) {
                isAnswered = ask(session, "SELECT 1").rows.equals(List.of("1"));
            } catch (IOException _) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void nonsenseEndsItsConnectionOnly() throws Exception {
        open(true).close();
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] octets = new byte[random.nextInt(40)];
            random.nextBytes(octets);
            DataOutputStream data = new DataOutputStream(out);
            if (random.nextBoolean()) {
                data.writeInt(octets.length + 1);
                data.writeByte(random.nextBoolean() ? SqlWire.QUESTION : random.nextInt());
            }
            data.write(octets);
            try (SocketChannel channel = connect()) {
                channel.write(ByteBuffer.wrap(out.toByteArray()));
            } catch (IOException _) {
                // it was ended before all was written
            }
        }
        answersInTheEnd();
    }

    @Test
    void aPathThatIsTooLongForASocketIsSaid() throws Exception {
        Path deep = Files.createDirectories(folder.resolve("x".repeat(100)));
        try (CallStore deepStore = CallStore.open(deep.resolve("calls.duckdb"), StoreSettings.standard())) {
            assertThatThrownBy(() -> SqlSocket.listen(deepStore))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("107");
        }
        try (var files = Files.list(deep)) {
            assertThat(files.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("calls.duckdb");
        }
    }
}
