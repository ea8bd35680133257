package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.MediaOptions;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RetentionTest {
    private static final String FOLDER = "it's";
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);

    @TempDir
    private Path folder;

    private Path file = Path.of("");
    private List<CallReport> calls = List.of();
    private long nowNs;

    @BeforeEach
    void load() throws IOException {
        file = folder.resolve(FOLDER).resolve("calls.duckdb");
        Files.createDirectories(file.getParent());
        try (CallStore store = open(file);
                CaptureFileSource capture = CaptureFiles.open(Path.of("../../samples/calls.pcap"))) {
            CaptureLoader loader = new CaptureLoader(store, "calls.pcap");
            AnalysisResult found = Analysis.run(
                    capture,
                    AnalysisOptions.defaults()
                            .withListener(loader.listener())
                            .withMedia(MediaOptions.DEFAULT.withIntervals(true)));
            calls = found.calls();
            nowNs = found.capture().lastNs();
            loader.finish(calls, found.registrations(), nowNs, List.of(new CaptureDrop(nowNs, "eth0", "kernel", 1)));
            List<CallReport> dayBefore = new ArrayList<>();
            calls.forEach(call -> dayBefore.add(SampleCalls.another(call, "/before", DAY_NS)));
            store.store("yesterday", dayBefore);
        }
    }

    private static CallStore open(Path file) throws StoreException {
        return CallStore.open(file, StoreSettings.standard());
    }

    private static RetentionSettings days(int tables) {
        return new RetentionSettings(Duration.ofDays(tables), null, null, Long.MAX_VALUE);
    }

    private void round(CallStore store, RetentionSettings settings, long days, Consumer<RetentionStep> steps)
            throws SQLException, IOException {
        retention(store, settings, days).round(steps);
    }

    private Retention retention(CallStore store, RetentionSettings settings, long days) {
        return Retention.of(
                store,
                settings,
                problem -> {
                    throw new IllegalStateException(problem);
                },
                () -> nowNs + days * DAY_NS);
    }

    private static void nothing(RetentionStep step) {}

    /** All rows that a query sees, table by table. */
    private static Map<String, List<String>> rows(Connection connection) throws SQLException {
        Map<String, List<String>> rows = new TreeMap<>();
        for (Table<?> table : Schema.TABLES) {
            rows.put(table.name(), Rows.of(connection, "SELECT * FROM " + table.name() + " ORDER BY ALL"));
        }
        return rows;
    }

    private static Map<String, List<String>> rows(CallStore store) throws SQLException, StoreException {
        try (Connection connection = store.reader()) {
            return rows(connection);
        }
    }

    private static List<String> files(Path database) throws IOException {
        Path archive = ArchiveFolder.of(database).path();
        if (!Files.isDirectory(archive)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(archive)) {
            return all.filter(Files::isRegularFile)
                    .map(path -> archive.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void whatIsMovedToFilesIsSeenAsBefore() throws Exception {
        Map<String, List<String>> before;
        try (CallStore store = open(file)) {
            before = rows(store);
            assertThat(before.values()).noneMatch(List::isEmpty);
            round(store, days(1), 1, RetentionTest::nothing);
            assertThat(rows(store)).isEqualTo(before);
            assertThat(files(file)).hasSize(6).allMatch(name -> name.endsWith("/1.parquet"));
            round(store, days(1), 2, RetentionTest::nothing);
            assertThat(rows(store)).isEqualTo(before);
            assertThat(files(file)).hasSize(6 + 8);
            for (Table<?> table : Schema.IN_FILES) {
                assertThat(Rows.of(store, "SELECT count(*) FROM " + table.stored()))
                        .as(table.name())
                        .containsExactly("0");
            }
        }
        try (CallStore store = CallStore.openToRead(file, StoreSettings.standard())) {
            assertThat(rows(store)).isEqualTo(before);
        }
        try (Connection anybody = DriverManager.getConnection("jdbc:duckdb:" + file)) {
            assertThat(rows(anybody)).isEqualTo(before);
        }
    }

    /** The disk as it is at each step is what a killed process leaves. */
    @Test
    void aProcessThatIsKilledAtAnyStepLosesNothingAndShowsNothingTwice() throws Exception {
        Map<String, List<String>> before;
        List<Path> killed = new ArrayList<>();
        try (CallStore store = open(file)) {
            before = rows(store);
            Retention retention = retention(store, days(1), 2);
            Consumer<RetentionStep> copies = step -> killed.add(copy(step + "-" + killed.size()));
            retention.round(copies);
            store.store("yesterday", calls);
            retention(store, days(1), 3).round(copies);
        }
        assertThat(killed).hasSizeGreaterThan(30);
        for (Path copy : killed) {
            Path database = copy.resolve("calls.duckdb");
            try (CallStore store = open(database)) {
                assertThat(rows(store).get("calls")).as(copy.toString()).hasSameSizeAs(before.get("calls"));
                Map<String, List<String>> found = rows(store);
                if (found.getOrDefault("calls", List.of()).stream()
                        .noneMatch(row ->
                                row.contains("|yesterday|" + calls.getFirst().callId() + "|"))) {
                    assertThat(found).as(copy.toString()).isEqualTo(before);
                }
                assertThat(store.missingFiles()).isZero();
                round(store, days(1), 4, RetentionTest::nothing);
                assertThat(rows(store)).as(copy.toString()).isEqualTo(found);
                assertThat(Rows.of(store, "SELECT count(*) FROM recent_calls")).containsExactly("0");
            }
            try (CallStore store = open(database)) {
                assertThat(rows(store).get("messages")).isEqualTo(before.get("messages"));
                assertThat(files(database))
                        .hasSameSizeAs(Rows.of(store, "SELECT * FROM archived_files"))
                        .noneMatch(name -> name.endsWith(".part"));
            }
        }
    }

    private Path copy(String name) {
        Path target = folder.resolve(name);
        Path from = folder.resolve(FOLDER);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, target.resolve(from.relativize(path)));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return target;
    }

    @Test
    void aCallThatIsWrittenAgainTakesThePlaceOfTheOneInAFile() throws Exception {
        try (CallStore store = open(file)) {
            Map<String, List<String>> before = rows(store);
            round(store, days(1), 2, RetentionTest::nothing);
            store.store("again", calls);
            store.store("again", calls.subList(0, 2));
            Map<String, List<String>> after = rows(store);
            assertThat(Rows.of(
                            store,
                            "SELECT count(*), count(DISTINCT id), count(*) FILTER (source = 'again') FROM calls"))
                    .containsExactly("24|24|12");
            for (String table : List.of("dialogs", "problems", "streams", "stream_intervals", "messages")) {
                assertThat(after.get(table)).as(table).isEqualTo(before.get(table));
            }
            round(store, days(1), 3, RetentionTest::nothing);
            assertThat(rows(store)).isEqualTo(after);
            assertThat(Rows.of(store, "SELECT count(*) FROM archived_replaced")).containsExactly("0");
            assertThat(Rows.of(store, "SELECT count(*) FROM archived_files WHERE has_replaced"))
                    .containsExactly("0");
            assertThat(Rows.of(store, "SELECT count(*) FROM recent_calls")).containsExactly("0");
            store.store("third", calls);
            assertThat(Rows.of(store, "SELECT count(*), count(*) FILTER (source = 'third') FROM calls"))
                    .containsExactly("24|12");
        }
        try (CallStore store = open(file)) {
            store.store("fourth", calls);
            assertThat(Rows.of(store, "SELECT count(*), count(*) FILTER (source = 'fourth') FROM calls"))
                    .containsExactly("24|12");
        }
    }

    @Test
    void oddTimesAreKeptInOneFileOfTheirOwn() throws Exception {
        List<CallReport> odd = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            CallReport call = calls.get(i);
            long ns = i % 2 == 0 ? i * 100L * DAY_NS : 8_000_000_000_000_000_000L + i * DAY_NS;
            odd.add(SampleCalls.another(call, "/odd", call.times().firstSeenNs() - ns));
        }
        try (CallStore store = open(file)) {
            store.store("odd", odd);
            Map<String, List<String>> before = rows(store);
            round(store, days(1), 2, RetentionTest::nothing);
            assertThat(rows(store)).isEqualTo(before);
            assertThat(Rows.of(store, "SELECT count(*) FROM recent_calls")).containsExactly("0");
            store.store("odd", odd);
            assertThat(rows(store)).isEqualTo(before);
            round(store, days(1), 3, RetentionTest::nothing);
            assertThat(rows(store)).isEqualTo(before);
            assertThat(Rows.of(
                            store,
                            "SELECT day - (SELECT min(day) FROM archived_files), odd_times FROM archived_files"
                                    + " WHERE table_name = 'calls' ORDER BY ALL"))
                    .hasSize(3)
                    .filteredOn(row -> row.endsWith("true"))
                    .hasSize(1);
        }
        assertThat(files(file))
                .filteredOn(name -> name.startsWith("calls/day=__HIVE_DEFAULT_PARTITION__/"))
                .hasSizeBetween(1, 2); // one was superseded, and is deleted at the next round or start
        open(file).close();
        assertThat(files(file))
                .filteredOn(name -> name.startsWith("calls/day=__HIVE_DEFAULT_PARTITION__/"))
                .hasSize(1);
    }

    @Test
    void oldDaysGoAndTextsGoBeforeThem() throws Exception {
        RetentionSettings settings =
                new RetentionSettings(Duration.ofDays(1), Duration.ofDays(9), Duration.ofDays(5), Long.MAX_VALUE);
        try (CallStore store = open(file)) {
            Retention[] rounds = {
                retention(store, settings, 2), retention(store, settings, 6), retention(store, settings, 10)
            };
            rounds[0].round(RetentionTest::nothing);
            assertThat(counts(store)).isEqualTo("24|24|" + count(store, "messages") + "|1");
            rounds[1].round(RetentionTest::nothing);
            assertThat(counts(store)).isEqualTo("24|0|0|1");
            assertThat(count(store, "messages")).isNotEqualTo("0");
            assertThat(files(file)).anyMatch(name -> name.startsWith("message_texts")); // somebody may read it yet
            rounds[1].round(RetentionTest::nothing);
            assertThat(files(file))
                    .noneMatch(name -> name.startsWith("message_texts"))
                    .isNotEmpty();
            rounds[2].round(RetentionTest::nothing);
            assertThat(counts(store)).isEqualTo("0|0|0|0");
            rounds[2].round(RetentionTest::nothing);
        }
        assertThat(files(file)).isEmpty();
    }

    @Test
    void oldRowsOfTablesGoToo() throws Exception {
        try (CallStore store = open(file)) {
            round(
                    store,
                    new RetentionSettings(null, Duration.ofDays(1), null, Long.MAX_VALUE),
                    1,
                    RetentionTest::nothing);
            assertThat(counts(store)).startsWith("12|12|");
            assertThat(files(file)).isEmpty();
        }
    }

    private static String count(CallStore store, String table) throws Exception {
        return Rows.of(store, "SELECT count(*) FROM " + table).getFirst();
    }

    private static String counts(CallStore store) throws Exception {
        return count(store, "calls") + "|" + count(store, "call_documents") + "|" + count(store, "message_texts") + "|"
                + count(store, "drops");
    }

    @Test
    void whatTakesTooMuchRoomGoesOldestFirst() throws Exception {
        try (CallStore store = open(file)) {
            round(store, days(1), 2, RetentionTest::nothing);
            long files = Long.parseLong(Rows.of(store, "SELECT sum(bytes)::BIGINT FROM archived_files")
                    .getFirst());
            long textBytes = Long.parseLong(Rows.of(
                            store,
                            "SELECT sum(bytes)::BIGINT FROM archived_files WHERE table_name IN ('message_texts', 'call_documents')")
                    .getFirst());
            long database = Files.size(file) + Files.size(Path.of(file + ".wal"));
            ArchiveExpiryRun run = new ArchiveExpiryRun(store);
            assertThat(run.bySize(database + files, database)).isEmpty();
            assertThat(run.bySize(database + files - 1, database)).hasSize(1); // the documents of the day before
            assertThat(counts(store)).startsWith("24|12|");
            assertThat(run.bySize(database + files - textBytes, database)).hasSize(2);
            assertThat(counts(store)).startsWith("24|0|0");
            assertThat(run.bySize(database + files - textBytes - 1, database)).hasSize(5);
            assertThat(counts(store)).startsWith("12|0|0");
            assertThat(run.bySize(1, database)).isNotEmpty();
            assertThat(counts(store)).startsWith("0|0|0");
        }
    }

    private record ArchiveExpiryRun(CallStore store) {
        List<Path> bySize(long most, long database) throws Exception {
            Archive archive = Objects.requireNonNull(store.archive());
            try (Connection connection = store.reader()) {
                return new ArchiveExpiry(connection, archive, RetentionTest::nothing).bySize(most, database);
            }
        }
    }

    @Test
    void aDatabaseThatWasMovedTakesItsFilesAlong() throws Exception {
        Map<String, List<String>> before;
        try (CallStore store = open(file)) {
            round(store, days(1), 2, RetentionTest::nothing);
            before = rows(store);
        }
        Path elsewhere = folder.resolve("elsewhere");
        Files.move(file.getParent(), elsewhere);
        file = elsewhere.resolve("calls.duckdb");
        try (CallStore store = CallStore.openToRead(file, StoreSettings.standard())) {
            assertThat(rows(store)).isEqualTo(before);
        }
        try (CallStore store = open(file)) {
            assertThat(rows(store)).isEqualTo(before);
            assertThat(store.missingFiles()).isZero();
        }
        try (Connection anybody = DriverManager.getConnection("jdbc:duckdb:" + file)) {
            assertThat(rows(anybody)).isEqualTo(before);
        }
    }

    @Test
    void aFileThatSomebodyDeletedIsMissedAndTheRestIsThere() throws Exception {
        try (CallStore store = open(file)) {
            round(store, days(1), 2, RetentionTest::nothing);
        }
        Path archive = ArchiveFolder.of(file).path();
        Path first = archive.resolve(files(file).stream()
                .filter(name -> name.startsWith("calls/"))
                .findFirst()
                .orElseThrow());
        Files.delete(first);
        Path foreign = Files.writeString(archive.resolve("calls/README.parquet"), "somebody's");
        try (CallStore store = CallStore.openToRead(file, StoreSettings.standard())) {
            assertThat(count(store, "calls")).isEqualTo("12");
        }
        try (CallStore store = open(file)) {
            assertThat(store.missingFiles()).isEqualTo(1);
            assertThat(count(store, "calls")).isEqualTo("12");
            assertThat(count(store, "call_documents")).isEqualTo("24");
        }
        assertThat(foreign).exists();
    }

    @Test
    void filesAreReachedByTheDatabaseAndNothingElseIs() throws Exception {
        try (CallStore store = open(file)) {
            round(store, days(1), 2, RetentionTest::nothing);
            try (Connection reader = store.reader()) {
                for (String sql : List.of(
                        "SELECT * FROM read_text('" + folder.toString() + "/../../etc/passwd')",
                        "SELECT * FROM read_text('"
                                + Sql.text(ArchiveFolder.of(file).path() + "/../../x")
                                        .substring(1) + ")",
                        "COPY drops TO '/tmp/offhook-never.csv'",
                        "SET allowed_directories = ['/']")) {
                    assertThatThrownBy(() -> Rows.of(reader, sql)).as(sql).isInstanceOf(SQLException.class);
                }
            }
        }
    }

    /** Values are checked when they are read. */
    @Test
    void settingsThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> settings(Duration.ofMinutes(1), Long.MAX_VALUE))
                .hasMessageContaining("below an hour");
        assertThatThrownBy(() -> settings(null, 1000)).hasMessageContaining("only files can be deleted");
        assertThat(RetentionSettings.NONE.isNothing()).isTrue();
    }

    private static RetentionSettings settings(@Nullable Duration tables, long bytes) {
        return new RetentionSettings(tables, null, null, bytes);
    }
}
