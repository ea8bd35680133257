package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.CaptureReport.Counter;
import io.offhook.live.LiveCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveHeadingTest {
    private static final LiveCounts COUNTS = new LiveCounts(1_234, 1_200, 0, 30, 4, 1);
    private static final List<Counter> COUNTERS =
            List.of(new Counter("rtpPacketsRefused", 3, 0, 0, 0, 0), new Counter("sipMalformed", 2, 0, 0, 0, 0));

    @Test
    void lastLineCountsAllKindsOfDrops() {
        assertThat(LiveHeading.last(COUNTS, COUNTERS))
                .isEqualTo("1,234 packets came, 1,200 read; dropped by kernel 4, ring 30, budget 3.");
        assertThat(LiveHeading.last(LiveCounts.NONE, List.of()))
                .isEqualTo("0 packets came, 0 read; dropped by kernel 0, ring 0, budget 0.");
    }

    @Test
    void headingNamesExceededBudgets() {
        assertThat(new LiveHeading("eth0", 0).drops(COUNTS, COUNTERS))
                .isEqualTo("dropped by kernel 4, ring 30, budget 3; counted: RTP packets refused 3, SIP malformed 2");
    }

    @Test
    void evictedCallsThatWereReportedAreNotDrops() {
        List<Counter> forgotten =
                List.of(new Counter("callsEvicted", 3, 0, 0, 0, 0), new Counter("runningCallsEvicted", 1, 0, 0, 0, 0));
        assertThat(new LiveHeading("eth0", 0).drops(COUNTS, forgotten))
                .isEqualTo("dropped by kernel 4, ring 30, budget 1; counted: calls evicted 3, running calls evicted 1");
    }
}
