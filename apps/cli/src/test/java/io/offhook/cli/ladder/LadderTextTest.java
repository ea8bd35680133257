package io.offhook.cli.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Times;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ladders drawn at widths: each line fits, whatever is in it. */
class LadderTextTest {
    private static final long START_NS = 1_700_000_000_000_000_000L;

    private static final Ladder THREE_HOSTS = new Ladder(
            List.of("10.1.0.1:5060", "10.9.0.1:5060", "10.2.0.1:5060"),
            List.of(
                    row(0, 0, 1, false, "INVITE", "audio 10.1.0.1:4000 PCMA telephone-event sendrecv"),
                    row(1, 1, 2, false, "INVITE"),
                    row(120, 2, 1, false, "180 Ringing"),
                    row(121, 1, 0, false, "180 Ringing"),
                    row(1500, 0, 2, true, "RTP PCMA", "1,234 packets in 24.7 s, 0.5 % lost"),
                    row(1600, 1, 1, false, "OPTIONS"),
                    row(61_000, 2, 0, false, "ICMP port unreachable")));

    private static LadderRow row(long ms, int from, int to, boolean media, String label, String... notes) {
        long frame = ms < 0 ? 0 : 7 + ms;
        return new LadderRow(frame, START_NS + ms * 1_000_000, from, to, media, label, Style.PLAIN, List.of(notes));
    }

    private static String draw(Ladder ladder, int width, boolean unicode) {
        return LadderText.of(ladder, new Times(ZoneOffset.UTC), width, false, unicode);
    }

    @Test
    void drawsHostsAsLinesWithArrowsBetween() {
        assertThat(draw(THREE_HOSTS, 96, true)).isEqualTo("""
                Frame  Time             Start      Step  10.1.0.1:5060        10.9.0.1:5060        10.2.0.1:5060
                    7  22:13:20.000    +0.000    +0.000  │───────── INVITE ────────▶│                          │
                                                         │ audio 10.1.0.1:4000 PCMA telephone-event sendrecv   │
                    8  22:13:20.001    +0.001    +0.001  │                          │───────── INVITE ────────▶│
                  127  22:13:20.120    +0.120    +0.119  │                          │◀────── 180 Ringing ──────│
                  128  22:13:20.121    +0.121    +0.001  │◀────── 180 Ringing ──────│                          │
                 1507  22:13:21.500    +1.500    +1.379  │═════════════════════ RTP PCMA ═════════════════════▶│
                                                         │ 1,234 packets in 24.7 s, 0.5 % lost                 │
                 1607  22:13:21.600    +1.600    +0.100  │                          │◀╴ OPTIONS (to itself)    │
                61007  22:14:21.000   +61.000   +59.400  │◀────────────── ICMP port unreachable ───────────────│
                """);
    }

    @Test
    void givesHostsLettersWhereTheirNamesHaveNoRoom() {
        assertThat(draw(THREE_HOSTS, 48, true)).isEqualTo("""
                  A  10.1.0.1:5060
                  B  10.9.0.1:5060
                  C  10.2.0.1:5060

                           A                 B                 C
                   +0.000  │──── INVITE ────▶│                 │
                           │ audio 10.1.0.1:4000 PCMA          │
                           │   telephone-event sendrecv        │
                   +0.001  │                 │──── INVITE ────▶│
                   +0.120  │                 │◀─ 180 Ringing ──│
                   +0.121  │◀─ 180 Ringing ──│                 │
                   +1.500  │════════════ RTP PCMA ════════════▶│
                           │ 1,234 packets in 24.7 s, 0.5 % lost
                   +1.600  │                 │◀╴ OPTIONS (to it…
                  +61.000  │◀───── ICMP port unreachable ──────│
                """);
    }

    @Test
    void narrowLaddersKeepTheNumbersOfPacketsLongerThanTheTimeOfDay() {
        Ladder ladder = new Ladder(
                List.of("10.1.0.1:5060", "10.2.0.1:5060"),
                List.of(row(0, 0, 1, false, "INVITE"), row(5, 0, 1, true, "DTMF 1"), row(120, 1, 0, false, "200 OK")));
        assertThat(draw(ladder, 70, true)).isEqualTo("""
                Frame      Start      Step  10.1.0.1:5060                10.2.0.1:5060
                    7     +0.000    +0.000  │──────────────── INVITE ───────────────▶│
                   12     +0.005    +0.005  │════════════════ DTMF 1 ═══════════════▶│
                  127     +0.120    +0.115  │◀─────────────── 200 OK ────────────────│
                """);
        assertThat(draw(ladder, 60, true).lines().toList())
                .contains("    7     +0.000  │──────────────── INVITE ───────────────▶│");
    }

    @Test
    void whatIsNoPacketHasNoNumber() {
        Ladder ladder = new Ladder(
                List.of("10.1.0.1:5060", "10.2.0.1:5060"),
                List.of(row(0, 0, 1, false, "INVITE"), row(-1000, 0, 1, true, "DTMF 1")));
        assertThat(draw(ladder, 90, true)).contains("\n       22:13:19.000    -1.000    -1.000  │");
    }

    @Test
    void drawsWithAsciiWhereTheTerminalKnowsNoBetter() {
        String drawn = draw(THREE_HOSTS, 96, false);
        assertThat(drawn).isASCII();
        assertThat(drawn.lines().toList().get(1)).endsWith("|--------- INVITE -------->|                          |");
    }

    @Test
    void writesSentencesWhereNotEvenLettersHaveRoom() {
        assertThat(draw(THREE_HOSTS, 33, true).lines().toList())
                .contains("   +0.000  A -> B  INVITE", "   +1.500  A => C  RTP PCMA")
                .doesNotContain("│");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 41, 47, 60, 79, 80, 99, 120, 200, 333})
    void fitsEveryWidth(int width) {
        String long80 = "x".repeat(80);
        Ladder ladder = new Ladder(
                List.of(
                        "[2001:db8:1:2:3:4:5:6]:5060",
                        "10.0.0.1:5060",
                        "10.0.0.2:5060",
                        "10.0.0.3:5060",
                        "10.0.0.4:5060"),
                List.of(
                        row(0, 0, 4, false, long80, long80, "a b " + long80 + " c", ""),
                        row(
                                1,
                                4,
                                0,
                                false,
                                "486 \u5fd9\u788c\u4e2d \u5fd9\u788c\u4e2d \u5fd9\u788c\u4e2d",
                                "\u5fd9".repeat(150)),
                        row(2, 3, 3, true, long80),
                        row(3, 0, 0, true, long80),
                        row(4, 1, 2, false, "e\u0301".repeat(60), "e\u0301".repeat(300)),
                        row(5, 2, 1, false, "", ""),
                        row(-7_200_000, 2, 1, false, "earlier by a clock that was set back")));
        for (boolean unicode : new boolean[] {true, false}) {
            assertThat(draw(ladder, width, unicode).lines().toList())
                    .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(width));
        }
    }

    @Test
    void keepsAllOfALongNote() {
        String note = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
        for (int width = 5; width < 90; width++) {
            List<String> lines = Text.wrap(note, width);
            assertThat(String.join("", lines).replace(" ", "")).isEqualTo(note.replace(" ", ""));
        }
    }

    @Test
    void drawsNothingOfNothing() {
        assertThat(draw(new Ladder(List.of(), List.of()), 80, true)).isEmpty();
    }

    @Test
    void drawsOneHostAlone() {
        Ladder ladder = new Ladder(List.of("127.0.0.1:5060"), List.of(row(0, 0, 0, false, "OPTIONS")));
        assertThat(draw(ladder, 80, true)).endsWith("│◀╴ OPTIONS (to itself)\n");
    }
}
