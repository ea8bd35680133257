package io.offhook.web.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Prometheus' text format 0.0.4 by its rules, strictly. */
final class PrometheusText {
    private static final Pattern HELP =
            Pattern.compile("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (([^\\\\\\n]|\\\\[\\\\n])*)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)");
    private static final String LABEL = "([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"";
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(" + LABEL + "(?:," + LABEL + ")*)})? ([+-]?Inf|NaN|[-+0-9.eE]+)");
    private static final Pattern LABELS = Pattern.compile(LABEL);

    /** By name and labels, as written. */
    final Map<String, Double> samples = new LinkedHashMap<>();

    /** The type of each metric. */
    final Map<String, String> types = new LinkedHashMap<>();

    private final Map<String, Map<String, List<double[]>>> buckets = new LinkedHashMap<>();

    static PrometheusText parse(String text) {
        if (!text.endsWith("\n")) {
            throw new AssertionError("the last line has no end");
        }
        PrometheusText parsed = new PrometheusText();
        String current = "";
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            Matcher help = HELP.matcher(line);
            Matcher type = TYPE.matcher(line);
            if (help.matches()) {
                current = help.group(1);
                check(!parsed.types.containsKey(current), "declared twice", line);
            } else if (type.matches()) {
                check(type.group(1).equals(current), "TYPE of another metric than HELP", line);
                check(parsed.types.put(current, type.group(2)) == null, "declared twice", line);
            } else {
                parsed.sample(line, current);
            }
        }
        parsed.checkHistograms();
        return parsed;
    }

    private void sample(String line, String current) {
        Matcher sample = SAMPLE.matcher(line);
        check(sample.matches(), "no sample", line);
        String name = sample.group(1);
        boolean isHistogram = "histogram".equals(types.get(current));
        String base = isHistogram ? name.replaceFirst("_(bucket|sum|count)$", "") : name;
        check(base.equals(current) && (!isHistogram || !base.equals(name)), "a sample of another metric", line);
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABELS.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
            check(labels.put(label.group(1), label.group(2)) == null, "a label twice", line);
        }
        double value = number(sample.group(sample.groupCount()));
        check(samples.put(line.substring(0, line.lastIndexOf(' ')), value) == null, "a sample twice", line);
        check(!"counter".equals(types.get(current)) || value >= 0, "a counter below 0", line);
        if (name.endsWith("_bucket")) {
            double bound = number(Objects.requireNonNull(labels.remove("le")));
            buckets.computeIfAbsent(base, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(labels.toString(), _ -> new ArrayList<>())
                    .add(new double[] {bound, value});
        } else if (isHistogram && name.endsWith("_count")) {
            Objects.requireNonNull(Objects.requireNonNull(buckets.get(base)).get(labels.toString()))
                    .add(new double[] {Double.NaN, value});
        }
    }

    private void checkHistograms() {
        buckets.forEach((name, series) -> series.forEach((labels, list) -> {
            for (int i = 1; i < list.size() - 1; i++) {
                check(list.get(i)[0] > list.get(i - 1)[0], "bounds do not ascend", name);
                check(list.get(i)[1] >= list.get(i - 1)[1], "buckets are not cumulative", name);
            }
            check(list.get(list.size() - 2)[0] == Double.POSITIVE_INFINITY, "no +Inf", name);
            check(list.get(list.size() - 2)[1] == list.getLast()[1], "+Inf is not the count", name);
        }));
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static void check(boolean holds, String what, String line) {
        if (!holds) {
            throw new AssertionError(what + ": " + line);
        }
    }

    /** The sum of the samples whose name begins so. */
    double sum(String prefix) {
        double sum = 0;
        for (Map.Entry<String, Double> sample : samples.entrySet()) {
            if (sample.getKey().startsWith(prefix)) {
                sum += sample.getValue();
            }
        }
        return sum;
    }

    double value(String name) {
        Double value = samples.get(name);
        if (value == null) {
            throw new AssertionError("there is no " + name);
        }
        return value;
    }
}
