package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that another process cuts shorter, after its frames were handed out and before lanes read them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CutShortTest {
    /** More than a round of them, behind the calls. */
    private static final int OTHERS = 90_000;

    private static final int RECORD_BYTES = 16 + 64;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void reportsWhatTheRoundsBeforeFound(int lanes) throws IOException {
        List<Frame> frames = new ArrayList<>(Traffic.random(5, 10).capture().frames());
        int calls = frames.size();
        Frame last = frames.getLast();
        for (int i = 1; i <= OTHERS; i++) {
            frames.add(new Frame(last.timestampNs() + i * 1000L, last.linkType(), new byte[64], 64));
        }
        Path file = folder.resolve("shrinks.pcap");
        CaptureWriter.pcap().write(frames, file);
        long whole = Objects.requireNonNull(file.toFile()).length();
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(lanes);
        AnalysisResult undamaged = analyse(CaptureFiles.open(file.toString()), options);

        CaptureFileSource source = CaptureFiles.open(file.toString());
        AnalysisResult result =
                analyse(new Shrinking(source, file, whole - (calls + OTHERS / 2L) * RECORD_BYTES), options);

        assertThat(source.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.kind()).isEqualTo(CaptureFault.Kind.CUT_OFF);
            assertThat(fault.message()).contains("cut shorter while it was read");
        });
        assertThat(result.calls()).isNotEmpty().hasSameSizeAs(undamaged.calls());
        assertThat(result.calls().getFirst())
                .usingRecursiveComparison()
                .withEqualsForType(Double::equals, Double.class) // NaN equals NaN
                .isEqualTo(undamaged.calls().getFirst());
        assertThat(result.defect()).isNull();
    }

    private static AnalysisResult analyse(PacketSource source, AnalysisOptions options) {
        try (source) {
            return Analysis.run(source, options);
        }
    }

    /** Cuts the file as soon as a batch of the second round was handed out. */
    private static final class Shrinking extends WrappedSource {
        private final Path file;
        private final long length;

        Shrinking(CaptureFileSource whole, Path file, long length) {
            super(whole);
            this.file = file;
            this.length = length;
        }

        @Override
        public boolean next(FrameBatch batch) {
            boolean isMore = super.next(batch);
            if (batch.number(0) > (long) RoundBatches.BATCHES * batch.capacity()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return isMore;
        }
    }
}
