package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mistake in the decoder costs the packet that it happens at, and no other. */
class FailedPacketTest {
    private static final List<Frame> FRAMES = Traffic.random(5, 10).capture().frames();

    /** Adds a frame to each batch that has room, outside of its memory: the walker throws there. */
    private static final class WithImpossibleFrames extends WrappedSource {
        private final List<Long> numbers;

        WithImpossibleFrames(PacketSource whole, List<Long> numbers) {
            super(whole);
            this.numbers = numbers;
        }

        @Override
        public boolean next(FrameBatch batch) {
            boolean isMore = super.next(batch);
            if (isMore && !batch.isFull()) {
                long beyond = batch.segmentOf(0).byteSize();
                numbers.add(batch.number(batch.count()));
                batch.add(0, beyond, 60, 60, batch.timestampNs(0), batch.interfaceIndex(0), batch.linkType(0));
            }
            return isMore;
        }
    }

    private static AnalysisResult analyse(PacketSource source, int lanes) {
        try (source) {
            return Analysis.run(source, AnalysisOptions.defaults().withLanes(lanes));
        }
    }

    private static List<String> figures(AnalysisResult result) {
        return result.calls().stream()
                .map(call -> call.callId()
                        + call.outcome()
                        + call.counts().messages()
                        + call.streams().stream()
                                .map(stream -> stream.statistics().packets())
                                .toList())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void countsItAndGoesOn(int lanes) {
        List<Long> numbers = new ArrayList<>();
        AnalysisResult whole = analyse(new MemorySource(FRAMES, 50), lanes);
        AnalysisResult result = analyse(new WithImpossibleFrames(new MemorySource(FRAMES, 50), numbers), lanes);

        assertThat(numbers).hasSizeGreaterThan(10);
        assertThat(result.capture().packets()).isEqualTo(whole.capture().packets() + numbers.size());
        assertThat(figures(result)).isNotEmpty().isEqualTo(figures(whole));
        assertThat(result.capture().counters())
                .filteredOn(counter -> counter.name().equals("failedPackets"))
                .singleElement()
                .satisfies(counter -> {
                    assertThat(counter.count()).isEqualTo(numbers.size());
                    assertThat(counter.firstFrame()).isEqualTo(numbers.getFirst());
                    assertThat(counter.lastFrame()).isEqualTo(numbers.getLast());
                });
        assertThat(result.defect()).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(whole.defect()).isNull();
        assertThat(whole.capture().counters())
                .noneMatch(counter -> counter.name().equals("failedPackets"));
    }
}
