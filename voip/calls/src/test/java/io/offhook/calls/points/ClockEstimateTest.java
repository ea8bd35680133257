package io.offhook.calls.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClockEstimateTest {
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final double OFFSET_MS = 250;
    private static final double DRIFT_PPM = 40;

    /** Packets every 20 ms; negative delays are those of packets that pass B first. */
    private static ClockSamples samples(String path, boolean isForward, int order, double delayMs, int packets) {
        long[] firstNs = new long[packets];
        long[] differenceNs = new long[packets];
        for (int i = 0; i < packets; i++) {
            long ns = i * 20_000_000L;
            double queuedMs = (i * 7919 % 101) / 100.0 * Math.signum(delayMs);
            firstNs[i] = START_NS + ns;
            differenceNs[i] = Math.round((OFFSET_MS + delayMs + queuedMs) * 1e6 + ns * DRIFT_PPM / 1e6);
        }
        return new ClockSamples(path, isForward, "call", isForward, order, true, firstNs, differenceNs);
    }

    private static ClockLine line(ClockSamples... samples) {
        return Objects.requireNonNull(ClockEstimate.of(List.of(samples)));
    }

    @Test
    void theMiddleOfBothDirectionsIsTheOffset() {
        ClockLine line = line(samples("x|y", true, 0, 5, 3000), samples("x|y", false, 0, -5, 3000));
        assertThat(line.driftPpm()).isCloseTo(DRIFT_PPM, within(1.0));
        assertThat(line.offsetNs() / 1e6).isCloseTo(OFFSET_MS, within(0.05));
        assertThat(line.uncertaintyNs() / 1e6).isCloseTo(5, within(0.05));
        assertThat(line.basis()).isEqualTo(ClockLine.Basis.BOTH_DIRECTIONS);
        assertThat(line.toA(START_NS + 250_000_000)).isCloseTo(START_NS, within(60_000L));
        long later = 60_000_000_000L;
        assertThat(line.toA(START_NS + later + 250_000_000 + 2_400_000)).isCloseTo(START_NS + later, within(150_000L));
    }

    @Test
    void thePathWithTheClosestBoundsCounts() {
        ClockLine line = line(
                samples("x|y", true, 0, 5, 600),
                samples("x|y", false, 0, -95, 600),
                samples("x|z", true, 0, -2, 600),
                samples("x|z", false, 0, 3, 600));
        assertThat(line.offsetNs() / 1e6).isCloseTo(OFFSET_MS + 0.5, within(0.05));
        assertThat(line.uncertaintyNs() / 1e6).isCloseTo(2.5, within(0.05));
    }

    @Test
    void directionsOnTwoPathsBoundTheOffsetWhereAddressesOrderThem() {
        ClockLine line = line(samples("x|y", true, 1, 5, 600), samples("z|x", true, -1, -7, 600));
        assertThat(line.basis()).isEqualTo(ClockLine.Basis.BOTH_DIRECTIONS);
        assertThat(line.offsetNs() / 1e6).isCloseTo(OFFSET_MS - 1, within(0.05));
        assertThat(line.uncertaintyNs() / 1e6).isCloseTo(6, within(0.05));
    }

    @Test
    void oneDirectionLeavesOffsetAndDelayTogether() {
        ClockLine line = line(samples("x|y", true, 0, 5, 600));
        assertThat(line.basis()).isEqualTo(ClockLine.Basis.ONE_DIRECTION);
        assertThat(line.isComparable()).isFalse();
        assertThat(line.offsetNs() / 1e6).isCloseTo(OFFSET_MS + 5, within(0.05));
        assertThat(line.uncertaintyNs()).isNaN();
    }

    @Test
    void fewSecondsTellNoDrift() {
        ClockLine line = line(samples("x|y", true, 0, 5, 400), samples("x|y", false, 0, -5, 400));
        assertThat(line.driftPpm()).isNaN();
        assertThat(line.hasDrift()).isFalse();
        assertThat(ClockEstimate.of(List.of())).isNull();
    }

    @Test
    void copiesOfAMirrorPassBothDirectionsAlikeAndHaveNoOrder() {
        ClockLine line = line(samples("x|y", true, 0, 5, 3000), samples("x|y", false, 0, 5.1, 3000));
        assertThat(line.basis()).isEqualTo(ClockLine.Basis.ONE_DIRECTION);
        assertThat(line.offsetNs() / 1e6).isCloseTo(OFFSET_MS + 5, within(0.05));
    }
}
