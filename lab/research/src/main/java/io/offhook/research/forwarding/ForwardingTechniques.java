package io.offhook.research.forwarding;

import io.offhook.linux.CpuAffinity;
import io.offhook.research.Rounds;
import io.offhook.research.Rounds.Technique;
import java.util.List;

/** All techniques, and the process in which one of them runs: EAL can be started once per process. */
final class ForwardingTechniques {
    /** In a round. */
    static final int PACKETS = 1 << 20;
    /** Between rings. */
    static final int GOING_ROUND = 512;

    private ForwardingTechniques() {}

    /** C, and Java. */
    static List<Technique> of(ForwardingKind kind) {
        return List.of(
                new Technique(c(kind), true, () -> new CForwarding(kind, processor())),
                new Technique(java(kind), false, () -> switch (kind) {
                    case L2_RING, L2_NULL -> new SwappedAddresses(kind, processor());
                    case L3_RING -> new RoutedPackets(processor());
                }));
    }

    static String c(ForwardingKind kind) {
        return "C, " + kind.words;
    }

    static String java(ForwardingKind kind) {
        return "Java, " + kind.words;
    }

    /** The last processor: the first one has more other work. */
    private static int processor() {
        int[] processors = CpuAffinity.processors();
        return processors[processors.length - 1];
    }

    /** @param args as {@link Rounds#serve} takes them */
    public static void main(String[] args) {
        Rounds.serve(
                java.util.Arrays.stream(ForwardingKind.values())
                        .flatMap(kind -> of(kind).stream())
                        .toList(),
                args);
    }
}
