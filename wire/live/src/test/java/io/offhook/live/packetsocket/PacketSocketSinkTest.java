package io.offhook.live.packetsocket;

import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.frames;
import static io.offhook.live.TestFrames.reported;
import static io.offhook.live.packetsocket.PacketSocketSourceTest.tagged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.live.SendCounts;
import io.offhook.live.TestFrames;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures on one end of a veth pair what the sink sends from the other. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class PacketSocketSinkTest {
    private static final int IPV4 = 0x0800;
    private static final int VLAN = 0x8100;
    private static final PacketSocketSinkOptions LEFT = PacketSocketSinkOptions.of(Network.LEFT);

    private Network network;
    private Arena arena;

    @BeforeEach
    void makeNetwork() throws IOException {
        network = Network.pair();
        arena = Arena.ofShared(); // work in a namespace is done by a thread of its own
    }

    @AfterEach
    void removeNetwork() throws IOException {
        arena.close();
        network.close();
    }

    private PacketSocketSink sink(PacketSocketSinkOptions options) throws Exception {
        return network.left().on(() -> PacketSocketSink.open(options));
    }

    private PacketSocketSource source() throws Exception {
        return network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""));
    }

    private void write(PacketSocketSink sink, List<byte[]> frames) {
        MemorySegment room = arena.allocate(1 << 16);
        for (byte[] frame : frames) {
            MemorySegment.copy(frame, 0, room, ValueLayout.JAVA_BYTE, 0, frame.length);
            sink.write(room, 0, frame.length, frame.length, 0, LinkType.ETHERNET);
        }
    }

    private static List<byte[]> rest(PacketSocketSource source) {
        source.stop();
        return drain(source, new FrameBatch(4096));
    }

    private static byte[] frame(int bytes, int etherType) {
        byte[] frame = new byte[bytes];
        System.arraycopy(frames(1, etherType).getFirst(), 0, frame, 0, Math.min(60, bytes));
        return frame;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sendsAllFramesInOrderByteForByte(boolean isQueueBypassed) throws Exception {
        List<byte[]> sent = frames(20_000, IPV4);
        try (PacketSocketSource source = source()) {
            PacketSocketSink sink = sink(LEFT.withQueueBypassed(isQueueBypassed));
            write(sink, sent);
            sink.close();

            assertThat(reported(rest(source))).isEqualTo(reported(sent));
            SendCounts counts = sink.counts();
            assertThat(counts.offered()).isEqualTo(20_000);
            assertThat(counts.sent()).isEqualTo(20_000);
            assertThat(counts.sentBytes())
                    .isEqualTo(sent.stream().mapToLong(frame -> frame.length).sum());
            assertThat(counts.refused()).isZero();
        }
    }

    @Test
    void sendsThroughTheSmallestRing() throws Exception {
        List<byte[]> sent = frames(5_000, IPV4);
        try (PacketSocketSource source = source()) {
            try (PacketSocketSink sink = sink(LEFT.withRingBytes(64 << 10))) {
                write(sink, sent);
            }
            assertThat(reported(rest(source))).isEqualTo(reported(sent));
        }
    }

    /** The kernel takes a frame, its queue drops it, and the frame is left to be sent again. */
    @Test
    void sendsAgainWhatTheQueueHasNoRoomFor() throws Exception {
        network.leftQueue("tbf rate 20mbit burst 4kb limit 8kb");
        List<byte[]> sent = frames(300, IPV4);
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT)) {
            write(sink, sent);
            sink.flush();
            SendCounts counts = sink.counts();
            assertThat(counts.sent()).isEqualTo(300);
            assertThat(counts.busy()).isPositive();
            assertThat(inAnyOrder(toldOnceTheyAreThere(source, 300))).isEqualTo(inAnyOrder(reported(sent)));
        }
    }

    /** Frames that stand in the queue keep their slots. */
    @Test
    void waitsForSlotsThatTheQueueKeeps() throws Exception {
        network.leftQueue("tbf rate 20mbit burst 4kb limit 1mb");
        List<byte[]> sent = frames(300, IPV4);
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT.withRingBytes(64 << 10))) {
            write(sink, sent);
            sink.flush();
            assertThat(sink.counts().sent()).isEqualTo(300);
            assertThat(inAnyOrder(toldOnceTheyAreThere(source, 300))).isEqualTo(inAnyOrder(reported(sent)));
        }
    }

    /**
     * Frames without their places: the timer of a queue runs on any processor, and each has a backlog of its own, so that the
     * receiving interface may get two of them the other way round.
     */
    private static List<String> inAnyOrder(List<String> frames) {
        return frames.stream()
                .map(frame -> frame.substring(frame.indexOf(' ')))
                .sorted()
                .toList();
    }

    /** What comes until there are so many: a queue before the interface gives frames away when it likes. */
    private static List<String> toldOnceTheyAreThere(PacketSocketSource source, int count) {
        List<byte[]> got = new ArrayList<>();
        FrameBatch batch = new FrameBatch(512);
        while (got.size() < count && source.next(batch)) {
            got.addAll(TestFrames.bytes(batch));
        }
        return reported(got);
    }

    @Test
    void givesUpWhatNobodyTakesForASecond() throws Exception {
        network.leftQueue("pfifo limit 0");
        List<byte[]> sent = frames(5, IPV4);
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT)) {
            long begin = System.nanoTime();
            write(sink, sent);
            sink.flush();
            assertThat(System.nanoTime() - begin).isGreaterThan(1_000_000_000L);
            assertThat(sink.counts().stalled()).isEqualTo(5);
            assertThat(sink.counts().waiting()).isZero();
            network.leftQueue("pfifo limit 100");
            write(sink, sent);
            sink.flush();
            // from a queue, they come when the kernel has time for it
            assertThat(toldOnceTheyAreThere(source, sent.size())).isEqualTo(reported(sent));
            assertThat(sink.counts().sent()).isEqualTo(5);
        }
    }

    @Test
    void countsWhatTheInterfaceDoesNotTake() throws Exception {
        List<byte[]> good = List.of(frame(14, IPV4), frame(1514, IPV4), frame(1518, VLAN));
        List<byte[]> bad =
                List.of(frame(1515, IPV4), frame(1519, VLAN), frame(3000, IPV4), frame(13, IPV4), new byte[0]);
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT)) {
            for (int i = 0; i < bad.size(); i++) {
                write(sink, List.of(bad.get(i)));
                write(sink, i < good.size() ? List.of(good.get(i)) : List.of());
            }
            sink.write(arena.allocate(100), 0, 100, 100, 0, LinkType.RAW);
            sink.flush();

            assertThat(reported(rest(source))).isEqualTo(reported(good));
            SendCounts counts = sink.counts();
            assertThat(counts.tooLong()).isEqualTo(3);
            assertThat(counts.tooShort()).isEqualTo(2);
            assertThat(counts.otherLinkType()).isEqualTo(1);
            assertThat(counts.sent()).isEqualTo(3);
            assertThat(counts.offered()).isEqualTo(9);
            assertThat(counts.waiting()).isZero();
        }
    }

    @Test
    void goesOnBehindFramesThatTheKernelRefuses() throws Exception {
        List<byte[]> sent = new ArrayList<>();
        List<byte[]> few = new ArrayList<>();
        for (byte[] frame : frames(500, IPV4)) {
            sent.add(frame);
            if (frame.length <= 1014) {
                few.add(frame);
            }
        }
        byte[] taggedFrame = frame(1018, VLAN);
        sent.add(taggedFrame);
        few.add(taggedFrame);
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT)) {
            write(sink, sent);
            assertThat(sink.counts().waiting()).isEqualTo(sent.size());
            network.left().ip("link", "set", Network.LEFT, "mtu", "1000");
            network.left().on(() -> {
                sink.flush();
                return 0;
            });
            write(sink, few);
            sink.flush();

            List<byte[]> expected = new ArrayList<>(few);
            expected.addAll(few);
            assertThat(reported(rest(source))).isEqualTo(reported(expected));
            assertThat(sink.counts().tooLong()).isEqualTo(sent.size() - few.size());
            assertThat(sink.counts().waiting()).isZero();
        }
    }

    @Test
    void takesLongerFramesOnceTheInterfaceDoes() throws Exception {
        network.left().ip("link", "set", Network.LEFT, "mtu", "1200");
        network.left().on(() -> {
            try (PacketSocketSink sink = PacketSocketSink.open(LEFT)) {
                write(sink, List.of(frame(1514, IPV4)));
                assertThat(sink.counts().tooLong()).isEqualTo(1);
                network.left().ip("link", "set", Network.LEFT, "mtu", "1500");
                long untilNs = System.nanoTime() + 10_000_000_000L;
                while (sink.counts().sent() == 0 && System.nanoTime() < untilNs) {
                    write(sink, List.of(frame(1514, IPV4)));
                    sink.flush();
                }
                assertThat(sink.counts().sent()).isEqualTo(1);
            }
            return 0;
        });
    }

    @Test
    void countsWhatMeetsAnInterfaceThatIsDownAndGoesOn() throws Exception {
        List<byte[]> sent = frames(10, IPV4);
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT)) {
            network.left().ip("link", "set", Network.LEFT, "down");
            write(sink, sent);
            sink.flush();
            assertThat(sink.counts().interfaceDown()).isEqualTo(10);
            assertThat(sink.isGone()).isFalse();
            network.left().ip("link", "set", Network.LEFT, "up");
            write(sink, sent);
            sink.flush();

            assertThat(reported(rest(source))).isEqualTo(reported(sent));
            assertThat(sink.counts().sent()).isEqualTo(10);
        }
    }

    @Test
    void saysThatTheInterfaceHasDisappeared() throws Exception {
        try (PacketSocketSink sink = sink(LEFT)) {
            network.left().ip("link", "del", Network.LEFT);
            write(sink, frames(3, IPV4));
            sink.flush();
            assertThat(sink.isGone()).isTrue();
            assertThat(sink.counts().interfaceDown()).isEqualTo(3);
            assertThat(sink.counts().waiting()).isZero();
        }
    }

    @Test
    void takesFramesThatAreMadeInItsMemory() throws Exception {
        byte[] frame = tagged(VLAN, 5, 1);
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT)) {
            assertThat(sink.claim(1515)).isNotNegative();
            assertThat(sink.commit()).as("a frame of 1,515 bytes without a tag").isFalse();
            assertThat(sink.claim(1519)).isEqualTo(PacketSocketSink.REFUSED);
            assertThat(sink.claim(100)).isNotNegative(); // and not committed
            long at = sink.claim(frame.length);
            MemorySegment.copy(frame, 0, sink.memory(), ValueLayout.JAVA_BYTE, at, frame.length);
            assertThat(sink.commit()).isTrue();
            assertThat(sink.send()).isZero();

            assertThat(reported(rest(source))).isEqualTo(reported(List.of(frame)));
            assertThat(sink.counts().offered()).isEqualTo(3);
            assertThat(sink.counts().tooLong()).isEqualTo(2);
            assertThatThrownBy(sink::commit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no frame was claimed; call claim first");
        }
    }

    @Test
    void sendsIpPacketsToAnInterfaceWithoutLinkHeader() throws Exception {
        network.left().ip("link", "add", "raw0", "type", "vxlan", "external", "gpe", "dstport", "4790");
        network.left().ip("link", "set", "raw0", "up");
        byte[] packet = HexFormat.of()
                .parseHex("4500001c" + "00000000" + "40110000" + "c0000201" + "c0000202" + "13c413c600080000");
        MemorySegment room = arena.allocate(packet.length);
        MemorySegment.copy(packet, 0, room, ValueLayout.JAVA_BYTE, 0, packet.length);
        try (PacketSocketSource source =
                        network.left().on(() -> PacketSocketSource.open(PacketSocketOptions.of("raw0"), ""));
                PacketSocketSink sink = sink(PacketSocketSinkOptions.of("raw0"))) {
            for (int linkType : new int[] {LinkType.RAW, LinkType.IPV4, LinkType.ETHERNET}) {
                sink.write(room, 0, packet.length, packet.length, 0, linkType);
            }
            sink.flush();
            assertThat(sink.counts().otherLinkType()).isEqualTo(1);
            assertThat(sink.counts().sent()).isEqualTo(2);
            assertThat(reported(rest(source))).isEqualTo(reported(List.of(packet, packet)));
        }
    }

    @Test
    void saysWhenTheRingIsFull() throws Exception {
        try (PacketSocketSource source = source();
                PacketSocketSink sink = sink(LEFT.withRingBytes(64 << 10))) {
            int taken = 0;
            while (sink.claim(60) >= 0 && taken < 1000) {
                assertThat(sink.commit()).isTrue();
                taken++;
            }
            assertThat(taken).isEqualTo(32); // slots of 2,048 bytes
            assertThat(sink.claim(60)).isEqualTo(PacketSocketSink.FULL);
            assertThat(sink.counts().waiting()).isEqualTo(32);
            network.left().ip("link", "set", Network.LEFT, "down");
            assertThat(sink.send()).isZero();
            assertThat(sink.counts().interfaceDown()).isEqualTo(32);
            assertThat(sink.claim(60)).isNotNegative();
            assertThat(rest(source)).isEmpty();
        }
    }

    @Test
    void allocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MemorySegment frame = arena.allocate(1000);
        MemorySegment.copy(frame(60, IPV4), 0, frame, ValueLayout.JAVA_BYTE, 0, 60);
        try (PacketSocketSink sink = sink(LEFT)) {
            long least = Long.MAX_VALUE;
            // until the compiler has seen that what a downcall is given does not escape
            for (int round = 0; round < 300 && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 3000; i++) {
                    sink.write(frame, 0, 1000, 1000, 0, LinkType.ETHERNET);
                    if (i % 8 == 0) {
                        sink.flush();
                    }
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isZero();
        }
    }

    @Test
    void saysWhichInterfaceIsNotThere() {
        assertThatThrownBy(() -> sink(PacketSocketSinkOptions.of("nowhere")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no interface nowhere");
    }
}
