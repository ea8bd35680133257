package io.offhook.flow.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.FlowWire;
import io.offhook.flow.tcp.TcpFlow;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Random traffic against a plain map, within random limits, and random bytes. */
class FlowPropertyTest {

    @RepeatedTest(40)
    void agreesWithAMap(RepetitionInfo repetition) {
        long seed = 500L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        FlowWire wire = new FlowWire();
        Map<String, long[]> expected = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            Endpoint a = Endpoint.ofIpv4(0x0a000000 + random.nextInt(4), 1 + random.nextInt(4));
            Endpoint b = Endpoint.ofIpv4(0x0a000000 + random.nextInt(4), 1 + random.nextInt(4));
            int vlan = random.nextInt(3);
            wire.vlans = vlan == 0 ? List.of() : List.of(vlan);
            int length = random.nextInt(200);
            wire.udp(a, b, length);
            boolean isFirst = a.toString().compareTo(b.toString()) <= 0;
            long[] counts =
                    expected.computeIfAbsent(vlan + " " + (isFirst ? a + " " + b : b + " " + a), key -> new long[2]);
            counts[0]++;
            counts[1] += 42 + length + (vlan == 0 ? 0 : 4);
        }
        wire.table.flush();
        assertThat(wire.ended).as("seed %d", seed).hasSize(expected.size());
        for (FlowWire.Ended one : wire.ended) {
            Flow flow = one.flow();
            String path = flow.key().path().isEmpty()
                    ? "0"
                    : flow.key().path().toString().substring(5);
            String a = flow.source().toString();
            String b = flow.destination().toString();
            long[] counts = expected.get(path + " " + (a.compareTo(b) <= 0 ? a + " " + b : b + " " + a));
            assertThat(counts).as("seed %d %s", seed, flow).containsExactly(flow.packets(), flow.bytes());
        }
    }

    /** Every packet counts for one flow, whatever gives way to what; the same packets give the same flows. */
    @RepeatedTest(40)
    void staysWithinItsLimitsAndLosesNoPacket(RepetitionInfo repetition) {
        long seed = 900L + repetition.getCurrentRepetition();
        List<String> first = limited(seed);
        assertThat(limited(seed)).as("seed %d", seed).isEqualTo(first);
    }

    private static List<String> limited(long seed) {
        Random random = new Random(seed);
        FlowLimits limits = new FlowLimits(
                1 + random.nextInt(50),
                (1 + random.nextInt(3000)) * FlowWire.MS,
                (1 + random.nextInt(3000)) * FlowWire.MS);
        FlowWire wire = new FlowWire(limits);
        for (int i = 0; i < 4000; i++) {
            Endpoint client = FlowWire.CLIENT.withPort(1 + random.nextInt(80));
            int flags = random.nextInt(6) == 0 ? random.nextInt(32) : FlowWire.ACK;
            boolean isUp = random.nextBoolean();
            wire.tcp(
                    isUp ? client : FlowWire.SERVER,
                    isUp ? FlowWire.SERVER : client,
                    random.nextInt(5000),
                    flags,
                    random.nextInt(5000),
                    random.nextInt(3) * 100);
            wire.nowNs += random.nextInt(100) == 0 ? (random.nextInt(2000) - 500) * FlowWire.MS : 0;
            assertThat(wire.table.size()).isLessThanOrEqualTo(limits.flows());
        }
        wire.table.flush();
        assertThat(wire.table.size()).isZero();
        List<String> reported = new ArrayList<>();
        Set<Flow> flows = new HashSet<>();
        long packets = 0;
        for (FlowWire.Ended one : wire.ended) {
            assertThat(flows.add(one.flow())).as("told once").isTrue();
            packets += one.flow().packets();
            reported.add(one.reason() + " " + one.flow());
        }
        assertThat(packets).isEqualTo(4000);
        assertThat(wire.table.count(FlowCounter.FLOWS)).isEqualTo(flows.size());
        return reported;
    }

    @RepeatedTest(20)
    void takesAnyBytes(RepetitionInfo repetition) {
        long seed = 1300L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        MemorySegment frame = Arena.ofAuto().allocate(300);
        int[] linkTypes = {LinkType.ETHERNET, LinkType.RAW, 113, 0, 9, 276};
        PacketWalker walker = new PacketWalker();
        Set<String> reported = new HashSet<>();
        FlowTable table =
                new FlowTable(new FlowLimits(20, 1000, 1000), (flow, reason) -> reported.add(flow.toString()));
        byte[] bytes = new byte[300];
        for (int i = 0; i < 5000; i++) {
            random.nextBytes(bytes);
            if (random.nextBoolean()) { // more often than by chance it is IP
                bytes[12] = 8;
                bytes[13] = 0;
                bytes[14] = 0x45;
                bytes[23] = (byte) new int[] {1, 6, 17, 4, 41, 47, 58, 132}[random.nextInt(8)];
                bytes[0] = (byte) (random.nextBoolean() ? 0x45 : 0x60);
            }
            MemorySegment.copy(bytes, 0, frame, ValueLayout.JAVA_BYTE, 0, bytes.length);
            int captured = random.nextInt(301);
            walker.walk(frame, 0, captured, 300, linkTypes[random.nextInt(linkTypes.length)]);
            table.add(walker, 300, random.nextLong(), i + 1);
        }
        table.flush();
        assertThat(table.count(FlowCounter.PACKETS)).isEqualTo(5000);
        assertThat(reported).as("seed %d", seed).hasSizeGreaterThan(100);
    }

    /** Of each frame, all that was captured of it counts, cut wherever: lengths are those on the wire. */
    @RepeatedTest(1)
    void countsFramesThatWereCutAnywhere() {
        for (int captured = 0; captured <= 74; captured++) {
            FlowWire wire = new FlowWire();
            wire.isWithoutTable = true;
            wire.client(1000, FlowWire.SYN, 0, 20);
            wire.walker.walk(wire.frame, 0, captured, 74, LinkType.ETHERNET);
            Flow flow = wire.table.add(wire.walker, 74, FlowWire.START_NS, 1);
            assertThat(flow == null).as("%d bytes", captured).isEqualTo(captured < 34);
            if (flow != null) {
                assertThat(flow.bytes()).isEqualTo(74);
                assertThat(flow.key().hasPorts()).isEqualTo(captured >= 38); // the ports come first
                TcpFlow tcp = flow.tcp();
                assertThat(tcp == null ? 0 : tcp.payloadBytes(true)).isEqualTo(captured >= 54 ? 20 : 0);
            }
        }
    }
}
