package io.offhook.proxy.statistics;

import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Builds the text format of Prometheus, version 0.0.4. Values of labels are escaped. */
final class MetricsText {
    /** The upper bounds of histograms in microseconds, each written in seconds. */
    private static final long[] BOUNDS_US = {
        50,
        100,
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        5_000_000,
        10_000_000,
        30_000_000,
        60_000_000,
        180_000_000
    };

    private final StringBuilder text = new StringBuilder(16 * 1024);

    /** Begins a metric: its help and type. */
    MetricsText begin(Metric metric) {
        text.append("# HELP ").append(metric.fullName()).append(' ').append(metric.help());
        text.append("\n# TYPE ").append(metric.fullName()).append(' ');
        text.append(metric.type().name().toLowerCase(Locale.ROOT)).append('\n');
        return this;
    }

    /**
     * Adds a value.
     *
     * @param values of the labels, in their order
     */
    void value(Metric metric, long value, String... values) {
        name(metric, "", null, values);
        text.append(value).append('\n');
    }

    /** Adds a value with decimals. */
    void value(Metric metric, double value, String... values) {
        name(metric, "", null, values);
        text.append(value).append('\n');
    }

    /** Adds a histogram of nanoseconds, in seconds. */
    void histogram(Metric metric, Histogram histogram, String... values) {
        long before = 0;
        long lower = 0;
        for (long bound : BOUNDS_US) {
            long upper = bound * 1000;
            if (upper > histogram.getHighestTrackableValue()) {
                break;
            }
            before += histogram.getCountBetweenValues(lower, upper);
            lower = histogram.nextNonEquivalentValue(upper);
            name(metric, "_bucket", seconds(bound), values);
            text.append(before).append('\n');
        }
        name(metric, "_bucket", "+Inf", values);
        text.append(histogram.getTotalCount()).append('\n');
        name(metric, "_sum", null, values);
        text.append(histogram.getTotalCount() == 0 ? 0 : histogram.getMean() * histogram.getTotalCount() / 1e9)
                .append('\n');
        name(metric, "_count", null, values);
        text.append(histogram.getTotalCount()).append('\n');
    }

    private static String seconds(long us) {
        String decimal = String.format(Locale.ROOT, "%.6f", us / 1e6);
        return decimal.replaceFirst("0+$", "").replaceFirst("\\.$", ".0");
    }

    private void name(Metric metric, String suffix, @Nullable String bound, String... values) {
        String[] labels = metric.labels();
        if (labels.length != values.length) {
            throw new IllegalArgumentException(
                    metric.fullName() + " has " + labels.length + " labels, not " + values.length);
        }
        text.append(metric.fullName()).append(suffix);
        if (labels.length > 0 || bound != null) {
            text.append('{');
            for (int i = 0; i < labels.length; i++) {
                text.append(i == 0 ? "" : ",").append(labels[i]).append("=\"");
                escape(values[i]);
                text.append('"');
            }
            if (bound != null) {
                text.append(labels.length == 0 ? "" : ",")
                        .append("le=\"")
                        .append(bound)
                        .append('"');
            }
            text.append('}');
        }
        text.append(' ');
    }

    private void escape(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append("\\\"");
                case '\n' -> text.append("\\n");
                default -> text.append(c < ' ' || c == 0x7f ? '?' : c);
            }
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
