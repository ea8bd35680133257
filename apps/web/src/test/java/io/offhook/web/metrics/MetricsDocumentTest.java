package io.offhook.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.metrics.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricsDocumentTest {
    private static final Path DOCUMENT = Path.of("../../docs/METRICS.md");
    private static final Path DASHBOARD = Path.of("../../docs/grafana/offhook.json");
    private static final Pattern EXPRESSION = Pattern.compile("\"(?:expr|query)\": \"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern SELECTOR = Pattern.compile("(offhook_[a-z_]+)(?:\\{([^}]*)})?(\\[)?");
    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");
    private static final Set<String> OWN_LABELS = Set.of("instance", "job", "le");

    /** With {@code -Doffhook.write=true}, it is written. */
    @Test
    void theDocumentListsAllMetrics() throws IOException {
        StringBuilder table = new StringBuilder("\n| metric | type | labels | |\n|---|---|---|---|\n");
        for (ServedMetric metric : ServedMetric.values()) {
            String labels = String.join("`, `", metric.labels());
            table.append("| `").append(metric.fullName()).append("` | ");
            table.append(metric.type().label()).append(" | ");
            table.append(labels.isEmpty() ? "" : "`" + labels + "`").append(" | ");
            table.append(metric.help()).append(" |\n");
        }
        table.append('\n');
        String begin = "<!-- made from the code by MetricsDocumentTest -->\n";
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(begin) + begin.length();
        int to = document.indexOf("<!-- end -->");
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(DOCUMENT, document.substring(0, from) + table + document.substring(to));
            return;
        }
        assertThat(document.substring(from, to)).isEqualTo(table.toString());
    }

    @Test
    void theDashboardAsksForMetricsThatExist() throws IOException {
        Map<String, ServedMetric> known = new HashMap<>();
        for (ServedMetric metric : ServedMetric.values()) {
            if (metric.type() == Metric.Type.HISTOGRAM) {
                known.put(metric.fullName() + "_bucket", metric);
            } else {
                known.put(metric.fullName(), metric);
            }
        }
        Set<String> asked = new TreeSet<>();
        Matcher expression = EXPRESSION.matcher(Files.readString(DASHBOARD));
        while (expression.find()) {
            String text = expression.group(1).replace("\\\"", "\"");
            Set<String> labels = new HashSet<>(OWN_LABELS);
            Matcher selector = SELECTOR.matcher(text);
            while (selector.find()) {
                ServedMetric metric = Objects.requireNonNull(known.get(selector.group(1)), text);
                asked.add(selector.group(1));
                labels.addAll(metric.labels());
                // a counter is of use by its rate only, a gauge has none
                boolean isRate = selector.group(3) != null;
                assertThat(isRate || text.startsWith("label_values"))
                        .as(text)
                        .isEqualTo(metric.type() != Metric.Type.GAUGE || text.startsWith("label_values"));
            }
            Matcher grouping = GROUPING.matcher(text);
            while (grouping.find()) {
                assertThat(labels)
                        .as(text)
                        .containsAll(List.of(grouping.group(1).split(", ", -1)));
            }
        }
        assertThat(asked)
                .contains(
                        "offhook_calls_ended_total",
                        "offhook_running_calls",
                        "offhook_call_attempts_answered_total",
                        "offhook_call_set_up_seconds_bucket",
                        "offhook_call_mos_bucket",
                        "offhook_call_problems_total",
                        "offhook_drops_total",
                        "offhook_store_rows_written_total");
    }
}
