package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pipe whose sender takes its time, as tcpdump's does: what has come is handed out. */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowPipeTest {

    @Test
    void handsOutWhatHasComeBeforeItWaits() throws IOException {
        PcapBytes capture = PcapBytes.plain();
        int headerBytes = capture.size();
        capture.record(1, 0, 60).record(2, 0, 61).record(3, 0, 62);
        int three = capture.size();
        capture.record(4, 0, 63);
        byte[] bytes = capture.toBytes();
        PipedOutputStream sender = new PipedOutputStream();
        try (PipedInputStream pipe = new PipedInputStream(sender, 4096)) {
            sender.write(bytes, 0, three + 20); // the fourth is on its way
            try (CaptureFileSource source = CaptureFiles.open(List.of("-"), pipe)) {
                FrameBatch batch = new FrameBatch(100);
                assertThat(source.next(batch)).isTrue();
                assertThat(lengths(batch)).containsExactly(60, 61, 62);
                sender.write(bytes, three + 20, bytes.length - three - 20);
                assertThat(source.next(batch)).isTrue();
                assertThat(lengths(batch)).containsExactly(63);
                assertThat(batch.number(0)).isEqualTo(4);
                sender.close();
                assertThat(source.next(batch)).isFalse();
                assertThat(source.faults()).isEmpty();
            }
        }
        assertThat(headerBytes).isLessThan(three);
    }

    @Test
    void aRewriteThatWantsNoMorePacketsDoesNotWaitForOne() throws IOException {
        PipedOutputStream sender = new PipedOutputStream();
        try (PipedInputStream pipe = new PipedInputStream(sender, 4096)) {
            sender.write(PcapBytes.plain().record(1, 0, 60).record(2, 0, 61).toBytes());
            try (CaptureRewrite rewrite = CaptureRewrite.open(List.of("-"), pipe)) {
                rewrite.edit(new PacketEdit() {
                    private long last;

                    @Override
                    public boolean edit(EditedPacket packet) {
                        last = packet.number();
                        return true;
                    }

                    @Override
                    public boolean isDone() {
                        return last == 2;
                    }
                });
                WritableByteChannel written = Channels.newChannel(OutputStream.nullOutputStream());
                assertThat(rewrite.to(written).packets().written()).isEqualTo(2);
            }
        }
    }

    private static List<Integer> lengths(FrameBatch batch) {
        int[] lengths = new int[batch.count()];
        Arrays.setAll(lengths, batch::capturedLength);
        return Arrays.stream(lengths).boxed().toList();
    }
}
