package io.offhook.live.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.live.CaptureRequest;
import io.offhook.live.LiveCounts;
import io.offhook.live.Rehearsal;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** The rings of AF_XDP with their kernel's side in this process. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root")
@Timeout(60)
class XdpRehearsalTest {
    private static final int CHUNKS = 64;

    @Test
    void deliversPacketsThatAreWholeWithoutAnInterface() {
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(500);
        long count = 0;
        try (Rehearsal source = Rehearsal.of(new XdpBackend(), CaptureRequest.of("no-such-interface"))) {
            assertThat(source.notes()).anyMatch(note -> note.startsWith("AF_XDP"));
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(
                            batch.segmentOf(i),
                            batch.offset(i),
                            batch.capturedLength(i),
                            batch.wireLength(i),
                            LinkType.ETHERNET);
                    assertThat(walker.stop()).isEqualTo(PacketWalker.Stop.COMPLETE);
                }
                count += batch.count();
            }
            assertThat(count).isGreaterThan(CHUNKS).isEqualTo(source.frames());
            assertThat(source.counts()).isEqualTo(new LiveCounts(count, count, 0, 0, 0, 0));
            assertThat(source.faults()).isEmpty();
        }
    }

    @Test
    void theKernelsSideTakesNoMoreThanThereAreChunksAndCompletesWhatIsSent() {
        try (XdpMemory memory = new XdpMemory(CHUNKS, 2048);
                XdpSocket socket =
                        XdpSocket.openUnbound(memory, new XdpSocket.Options(0, CHUNKS, CHUNKS, CHUNKS, true, false))) {
            XdpKernelSide kernel = socket.kernelSide();
            assertThat(kernel.claim(60)).isEqualTo(-1);
            for (int i = 0; i < 3; i++) {
                socket.fill(memory.take());
            }
            socket.submitFill();
            assertThat(kernel.claim(memory.frameBytes() + 1)).isEqualTo(-1);
            for (int i = 0; i < 3; i++) {
                long frame = kernel.claim(60);
                memory.segment().set(ValueLayout.JAVA_BYTE, frame, (byte) i);
                kernel.deliver(60);
            }
            assertThat(kernel.claim(60)).isEqualTo(-1);
            assertThat(socket.received()).isEqualTo(3);
            for (int i = 0; i < 3; i++) {
                long frame = socket.receivedAddress(i);
                assertThat(socket.receivedLength(i)).isEqualTo(60);
                assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, frame)).isEqualTo((byte) i);
                socket.send(frame, 60);
            }
            socket.takeReceived(3);
            assertThat(socket.submitSend()).isNegative(); // it is bound to nothing
            assertThat(socket.completed()).isZero();
            kernel.complete();
            assertThat(socket.completed()).isEqualTo(3);
        }
    }
}
