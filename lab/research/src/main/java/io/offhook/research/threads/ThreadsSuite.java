package io.offhook.research.threads;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Forks;
import io.offhook.research.Jmh;
import io.offhook.research.Measurement;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cost of cooperation between two threads. */
public final class ThreadsSuite implements Suite {
    private static final String QUESTION = """
            What does cooperation with another thread cost, and does it matter where the two run? A hop is half of a round
            trip of a message between two threads, sent one after the other: by spinning on a word in memory, by the same
            with a yield after 100 turns, by spinning on a ring, and by an ArrayBlockingQueue that is polled or that parks
            waiting threads. The figures are its median, 99 % and 99.9 %, and the messages per second in one direction
            without answers. Threads are unpinned, pinned to one core (where spinning waits for the other's time slice), and
            pinned to two.

            *False sharing*: two threads with a counter each, in one cache line or in separate ones. In one line, the cores
            take the line away from each other, though neither reads the other's counter.
            """;

    private static final String MEDIAN = "hop, median";
    private static final String MOST = "hop, 99 %";
    private static final String NEARLY_ALL = "hop, 99.9 %";
    private static final String THROUGHPUT = "throughput";
    private static final String SHARING = "false sharing";

    /** The least numbers of hops for a percentile of 99 % or 99.9 %. */
    private static final int FOR_MOST = 100;

    private static final int FOR_NEARLY_ALL = 1_000;

    /** A suite that {@link io.offhook.research.Main} lists. */
    public ThreadsSuite() {}

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public SuiteResult run(Effort effort) {
        List<String> remarks = new ArrayList<>();
        List<Placement> placements = Placement.all(remarks);
        Map<String, List<Measurement>> groups = new LinkedHashMap<>();
        for (String group : List.of(MEDIAN, MOST, NEARLY_ALL, THROUGHPUT)) {
            groups.put(group, new ArrayList<>());
        }
        for (Hop.Way way : Hop.Way.values()) {
            List<String> arguments = new ArrayList<>(List.of(
                    way.name(),
                    Integer.toString(effort.pick(1_000, 50)),
                    Integer.toString(effort.pick(3_000, 60)),
                    Integer.toString(effort.pick(5, 1))));
            placements.forEach(placement -> arguments.add(placement.argument()));
            for (String line : Forks.run(HopRun.class, arguments.toArray(String[]::new))) {
                add(way, line.split("\t", -1), groups);
            }
        }
        List<Measurement> all = new ArrayList<>();
        groups.values().forEach(all::addAll);
        all.addAll(Jmh.of(SharingBenchmark.class, effort)
                .values(
                        "placement",
                        placements.stream().map(Placement::argument).toList())
                .run(
                        result -> SHARING,
                        result -> Jmh.words(Jmh.method(result)) + ", "
                                + Placement.of(Jmh.parameter(result, "placement"))
                                        .words()));
        remark(placements, remarks);
        return new SuiteResult(name(), "Threads", QUESTION, all, charts(placements), remarks);
    }

    private static List<Chart> charts(List<Placement> placements) {
        // two cores, if there are two: unpinned threads may have shared one
        String where = placements.getLast().words();
        String spinning = Hop.Way.WORD.words + ", " + where;
        return List.of(
                new Chart(MEDIAN, "A hop, median", spinning),
                new Chart(MOST, "A hop: 99 % are not longer", spinning),
                new Chart(NEARLY_ALL, "A hop: 99.9 % are not longer", spinning),
                new Chart(THROUGHPUT, "Messages one way", spinning),
                new Chart(SHARING, "Two threads count", "lines of their own, " + where));
    }

    private static void remark(List<Placement> placements, List<String> remarks) {
        StringBuilder where = new StringBuilder();
        for (Placement placement : placements) {
            if (placement.first() != Placement.ANYWHERE) {
                where.append(String.format(
                        Locale.ROOT, "; %s: %d and %d", placement.words(), placement.first(), placement.second()));
            }
        }
        if (!where.isEmpty()) {
            remarks.add("Processors, as Linux counts them" + where
                    + ". Pinning keeps a thread from wandering, not others" + " from its processor.");
        }
        remarks.add(
                "A process a way, and new threads a placement. It warms up for 1 s (quick: 0.05 s), which does not count,"
                        + " and measures hops for 3 s, then messages in 5 rounds of 0.6 s, of which the median"
                        + " counts (quick: 0.06 s, one round); no hop and no round is left out. The clock is read once a round trip, which"
                        + " is some 10 to 20 ns of each hop. On one core a thread that spins does so until the scheduler takes"
                        + " its processor away, so that few hops are measured, a time slice each; of fewer than "
                        + FOR_MOST + " hops, or " + FOR_NEARLY_ALL
                        + ", the 99 % or 99.9 % are not told. A word holds one message: one"
                        + " way is as slow as a hop there. The ring and the queues hold " + Hop.CAPACITY + ".");
        if (Runtime.getRuntime().availableProcessors() < 3) {
            remarks.add(
                    "This machine has " + Runtime.getRuntime().availableProcessors() + " processors: free threads have"
                            + " hardly where to wander, and whatever else runs is on one of theirs.");
        }
    }

    private static void add(Hop.Way way, String[] line, Map<String, List<Measurement>> groups) {
        String technique = way.words + ", " + line[1];
        if (line[0].equals(THROUGHPUT)) {
            double[] rounds = Arrays.stream(line)
                    .skip(2)
                    .mapToDouble(Double::parseDouble)
                    .sorted()
                    .toArray();
            String range = String.format(Locale.ROOT, "median; %,.0f to %,.0f", rounds[0], rounds[rounds.length - 1]);
            double median = rounds[rounds.length / 2];
            add(groups, new Measurement(THROUGHPUT, technique, median, null, "messages/s", rounds.length, range));
            return;
        }
        int samples = (int) Math.min(Long.parseLong(line[6]), Integer.MAX_VALUE);
        String longest = String.format(Locale.ROOT, "longest: %,d", Long.valueOf(line[5]));
        add(groups, new Measurement(MEDIAN, technique, number(line[2]), null, "ns", samples, longest));
        if (samples >= FOR_MOST) {
            add(groups, new Measurement(MOST, technique, number(line[3]), null, "ns", samples, null));
        }
        if (samples >= FOR_NEARLY_ALL) {
            add(groups, new Measurement(NEARLY_ALL, technique, number(line[4]), null, "ns", samples, null));
        }
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    private static void add(Map<String, List<Measurement>> groups, Measurement measurement) {
        groups.computeIfAbsent(measurement.group(), g -> new ArrayList<>()).add(measurement);
    }
}
