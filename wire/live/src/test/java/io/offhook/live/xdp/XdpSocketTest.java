package io.offhook.live.xdp;

import static io.offhook.live.TestFrames.IPV4;
import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.frames;
import static io.offhook.live.TestFrames.reported;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.filter.FilterCompiler;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Sockets that send, and that pass on what others have received. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class XdpSocketTest {
    private static final int CHUNKS = 256;
    private static final long PATIENCE_NS = 20_000_000_000L;

    @AutoClose
    private final Network network = Network.pair();

    XdpSocketTest() throws IOException {}

    private static NetworkDevice device(String name) {
        return Objects.requireNonNull(NetworkDevice.named(name));
    }

    private static XdpSocket open(XdpMemory memory, String name, int queue) {
        return XdpSocket.open(memory, device(name), new XdpSocket.Options(queue, CHUNKS, CHUNKS, CHUNKS, false, false));
    }

    private static void fill(XdpSocket socket, XdpMemory memory, int chunks) {
        for (int i = 0; i < chunks; i++) {
            socket.fill(memory.take());
        }
        socket.submitFill();
    }

    /** Takes back what was sent. @return how many chunks */
    private static int complete(XdpSocket socket, XdpMemory memory) {
        int count = socket.completed();
        for (int i = 0; i < count; i++) {
            memory.give(socket.completedAddress(i));
        }
        socket.takeCompleted(count);
        return count;
    }

    @Test
    void sendsFramesInOrderByteForByte() throws Exception {
        List<byte[]> sent = frames(2_000, IPV4);
        try (PacketSocketSource left =
                        network.left().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.LEFT), ""));
                XdpMemory memory = new XdpMemory(CHUNKS, 2048);
                XdpSocket socket = network.right().on(() -> open(memory, Network.RIGHT, 0))) {
            MemorySegment bytes = memory.segment();
            int next = 0;
            long startNs = System.nanoTime();
            while (memory.free() < CHUNKS || next < sent.size()) {
                while (next < sent.size() && memory.free() > 0 && socket.sendRoom() > 0) {
                    byte[] frame = sent.get(next++);
                    long address = memory.take();
                    MemorySegment.copy(frame, 0, bytes, ValueLayout.JAVA_BYTE, address, frame.length);
                    socket.send(address, frame.length);
                }
                int result = socket.submitSend();
                assertThat(result).isIn(0, -LinuxException.EAGAIN, -LinuxException.EBUSY);
                complete(socket, memory);
                assertThat(System.nanoTime() - startNs).isLessThan(PATIENCE_NS);
            }
            socket.readStatistics();
            assertThat(socket.sendInvalid()).isZero();
            left.stop();
            assertThat(reported(drain(left, new FrameBatch(4096)))).isEqualTo(reported(sent));
        }
    }

    @Test
    void passesOnWhatAnotherHasReceivedWithoutACopy() throws Exception {
        network.right().ip("link", "add", "out", "type", "veth", "peer", "name", "far");
        network.right().ip("link", "set", "out", "up");
        network.right().ip("link", "set", "far", "up");
        List<byte[]> sent = frames(1_000, IPV4);
        try (PacketSocketSource far =
                        network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of("far"), ""));
                XdpMemory memory = new XdpMemory(CHUNKS, 2048);
                XdpRedirect redirect = network.right()
                        .on(() -> XdpRedirect.attach(
                                device(Network.RIGHT),
                                1,
                                XdpMode.AUTO,
                                FilterCompiler.compile("", LinkType.ETHERNET, 65_535),
                                false));
                XdpSocket in = network.right().on(() -> open(memory, Network.RIGHT, 0));
                XdpSocket out = network.right().on(() -> open(memory, "out", 0))) {
            fill(in, memory, CHUNKS);
            redirect.redirect(in);
            // no more at a time than there are chunks
            for (int first = 0; first < sent.size(); first += 100) {
                network.send(sent.subList(first, first + 100));
                passOn(in, out, 100);
            }
            in.readStatistics();
            assertThat(in.dropped() + in.ringFull()).isZero();
            far.stop();
            assertThat(reported(drain(far, new FrameBatch(4096)))).isEqualTo(reported(sent));
        }
    }

    /** Until so many frames have gone from one to the other, and their chunks back. */
    private static void passOn(XdpSocket in, XdpSocket out, int frames) {
        int completed = 0;
        long startNs = System.nanoTime();
        while (completed < frames) {
            int count = Math.min(in.received(), out.sendRoom());
            for (int i = 0; i < count; i++) {
                out.send(in.receivedAddress(i), in.receivedLength(i));
            }
            in.takeReceived(count);
            assertThat(out.submitSend()).isIn(0, -LinuxException.EAGAIN, -LinuxException.EBUSY);
            int done = out.completed();
            for (int i = 0; i < done; i++) {
                in.fill(out.completedAddress(i));
            }
            out.takeCompleted(done);
            in.submitFill();
            completed += done;
            assertThat(System.nanoTime() - startNs).isLessThan(PATIENCE_NS);
        }
    }

    @Test
    void refusesAQueueThatIsNotThereOrHasASocket() throws Exception {
        try (XdpMemory memory = new XdpMemory(CHUNKS, 2048);
                XdpMemory other = new XdpMemory(CHUNKS, 2048);
                XdpSocket socket = network.right().on(() -> open(memory, Network.RIGHT, 0))) {
            assertThat(socket.isZeroCopy()).isFalse();
            assertThatThrownBy(() -> network.right().on(() -> open(memory, Network.RIGHT, 7)))
                    .isInstanceOf(LinuxException.class)
                    .hasMessage("bind to queue 7 of right: EINVAL, Invalid argument");
            assertThatThrownBy(() -> network.right().on(() -> open(other, Network.RIGHT, 0)))
                    .isInstanceOf(LinuxException.class)
                    .hasMessage("bind to queue 0 of right: EBUSY, Device or resource busy");
        }
    }

    @Test
    void memoryOutlivesItsSockets() throws Exception {
        try (XdpMemory memory = new XdpMemory(CHUNKS, 4096)) {
            try (XdpSocket socket = network.right().on(() -> open(memory, Network.RIGHT, 0))) {
                assertThat(socket.queue()).isZero();
                assertThatThrownBy(memory::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("1 sockets still use the memory; close them first");
            }
            // and is shown to the kernel again by the next one
            network.right().on(() -> open(memory, Network.RIGHT, 0)).close();
            assertThat(memory.frameBytes()).isEqualTo(4096 - XdpMemory.HEADROOM_BYTES);
        }
    }

    @Test
    void countsChunksAndRefusesSizesThatTheKernelDoesNotTake() {
        try (XdpMemory memory = new XdpMemory(2, 2048)) {
            assertThat(memory.take()).isZero();
            assertThat(memory.take()).isEqualTo(2048);
            assertThat(memory.take()).isEqualTo(-1);
            memory.give(2048 + 300);
            assertThat(memory.take()).isEqualTo(2048);
            memory.give(0);
            memory.give(2048);
            assertThatThrownBy(() -> memory.give(0)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> new XdpMemory(2, 1024))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("chunkBytes 1024 is neither 2048 nor 4096");
        assertThatThrownBy(() -> new XdpMemory(0, 2048)).isInstanceOf(IllegalArgumentException.class);
    }
}
