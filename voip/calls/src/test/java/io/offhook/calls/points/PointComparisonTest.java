package io.offhook.calls.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.calls.relay.SegmentFigures;
import io.offhook.rtp.PacketLog;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PointComparisonTest {
    private static PacketLog packets(int... arrivalsMs) {
        PacketLog packets = PacketLog.unlimited();
        for (int i = 0; i < arrivalsMs.length; i++) {
            if (arrivalsMs[i] >= 0) {
                packets.add(arrivalsMs[i] * 1_000_000L, i + 1, 160 * i);
            }
        }
        return packets;
    }

    /** Packets from one number to before another, every 20 ms, on the clock of A. */
    private static PacketLog stream(int from, int until, int delayMs) {
        PacketLog packets = PacketLog.unlimited();
        for (int i = from; i < until; i++) {
            packets.add((20L * i + delayMs) * 1_000_000, i & 0xffff, 160 * i);
        }
        return packets;
    }

    private static SegmentFigures figures(PacketLog a, PacketLog b) {
        return Objects.requireNonNull(PointComparison.ofSame(a, b)).figures();
    }

    private static CaptureWindow window(int fromMs, int untilMs) {
        return new CaptureWindow(fromMs * 1_000_000L, untilMs * 1_000_000L);
    }

    @Test
    void aPacketThatOnlyTheFirstPointHasWasLostBetween() {
        PacketLog a = packets(0, 20, 40, -1, 80, 100, 120, 140, 160, 180);
        PacketLog b = packets(1, 21, 42, -1, 81, -1, 121, 161, 162, 182);
        SegmentFigures figures =
                Objects.requireNonNull(PointComparison.of(a, b, 8)).figures();
        assertThat(figures).isEqualTo(new SegmentFigures(8, 9, 1, 1, 0, 0, new SegmentFigures.Delay(1, 1, 21, 21, 20)));
        assertThat(figures.lossPercent()).isCloseTo(11.1, within(0.05));
        assertThat(PointComparison.of(a, b, 9)).isNull();
    }

    @Test
    void whatOnlyTheSecondPointHasTheFirstMissed() {
        PacketLog a = packets(0, 20, 40, -1, 80, -1, 120);
        PacketLog b = packets(1, 21, 42, -1, 81, 101, 121);
        SegmentFigures figures = figures(a, b);
        assertThat(figures.extra()).isEqualTo(1);
        assertThat(figures.lostBefore()).as("by the count of the first").isEqualTo(2);
        assertThat(figures.lostBeforeBoth()).as("the other one neither has").isEqualTo(1);
        assertThat(figures.isTrusted()).isFalse();
        assertThat(figures.arrived()).isEqualTo(6);
    }

    @Test
    void whatIsBeyondTheLastMatchIsLostOnlyWhileTheOtherCaptured() {
        PacketLog a = stream(0, 100, 0);
        PacketLog b = stream(0, 60, 5);
        PointComparison comparison = Objects.requireNonNull(PointComparison.ofSame(a, b));
        assertThat(comparison.figures().lost()).isZero();
        SegmentFigures stopped =
                comparison.figures(ClockLine.SAME, window(0, 5000), ClockLine.SAME, window(0, 60 * 20 - 15));
        assertThat(stopped.lost()).isZero();
        SegmentFigures running = comparison.figures(ClockLine.SAME, window(0, 5000), ClockLine.SAME, window(0, 5000));
        assertThat(running.lost()).isEqualTo(40);
        SegmentFigures halfway = comparison.figures(ClockLine.SAME, window(0, 5000), ClockLine.SAME, window(0, 1600));
        assertThat(halfway.lost()).isEqualTo(20);
    }

    @Test
    void numbersThatWrapMatchWhereverACaptureBegan() {
        PacketLog a = stream(65_000, 200_000, 0);
        PacketLog b = stream(131_080, 200_000, 7);
        SegmentFigures figures = figures(a, b);
        assertThat(figures.matched()).isEqualTo(200_000 - 131_080);
        assertThat(figures.lost()).isZero();
        assertThat(figures.lostBefore()).isZero();
        assertThat(figures.extra()).isZero();
    }

    @Test
    void aGapThatTimestampsProveIsLossAndAnotherIsARestart() {
        PacketLog outage = stream(0, 50, 0);
        PacketLog restart = stream(0, 50, 0);
        for (int i = 10_050; i < 10_100; i++) {
            outage.add(20L * i * 1_000_000, i, 160 * i);
            restart.add(20L * (i - 10_000) * 1_000_000, i, 160 * (i - 10_000));
        }
        assertThat(figures(outage, outage).lostBefore()).isEqualTo(10_000);
        assertThat(figures(restart, restart).lostBefore()).isZero();
    }

    @Test
    void copiesCountOnce() {
        PacketLog twice = PacketLog.unlimited();
        for (int i = 0; i < 100; i++) {
            twice.add(20_000_000L * i, i, 160 * i);
            twice.add(20_000_000L * i + 300_000, i, 160 * i);
        }
        SegmentFigures figures = figures(stream(0, 100, 0), twice);
        assertThat(figures.present()).isEqualTo(100);
        assertThat(figures.arrived()).isEqualTo(100);
        assertThat(figures.delay().maxMs()).isZero();
    }

    @Test
    void otherTimestampsAreAnotherStream() {
        PacketLog other = PacketLog.unlimited();
        for (int i = 0; i < 100; i++) {
            other.add(20_000_000L * i, i, 160 * i + 1);
        }
        assertThat(PointComparison.ofSame(stream(0, 100, 0), other)).isNull();
    }
}
