package io.offhook.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.statistics.CallFigures;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.store.CallStore;
import io.offhook.store.CaptureLoader;
import io.offhook.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class QuestionTest {
    private static final SqlLimits LIMITS = new SqlLimits(1000, 30_000);

    private static AnalysisResult found;
    private static SqlSession session;

    @BeforeAll
    static void load() throws IOException {
        CallStore store = CallStore.inMemory(StoreSettings.standard());
        session = SqlSession.of(store);
        CaptureLoader loader = new CaptureLoader(store, "calls.pcap");
        try (CaptureFileSource file = CaptureFiles.open(Path.of("../../samples/calls.pcap"))) {
            found = Analysis.run(file, AnalysisOptions.defaults().withListener(loader.listener()));
        }
        loader.finish(found.calls(), found.registrations(), found.capture().lastNs(), List.of());
    }

    @AfterAll
    static void close() throws IOException {
        session.close();
    }

    private static List<List<@Nullable String>> ask(String sql) throws IOException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        session.ask(sql, LIMITS, new SqlRows() {
            @Override
            public void columns(List<SqlColumn> columns) {
                assertThat(columns).isNotEmpty();
            }

            @Override
            public void row(List<@Nullable String> values) {
                rows.add(values);
            }
        });
        return rows;
    }

    private static List<List<@Nullable String>> answer(String name) throws IOException {
        return ask(Objects.requireNonNull(Question.named(name)).sql());
    }

    @Test
    void eachIsAFileWithASentence() throws IOException {
        List<String> names = Question.all().stream().map(Question::name).toList();
        try (var files = Files.list(Path.of("src/main/resources/io/offhook/store/query"))) {
            assertThat(files.map(path -> path.getFileName().toString().replace(".sql", "")))
                    .containsExactlyInAnyOrderElementsOf(names);
        }
        assertThat(names).hasSize(12);
        assertThat(Question.all())
                .allSatisfy(question -> assertThat(question.summary()).endsWith("."));
        assertThat(Question.named("no-such")).isNull();
    }

    @Test
    void eachHasAnAnswer() throws IOException {
        for (Question question : Question.all()) {
            ask(question.sql());
        }
    }

    @Test
    void eachIsAnsweredByAnEmptyDatabase() throws IOException {
        try (SqlSession empty = SqlSession.of(CallStore.inMemory(StoreSettings.standard()))) {
            for (Question question : Question.all()) {
                empty.ask(question.sql(), LIMITS, new SqlRows() {
                    @Override
                    public void columns(List<SqlColumn> columns) {
                        assertThat(columns).as(question.name()).isNotEmpty();
                    }

                    @Override
                    public void row(List<@Nullable String> values) {
                        assertThat(question.name()).isEqualTo("asr-acd"); // of all together, which are none
                    }
                });
            }
        }
    }

    @Test
    void asrNerAndAcdAreThoseOfTheStatistics() throws IOException {
        CallFigures figures = CallFigures.of(found.calls());
        assertThat(answer("asr-acd").getFirst())
                .containsExactly(
                        "all",
                        Integer.toString(figures.attempts()),
                        Integer.toString(figures.answered()),
                        rounded(figures.answerSeizureRatioPercent()),
                        rounded(figures.networkEffectivenessRatioPercent()),
                        rounded(figures.conversation().meanNs() / 1e9));
    }

    private static String rounded(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    @Test
    void theBusyHourIsThatOfTheStatistics() throws IOException {
        long invited = found.calls().stream()
                .filter(call -> call.times().invitedNs() != io.offhook.calls.CallReport.NEVER)
                .count();
        List<List<@Nullable String>> rows = answer("busy-hour");
        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst().get(2)).isEqualTo(Long.toString(invited)); // all within an hour
    }

    @Test
    void theWorstCallIsFirst() throws IOException {
        List<List<@Nullable String>> rows = answer("worst-calls");
        assertThat(rows).isNotEmpty();
        List<Double> mos = rows.stream().map(row -> Double.valueOf(row.get(6))).toList();
        assertThat(mos).isSorted();
    }
}
