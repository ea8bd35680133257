package io.offhook.research.handover;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Forks;
import io.offhook.research.Measurement;
import io.offhook.research.handover.SnifferRun.Design;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Compares how long each design of a sniffer holds a slot of the capture, and what it loses; one process each. */
final class SnifferQuestion {
    static final String REMARK = "The sniffer's packets are always the same, made for this: "
            + (SnifferTrace.PACKETS - SnifferTrace.RTP)
            + " of an office's traffic and " + SnifferTrace.RTP + " of RTP among them, 180 MB in memory, so that each"
            + " comes from there and not from a cache. Every round lets all of them come by once. After each it is"
            + " compared how many packets of RTP were found, and their sequence numbers and SSRCs: all "
            + SnifferTrace.RTP + " where nothing was lost, else all but exactly those that found no slot. With"
            + " another result there is no report.";

    private static final String GROUP = "sniffer, ";
    private static final String THROUGHPUT = GROUP + "throughput";
    private static final List<Integer> RATES = List.of(500_000, 1_000_000, 2_000_000, 4_000_000);
    private static final List<Integer> QUICK_RATES = List.of(1_000_000, 4_000_000);

    private final Effort effort;
    private final List<Integer> rates;
    private final Map<String, List<Measurement>> groups = new LinkedHashMap<>();

    SnifferQuestion(Effort effort) {
        this.effort = effort;
        rates = effort == Effort.FULL ? RATES : QUICK_RATES;
        groups.put(THROUGHPUT, new ArrayList<>());
        for (int rate : rates) {
            groups.put(group("hold", rate), new ArrayList<>());
            groups.put(group("loss", rate), new ArrayList<>());
        }
    }

    private static String group(String what, int rate) {
        return String.format(Locale.ROOT, "%s%s at %.1f M/s", GROUP, what, rate / 1e6);
    }

    /** Runs all designs. */
    List<Measurement> measure() {
        for (Design design : Design.values()) {
            List<String> arguments = new ArrayList<>(List.of(
                    design.name(), Integer.toString(effort.pick(2_000, 100)), Integer.toString(effort.pick(7, 1))));
            rates.forEach(rate -> arguments.add(Integer.toString(rate)));
            take(design.words, Forks.run(SnifferRun.class, arguments.toArray(String[]::new)));
        }
        List<Measurement> all = new ArrayList<>();
        groups.values().forEach(all::addAll);
        return all;
    }

    /** Of one group, so far. */
    List<Measurement> measured(String group) {
        return groups.getOrDefault(group, List.of());
    }

    /** What a process printed. */
    void take(String technique, List<String> lines) {
        List<Double> throughput = new ArrayList<>();
        Map<Integer, List<Double>> losses = new LinkedHashMap<>();
        Map<Integer, List<String>> rtpLosses = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "throughput" -> throughput.add(Double.valueOf(words[1]));
                case "loss" -> {
                    int rate = Integer.parseInt(words[1]);
                    losses.computeIfAbsent(rate, r -> new ArrayList<>()).add(Double.valueOf(words[2]));
                    rtpLosses.computeIfAbsent(rate, r -> new ArrayList<>()).add(words[3]);
                }
                case "hold" -> hold(technique, words);
                default -> throw new IllegalStateException("there is no figure " + words[0]);
            }
        }
        add(THROUGHPUT, new RoundFigures("packets/s", throughput, 0, ""), technique);
        losses.forEach((rate, rounds) -> {
            String rtp = "RTP lost, of " + SnifferTrace.RTP + " a round: " + String.join(", ", rtpLosses.get(rate));
            add(group("loss", rate), new RoundFigures("%", rounds, 0, rtp), technique);
        });
    }

    private void hold(String technique, String[] words) {
        String more = String.format(
                Locale.ROOT,
                "99 %%: %,d; 99.9 %%: %,d; longest: %,d",
                Long.valueOf(words[3]),
                Long.valueOf(words[4]),
                Long.valueOf(words[5]));
        int samples = (int) Math.min(Long.parseLong(words[6]), Integer.MAX_VALUE);
        List<Double> median = List.of(Double.valueOf(words[2]));
        add(
                group("hold", Integer.parseInt(words[1])),
                new RoundFigures("ns, median", median, samples, more),
                technique);
    }

    private void add(String group, RoundFigures figures, String technique) {
        List<Measurement> measurements = groups.get(group);
        if (measurements == null) {
            throw new IllegalStateException("nobody asked for " + group);
        }
        measurements.add(figures.measurement(group, technique));
    }

    List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        for (String group : groups.keySet()) {
            String what = group.substring(GROUP.length());
            String title = what.startsWith("hold") ? "slot hold time" + what.substring(4) : what;
            charts.add(new Chart(group, "A sniffer's " + title, what.startsWith("loss") ? "" : Design.ONCE.words));
        }
        return charts;
    }
}
