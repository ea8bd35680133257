package io.offhook.research.forwarding;

import io.offhook.dpdk.Eal;
import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Measurement;
import io.offhook.research.Rounds;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Packets forwarded by DPDK, from C and from Java. */
public final class ForwardingSuite implements Suite {
    private static final String QUESTION = """
            How many packets per second does a DPDK application in Java forward, compared with the same in C, linked to
            libdpdk? Published drivers in Java reach 46 % of C's rate. One thread, pinned; two ports; bursts of 32; packets
            of 60 bytes; no huge pages.

            *L2*: destination and source address are swapped. *L3*: the header is checked, the next hop found by longest
            prefix (256 routes, DIR-24-8: rte_lpm in C, the same in Java), the TTL decremented, the checksum updated (RFC
            1624), both addresses rewritten. *Rings*: 512 packets circulate between two net_ring ports, the same ones in both
            languages, and are compared at the end, byte for byte. *Null devices*: net_null creates and discards packets, so
            mbufs are continuously allocated from their pool and freed.

            C calls `rte_eth_rx_burst` and `rte_eth_tx_burst`, inline; Java calls the same functions of the drivers by
            `io.offhook.dpdk`. A round of C is one call; the clock is read between rounds.
            """;

    /** A suite that {@link io.offhook.research.Main} lists. */
    public ForwardingSuite() {}

    @Override
    public String name() {
        return "forwarding";
    }

    @Override
    public SuiteResult run(Effort effort) {
        String title = "Forwarding";
        String dpdk = Eal.missing();
        if (dpdk != null) {
            return new SuiteResult(
                    name(), title, QUESTION, List.of(), List.of(), List.of("Not measured: " + dpdk + "."));
        }
        Rounds.Amount amount = new Rounds.Amount(
                ForwardingTechniques.PACKETS, effort.pick(20, 2), effort.pick(100, 3), effort.pick(5, 1));
        String missing = CForwarding.CODE.missing();
        List<Measurement> all = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        for (ForwardingKind kind : ForwardingKind.values()) {
            List<Measurement> measured = new Rounds(ForwardingTechniques.class, ForwardingTechniques.of(kind), amount)
                    .run(kind.words, missing);
            all.addAll(measured);
            if (missing == null) {
                charts.add(new Chart(kind.words, "A packet forwarded: " + kind.words, ForwardingTechniques.c(kind)));
                remarks.add(ratio(kind, measured));
            }
        }
        if (missing != null) {
            remarks.add("C was not measured: " + missing + ".");
        }
        remarks.add(amount.rule());
        return new SuiteResult(name(), title, QUESTION, all, charts, remarks);
    }

    private static String ratio(ForwardingKind kind, List<Measurement> measured) {
        double c = score(measured, ForwardingTechniques.c(kind));
        double java = score(measured, ForwardingTechniques.java(kind));
        return String.format(
                Locale.ROOT,
                "%s: C forwards %.1f million packets a second, Java %.1f: %.0f %% of it.",
                kind.words,
                1000 / c,
                1000 / java,
                100 * c / java);
    }

    private static double score(List<Measurement> measured, String technique) {
        return measured.stream()
                .filter(one -> one.technique().equals(technique))
                .findFirst()
                .orElseThrow()
                .score();
    }
}
