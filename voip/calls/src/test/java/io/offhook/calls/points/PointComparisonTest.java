package io.offhook.calls.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.calls.Side;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PointComparisonTest {
    private static PointPackets packets(int... arrivalsMs) {
        PointPackets packets = new PointPackets();
        for (int i = 0; i < arrivalsMs.length; i++) {
            if (arrivalsMs[i] >= 0) {
                packets.add(i + 1, 160 * i, arrivalsMs[i] * 1_000_000L);
            }
        }
        return packets;
    }

    @Test
    void aPacketThatOnlyTheFirstPointHasWasLostBetween() {
        PointPackets a = packets(0, 20, 40, -1, 80, 100, 120, 140, 160, 180);
        PointPackets b = packets(1, 21, 42, -1, 81, -1, 121, 161, 162, 182);
        SegmentFigures figures =
                Objects.requireNonNull(PointComparison.of(a, b, 8)).figures();
        assertThat(figures).isEqualTo(new SegmentFigures(8, 9, 1, 1, 0, new SegmentFigures.Delay(1, 21, 21, 20)));
        assertThat(figures.lossPercent()).isCloseTo(11.1, within(0.05));
        assertThat(PointComparison.of(a, b, 9)).isNull();
        SegmentFigures reversed =
                Objects.requireNonNull(PointComparison.of(b, a, 8)).figures();
        assertThat(reversed.extra()).isEqualTo(1);
        assertThat(reversed.isTrusted()).isFalse();
    }

    @Test
    void offsetAndDriftAreThoseOfTheClock() {
        long startNs = 1_700_000_000_000_000_000L;
        PointPackets[] at = {new PointPackets(), new PointPackets(), new PointPackets(), new PointPackets()};
        for (int i = 0; i < 3000; i++) {
            long ns = i * 20_000_000L;
            for (int direction = 0; direction < 2; direction++) {
                long delay = direction == 0 ? 5_000_000 : -5_000_000;
                long b = startNs + ns + delay + 250_000_000 + Math.round(ns * 40e-6);
                at[2 * direction].add(i + 65_000 & 0xffff, 160 * i, startNs + ns);
                at[2 * direction + 1].add(i + 65_000 & 0xffff, 160 * i, b);
            }
        }
        ClockLine clock = Objects.requireNonNull(ClockEstimate.of(List.of(
                new ClockEstimate.Matched(
                        "x>y", "call", Side.CALLER, Objects.requireNonNull(PointComparison.of(at[0], at[1], 32))),
                new ClockEstimate.Matched(
                        "y>x", "call", Side.CALLEE, Objects.requireNonNull(PointComparison.of(at[2], at[3], 32))))));
        assertThat(clock.driftPpm()).isCloseTo(40, within(0.1));
        assertThat(clock.offsetNs()).isCloseTo(250e6, within(10_000.0));
        assertThat(clock.isFromBothDirections()).isTrue();
        SegmentFigures.Delay delay = Objects.requireNonNull(
                        PointComparison.of(at[0], at[1].onClockOfA(clock), 32))
                .figures()
                .delay();
        assertThat(delay.medianMs()).isCloseTo(5, within(0.02));
        assertThat(delay.spreadMs()).isCloseTo(0, within(0.02));
    }
}
