package io.offhook.research.handover;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Forks;
import io.offhook.research.Jmh;
import io.offhook.research.Measurement;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import io.offhook.research.handover.HandOver.Way;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;

/** The cost of examining a packet on the capture thread, or of copying it for other threads. */
public final class HandoverSuite implements Suite {
    private static final String QUESTION = """
            A capture lends its packets: each occupies a slot until the capture thread returns it. Is it better to examine
            packets on that thread, or to copy them and examine them on another one? Three techniques read headers in place:
            a view wrapped around each header in turn, the walker that finds all layers and then a view, and objects into
            which every field of every header is copied. Three techniques hand over a copy, to one consumer or to two that
            share the packets: an ArrayBlockingQueue (and another one that returns the slots), a Disruptor 4 with one
            producer, and a ring of slots in native memory.

            *Throughput* is that of one capture thread if a packet is always waiting. *Slot hold time* is the time from the
            beginning of work on a packet until its slot is free, at a rate that all but the slowest techniques sustain;
            below it is the share of packets *lost* at given rates because none of 4,096 slots was free. Everything is
            measured twice: reading headers only, and reading every byte of the payload, as a SIP parser does. The latter is
            work enough to show whether a second thread pays for the copy.

            The last comparison is a *sniffer*: 262,000 packets, 1,500 of them RTP. Should it check a packet for one kind of
            header after the other, by a check that does not throw; walk it once and keep the result; or copy everything and
            examine it on a second thread?

            And *sought*: RTP, and SIP over UDP and over TCP, among packets of which ICMP must not count, although it quotes
            what is sought; looked up by a test whether a header is there (of the walk's index; or walking anew for each
            question), by the test and then getting the header, or by getting one after the other, which is putting a view
            on it. 32,768 packets in memory, 10 % RTP, 4 % SIP over UDP, 3 % over TCP, 3 % ICMP; a technique that finds
            anything else in any packet ends the run.
            """;

    private static final String SOUGHT = "sought";
    private static final String UNIT_HOLD = "ns, median";
    private static final int RATE_OF_HOLD = 1_000_000;
    private static final List<Integer> RATES = List.of(500_000, RATE_OF_HOLD, 2_000_000, 4_000_000);

    /** A suite that {@link io.offhook.research.Main} lists. */
    public HandoverSuite() {}

    @Override
    public String name() {
        return "handover";
    }

    @Override
    public SuiteResult run(Effort effort) {
        List<Integer> rates = effort == Effort.FULL ? RATES : List.of(RATE_OF_HOLD, 4_000_000);
        Map<String, List<Measurement>> groups = groups(rates);
        List<String> remarks = new ArrayList<>();
        for (Way way : Way.values()) {
            for (int consumers = way.copies ? 1 : 0; consumers <= (way.copies ? 2 : 0); consumers++) {
                String technique = way.words
                        + switch (consumers) {
                            case 0 -> "";
                            case 1 -> ", one consumer";
                            default -> ", two consumers";
                        };
                run(way, consumers, effort, rates)
                        .forEach((group, figures) -> groups.computeIfAbsent(group, g -> new ArrayList<>())
                                .add(figures.measurement(group, technique)));
            }
        }
        remark(remarks);
        List<Measurement> all = new ArrayList<>();
        groups.values().forEach(all::addAll);
        List<Chart> charts = charts(groups);
        SnifferQuestion sniffer = new SnifferQuestion(effort);
        all.addAll(sniffer.measure());
        charts.addAll(sniffer.charts());
        remarks.add(SnifferQuestion.REMARK);
        all.addAll(Jmh.of(SoughtBenchmark.class, effort).run(result -> SOUGHT, HandoverSuite::sought));
        charts.add(new Chart(SOUGHT, "RTP and SIP sought, ICMP left out", "presence test"));
        remarks.add(
                "To test for SIP is to read a start line, and to get a message is to copy and index it, which ends early"
                        + " where the first line is none of SIP's. To test and then get reads that line twice.");
        return new SuiteResult(name(), "Capture hand-over", QUESTION, all, charts, remarks);
    }

    /** "presenceTest_thenGet" as "presence test, then get". */
    private static String sought(RunResult result) {
        return Arrays.stream(Jmh.method(result).split("_", -1)).map(Jmh::words).collect(Collectors.joining(", "));
    }

    private static void remark(List<String> remarks) {
        remarks.add(
                "One process per technique. It warms up for 2 s, which do not count; then follow 5 rounds of 0.5 s each"
                        + " without a pause and at each rate (quick: 0.1 s, and one round of 0.05 s). The score is the median"
                        + " of the rounds, with minimum and maximum; no round and no packet is left out, because outliers lose"
                        + " packets. After each round, the sum over the packets is compared with the expected one.");
        remarks.add(
                "Packets arrive by a schedule, not from a thread: when the capture thread reads the clock, due packets"
                        + " arrive in the slots that are free. In paced rounds the clock is read once per packet, which is"
                        + " part of the slot hold time; two consecutive readings are apart by"
                        + " " + clockNs() + " ns here.");
        int processors = Runtime.getRuntime().availableProcessors();
        if (processors < 3) {
            remarks.add(
                    "This machine has " + processors + " processors: with two consumers, three threads share them, and"
                            + " packets are then lost while the capture thread waits for a processor. Whether a second consumer"
                            + " helps if each thread has a processor cannot be measured here.");
        }
        remarks.add(
                "A thread that waits in the Disruptor or the ring spins 100 times, yields 100 times, and then sleeps"
                        + " repeatedly for the shortest possible time; nobody has to wake it. The array queue parks waiting"
                        + " threads, and its producer pays for waking them: this explains its long hold times.");
    }

    /** Returns the median time between two readings of the clock. */
    private static long clockNs() {
        long[] ns = new long[100_001];
        long before = System.nanoTime();
        for (int i = 0; i < ns.length; i++) {
            long now = System.nanoTime();
            ns[i] = now - before;
            before = now;
        }
        Arrays.sort(ns);
        return ns[ns.length / 2];
    }

    private static Map<String, List<Measurement>> groups(List<Integer> rates) {
        Map<String, List<Measurement>> groups = new LinkedHashMap<>();
        for (String look : List.of(HandoverRun.HEADER, HandoverRun.PAYLOAD)) {
            groups.put("throughput, " + look, new ArrayList<>());
            groups.put("hold, " + look, new ArrayList<>());
            rates.forEach(rate -> groups.put(lossGroup(rate, look), new ArrayList<>()));
        }
        return groups;
    }

    private static String lossGroup(int rate, String look) {
        return String.format(Locale.ROOT, "loss at %.1f M/s, %s", rate / 1e6, look);
    }

    private static List<Chart> charts(Map<String, List<Measurement>> groups) {
        List<Chart> charts = new ArrayList<>();
        for (String group : groups.keySet()) {
            String look = group.endsWith(HandoverRun.HEADER) ? "looking at headers" : "looking at every byte";
            String what = group.substring(0, group.indexOf(','));
            if (what.equals("throughput")) {
                charts.add(new Chart(group, "Throughput, " + look, Way.VIEWS.words));
            } else if (what.equals("hold")) {
                charts.add(new Chart(group, "Slot hold time, " + look, Way.VIEWS.words));
            } else {
                charts.add(new Chart(group, "Packets lost" + what.substring(4) + ", " + look, ""));
            }
        }
        return charts;
    }

    private static Map<String, RoundFigures> run(Way way, int consumers, Effort effort, List<Integer> rates) {
        List<String> arguments = new ArrayList<>(List.of(
                way.name(),
                Integer.toString(consumers),
                Integer.toString(effort.pick(2_000, 100)),
                Integer.toString(effort.pick(5, 1)),
                Integer.toString(effort.pick(500, 50))));
        rates.forEach(rate -> arguments.add(Integer.toString(rate)));
        Map<String, RoundFigures> figures = new LinkedHashMap<>();
        for (String line : Forks.run(HandoverRun.class, arguments.toArray(String[]::new))) {
            add(line.split("\t", -1), figures);
        }
        return figures;
    }

    private static void add(String[] line, Map<String, RoundFigures> figures) {
        String look = line[1];
        switch (line[0]) {
            case "throughput" ->
                rounds(figures, "throughput, " + look, "packets/s").add(Double.valueOf(line[2]));
            case "loss" ->
                rounds(figures, lossGroup(Integer.parseInt(line[2]), look), "%").add(Double.valueOf(line[3]));
            case "hold" -> {
                if (Integer.parseInt(line[2]) == RATE_OF_HOLD) {
                    String more = String.format(
                            Locale.ROOT,
                            "99 %%: %,d; 99.9 %%: %,d; longest: %,d",
                            Long.valueOf(line[4]),
                            Long.valueOf(line[5]),
                            Long.valueOf(line[6]));
                    figures.put(
                            "hold, " + look,
                            new RoundFigures(
                                    UNIT_HOLD,
                                    List.of(Double.valueOf(line[3])),
                                    (int) Math.min(Long.parseLong(line[7]), Integer.MAX_VALUE),
                                    more));
                }
            }
            default -> throw new IllegalStateException("there is no figure " + line[0]);
        }
    }

    private static List<Double> rounds(Map<String, RoundFigures> figures, String group, String unit) {
        return figures.computeIfAbsent(group, g -> new RoundFigures(unit, new ArrayList<>(), 0, ""))
                .rounds();
    }
}
