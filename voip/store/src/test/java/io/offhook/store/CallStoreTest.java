package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
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
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                rows.add(String.join("|", row));
            }
        }
        return rows;
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
                FROM calls""")).containsExactlyInAnyOrderElementsOf(expected);
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
}
