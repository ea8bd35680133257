package io.offhook.live.packetsocket;

import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.reported;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.linux.CpuAffinity;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.NativeLibrary;
import io.offhook.live.LiveCounts;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.testkit.network.FrameSocket;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several sources on one end of a veth pair share what is sent from the other. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class FanOutTest {
    private static final int LANES = 3;
    private static final int FLOWS = 40;
    /** So many that frames come between a link's beginning and its joining. */
    private static final int MANY_LINKS = 48;

    private static final int MANY_GROUPS = 4;
    private static final int HEADERS = 14 + 20;
    private static final int MORE_FRAGMENTS = 0x2000;

    @AutoClose
    private final Network network = Network.pair();

    FanOutTest() throws IOException {}

    private List<PacketSocketSource> open(FanOut fanOut, int count, String filter) throws Exception {
        return network.right()
                .on(() -> PacketSocketSource.openGroup(PacketSocketOptions.of(Network.RIGHT), filter, fanOut, count));
    }

    /** An IPv4 packet in Ethernet. */
    private static byte[] ipv4(int id, int fragment, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(HEADERS + payload.length);
        frame.put(new byte[] {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}).putShort((short) 0x0800);
        frame.putShort((short) 0x4500).putShort((short) (20 + payload.length));
        frame.putShort((short) id).putShort((short) fragment);
        frame.put((byte) 64).put((byte) 17).putShort((short) 0);
        frame.putInt(0xc0000201).putInt(0xc0000202);
        return frame.put(payload).array();
    }

    private static byte[] udp(int sourcePort, int bytes, int mark) {
        ByteBuffer datagram = ByteBuffer.allocate(8 + bytes);
        datagram.putShort((short) sourcePort).putShort((short) 5060);
        datagram.putShort((short) (8 + bytes)).putShort((short) 0);
        while (datagram.hasRemaining()) {
            datagram.put((byte) mark);
        }
        return datagram.array();
    }

    private static int flow(byte[] frame) {
        return (frame[HEADERS] & 0xff) << 8 | frame[HEADERS + 1] & 0xff;
    }

    private static List<byte[]> flows(int packets) {
        List<byte[]> frames = new ArrayList<>();
        for (int mark = 0; mark < packets; mark++) {
            for (int flow = 0; flow < FLOWS; flow++) {
                frames.add(ipv4(0, 0, udp(10_000 + flow, 30, mark)));
            }
        }
        return frames;
    }

    /** What each lane got; all sources are closed. */
    private static List<List<byte[]>> drainAll(List<PacketSocketSource> sources) {
        List<List<byte[]>> all = new ArrayList<>();
        sources.forEach(PacketSocketSource::stop);
        for (PacketSocketSource source : sources) {
            List<byte[]> got = drain(source, new FrameBatch(512));
            LiveCounts counts = source.counts();
            assertThat(counts.delivered()).isEqualTo(got.size()).isEqualTo(counts.received());
            all.add(got);
            source.close();
        }
        return all;
    }

    private static List<byte[]> joined(List<List<byte[]>> lanes) {
        return lanes.stream().flatMap(List::stream).sorted(Arrays::compare).toList();
    }

    /** The lane of each flow; fails where a flow is in two. */
    private static Map<Integer, Integer> lanesOfFlows(List<List<byte[]>> lanes) {
        Map<Integer, Integer> laneOf = new HashMap<>();
        for (int lane = 0; lane < lanes.size(); lane++) {
            for (byte[] frame : lanes.get(lane)) {
                Integer before = laneOf.put(flow(frame), lane);
                assertThat(before).as("lane of flow " + flow(frame)).isIn(null, lane);
            }
        }
        return laneOf;
    }

    @ParameterizedTest
    @EnumSource
    void bringsEachPacketToOneSource(FanOut fanOut) throws Exception {
        List<byte[]> sent = flows(20);
        List<PacketSocketSource> sources = open(fanOut, LANES, "");
        network.send(sent);
        assertThat(reported(joined(drainAll(sources)))).isEqualTo(reported(joined(List.of(sent))));
    }

    @Test
    void keepsAFlowInOneSourceAndItsOrder() throws Exception {
        List<PacketSocketSource> sources = open(FanOut.HASH, LANES, "");
        network.send(flows(10));
        List<List<byte[]>> lanes = drainAll(sources);
        assertThat(lanes).as("forty flows in three lanes").noneMatch(List::isEmpty);
        assertThat(lanesOfFlows(lanes)).hasSize(FLOWS);
        Map<Integer, Integer> marks = new HashMap<>();
        for (byte[] frame : joinedInOrder(lanes)) {
            int mark = frame[frame.length - 1];
            Integer before = marks.put(flow(frame), mark);
            assertThat(before == null ? 0 : before + 1).isEqualTo(mark);
        }
    }

    private static List<byte[]> joinedInOrder(List<List<byte[]>> lanes) {
        return lanes.stream().flatMap(List::stream).toList();
    }

    @Test
    void fragmentsFollowTheirFlowWhereTheyAreDefragmented() throws Exception {
        List<byte[]> sent = new ArrayList<>(flows(3));
        for (int flow = 0; flow < FLOWS; flow++) {
            byte[] datagram = udp(10_000 + flow, 1992, 100);
            sent.add(ipv4(flow + 1, MORE_FRAGMENTS, Arrays.copyOfRange(datagram, 0, 800)));
            sent.add(ipv4(flow + 1, MORE_FRAGMENTS | 100, Arrays.copyOfRange(datagram, 800, 1600)));
            sent.add(ipv4(flow + 1, 200, Arrays.copyOfRange(datagram, 1600, 2000)));
        }
        List<PacketSocketSource> sources = open(FanOut.HASH_DEFRAGMENTED, LANES, "");
        network.send(sent);
        List<List<byte[]>> lanes = drainAll(sources);
        assertThat(lanesOfFlows(lanes)).hasSize(FLOWS);
        List<byte[]> whole = joinedInOrder(lanes).stream()
                .filter(frame -> frame.length > 1000)
                .toList();
        assertThat(whole).hasSize(FLOWS);
        for (byte[] frame : whole) {
            assertThat(Arrays.copyOfRange(frame, HEADERS, frame.length)).isEqualTo(udp(flow(frame), 1992, 100));
        }
        assertThat(joinedInOrder(lanes)).hasSize(4 * FLOWS);
    }

    @Test
    void sharesByProcessor() throws Exception {
        for (int processor : CpuAffinity.processors()) {
            List<PacketSocketSource> sources = open(FanOut.CPU, 2, "");
            network.left().on(() -> {
                // a veth pair hands packets over on the processor that sends them
                CpuAffinity.pin(processor);
                try (PacketSocketSink sink = PacketSocketSink.open(PacketSocketSinkOptions.of(Network.LEFT));
                        Arena arena = Arena.ofConfined()) {
                    MemorySegment room = arena.allocate(100);
                    for (byte[] frame : flows(2)) {
                        MemorySegment.copy(frame, 0, room, ValueLayout.JAVA_BYTE, 0, frame.length);
                        sink.write(room, 0, frame.length, frame.length, 0, LinkType.ETHERNET);
                    }
                }
                return 0;
            });
            List<List<byte[]>> lanes = drainAll(sources);
            assertThat(lanes.get(processor % 2)).hasSize(2 * FLOWS);
            assertThat(lanes.get(1 - processor % 2)).isEmpty();
        }
    }

    @Test
    void sharesByQueue() throws Exception {
        int[] processors = CpuAffinity.processors();
        assumeTrue(processors.length > 1 && processors[1] < 32, "needs two processors");
        network.left().ip("link", "del", Network.LEFT);
        network.wire("numtxqueues", "2", "numrxqueues", "2");
        // crossed, so that the queue is told from the processor
        network.leftQueueOf(processors[1], 0);
        network.leftQueueOf(processors[0], 1);
        List<PacketSocketSource> sources = open(FanOut.QUEUE, 2, "");
        List<List<byte[]>> sent = List.of(flows(3), flows(5));
        for (int queue = 0; queue < 2; queue++) {
            int processor = processors[1 - queue];
            List<byte[]> frames = sent.get(queue);
            network.left().on(() -> {
                CpuAffinity.pin(processor);
                return FrameSocket.send(Network.LEFT, frames);
            });
        }
        List<List<byte[]>> lanes = drainAll(sources);
        assertThat(reported(lanes.getFirst())).isEqualTo(reported(sent.getFirst()));
        assertThat(reported(lanes.getLast())).isEqualTo(reported(sent.getLast()));
    }

    @Test
    void filtersInAllSources() throws Exception {
        List<PacketSocketSource> sources = open(FanOut.HASH, LANES, "udp port 10007 or udp port 10011");
        network.send(flows(5));
        List<List<byte[]>> lanes = drainAll(sources);
        assertThat(lanesOfFlows(lanes)).containsOnlyKeys(10_007, 10_011);
        assertThat(joined(lanes)).hasSize(10);
    }

    @Test
    void groupsAreApart() throws Exception {
        List<byte[]> sent = flows(5);
        List<PacketSocketSource> one = open(FanOut.HASH, 2, "");
        List<PacketSocketSource> other = open(FanOut.HASH, 2, "");
        network.send(sent);
        assertThat(reported(joined(drainAll(one)))).isEqualTo(reported(joined(List.of(sent))));
        assertThat(reported(joined(drainAll(other)))).isEqualTo(reported(joined(List.of(sent))));
    }

    @Test
    void countsAddUpWhereTheRingsAreTooSmall() throws Exception {
        List<byte[]> sent = flows(500);
        PacketSocketOptions tiny = PacketSocketOptions.of(Network.RIGHT).withRing(64 << 10, 2);
        List<PacketSocketSource> sources =
                network.right().on(() -> PacketSocketSource.openGroup(tiny, "", FanOut.HASH, LANES));
        network.send(sent);
        sources.forEach(PacketSocketSource::stop);
        long accounted = 0;
        long drops = 0;
        for (PacketSocketSource source : sources) {
            int got = drain(source, new FrameBatch(512)).size();
            assertThat(source.counts().delivered()).isEqualTo(got);
            drops += source.counts().ringDrops();
            accounted += got + source.counts().ringDrops();
            source.close();
        }
        assertThat(drops).isPositive();
        assertThat(accounted).isEqualTo(sent.size());
    }

    @Test
    void saysThatTheInterfaceIsDown() throws Exception {
        network.right().ip("link", "set", Network.RIGHT, "down");
        assertThatThrownBy(() -> open(FanOut.HASH, 2, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("interface right is down");
    }

    private static List<byte[]> drained(PacketSocketLink link) {
        List<byte[]> frames = new ArrayList<>();
        for (int slot = link.take(); slot >= 0; slot = link.take()) {
            MemorySegment frame = NativeLibrary.memory(link.address(slot), link.length(slot));
            frames.add(frame.toArray(ValueLayout.JAVA_BYTE));
            link.release(slot);
        }
        return frames;
    }

    @Test
    void bringsEachFrameToOneLinkThoughFramesComeWhileTheGroupIsMade() throws Exception {
        CountDownLatch isSending = new CountDownLatch(1);
        AtomicBoolean isOver = new AtomicBoolean();
        FutureTask<Integer> sender = new FutureTask<>(() -> network.left().on(() -> {
            int sent = 0;
            for (; !isOver.get(); sent += 1000) {
                List<byte[]> frames = new ArrayList<>();
                for (int i = sent; i < sent + 1000; i++) {
                    byte[] datagram = udp(10_000 + i % FLOWS, 4, 0);
                    frames.add(ipv4(0, 0, ByteBuffer.wrap(datagram).putInt(8, i).array()));
                }
                FrameSocket.send(Network.LEFT, frames);
                isSending.countDown();
            }
            return sent;
        }));
        Thread.ofPlatform().start(sender);
        isSending.await();
        try {
            for (int group = 0; group < MANY_GROUPS; group++) {
                List<PacketSocketLink> links = group();
                Map<Integer, Integer> linkOf = new HashMap<>();
                for (int link = 0; link < links.size(); link++) {
                    for (byte[] frame : drained(links.get(link))) {
                        int number = ByteBuffer.wrap(frame).getInt(HEADERS + 8);
                        assertThat(linkOf.put(number, link))
                                .as("link of frame " + number)
                                .isNull();
                    }
                }
                links.forEach(PacketSocketLink::close);
            }
        } finally {
            isOver.set(true);
        }
        assertThat(sender.get()).isPositive();
    }

    private List<PacketSocketLink> group() throws Exception {
        List<PacketSocketLink> links = network.right()
                .on(() -> PacketSocketLink.openGroup(
                        requireNonNull(NetworkDevice.named(Network.RIGHT)), 512, false, MANY_LINKS));
        links.forEach(PacketSocketLink::start);
        return links;
    }

    @Test
    void bringsEachFrameToOneLink() throws Exception {
        List<byte[]> sent = flows(5);
        List<PacketSocketLink> links = group();
        network.send(sent);
        List<byte[]> got =
                links.stream().flatMap(link -> drained(link).stream()).toList();
        links.forEach(PacketSocketLink::close);
        assertThat(reported(joined(List.of(got)))).isEqualTo(reported(joined(List.of(sent))));
    }
}
