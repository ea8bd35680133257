package io.offhook.live.packetsocket;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.TestFrames;
import io.offhook.live.TimestampClock;
import io.offhook.live.engine.IfPacket;
import io.offhook.live.engine.KernelFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** No card here has a clock: that it is refused is seen on veth, and the status of packets in a block made by hand. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class TimestampClockTest {
    private static final int SOFTWARE = 1 << 29;
    private static final int HARDWARE = 1 << 31;
    private static final int PACKET_BYTES = 160;

    @AutoClose
    private final Network network = Network.pair();

    TimestampClockTest() throws IOException {}

    @Test
    void saysThatAnInterfaceHasNoClock() {
        PacketSocketOptions options = PacketSocketOptions.of(Network.RIGHT).withClock(TimestampClock.HARDWARE);
        String message =
                "interface right cannot stamp all packets that it receives; ethtool -T right shows what it can";
        assertThatThrownBy(() -> network.right().on(() -> PacketSocketSource.open(options, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> network.right().on(() -> PacketSocketSource.openGroup(options, "", FanOut.HASH, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void countsNoneOfTheKernelsTimesAsTheCards() throws Exception {
        try (PacketSocketSource source =
                network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""))) {
            network.send(TestFrames.frames(10, 0x0800));
            source.stop();
            assertThat(TestFrames.drain(source, new FrameBatch(16))).hasSize(10);
            assertThat(source.stampedByHardware()).isZero();
        }
    }

    /** The kernel takes the option, though it has nothing to give. */
    @Test
    void reportsWhichPacketsTheCardStamped() throws Exception {
        PacketSocketOptions options = PacketSocketOptions.of(Network.RIGHT).withClock(TimestampClock.HARDWARE);
        try (PacketRing ring = network.right().on(() -> {
            NetworkDevice device = Objects.requireNonNull(NetworkDevice.named(Network.RIGHT));
            return PacketRing.open(options, device, KernelFilter.nothing());
        })) {
            List<Integer> statuses = List.of(SOFTWARE, HARDWARE, 0, HARDWARE | IfPacket.TP_STATUS_USER);
            // the kernel closes its current block, the first one, when its time is over, and writes into it then
            ring.take();
            writeBlock(ring.memory(), ring.blockBytes(), statuses);
            BlockFrames frames = new BlockFrames(
                    ring,
                    LinkType.ETHERNET,
                    262_144,
                    KernelFilter.of("", LinkType.ETHERNET, 262_144).whole());
            FrameBatch batch = new FrameBatch(16);
            assertThat(frames.begin()).isTrue();
            assertThat(frames.addTo(batch, batch.addSegment(ring.memory()))).isTrue();
            assertThat(batch.count()).isEqualTo(statuses.size());
            assertThat(batch.timestampNs(3)).isEqualTo(1_700_000_003_999_999_999L);
            assertThat(frames.stampedByHardware()).isEqualTo(2);
        }
    }

    private static void writeBlock(MemorySegment memory, long block, List<Integer> statuses) {
        memory.set(JAVA_INT, block + IfPacket.BLOCK_PACKETS, statuses.size());
        memory.set(JAVA_INT, block + IfPacket.BLOCK_FIRST, 48);
        long at = block + 48;
        for (int i = 0; i < statuses.size(); i++) {
            memory.set(JAVA_INT, at + IfPacket.PACKET_NEXT, PACKET_BYTES);
            memory.set(JAVA_INT, at + IfPacket.PACKET_SECONDS, 1_700_000_000 + i);
            memory.set(JAVA_INT, at + IfPacket.PACKET_NANOSECONDS, 999_999_999);
            memory.set(JAVA_INT, at + IfPacket.PACKET_CAPTURED, 60);
            memory.set(JAVA_INT, at + IfPacket.PACKET_WIRE, 60);
            memory.set(JAVA_INT, at + IfPacket.PACKET_STATUS, statuses.get(i));
            memory.set(JAVA_SHORT, at + IfPacket.PACKET_MAC, (short) 80);
            at += PACKET_BYTES;
        }
        memory.set(JAVA_INT, block + IfPacket.BLOCK_STATUS, IfPacket.TP_STATUS_USER);
    }
}
