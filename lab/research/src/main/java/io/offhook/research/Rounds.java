package io.offhook.research;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Measures techniques in rounds of many packets, one process each; the clock is read only between rounds.
 *
 * <p>For questions that JMH does not answer: it keeps no figures of its warm-up, has no rule for outliers, and cannot run a
 * given number of rounds back to back. A process runs one technique only, because another one would affect the profile that
 * the compiler uses. Every process reports its result, and all results must be equal.
 */
public final class Rounds {
    private static final String RULE =
            "Each technique ran in processes of its own, all in turn, then all again. Of each"
                    + " process the first rounds are its warm-up; the very first one, mostly not compiled, has a table of its own."
                    + " Of the others, a round is an outlier and left out of the mean if it lies above the upper quartile of its"
                    + " process by more than three times the distance of the quartiles (Tukey's outer fence); each note says how"
                    + " many were, and what the processes' means were. Rounds that are too fast are never left out. The error is"
                    + " half of the 99.9 % confidence interval of the mean of all rounds kept.";

    private static final double FENCE = 3;

    /** A running technique. */
    public interface Work {
        /**
         * Runs a round.
         *
         * @param number of the round, from 0 on
         * @return a sum over its packets, the same for all techniques
         */
        long round(int number);

        /** Returns a hash of all packets in their current state, the same for all techniques; not measured. */
        long digest();
    }

    /**
     * A technique to compare.
     *
     * @param name its name in the report
     * @param usesPeers whether it needs the suite's native library
     * @param work sets it up
     */
    public record Technique(String name, boolean usesPeers, Supplier<Work> work) {}

    /**
     * The amount of work.
     *
     * @param packets per round
     * @param warmUp rounds at the beginning of a process, at least one
     * @param measured rounds after these
     * @param processes per technique
     */
    public record Amount(int packets, int warmUp, int measured, int processes) {
        /** Describes warm-up and outliers, for the remarks of a suite. */
        public String rule() {
            return RULE + " Processes a technique: " + processes + "; rounds of each: " + warmUp + " of warm-up, "
                    + measured + " measured.";
        }
    }

    /** The output of a process: its checksum, and the time of each round in ns per packet. */
    private record Run(String checksum, List<Double> ns) {
        double[] between(int from, int to) {
            return ns.subList(from, to).stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray();
        }
    }

    private final Class<?> main;
    private final List<Technique> techniques;
    private final Amount amount;

    /**
     * @param main the class whose main method calls {@link #serve} with the same techniques
     * @param techniques in the order to show them in
     */
    public Rounds(Class<?> main, List<Technique> techniques, Amount amount) {
        this.main = main;
        this.techniques = techniques;
        this.amount = amount;
    }

    /**
     * Runs all techniques.
     *
     * @param missing why there is no native library, null if there is one
     * @return the figures, then those of the first rounds as a separate group, {@link #firstRounds}
     * @throws IllegalStateException when a process fails, or two techniques computed different things
     */
    public List<Measurement> run(String group, @Nullable String missing) {
        Map<Technique, List<Run>> runs = new LinkedHashMap<>();
        for (int process = 0; process < amount.processes; process++) {
            for (Technique technique : techniques) {
                if (missing == null || !technique.usesPeers) {
                    System.err.printf(Locale.ROOT, "  %d/%d %s%n", process + 1, amount.processes, technique.name);
                    runs.computeIfAbsent(technique, t -> new ArrayList<>()).add(fork(technique));
                }
            }
        }
        agree(runs);
        List<Measurement> all = new ArrayList<>();
        runs.forEach((technique, its) -> all.add(measured(group, technique, its)));
        runs.forEach((technique, its) -> all.add(first(firstRounds(group), technique, its)));
        return all;
    }

    /** The group of the figures of the first rounds. */
    public static String firstRounds(String group) {
        return group + ", first round";
    }

    private Run fork(Technique technique) {
        int rounds = amount.warmUp + amount.measured;
        List<String> lines = Forks.run(main, technique.name, Integer.toString(rounds));
        String[] fields = lines.getLast().split("\t", -1);
        List<Double> ns = new ArrayList<>();
        for (int i = 1; i <= rounds; i++) {
            ns.add(Double.parseDouble(fields[i]) / amount.packets);
        }
        return new Run(fields[0], ns);
    }

    /**
     * Runs one technique in its process, and prints a line: its result and the ns of each round, with tabs.
     *
     * @param arguments the technique's name, the number of rounds
     */
    public static void serve(List<Technique> techniques, String[] arguments) {
        Technique technique = techniques.stream()
                .filter(t -> t.name.equals(arguments[0]))
                .findFirst()
                .orElseThrow();
        int rounds = Integer.parseInt(arguments[1]);
        Work work = technique.work.get();
        long[] clock = new long[rounds + 1];
        long sum = 0;
        clock[0] = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            sum = 31 * sum + work.round(i);
            clock[i + 1] = System.nanoTime();
        }
        StringBuilder line = new StringBuilder(checksum(sum, work));
        for (int i = 0; i < rounds; i++) {
            line.append('\t').append(clock[i + 1] - clock[i]);
        }
        System.out.println(line);
    }

    /** Returns the result of a technique after a number of rounds. */
    public static String checksum(Technique technique, int rounds) {
        Work work = technique.work.get();
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum = 31 * sum + work.round(i);
        }
        return checksum(sum, work);
    }

    private static String checksum(long sum, Work work) {
        return Long.toHexString(sum) + "-" + Long.toHexString(work.digest());
    }

    private static void agree(Map<Technique, List<Run>> runs) {
        Map<String, String> byChecksum = new LinkedHashMap<>();
        runs.forEach((technique, its) -> its.forEach(run -> byChecksum.putIfAbsent(run.checksum, technique.name)));
        if (byChecksum.size() > 1) {
            throw new IllegalStateException("these techniques did not compute the same: " + byChecksum);
        }
    }

    private Measurement measured(String group, Technique technique, List<Run> runs) {
        List<Double> kept = new ArrayList<>();
        List<String> means = new ArrayList<>();
        for (Run run : runs) {
            double[] own = withoutOutliers(run.between(amount.warmUp, run.ns.size()));
            Arrays.stream(own).forEach(kept::add);
            means.add(ReportMarkdown.number(Arrays.stream(own).average().orElse(0)));
        }
        double[] ns = kept.stream().mapToDouble(Double::doubleValue).toArray();
        double error = new ListStatistics(ns).getMeanErrorAt(0.999);
        int outliers = runs.size() * amount.measured - ns.length;
        return new Measurement(
                group,
                technique.name,
                Arrays.stream(ns).average().orElse(0),
                Double.isNaN(error) ? null : error,
                "ns/packet",
                ns.length,
                (outliers == 1 ? "1 outlier; " : outliers + " outliers; ")
                        + (means.size() == 1 ? "one process" : "processes " + String.join(", ", means)));
    }

    private Measurement first(String group, Technique technique, List<Run> runs) {
        double mean =
                runs.stream().mapToDouble(run -> run.ns.getFirst()).average().orElse(0);
        List<String> warm = new ArrayList<>();
        for (Run run : runs) {
            double rest = Arrays.stream(run.between(1, amount.warmUp)).average().orElse(Double.NaN);
            warm.add(ReportMarkdown.number(rest));
        }
        String note = amount.warmUp == 1 ? null : "rest of the warm-up " + String.join(", ", warm);
        return new Measurement(group, technique.name, mean, null, "ns/packet", runs.size(), note);
    }

    /** Returns the values not above the outer fence. */
    static double[] withoutOutliers(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double lower = quantile(sorted, 0.25);
        double upper = quantile(sorted, 0.75);
        double fence = upper + FENCE * (upper - lower);
        return Arrays.stream(values).filter(value -> value <= fence).toArray();
    }

    /** Interpolates between two ranks. */
    private static double quantile(double[] sorted, double share) {
        double rank = share * (sorted.length - 1);
        int below = (int) rank;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
    }
}
