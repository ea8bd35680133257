package io.offhook.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.Problem;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.store.CallStore;
import io.offhook.store.CaptureLoader;
import io.offhook.store.StoreSettings;
import io.offhook.store.WriterCounts;
import io.offhook.web.FixedData;
import io.offhook.web.alert.AlertConfig;
import io.offhook.web.alert.Alerts;
import io.offhook.web.data.CallData;
import io.offhook.web.data.InputState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsResourceTest {
    private static final Path SAMPLE = Path.of("../../samples/calls.pcap");

    private final CallMetrics metrics = new CallMetrics();
    private final FixedData data = FixedData.unreachable();
    private final MetricsResource resource =
            new MetricsResource(metrics, data, new HttpCounts(), Alerts.start(AlertConfig.NONE, data), "1.2.3");

    private static AnalysisResult sample() throws Exception {
        try (CaptureFileSource file = CaptureFiles.open(SAMPLE)) {
            return Analysis.run(file, AnalysisOptions.defaults());
        }
    }

    private PrometheusText read() {
        return PrometheusText.parse(resource.text());
    }

    @Test
    void declaresAllMetricsByTheRulesOfTheFormat() {
        data.inputs = List.of(new InputState(
                "a \"b\"\\\n\tc",
                InputState.Kind.FILE,
                InputState.State.READING,
                10,
                InputState.Counts.read(5, 500),
                null));
        data.drops = List.of(new CallData.Drop("dropped by the kernel", 3));
        PrometheusText text = read();
        Set<String> names = new HashSet<>();
        for (ServedMetric metric : ServedMetric.values()) {
            names.add(metric.fullName());
            assertThat(text.types)
                    .containsEntry(metric.fullName(), metric.type().label());
        }
        assertThat(text.types.keySet()).isEqualTo(names);
        assertThat(text.value("offhook_build_info{version=\"1.2.3\"}")).isEqualTo(1);
        assertThat(text.value("offhook_capture_packets_total{input=\"a \\\"b\\\"\\\\\\n?c\"}"))
                .isEqualTo(5);
        assertThat(text.value("offhook_drops_total{cause=\"dropped by the kernel\"}"))
                .isEqualTo(3);
    }

    @Test
    void countsWhatTheDatabaseHasOfAnalysedCalls(@TempDir Path folder) throws Exception {
        AnalysisResult result = sample();
        metrics.end(result.capture(), result.calls());
        PrometheusText text = read();
        try (CallStore store = CallStore.open(folder.resolve("calls.duckdb"), StoreSettings.standard())) {
            new CaptureLoader(store, "sample")
                    .finish(
                            result.calls(),
                            result.registrations(),
                            result.capture().lastNs(),
                            List.of());
            try (Connection connection = store.reader();
                    Statement statement = connection.createStatement()) {
                for (Outcome outcome : Outcome.values()) {
                    assertThat(text.value("offhook_calls_ended_total{outcome=\"" + outcome.label() + "\"}"))
                            .isEqualTo(
                                    number(statement, "count(*) FROM calls WHERE outcome = '" + outcome.label() + "'"));
                }
                assertThat(text.value("offhook_calls_bad_total"))
                        .isEqualTo(number(statement, "count(*) FROM calls WHERE bad"));
                for (Problem.Kind kind : Problem.Kind.values()) {
                    assertThat(text.value("offhook_call_problems_total{kind=\"" + kind.label() + "\"}"))
                            .isEqualTo(number(
                                    statement,
                                    "count(DISTINCT call) FROM problems WHERE kind = '" + kind.label() + "'"));
                }
                assertThat(text.value("offhook_call_set_up_seconds_count"))
                        .isEqualTo(number(statement, "count(set_up_ms) FROM calls"));
                assertThat(text.value("offhook_call_set_up_seconds_sum"))
                        .isCloseTo(number(statement, "sum(set_up_ms) / 1000 FROM calls"), within(1e-6));
                assertThat(text.value("offhook_call_set_up_seconds_bucket{le=\"1.0\"}"))
                        .isEqualTo(number(statement, "count(*) FROM calls WHERE set_up_ms <= 1000"));
                assertThat(text.sum("offhook_call_mos_count"))
                        .isEqualTo(number(statement, "count(worst_mos) FROM calls"));
                assertThat(text.value("offhook_call_mos_bucket{scale=\"narrowband\",le=\"3.6\"}"))
                        .isEqualTo(number(
                                statement,
                                "count(*) FROM calls WHERE worst_mos <= 3.6 AND worst_mos_scale = 'narrowband'"));
                // as the page counts them
                String attempt = "invited_at IS NOT NULL AND outcome NOT IN ('ringing', 'redirected')";
                assertThat(text.value("offhook_call_attempts_total"))
                        .isEqualTo(number(statement, "count(*) FROM calls WHERE " + attempt));
                assertThat(text.value("offhook_call_attempts_answered_total"))
                        .isEqualTo(number(
                                statement,
                                "count(*) FROM calls WHERE " + attempt + " AND outcome IN ('answered','ongoing')"));
            }
        }
        assertThat(text.sum("offhook_calls_ended_total"))
                .isEqualTo(result.calls().size());
        assertThat(text.sum("offhook_sip_messages_total")).isEqualTo((double)
                (result.capture().sipRequests() + result.capture().sipResponses()));
    }

    private static double number(Statement statement, String sql) throws Exception {
        try (ResultSet row = statement.executeQuery("SELECT " + sql)) {
            row.next();
            return row.getDouble(1);
        }
    }

    @Test
    void countsACallOnceHoweverOftenItChanges() throws Exception {
        AnalysisResult result = sample();
        long nowNs = result.capture().lastNs();
        for (int look = 0; look < 40; look++) {
            metrics.look(result.capture(), result.calls(), result.calls(), nowNs + look * 500_000_000L);
        }
        List<CallReport> over = new ArrayList<>(result.calls());
        over.removeIf(call -> !SettlingCalls.isOver(call));
        assertThat(read().sum("offhook_calls_ended_total")).isEqualTo(over.size());
        assertThat(read().value("offhook_running_calls"))
                .isEqualTo(result.calls().size() - over.size());
        metrics.end(result.capture(), result.calls());
        assertThat(read().sum("offhook_calls_ended_total"))
                .isEqualTo(result.calls().size());
        assertThat(read().value("offhook_running_calls")).isZero();
    }

    @Test
    void waitsUntilAnEndIsCertain() throws Exception {
        AnalysisResult result = sample();
        long nowNs = result.capture().lastNs();
        metrics.look(result.capture(), result.calls(), result.calls(), nowNs);
        assertThat(read().sum("offhook_calls_ended_total")).isZero();
        metrics.look(result.capture(), List.of(), List.of(), nowNs + SettlingCalls.SETTLE_NS);
        assertThat(read().sum("offhook_calls_ended_total")).isPositive();
    }

    @Test
    void countersNeverGoBack() {
        data.inputs = List.of(new InputState(
                "f.pcap", InputState.Kind.FILE, InputState.State.READING, 10, InputState.Counts.read(500, 9000), null));
        assertThat(read().value("offhook_capture_packets_total{input=\"f.pcap\"}"))
                .isEqualTo(500);
        data.inputs = List.of(new InputState(
                "f.pcap",
                InputState.Kind.FILE,
                InputState.State.FAILED,
                0,
                InputState.Counts.read(0, 0),
                "unreadable"));
        assertThat(read().value("offhook_capture_packets_total{input=\"f.pcap\"}"))
                .isEqualTo(500);
        assertThat(read().value("offhook_capture_bytes_total{input=\"f.pcap\"}"))
                .isEqualTo(9000);
    }

    @Test
    void boundsTheValuesOfLabels() {
        List<InputState> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            many.add(new InputState(
                    "f" + i, InputState.Kind.FILE, InputState.State.DONE, 100, InputState.Counts.read(1, 1), null));
        }
        data.inputs = many;
        PrometheusText text = read();
        assertThat(text.sum("offhook_capture_packets_total{input=")).isEqualTo(500);
        assertThat(text.value("offhook_capture_packets_total{input=\"others\"}"))
                .isEqualTo(436);
        assertThat(HttpCounts.route("/api/v1/calls/1/audio")).isEqualTo("calls");
        assertThat(HttpCounts.route("/api/v1/x" + System.nanoTime())).isEqualTo("api");
        assertThat(HttpCounts.route("/../../etc")).isEqualTo("page");
    }

    @Test
    void showsWhatWasWrittenAndLost() {
        metrics.writtenBy(
                () -> new WriterCounts(new WriterCounts.Items(1, 2, 3), new WriterCounts.Items(4, 5, 6), 7, 8, "full"));
        PrometheusText text = read();
        assertThat(text.value("offhook_store_rows_written_total{table=\"messages\"}"))
                .isEqualTo(2);
        assertThat(text.value("offhook_store_rows_lost_total{table=\"registrations\"}"))
                .isEqualTo(6);
        assertThat(text.value("offhook_store_failed_writes_total")).isEqualTo(7);
        assertThat(text.value("offhook_store_queue_bytes")).isEqualTo(8);
    }

    @Test
    void namesHaveTheirUnits() {
        for (ServedMetric metric : ServedMetric.values()) {
            String name = metric.fullName();
            assertThat(name).matches("offhook_[a-z_]+");
            assertThat(name.endsWith("_total"))
                    .as(name)
                    .isEqualTo(metric.type() == io.offhook.metrics.Metric.Type.COUNTER);
            assertThat(name).doesNotContain("_ms").doesNotContain("percent");
            assertThat(metric.help()).endsWith(".").doesNotContain("\\").doesNotContain("\n");
        }
    }
}
