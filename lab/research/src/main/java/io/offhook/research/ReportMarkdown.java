package io.offhook.research;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a report for people: the questions, a table and charts per group, remarks. */
final class ReportMarkdown {
    private final BenchReport report;
    private final ReportCharts charts;
    private final StringBuilder text = new StringBuilder();

    ReportMarkdown(BenchReport report, ReportCharts charts) {
        this.report = report;
        this.charts = charts;
    }

    void write(Path file) throws IOException {
        text.append("# Crossing the boundary\n\n");
        text.append(
                "Java and native memory, measured by `offhook bench`. Ratios within one machine's run count; absolute"
                        + " times do not travel.\n\n");
        machines();
        for (String suite : suites()) {
            suite(suite);
        }
        Files.writeString(file, text);
    }

    private void machines() {
        List<BenchReport.Run> runs = report.runs();
        text.append("## Machines\n\n| | ");
        for (int i = 1; i <= runs.size(); i++) {
            text.append(i).append(" | ");
        }
        text.append("\n|---|").append("---|".repeat(runs.size())).append('\n');
        Set<String> properties = new LinkedHashSet<>();
        runs.forEach(run -> properties.addAll(run.machine().keySet()));
        for (String property : properties) {
            text.append("| ").append(Jmh.words(property)).append(" | ");
            runs.forEach(
                    run -> text.append(run.machine().getOrDefault(property, "")).append(" | "));
            text.append('\n');
        }
        text.append('\n');
        if (runs.stream().anyMatch(run -> run.effort() == Effort.QUICK)) {
            text.append("**A quick run: it shows that all of it runs. Its figures mean little.**\n\n");
        }
    }

    private List<String> suites() {
        Set<String> names = new LinkedHashSet<>();
        report.runs().forEach(run -> run.suites().forEach(suite -> names.add(suite.name())));
        return List.copyOf(names);
    }

    private void suite(String name) throws IOException {
        SuiteResult first = null;
        List<SuiteResult> results = new ArrayList<>();
        for (BenchReport.Run run : report.runs()) {
            for (SuiteResult result : run.suites()) {
                if (result.name().equals(name)) {
                    results.add(result);
                    first = first == null ? result : first;
                }
            }
        }
        if (first == null) {
            return;
        }
        text.append("## ")
                .append(first.title())
                .append("\n\n")
                .append(first.question().strip())
                .append("\n\n");
        Set<String> groups = new LinkedHashSet<>();
        results.forEach(result -> result.charts().forEach(chart -> groups.add(chart.group())));
        Set<String> measured = new LinkedHashSet<>();
        results.forEach(result -> result.measurements().forEach(m -> measured.add(m.group())));
        groups.retainAll(measured);
        groups.addAll(measured);
        for (String group : groups) {
            Chart chart = chartOf(results, group);
            text.append("### ").append(chart == null ? group : chart.title()).append("\n\n");
            for (int i = 0; i < results.size(); i++) {
                table(results.get(i), results.get(i).group(group), chart, results.size() == 1 ? 0 : i + 1);
            }
            if (chart != null) {
                for (String file : charts.draw(name, chart, report.runs())) {
                    text.append("![")
                            .append(chart.title())
                            .append("](")
                            .append(file)
                            .append(")\n");
                }
                text.append('\n');
            }
        }
        for (SuiteResult result : results) {
            result.remarks().forEach(remark -> text.append(remark.strip()).append("\n\n"));
        }
    }

    private static @Nullable Chart chartOf(List<SuiteResult> results, String group) {
        for (SuiteResult result : results) {
            for (Chart chart : result.charts()) {
                if (chart.group().equals(group)) {
                    return chart;
                }
            }
        }
        return null;
    }

    private void table(SuiteResult result, List<Measurement> measurements, @Nullable Chart chart, int machine) {
        if (measurements.isEmpty()) {
            return;
        }
        if (machine > 0) {
            text.append("Machine ").append(machine).append(":\n\n");
        }
        String baseline = chart == null ? "" : chart.baseline();
        double by = measurements.stream()
                .filter(m -> m.technique().equals(baseline) && m.score() > 0)
                .mapToDouble(Measurement::score)
                .findFirst()
                .orElse(Double.NaN);
        boolean costs = measurements.stream().anyMatch(m -> result.cost(m) != null);
        boolean notes = measurements.stream().anyMatch(m -> m.note() != null);
        text.append("| technique | ").append(measurements.getFirst().unit()).append(" | ± | ");
        text.append(Double.isNaN(by) ? "" : "times " + baseline + " | ")
                .append("samples |")
                .append(costs ? " copies | calls | lines |" : "")
                .append(notes ? " |" : "");
        text.append("\n|---|---:|---:|")
                .append(Double.isNaN(by) ? "" : "---:|")
                .append("---:|")
                .append(costs ? "---|---|---:|" : "")
                .append(notes ? "---|" : "");
        text.append('\n');
        for (Measurement m : measurements) {
            text.append("| ")
                    .append(m.technique())
                    .append(" | ")
                    .append(number(m.score()))
                    .append(" | ");
            text.append(m.error() == null ? "" : number(m.error())).append(" | ");
            text.append(Double.isNaN(by) ? "" : number(m.score() / by) + " | ")
                    .append(m.samples())
                    .append(" |");
            if (costs) {
                cost(result.cost(m));
            }
            text.append(notes ? " " + (m.note() == null ? "" : m.note()) + " |" : "")
                    .append('\n');
        }
        text.append('\n');
    }

    private void cost(@Nullable Cost cost) {
        if (cost == null) {
            text.append(" | | |");
            return;
        }
        text.append(' ').append(cost.copies()).append(" | ").append(cost.calls());
        text.append(" | ").append(cost.lines()).append(" |");
    }

    /** Three significant digits, or all before the point: 0.00123, 1.23, 12.3, 123, 12,346. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size == 0 || Double.isNaN(value)) {
            return size == 0 ? "0" : "";
        }
        int decimals = Math.clamp(2 - (int) Math.floor(Math.log10(size)), 0, 9);
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
