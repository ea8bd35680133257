package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.testkit.peers.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallStoreTest {
    private static List<CallReport> calls = List.of();

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeAll
    static void analyse() throws IOException {
        calls = SampleCalls.all();
        assertThat(calls).hasSize(SampleCalls.COUNT);
    }

    @BeforeEach
    void choose() {
        file = folder.resolve("calls.duckdb");
    }

    private CallStore open() throws StoreException {
        return CallStore.open(file, StoreSettings.standard());
    }

    /** What anybody who has the file can ask. */
    private List<String> ask(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file)) {
            return Rows.of(connection, sql);
        }
    }

    @Test
    void keepsWhatTheReportsSay() throws Exception {
        try (CallStore store = open()) {
            store.store("calls.pcap", calls);
        }
        List<String> expected = new ArrayList<>();
        for (CallReport call : calls) {
            expected.add(call.callId() + "|" + call.outcome().label() + "|"
                    + call.streams().size() + "|" + call.problems().size() + "|"
                    + call.streams().stream()
                            .mapToLong(stream -> stream.statistics().packets())
                            .sum()
                    + "|"
                    + call.streams().stream()
                            .mapToInt(stream -> stream.intervals().size())
                            .sum());
        }
        assertThat(ask("""
            SELECT call_id, outcome, streams, (SELECT count(*) FROM problems WHERE call = calls.id),
              (SELECT coalesce(sum(packets), 0)::BIGINT FROM streams WHERE call = calls.id),
              (SELECT count(*) FROM stream_intervals WHERE call = calls.id)
            FROM calls\
            """)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void keepsTimesToTheNanosecond() throws Exception {
        try (CallStore store = open()) {
            store.store("calls.pcap", calls);
        }
        CallReport call = calls.getFirst();
        assertThat(ask("SELECT epoch_ns(first_seen_at) FROM calls WHERE call_id = '" + call.callId() + "'"))
                .containsExactly(Long.toString(call.times().firstSeenNs()));
    }

    @Test
    void aCallThatIsStoredAgainIsThereOnce() throws Exception {
        try (CallStore store = open()) {
            store.store("calls.pcap", calls);
            store.store("calls.pcap", calls.subList(0, 5));
        }
        try (CallStore store = open()) {
            store.store("again.pcap", calls.subList(5, 6));
        }
        assertThat(ask("SELECT count(*), count(DISTINCT call_id) FROM calls"))
                .containsExactly(calls.size() + "|" + calls.size());
        long streams = calls.stream().mapToLong(call -> call.streams().size()).sum();
        assertThat(ask("SELECT count(*), count(DISTINCT id) FROM streams")).containsExactly(streams + "|" + streams);
        assertThat(ask("SELECT source FROM calls WHERE call_id = '"
                        + calls.get(5).callId() + "'"))
                .containsExactly("again.pcap");
    }

    @Test
    void aDatabaseOfALaterVersionIsLeftAlone() throws Exception {
        open().close();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE offhook SET schema_version = 1000");
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("version 1000");
        assertThat(ask("SELECT schema_version FROM offhook")).containsExactly("1000");
    }

    @Test
    void saysThatAFileIsNoDatabase() throws Exception {
        Files.writeString(file, "SIP/2.0 200 OK\r\n".repeat(1000));
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class).hasMessageContaining(file.toString());
    }

    @Test
    void textOfTheNetworkIsData() throws Exception {
        CallReport odd = SampleCalls.renamed(calls.getFirst(), "'); DROP TABLE calls; --\u0000\u202e\ud83d\ude00");
        try (CallStore store = open()) {
            store.store("x'y.pcap", List.of(odd));
        }
        assertThat(ask("SELECT call_id, source FROM calls")).hasSize(1);
    }

    @Test
    void everyStreamHasAnIdOfItsOwn() throws Exception {
        try (CallStore store = open()) {
            store.store("calls.pcap", calls);
        }
        List<StreamReport> streams =
                calls.stream().flatMap(call -> call.streams().stream()).toList();
        assertThat(ask("SELECT DISTINCT id FROM streams")).hasSameSizeAs(streams);
    }

    /** A leg was stored as a call of its own before it was known whose it is. */
    @Test
    void aJoinedCallTakesThePlaceOfItsLegs() throws Exception {
        CallReport call = calls.get(0);
        CallReport leg = calls.get(1);
        try (CallStore store = open()) {
            store.store("eth0", calls);
            store.store("eth0", List.of(SampleCalls.joined(call, leg)));
            store.store("eth0", List.of(SampleCalls.joined(call, leg)));
        }
        assertThat(ask("SELECT call_id, dialogs FROM calls WHERE call_id IN ('" + call.callId() + "', '" + leg.callId()
                        + "')"))
                .containsExactly(call.callId() + "|2");
        assertThat(ask("SELECT call_id, count(*) FROM dialogs GROUP BY ALL HAVING count(*) > 1"))
                .isEmpty();
        assertThat(ask("SELECT count(*) FROM streams WHERE call NOT IN (SELECT id FROM calls)"))
                .containsExactly("0");
    }

    /** The first dialog of a call turns out to be a leg of one that began before. */
    @Test
    void aCallThatGetsAnotherRootIsThereOnce() throws Exception {
        CallReport first = calls.get(0);
        CallReport second = calls.get(1);
        try (CallStore store = open()) {
            store.store("eth0", List.of(SampleCalls.joined(second, first)));
        }
        try (CallStore store = open()) {
            store.store("eth0", List.of(SampleCalls.joined(first, second)));
        }
        assertThat(ask("SELECT call_id FROM calls")).containsExactly(first.callId());
        assertThat(ask("SELECT count(*) FROM dialogs")).containsExactly("2");
    }

    @Test
    void aCallWhoseBeginningIsCorrectedIsThereOnce() throws Exception {
        CallReport call = calls.getFirst();
        try (CallStore store = open()) {
            store.store("eth0", List.of(SampleCalls.earlier(call, 0)));
            store.store("eth0", List.of(SampleCalls.earlier(call, 5_000_000)));
        }
        assertThat(ask("SELECT epoch_ns(first_seen_at) FROM calls"))
                .containsExactly(Long.toString(call.times().firstSeenNs() - 5_000_000));
    }

    @Test
    void oddTimesAreKeptAndReplacedToo() throws Exception {
        CallReport old = SampleCalls.earlier(calls.get(0), calls.get(0).times().firstSeenNs());
        CallReport future =
                SampleCalls.earlier(calls.get(1), calls.get(1).times().firstSeenNs() - 8_000_000_000_000_000_000L);
        for (int i = 0; i < 2; i++) {
            try (CallStore store = open()) {
                store.store("eth0", List.of(old, future));
                store.store("eth0", List.of(old, future));
            }
        }
        assertThat(ask("SELECT epoch_ns(first_seen_at) FROM calls ORDER BY 1"))
                .containsExactly("0", "8000000000000000000");
    }

    @Test
    void aDatabaseOfTheFirstVersionIsBroughtUpToDate() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement statement = connection.createStatement();
                InputStream sql = CallStoreTest.class.getResourceAsStream("/version-1.sql")) {
            statement.execute(new String(sql.readAllBytes(), StandardCharsets.UTF_8));
        }
        try (CallStore store = open()) {
            store.store("calls.pcap", calls);
        }
        assertThat(ask("SELECT schema_version FROM offhook")).containsExactly(Integer.toString(Schema.VERSION));
        assertThat(ask("SELECT calls.id, streams.call_at = calls.first_seen_at, role FROM calls JOIN streams ON call"
                        + " = calls.id JOIN dialogs ON dialogs.call = calls.id WHERE calls.id = 1"))
                .containsExactly("1|true|root");
        List<String> migrated = columns();
        file = folder.resolve("new.duckdb");
        open().close();
        assertThat(columns()).isEqualTo(migrated);
    }

    private List<String> columns() throws SQLException {
        return ask("SELECT table_name, column_index, column_name, data_type FROM duckdb_columns()"
                + " WHERE NOT internal ORDER BY ALL");
    }

    @Test
    void namesTheProcessThatHoldsTheFile() throws Exception {
        Process holder = new ProcessBuilder(JavaProcess.command(
                        List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"),
                        KilledWriterMain.class,
                        file.toString(),
                        "0"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = holder.inputReader()) {
            lines.readLine();
            assertThatThrownBy(this::open)
                    .isInstanceOfSatisfying(
                            StoreHeldException.class, e -> assertThat(e.pid()).isEqualTo(holder.pid()))
                    .hasMessageContaining("PID " + holder.pid());
            assertThatThrownBy(() -> CallStore.openToRead(file, StoreSettings.standard()))
                    .isInstanceOf(StoreHeldException.class);
        } finally {
            holder.destroyForcibly();
            holder.waitFor();
        }
    }

    @Test
    void nothingOutsideOfTheDatabaseCanBeRead() throws Exception {
        try (CallStore store = open();
                Connection reader = store.reader()) {
            for (String sql : List.of(
                    "SELECT * FROM read_csv('/etc/passwd')",
                    "SELECT * FROM glob('/etc/*')",
                    "COPY calls TO '" + folder.resolve("calls.csv") + "'",
                    "ATTACH '" + folder.resolve("other.duckdb") + "'",
                    "INSTALL httpfs",
                    "SET enable_external_access = true",
                    "SET memory_limit = '100GB'")) {
                assertThatThrownBy(() -> Rows.of(reader, sql)).isInstanceOf(SQLException.class);
            }
        }
    }
}
