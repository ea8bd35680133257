package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaptureReportTest {
    @ParameterizedTest
    @CsvSource({"1000, 3000, 2000", "1000, 1000, 0", "5000, 3000, 0"})
    void lastsNoNegativeTimeWhereTheClockWasSetBack(long firstNs, long lastNs, long durationNs) {
        CaptureReport capture = new CaptureReport(
                2, 200, firstNs, lastNs, List.of(), 0, 0, 0, 0, 0, 0, List.of(), List.of(), List.of());
        assertThat(capture.durationNs()).isEqualTo(durationNs);
    }
}
