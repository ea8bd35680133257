package io.offhook.metrics;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the text format of Prometheus, version 0.0.4. Values of labels are escaped. */
public final class MetricsText {
    /** The media type of the text. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder(16 * 1024);

    /** Begins an empty text. */
    public MetricsText() {}

    /** Begins a metric: its help and type. Each metric begins once, and its values follow. */
    public MetricsText begin(Metric metric) {
        text.append("# HELP ").append(metric.fullName()).append(' ').append(metric.help());
        text.append("\n# TYPE ").append(metric.fullName()).append(' ');
        text.append(metric.type().label()).append('\n');
        return this;
    }

    /**
     * Adds a value.
     *
     * @param values of the labels, in their order
     */
    public void value(Metric metric, long value, String... values) {
        name(metric, "", null, values);
        text.append(value).append('\n');
    }

    /**
     * Adds a value with decimals.
     *
     * @param values of the labels, in their order
     */
    public void value(Metric metric, double value, String... values) {
        name(metric, "", null, values);
        text.append(number(value)).append('\n');
    }

    /**
     * Adds a histogram, in the unit of the metric.
     *
     * @param values of the labels, in their order
     */
    public void histogram(Metric metric, MetricHistogram.Buckets histogram, String... values) {
        for (int i = 0; i < histogram.bounds(); i++) {
            name(metric, "_bucket", bound(histogram.bound(i)), values);
            text.append(histogram.upTo(i)).append('\n');
        }
        name(metric, "_bucket", "+Inf", values);
        text.append(histogram.count()).append('\n');
        name(metric, "_sum", null, values);
        text.append(number(histogram.sum())).append('\n');
        name(metric, "_count", null, values);
        text.append(histogram.count()).append('\n');
    }

    /** Always with a decimal point and without an exponent, so that a bound is the same text forever. */
    private static String bound(double bound) {
        String decimal = BigDecimal.valueOf(bound).stripTrailingZeros().toPlainString();
        return decimal.indexOf('.') < 0 ? decimal + ".0" : decimal;
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return String.valueOf(value);
    }

    private void name(Metric metric, String suffix, @Nullable String bound, String... values) {
        List<String> labels = metric.labels();
        if (labels.size() != values.length) {
            throw new IllegalArgumentException(
                    metric.fullName() + " has " + labels.size() + " labels, not " + values.length);
        }
        text.append(metric.fullName()).append(suffix);
        if (!labels.isEmpty() || bound != null) {
            text.append('{');
            for (int i = 0; i < labels.size(); i++) {
                text.append(i == 0 ? "" : ",").append(labels.get(i)).append("=\"");
                escape(values[i]);
                text.append('"');
            }
            if (bound != null) {
                text.append(labels.isEmpty() ? "" : ",")
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
