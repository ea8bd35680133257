package io.offhook.flow.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.tcp.TcpWire.Told;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Segments that overlap while they wait for a hole, by each policy and each way of holding them. */
class TcpPolicyTest {

    /** The pieces of Novak and Sturges' pattern, as letter, first unit, units; the hole at unit 0 fills at last. */
    private static final String[] PATTERN = {
        "A 1 3", "B 5 2", "C 7 3", "D 11 1", "E 14 2", "F 16 3", "G 19 2", "H 21 2", "I 23 1", "J 2 4", "K 7 3",
        "L 10 3", "M 13 3", "N 17 1", "O 20 1", "P 21 1", "Q 23 2",
    };

    @ParameterizedTest
    @CsvSource({
        "FIRST,   zAAAJBBCCCLDLMEEFFFGGHHIQ",
        "LAST,    zAJJJJBKKKLLLMMMFNFGOPHQQ",
        "BSD,     zAAAJJBCCCLLLMMMFFFGGHHIQ",
        "WINDOWS, zAAAJJBCCCLLLMMMFFFGGHHIQ",
        "LINUX,   zAAAJJBCCCLLLMMMFFFGGHHQQ",
        "SOLARIS, zAJJJBBKKKLLLMMMFFFGGHHQQ",
    })
    void readsThePatternOfNovakAndSturges(OverlapPolicy policy, String expected) {
        for (Holding holding : Holding.values()) {
            try (TcpWire wire = new TcpWire(TcpLimits.DEFAULT, policy, holding)) {
                wire.handshake();
                for (String piece : PATTERN) {
                    String[] part = piece.split(" ", -1);
                    int units = Integer.parseInt(part[2]);
                    wire.client.data(8 * Integer.parseInt(part[1]), part[0].repeat(8 * units));
                }
                wire.client.data(0, "zzzzzzzz");
                assertThat(wire.text("c").replaceAll("(.)\\1{7}", "$1"))
                        .as("%s", holding)
                        .isEqualTo(expected);
            }
        }
    }

    /**
     * What begins before, with and behind what is held, alone: the three series by which Suricata tests its targets, a unit
     * further on, so that nothing is told before the hole fills. Windows 2000 to 2003 count as BSD there, Vista and later as
     * FIRST.
     */
    @ParameterizedTest
    @CsvSource({
        "FIRST,   B3 D9 EE12 AA2 JJJJ1 LLL8 MMM11,     zJABJ...LDLMEE",
        "BSD,     B3 D9 EE12 AA2 JJJJ1 LLL8 MMM11,     zJJJJ...LLLMMM",
        "WINDOWS, B3 D9 EE12 AA2 JJJJ1 LLL8 MMM11,     zJJJJ...LLLMMM",
        "LINUX,   B3 D9 EE12 AA2 JJJJ1 LLL8 MMM11,     zJJJJ...LLLMMM",
        "SOLARIS, B3 D9 EE12 AA2 JJJJ1 LLL8 MMM11,     zJJJJ...LLLMMM",
        "LAST,    B3 D9 EE12 AA2 JJJJ1 LLL8 MMM11,     zJJJJ...LLLMMM",
        "FIRST,   CCC1 HH15 II17 KKK1 LLLL1 P15 QQ15,  zCCCL..........HHII",
        "BSD,     CCC1 HH15 II17 KKK1 LLLL1 P15 QQ15,  zCCCL..........HHII",
        "WINDOWS, CCC1 HH15 II17 KKK1 LLLL1 P15 QQ15,  zCCCL..........HHII",
        "LINUX,   CCC1 HH15 II17 KKK1 LLLL1 P15 QQ15,  zLLLL..........HHII",
        "SOLARIS, CCC1 HH15 II17 KKK1 LLLL1 P15 QQ15,  zLLLL..........QQII",
        "LAST,    CCC1 HH15 II17 KKK1 LLLL1 P15 QQ15,  zLLLL..........QQII",
        "FIRST,   AA1 FFF16 GG19 JJ2 O20 N17,           zAAJ............FFFGG",
        "BSD,     AA1 FFF16 GG19 JJ2 O20 N17,           zAAJ............FFFGG",
        "WINDOWS, AA1 FFF16 GG19 JJ2 O20 N17,           zAAJ............FFFGG",
        "LINUX,   AA1 FFF16 GG19 JJ2 O20 N17,           zAAJ............FFFGG",
        "SOLARIS, AA1 FFF16 GG19 JJ2 O20 N17,           zAJJ............FFFGG",
        "LAST,    AA1 FFF16 GG19 JJ2 O20 N17,           zAJJ............FNFGO",
    })
    void readsWhatBeginsBeforeWithAndBehind(OverlapPolicy policy, String pieces, String expected) {
        for (Holding holding : Holding.values()) {
            try (TcpWire wire = new TcpWire(TcpLimits.DEFAULT, policy, holding)) {
                wire.handshake();
                for (String piece : pieces.split(" ", -1)) {
                    String text = piece.replaceAll("[0-9]", "");
                    wire.client.data(Integer.parseInt(piece.substring(text.length())), text);
                }
                wire.client.data(0, "z");
                wire.streams.flush();
                String reported = wire.text("c").replace("!CAPTURE_END", "");
                for (Told hole : holes(wire)) {
                    reported = reported.replace("[" + hole.text() + "]", ".".repeat(Integer.parseInt(hole.text())));
                }
                assertThat(reported).as("%s", holding).isEqualTo(expected);
            }
        }
    }

    private static List<Told> holes(TcpWire wire) {
        return wire.reported.stream().filter(one -> one.kind().equals("gap")).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "FIRST, abcDEFg",
        "LAST, abcdefg",
        "BSD, abcdefg",
        "LINUX, abcdefg",
        "WINDOWS, abcdefg",
        "SOLARIS, abcdefg"
    })
    void appliesToTheSegmentThatFillsTheHole(OverlapPolicy policy, String expected) {
        try (TcpWire wire = new TcpWire(TcpLimits.DEFAULT, policy, Holding.COPY)) {
            wire.handshake();
            wire.client.data(3, "DEF");
            wire.client.data(0, "abcdefg");
            assertThat(wire.text("c")).isEqualTo(expected);
            assertThat(wire.count(TcpCounter.OVERLAPPING)).isEqualTo(1);
        }
    }

    @Test
    void neverChangesWhatWasTold() {
        try (TcpWire wire = new TcpWire(TcpLimits.DEFAULT, OverlapPolicy.LAST, Holding.COPY)) {
            wire.handshake();
            wire.client.data(0, "abc");
            wire.client.data(0, "XYZdef");
            assertThat(wire.text("c")).isEqualTo("abcdef");
        }
    }

    @Test
    void reportsHeldBytesWhereTheirFramesAre() {
        try (TcpWire wire = new TcpWire(TcpLimits.DEFAULT, OverlapPolicy.FIRST, Holding.REFERENCE)) {
            wire.handshake();
            wire.client.data(3, "def");
            var early = wire.frame;
            assertThat(wire.streams.reservedBytes()).isEqualTo(3 + 64);
            wire.client.data(0, "abc");
            assertThat(wire.text("c")).isEqualTo("abcdef");
            assertThat(wire.lastMemory).isEqualTo(early);
            assertThat(wire.lastOffset).isEqualTo(14 + 20 + 20);
            assertThat(wire.streams.reservedBytes()).isZero();
            assertThat(wire.reported.getLast().frameNumber()).isEqualTo(4);
        }
    }

    @Test
    void countsWhatIsReferencedAgainstItsBudget() {
        TcpLimits limits = new TcpLimits(100, 1 << 20, 1 << 17, 10_000, 4, 1_000_000_000_000L, 1_000_000_000_000L);
        try (TcpWire wire = new TcpWire(limits, OverlapPolicy.FIRST, Holding.REFERENCE)) {
            wire.handshake();
            for (int i = 1; i <= 200; i++) {
                wire.client.data(2000 * i, "x".repeat(1000));
                assertThat(wire.streams.reservedBytes()).isLessThanOrEqualTo(limits.bytesHeld());
            }
            assertThat(wire.count(TcpCounter.GAPS_FORCED)).isPositive();
            assertThat(wire.count(TcpCounter.UNHELD_BYTES)).isZero();
        }
    }

    /** Whatever the policy, each position is told once, in order, with a byte that was sent for it. */
    @RepeatedTest(120)
    void reportsEachPositionOnce(RepetitionInfo repetition) {
        long seed = 9000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        List<OverlapPolicy> policies = List.of(OverlapPolicy.values());
        OverlapPolicy policy = policies.get(random.nextInt(policies.size()));
        Holding holding = random.nextBoolean() ? Holding.COPY : Holding.REFERENCE;
        int length = 1000 + random.nextInt(20_000);
        // copy k of a position holds the letter 'a' + (position + k) mod 26, k < 3; so what is told says which copy it
        // was
        try (TcpWire wire = new TcpWire(TcpLimits.DEFAULT, policy, holding)) {
            wire.handshake();
            for (int i = 0; i < 200; i++) {
                int start = 1 + random.nextInt(length - 1);
                send(wire, start, Math.min(length, start + 1 + random.nextInt(3000)), random.nextInt(3));
            }
            for (int start = 0; start < length; start += 700) {
                send(wire, start, Math.min(length, start + 700), random.nextInt(3));
            }
            String text = wire.text("c");
            assertThat(text).as("seed %d", seed).hasSize(length);
            for (int position = 0; position < length; position++) {
                int copy = Math.floorMod(text.charAt(position) - 'a' - position, 26);
                assertThat(copy).as("seed %d position %d", seed, position).isBetween(0, 2);
            }
            assertThat(wire.count(TcpCounter.BYTES)).isEqualTo(length);
        }
    }

    private static void send(TcpWire wire, int start, int end, int copy) {
        StringBuilder text = new StringBuilder();
        for (int position = start; position < end; position++) {
            text.append((char) ('a' + (position + copy) % 26));
        }
        wire.client.data(start, text.toString());
    }
}
