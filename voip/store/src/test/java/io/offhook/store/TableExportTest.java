package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.CallReport;
import io.offhook.store.query.DatabaseExport;
import io.offhook.store.query.SqlSocket;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each export is made both ways: of the file, and through the process that holds it. */
@Timeout(60)
class TableExportTest {
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);
    private static final StoreSettings STANDARD = StoreSettings.standard();

    @TempDir
    private Path folder;

    private Path file = Path.of("");
    private Path out = Path.of("");
    private List<CallReport> calls = List.of();
    private @Nullable CallStore store;
    private @Nullable SqlSocket socket;

    @BeforeEach
    void load() throws Exception {
        file = folder.resolve("calls.duckdb");
        out = folder.resolve("it's out");
        calls = SampleCalls.all();
        List<CallReport> all = new ArrayList<>(calls);
        for (int i = 0; i < calls.size(); i++) {
            CallReport call = calls.get(i);
            all.add(SampleCalls.another(call, "/before", DAY_NS));
            long odd = i % 2 == 0 ? i * 300L * DAY_NS : 8_000_000_000_000_000_000L - i * 300L * DAY_NS;
            all.add(SampleCalls.another(call, "/odd", call.times().firstSeenNs() - odd));
        }
        try (CallStore loaded = CallStore.open(file, STANDARD)) {
            loaded.store("x", all);
            // one day is in Parquet already
            RetentionSettings settings = new RetentionSettings(Duration.ofDays(1), null, null, Long.MAX_VALUE);
            long nowNs = calls.getFirst().times().firstSeenNs() + DAY_NS;
            Retention.of(loaded, settings, problem -> {}, () -> nowNs).round(step -> {});
        }
    }

    private void hold(boolean isHeld) throws IOException {
        if (isHeld) {
            store = CallStore.open(file, STANDARD);
            socket = SqlSocket.listen(store);
        }
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

    private Map<String, Long> export(ExportFormat format, String... tables) throws IOException {
        ExportRequest request = new ExportRequest(
                tables.length == 0 ? ExportRequest.allTables() : List.of(tables),
                format,
                Long.MIN_VALUE,
                Long.MAX_VALUE);
        return DatabaseExport.run(file, STANDARD, request, out);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(out)) {
            return all.filter(Files::isRegularFile)
                    .map(path -> out.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    private static List<String> ask(String sql) throws Exception {
        try (Connection anybody = DriverManager.getConnection("jdbc:duckdb:")) {
            return Rows.of(anybody, sql);
        }
    }

    private List<String> stored(String sql) throws Exception {
        if (store != null) {
            return Rows.of(store, sql);
        }
        try (CallStore reading = CallStore.openToRead(file, STANDARD)) {
            return Rows.of(reading, sql);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parquetByDayIsReadByDuckDbItself(boolean isHeld) throws Exception {
        hold(isHeld);
        Map<String, Long> rows = export(ExportFormat.PARQUET);
        assertThat(rows)
                .containsEntry("calls", 36L)
                .containsEntry("messages", 0L)
                .hasSize(Schema.TABLES.size());
        assertThat(files())
                .filteredOn(name -> name.startsWith("calls/"))
                .containsExactly(
                        "calls/day=2026-11-20/calls.parquet",
                        "calls/day=2026-11-21/calls.parquet",
                        "calls/day=__HIVE_DEFAULT_PARTITION__/calls.parquet");
        for (Table<?> table : Schema.TABLES) {
            if (rows.getOrDefault(table.name(), 0L) == 0) {
                continue;
            }
            List<String> columns = table.columns().stream()
                    .map(column -> column.type().equals("TIMESTAMP_NS")
                            ? Sql.name(column.name()) + "::TIMESTAMP"
                            : Sql.name(column.name()))
                    .toList();
            String select = "SELECT " + String.join(", ", columns) + " FROM ";
            assertThat(ask(select + parquet(table.name()) + " ORDER BY ALL"))
                    .as(table.name())
                    .isEqualTo(stored(select + table.name() + " ORDER BY ALL"));
        }
        assertThat(ask("SELECT day, typeof(day), count(*) FROM " + parquet("calls") + " GROUP BY ALL ORDER BY day"))
                .containsExactly("2026-11-20|DATE|12", "2026-11-21|DATE|12", "null|DATE|12");
    }

    private String parquet(String table) {
        return "read_parquet(" + Sql.text(out + "/" + table + "/*/*.parquet") + ", hive_partitioning = true)";
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void jsonAndCsvAreAFileATable(boolean isHeld) throws Exception {
        hold(isHeld);
        export(ExportFormat.JSON, "calls", "problems");
        export(ExportFormat.CSV, "calls");
        assertThat(files()).containsExactly("calls.csv", "calls.json", "problems.json");
        String select =
                "SELECT id::BIGINT, call_id, epoch_ns(first_seen_at::TIMESTAMP_NS), duration_ms, bad, verdict FROM ";
        List<String> expected = stored(select + "calls ORDER BY ALL");
        assertThat(ask(select + "read_json(" + Sql.text(out + "/calls.json") + ") ORDER BY ALL"))
                .isEqualTo(expected);
        assertThat(ask(select + "read_csv(" + Sql.text(out + "/calls.csv") + ", all_varchar = true) ORDER BY ALL"))
                .hasSameSizeAs(expected);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void daysAreAddedToWhatWasExportedBefore(boolean isHeld) throws Exception {
        hold(isHeld);
        long midnight = Math.floorDiv(calls.getFirst().times().firstSeenNs(), DAY_NS) * DAY_NS;
        for (int day = -1; day <= 0; day++) {
            long since = midnight + day * DAY_NS;
            ExportRequest request =
                    new ExportRequest(List.of("calls"), ExportFormat.PARQUET, since, since + DAY_NS - 1);
            assertThat(DatabaseExport.run(file, STANDARD, request, out)).containsEntry("calls", 12L);
        }
        List<String> before = files();
        assertThat(before).hasSize(2);
        assertThatThrownBy(() -> export(ExportFormat.PARQUET, "calls"))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("calls.parquet");
        assertThat(files()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsLeftBehind(boolean isHeld) throws Exception {
        hold(isHeld);
        export(ExportFormat.PARQUET);
        close();
        store = null;
        socket = null;
        assertThatThrownBy(() -> DatabaseExport.run(
                        folder.resolve("none.duckdb"),
                        STANDARD,
                        new ExportRequest(List.of("calls"), ExportFormat.CSV, 0, 1),
                        folder.resolve("nothing")))
                .isInstanceOf(StoreException.class);
        CallStore.open(file, STANDARD).close();
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.map(path -> folder.relativize(path).toString()))
                    .noneMatch(name -> name.contains("export-") || name.contains("nothing"));
        }
    }
}
