package io.offhook.cli.threads;

import io.offhook.monitor.Pause;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Draws threads over time, as SVG or PNG: a row a thread, the busiest first, all on one scale. Its size is bounded, however long
 * the time is.
 */
final class ThreadsPlot {
    /** The most rows. */
    static final int MOST = 60;

    /** Threads that never took, nor wanted, so much of a processor have no row. */
    private static final double LEAST = 0.001;

    private static final double[] SCALES = {0.05, 0.1, 0.25, 0.5, 1};

    private final PlotPicture picture;
    private final List<Lane> lanes;
    private final int left;
    private final double scale;
    private final Iterable<Pause> pauses;

    /** A row. */
    private record Lane(ThreadHistory.Entry thread, PlotColumns columns) {}

    private ThreadsPlot(PlotCanvas canvas, String title, ThreadHistory history, Times times) {
        List<ThreadHistory.Entry> threads = history.entries().stream()
                .filter(entry -> !entry.samples.isEmpty())
                .sorted(Comparator.comparingLong(ThreadsPlot::ranNs).reversed())
                .toList();
        long firstNs = threads.stream()
                .mapToLong(entry -> entry.samples.getFirst().atNs()
                        - entry.samples.getFirst().use().elapsedNs())
                .min()
                .orElse(0);
        long lastNs = threads.stream()
                .mapToLong(entry -> entry.samples.getLast().atNs())
                .max()
                .orElse(1);
        lanes = new ArrayList<>();
        double highest = 0;
        for (ThreadHistory.Entry thread : threads.subList(0, Math.min(MOST, threads.size()))) {
            PlotColumns columns = new PlotColumns(firstNs, lastNs, PlotPicture.COLUMNS);
            columns.add(thread.samples);
            if (!lanes.isEmpty()
                    && columns.highest() < LEAST
                    && !columns.states().isKnown()) {
                continue;
            }
            lanes.add(new Lane(thread, columns));
            highest = Math.max(highest, columns.highest());
        }
        left = threads.size() - lanes.size();
        scale = scale(highest);
        pauses = history.inJava().pauses();
        boolean isJvm = lanes.stream().anyMatch(lane -> lane.columns().states().isKnown());
        picture = new PlotPicture(canvas, title, new PlotPicture.Frame(lanes.size(), isJvm, firstNs, lastNs), times);
    }

    private static long ranNs(ThreadHistory.Entry thread) {
        return thread.row.total().userNs() + thread.row.total().systemNs();
    }

    private static double scale(double highest) {
        for (double candidate : SCALES) {
            if (highest <= candidate) {
                return candidate;
            }
        }
        return 1;
    }

    /** The title for a process. */
    static String title(long pid, String commandLine) {
        return "Threads of " + pid + "  " + commandLine;
    }

    /** Writes the plot, over a file that may be there. */
    static void write(Path file, String title, ThreadHistory history, Times times) throws IOException {
        PlotCanvas canvas = PlotOption.isPng(file) ? new PngCanvas() : new SvgCanvas();
        Files.write(file, new ThreadsPlot(canvas, title, history, times).draw());
    }

    private byte[] draw() {
        picture.begin();
        picture.legend(scale);
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            picture.lane(i, lane.thread().name(), under(lane.thread()), lane.columns(), scale);
        }
        picture.pauses(pauses);
        return picture.end(
                left == 0
                        ? ""
                        : "and " + Words.count(left, "thread") + " more, which took less processor time, or none");
    }

    /** "7894 · 8.7 %". */
    private static String under(ThreadHistory.Entry thread) {
        return thread.row.id() + " · " + Decimals.text(thread.row.total().cpu() * 100, 1) + " %"
                + (thread.row.isEnded() ? " · ended" : "");
    }
}
