package io.offhook.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
    private record Sample(String fullName, Type type, List<String> labels, String help) implements Metric {}

    private static final Metric COUNTER = new Sample("x_total", Metric.Type.COUNTER, List.of("a", "b"), "Xs.");
    private static final Metric HISTOGRAM = new Sample("y_seconds", Metric.Type.HISTOGRAM, List.of("a"), "Ys.");
    private static final Metric GAUGE = new Sample("z_bytes", Metric.Type.GAUGE, List.of(), "Zs.");

    @Test
    void writesHelpTypeAndValues() {
        MetricsText text = new MetricsText();
        text.begin(COUNTER).value(COUNTER, 3, "1", "2");
        text.begin(GAUGE).value(GAUGE, 1.5);
        assertThat(text)
                .hasToString("# HELP x_total Xs.\n# TYPE x_total counter\nx_total{a=\"1\",b=\"2\"} 3\n"
                        + "# HELP z_bytes Zs.\n# TYPE z_bytes gauge\nz_bytes 1.5\n");
    }

    @Test
    void escapesValuesOfLabels() {
        MetricsText text = new MetricsText();
        text.value(COUNTER, 1, "\"\\\n\r\u0007", "ü\u007f");
        assertThat(text).hasToString("x_total{a=\"\\\"\\\\\\n??\",b=\"ü?\"} 1\n");
    }

    @Test
    void writesNumbersThatAreNone() {
        MetricsText text = new MetricsText();
        text.value(GAUGE, Double.NaN);
        text.value(GAUGE, Double.POSITIVE_INFINITY);
        text.value(GAUGE, Double.NEGATIVE_INFINITY);
        assertThat(text).hasToString("z_bytes NaN\nz_bytes +Inf\nz_bytes -Inf\n");
    }

    @Test
    void writesCumulativeBuckets() {
        MetricHistogram histogram = new MetricHistogram(0.00005, 1, 60);
        for (double value : new double[] {0.00005, 0.5, 1, 59, 61, Double.NaN}) {
            histogram.add(value);
        }
        MetricsText text = new MetricsText();
        text.histogram(HISTOGRAM, histogram.buckets(), "k");
        assertThat(text)
                .hasToString("y_seconds_bucket{a=\"k\",le=\"0.00005\"} 1\ny_seconds_bucket{a=\"k\",le=\"1.0\"} 3\n"
                        + "y_seconds_bucket{a=\"k\",le=\"60.0\"} 4\ny_seconds_bucket{a=\"k\",le=\"+Inf\"} 5\n"
                        + "y_seconds_sum{a=\"k\"} 121.50005\ny_seconds_count{a=\"k\"} 5\n");
    }

    @Test
    void refusesWhatDoesNotFit() {
        MetricsText text = new MetricsText();
        assertThatThrownBy(() -> text.value(COUNTER, 1, "1")).hasMessageContaining("2 labels, not 1");
        assertThatThrownBy(() -> new MetricHistogram(1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MetricHistogram.Buckets(new double[1], new long[1], 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
