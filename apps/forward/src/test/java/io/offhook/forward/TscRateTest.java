package io.offhook.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TscRateTest {
    private static List<String> cpuinfo(String flags, String bogomips) {
        return List.of(
                "processor\t: 0",
                "model name\t: AMD EPYC",
                "cpu MHz\t\t: 3700.000",
                "flags\t\t: fpu tsc " + flags,
                "bogomips\t: " + bogomips,
                "",
                "processor\t: 1",
                "flags\t\t: fpu tsc constant_tsc",
                "bogomips\t: 1.00");
    }

    @Test
    void isTheCountersAndNotTheCoresOfTheMoment() {
        assertThat(TscRate.of(cpuinfo("constant_tsc rep_good", "5192.26"))).hasValue(2.59613);
        assertThat(TscRate.of(cpuinfo("nopl constant_tsc", "6000.00"))).hasValue(3.0);
    }

    @Test
    void isNotKnownWhereTheCounterIsNotConstantOrNotTold() {
        assertThat(TscRate.of(cpuinfo("nonstop_tsc", "5192.26"))).isEmpty();
        assertThat(TscRate.of(cpuinfo("constant_tsc", "0.00"))).isEmpty();
        assertThat(TscRate.of(List.of("processor\t: 0", "BogoMIPS\t: 50.00", "Features\t: fp asimd")))
                .isEmpty();
        assertThat(TscRate.of(List.of())).isEmpty();
    }
}
