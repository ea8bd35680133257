package io.offhook.calls.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

    /** Packets from one number to before another, every 20 ms, on the clock of A. */
    private static PointPackets stream(int from, int until, int delayMs) {
        PointPackets packets = new PointPackets();
        for (int i = from; i < until; i++) {
            packets.add(i & 0xffff, 160 * i, (20L * i + delayMs) * 1_000_000);
        }
        return packets;
    }

    private static SegmentFigures figures(PointPackets a, PointPackets b) {
        return Objects.requireNonNull(PointComparison.ofSame(a, b)).figures();
    }

    private static CaptureWindow window(int fromMs, int untilMs) {
        return new CaptureWindow(fromMs * 1_000_000L, untilMs * 1_000_000L);
    }

    @Test
    void aPacketThatOnlyTheFirstPointHasWasLostBetween() {
        PointPackets a = packets(0, 20, 40, -1, 80, 100, 120, 140, 160, 180);
        PointPackets b = packets(1, 21, 42, -1, 81, -1, 121, 161, 162, 182);
        SegmentFigures figures =
                Objects.requireNonNull(PointComparison.of(a, b, 8)).figures();
        assertThat(figures).isEqualTo(new SegmentFigures(8, 9, 1, 1, 0, new SegmentFigures.Delay(1, 1, 21, 21, 20)));
        assertThat(figures.lossPercent()).isCloseTo(11.1, within(0.05));
        assertThat(PointComparison.of(a, b, 9)).isNull();
    }

    @Test
    void whatOnlyTheSecondPointHasTheFirstMissed() {
        PointPackets a = packets(0, 20, 40, -1, 80, -1, 120);
        PointPackets b = packets(1, 21, 42, -1, 81, 101, 121);
        SegmentFigures figures = figures(a, b);
        assertThat(figures.extra()).isEqualTo(1);
        assertThat(figures.lostBefore()).as("the other one neither has").isEqualTo(1);
        assertThat(figures.isTrusted()).isFalse();
        assertThat(figures.arrived()).isEqualTo(6);
    }

    @Test
    void whatIsBeyondTheLastMatchIsLostOnlyWhileTheOtherCaptured() {
        PointPackets a = stream(0, 100, 0);
        PointPackets b = stream(0, 60, 5);
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
        PointPackets a = stream(65_000, 200_000, 0);
        PointPackets b = stream(131_080, 200_000, 7);
        SegmentFigures figures = figures(a, b);
        assertThat(figures.matched()).isEqualTo(200_000 - 131_080);
        assertThat(figures.lost()).isZero();
        assertThat(figures.lostBefore()).isZero();
        assertThat(figures.extra()).isZero();
    }

    @Test
    void aGapThatTimestampsProveIsLossAndAnotherIsARestart() {
        PointPackets outage = stream(0, 50, 0);
        PointPackets restart = stream(0, 50, 0);
        for (int i = 10_050; i < 10_100; i++) {
            outage.add(i, 160 * i, 20L * i * 1_000_000);
            restart.add(i, 160 * (i - 10_000), 20L * (i - 10_000) * 1_000_000);
        }
        assertThat(figures(outage, outage).lostBefore()).isEqualTo(10_000);
        assertThat(figures(restart, restart).lostBefore()).isZero();
    }

    @Test
    void copiesCountOnce() {
        PointPackets twice = new PointPackets();
        for (int i = 0; i < 100; i++) {
            twice.add(i, 160 * i, 20_000_000L * i);
            twice.add(i, 160 * i, 20_000_000L * i + 300_000);
        }
        SegmentFigures figures = figures(stream(0, 100, 0), twice);
        assertThat(figures.present()).isEqualTo(100);
        assertThat(figures.arrived()).isEqualTo(100);
        assertThat(figures.delay().maxMs()).isZero();
    }

    @Test
    void otherTimestampsAreAnotherStream() {
        PointPackets other = new PointPackets();
        for (int i = 0; i < 100; i++) {
            other.add(i, 160 * i + 1, 20_000_000L * i);
        }
        assertThat(PointComparison.ofSame(stream(0, 100, 0), other)).isNull();
    }
}
