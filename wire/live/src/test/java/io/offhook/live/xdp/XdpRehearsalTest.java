package io.offhook.live.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.live.CaptureRequest;
import io.offhook.live.Rehearsal;
import io.offhook.live.RehearsalTest;
import io.offhook.live.TestFrames;
import java.io.IOException;
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
        try (Rehearsal source = Rehearsal.of(new XdpBackend(), CaptureRequest.of("no-such-interface"))) {
            assertThat(source.notes()).anyMatch(note -> note.startsWith("AF_XDP"));
            RehearsalTest.deliversWholePackets(source);
            assertThat(source.frames()).isGreaterThan(CHUNKS);
        }
    }

    /** What fails behind them, here the missing name of the interface, leaves no socket open. */
    @Test
    @SuppressWarnings("NullAway")
    void leavesNothingOpenThatCannotBeOpenedAsAWhole() throws IOException {
        long before = TestFrames.descriptors();
        assertThatThrownBy(() -> new XdpRehearsal(null)).isInstanceOf(NullPointerException.class);
        assertThat(TestFrames.descriptors()).isEqualTo(before);
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
