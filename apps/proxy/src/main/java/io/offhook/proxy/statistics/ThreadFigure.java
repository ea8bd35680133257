package io.offhook.proxy.statistics;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Processor time of threads of this process, those of one name together: {@code GC Thread#0} and {@code GC Thread#1} are one.
 *
 * @param name what the kernel knows, at most 15 characters, without a number at its end
 * @param threads how many have that name
 * @param userTicks user time, in hundredths of a second
 * @param systemTicks system time, in hundredths of a second
 */
public record ThreadFigure(String name, int threads, long userTicks, long systemTicks) {
    private static final int MOST_THREADS = 4096;

    /**
     * Reads them.
     *
     * @param tasks {@code /proc/self/task}, or a copy of such a folder
     * @return the busiest first; empty where there is no such folder
     */
    static List<ThreadFigure> read(Path tasks) {
        List<ThreadFigure> figures = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(tasks)) {
            int seen = 0;
            for (Path folder : folders) {
                if (++seen > MOST_THREADS) {
                    break;
                }
                add(figures, folder);
            }
        } catch (IOException e) {
            return figures; // another system
        }
        figures.sort(Comparator.comparingLong((ThreadFigure figure) -> figure.userTicks + figure.systemTicks)
                .reversed()
                .thenComparing(ThreadFigure::name));
        return figures;
    }

    private static void add(List<ThreadFigure> figures, Path folder) {
        String stat;
        try {
            stat = Files.readString(folder.resolve("stat"));
        } catch (IOException e) {
            return; // it ended meanwhile
        }
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        if (open < 0 || close < open) {
            return;
        }
        String[] fields = stat.substring(close + 1).strip().split(" ", -1);
        if (fields.length < 13) {
            return;
        }
        String name = stat.substring(open + 1, close).replaceFirst("[-# ]*[0-9]+$", "");
        ThreadFigure one = new ThreadFigure(name, 1, Long.parseLong(fields[11]), Long.parseLong(fields[12]));
        for (int i = 0; i < figures.size(); i++) {
            if (figures.get(i).name.equals(name)) {
                figures.set(i, figures.get(i).plus(one));
                return;
            }
        }
        figures.add(one);
    }

    private ThreadFigure plus(ThreadFigure other) {
        return new ThreadFigure(
                name, threads + other.threads, userTicks + other.userTicks, systemTicks + other.systemTicks);
    }
}
