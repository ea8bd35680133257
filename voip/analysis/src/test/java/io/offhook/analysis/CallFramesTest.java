package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The frames of calls: of a capture that has nothing else, all. */
class CallFramesTest {

    /** A round has 16 batches: those of a frame each end in the middle of datagrams. */
    @ParameterizedTest
    @CsvSource({
        "fragments-in-order, 4096",
        "fragments-shuffled, 1",
        "fragments-duplicated, 4096",
        "fragments-duplicated, 1",
        "fragments-of-everything, 1",
        "fragments-in-a-tunnel, 1",
        "mirrored, 4096",
        "tcp-small-segments, 1"
    })
    void areAllOfACaptureOfOneCall(String scenario, int perBatch) {
        List<Frame> frames = Scenarios.traffic(scenario, 7).capture().frames();
        List<CallReport> calls;
        try (PacketSource source = new MemorySource(frames, perBatch)) {
            calls = Analysis.run(source, AnalysisOptions.defaults().withLanes(1))
                    .calls();
        }
        assertThat(calls).hasSize(1);
        try (PacketSource source = new MemorySource(frames, perBatch)) {
            CallFrames found = CallFrames.find(source, calls, true, 2);
            assertThat(found.count()).isEqualTo(frames.size());
            for (int number = 1; number <= frames.size(); number++) {
                assertThat(found.callsOf(number)).as("frame %d", number).containsExactly(0);
            }
        }
    }
}
