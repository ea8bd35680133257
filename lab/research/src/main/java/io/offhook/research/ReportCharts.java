package io.offhook.research;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Rectangle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.svg.SVGGraphics2D;

/**
 * Draws groups of measurements as bars: one chart of absolute figures, and one relative to a baseline. The scale is
 * logarithmic if the largest figure is more than {@value #LARGE} times the smallest.
 */
final class ReportCharts {
    private static final double LARGE = 20;
    /** The part of an axis for the figure after the longest bar. */
    private static final double ROOM = 0.15;
    /** On a logarithmic scale, the part for each digit of that figure. */
    private static final double ROOM_OF_DIGIT = 0.025;
    /** From here on, the digits need more room on the axis. */
    private static final double SHORT_OF_ROOM = 1e6;

    private static final int WIDTH = 900;
    private static final int HEIGHT_OF_BAR = 26;
    private static final int HEIGHT_OF_REST = 110;
    private static final Color INK = new Color(0x222222);
    private static final Color GRID = new Color(0xdddddd);
    private static final Color[] BARS = {
        new Color(0x2a6f97), new Color(0xe07a5f), new Color(0x81b29a), new Color(0xf2cc8f), new Color(0x6d597a)
    };

    private final Path folder;

    ReportCharts(Path folder) {
        this.folder = folder;
    }

    /**
     * Draws a chart of the runs of all machines, in one colour each.
     *
     * @return the names of the files, absolute and relative; empty if nothing was measured
     */
    List<String> draw(String suite, Chart chart, List<BenchReport.Run> runs) throws IOException {
        Map<String, List<Measurement>> byMachine = new LinkedHashMap<>();
        for (BenchReport.Run run : runs) {
            for (SuiteResult result : run.suites()) {
                List<Measurement> group = result.name().equals(suite) ? result.group(chart.group()) : List.of();
                if (!group.isEmpty()) {
                    byMachine.put(machineName(run, runs.size(), byMachine.size() + 1), group);
                }
            }
        }
        if (byMachine.isEmpty()) {
            return List.of();
        }
        String name = suite + "-" + fileName(chart.group());
        List<String> files = new ArrayList<>();
        String unit = byMachine.values().iterator().next().getFirst().unit();
        files.add(write(name + ".svg", chart.title(), unit, byMachine, Map.of()));
        Map<String, Double> baselines = baselines(byMachine, chart.baseline());
        if (!baselines.isEmpty()) {
            String title = chart.title() + ", relative";
            files.add(write(name + "-relative.svg", title, "times " + chart.baseline(), byMachine, baselines));
        }
        return files;
    }

    private static String machineName(BenchReport.Run run, int runs, int number) {
        return runs == 1 ? "" : number + ": " + run.machine().getOrDefault("processor", "unknown");
    }

    private static String fileName(String group) {
        return group.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }

    private static Map<String, Double> baselines(Map<String, List<Measurement>> byMachine, String technique) {
        Map<String, Double> baselines = new LinkedHashMap<>();
        byMachine.forEach((machine, group) -> group.stream()
                .filter(m -> m.technique().equals(technique) && m.score() > 0)
                .findFirst()
                .ifPresent(m -> baselines.put(machine, m.score())));
        return baselines;
    }

    private String write(
            String file,
            String title,
            String unit,
            Map<String, List<Measurement>> byMachine,
            Map<String, Double> baselines)
            throws IOException {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        DefaultCategoryDataset figures = new DefaultCategoryDataset();
        double least = Double.MAX_VALUE;
        double most = 0;
        int bars = 0;
        for (Map.Entry<String, List<Measurement>> machine : byMachine.entrySet()) {
            double by = baselines.getOrDefault(machine.getKey(), 1.0);
            for (Measurement m : machine.getValue()) {
                double value = m.score() / by;
                figures.addValue(value, machine.getKey(), m.technique());
                bars++;
                if (value > 0) {
                    least = Math.min(least, value);
                    most = Math.max(most, value);
                }
            }
        }
        boolean logarithmic = most > LARGE * least;
        double begin = logarithmic ? Math.pow(10, Math.floor(Math.log10(least * 0.9))) : 0;
        for (Object machine : figures.getRowKeys()) {
            for (Object technique : figures.getColumnKeys()) {
                // 0 has no logarithm: it has a figure, but no bar
                Number value = figures.getValue((String) machine, (String) technique);
                data.addValue(value == null ? null : Math.max(value.doubleValue(), begin), (String) machine, (String)
                        technique);
            }
        }
        JFreeChart chart = ChartFactory.createBarChart(
                title, null, unit, data, PlotOrientation.HORIZONTAL, byMachine.size() > 1, false, false);
        style(chart, figures, begin, most);
        int height = HEIGHT_OF_REST + HEIGHT_OF_BAR * bars + (byMachine.size() > 1 ? 40 : 0);
        SVGGraphics2D svg = new SVGGraphics2D(WIDTH, height);
        chart.draw(svg, new Rectangle(WIDTH, height));
        Files.writeString(folder.resolve(file), svg.getSVGDocument());
        return file;
    }

    /** @param begin of a logarithmic scale; 0 for a linear one */
    private static void style(JFreeChart chart, CategoryDataset figures, double begin, double most) {
        chart.setBackgroundPaint(Color.WHITE);
        chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
        chart.getTitle().setPaint(INK);
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.getDomainAxis().setMaximumCategoryLabelWidthRatio(0.45f);
        plot.getDomainAxis().setCategoryLabelPositions(CategoryLabelPositions.STANDARD);
        if (begin > 0) {
            LogAxis axis = new LogAxis(plot.getRangeAxis().getLabel() + ", logarithmic");
            axis.setLabelFont(plot.getRangeAxis().getLabelFont());
            axis.setTickLabelFont(plot.getRangeAxis().getTickLabelFont());
            axis.setBase(10);
            axis.setTickUnit(new NumberTickUnit(1));
            axis.setNumberFormatOverride(numbers(most));
            // the shortest bar must be visible, with room for the figure after the longest
            double room =
                    Math.max(ROOM, ROOM_OF_DIGIT * ReportMarkdown.number(most).length());
            axis.setRange(begin, most * Math.max(4, Math.pow(most / begin, room)));
            plot.setRangeAxis(axis);
        } else {
            NumberAxis axis = (NumberAxis) plot.getRangeAxis();
            axis.setUpperMargin(ROOM);
            axis.setNumberFormatOverride(numbers(most));
            if (most == 0) {
                axis.setRange(0, 1);
            }
        }
        BarRenderer renderer = (BarRenderer) plot.getRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setDrawBarOutline(false);
        renderer.setItemMargin(0.05);
        for (int i = 0; i < BARS.length; i++) {
            renderer.setSeriesPaint(i, BARS[i]);
        }
        renderer.setDefaultItemLabelGenerator(new FigureLabels(figures));
        renderer.setDefaultItemLabelsVisible(true);
    }

    /** Abbreviates large numbers (10M, 100K), so that those of an axis do not touch. */
    private static NumberFormat numbers(double most) {
        if (most < SHORT_OF_ROOM) {
            return new DecimalFormat("#,##0.#########", DecimalFormatSymbols.getInstance(Locale.ROOT));
        }
        NumberFormat large = NumberFormat.getCompactNumberInstance(Locale.ENGLISH, NumberFormat.Style.SHORT);
        large.setMaximumFractionDigits(9);
        return large;
    }

    /** Adds the figure after each bar, as in the tables. */
    private record FigureLabels(CategoryDataset figures) implements CategoryItemLabelGenerator {
        @Override
        public String generateRowLabel(CategoryDataset shown, int row) {
            return shown.getRowKey(row).toString();
        }

        @Override
        public String generateColumnLabel(CategoryDataset shown, int column) {
            return shown.getColumnKey(column).toString();
        }

        @Override
        public String generateLabel(CategoryDataset shown, int row, int column) {
            Number figure = figures.getValue(row, column);
            return figure == null ? "" : ReportMarkdown.number(figure.doubleValue());
        }
    }
}
