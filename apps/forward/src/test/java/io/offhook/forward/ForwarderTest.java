package io.offhook.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.filter.PacketFilter;
import io.offhook.forward.application.RehearsedPort;
import io.offhook.forward.port.MemoryPort;
import io.offhook.forward.stage.BridgeStage;
import io.offhook.forward.stage.DecodeStage;
import io.offhook.forward.stage.FilterStage;
import io.offhook.forward.stage.MacTable;
import io.offhook.forward.stage.NatStage;
import io.offhook.forward.stage.NatTable;
import io.offhook.forward.stage.NeighborTable;
import io.offhook.forward.stage.RateLimitStage;
import io.offhook.forward.stage.RouteStage;
import io.offhook.forward.stage.RouteTable;
import io.offhook.forward.stage.TokenBuckets;
import io.offhook.forward.stage.VlanPopStage;
import io.offhook.forward.stage.VlanPushStage;
import io.offhook.linux.LinuxException;
import io.offhook.linux.lanes.LaneBoard;
import io.offhook.linux.lanes.LaneReport;
import io.offhook.linux.lanes.PublishedLanes;
import io.offhook.live.IdleStrategy;
import io.offhook.packet.LinkType;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
class ForwarderTest {
    private static byte[] udp(long destination, int ttl) {
        return Rig.packet(w -> w.ethernet(7, Rig.MAC)
                .ipv4(Rig.ipv4Long("10.0.0.2"), destination, ip -> ip.ttl(ttl))
                .udp(1, 2)
                .payload(new byte[40]));
    }

    @Test
    void passesPacketsOnWithoutCopyingThem() {
        try (Rig rig = Rig.of(2, Rig.toPort(1))) {
            byte[] packet = udp(5, 64);
            for (int i = 0; i < 200; i++) {
                rig.ports.getFirst().offer(packet);
            }
            rig.offer(0);
            assertThat(rig.sent(1))
                    .hasSize(200)
                    .allSatisfy(sent -> assertThat(sent).isEqualTo(packet));
            ForwardStatistics statistics = rig.forwarder.statistics();
            assertThat(statistics.ports().getFirst().received()).isEqualTo(200);
            assertThat(statistics.ports().getLast().sent()).isEqualTo(200);
            assertThat(statistics.ports().getLast().copies()).isZero();
            assertThat(statistics.lanes().getFirst().packets()).isEqualTo(200);
            assertThat(statistics.lanes().getFirst().bursts()).isEqualTo(4);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void publishesWhatItsLanesDo() {
        FramePool pool = new FramePool(4096, Rig.MTU + EthernetFrames.MAX_HEADER);
        MemoryPort from = new MemoryPort("from", Rig.MAC, pool);
        MemoryPort to = new MemoryPort("to", Rig.MAC + 1, pool);
        long pid = ProcessHandle.current().pid();
        try (LaneBoard board = LaneBoard.open("forward-test", null);
                Forwarder forwarder = new Forwarder.Builder()
                        .port(from)
                        .port(to)
                        .lane(-1, 0)
                        .stages(() -> List.of(Rig.toPort(1)))
                        .open()) {
            forwarder.placement().publishOn(board);
            for (int i = 0; i < 200; i++) {
                from.offer(udp(5, 64));
            }
            forwarder.start();
            LaneReport lane = lane(pid);
            while (lane.frames() < 200 || lane.state() != LaneReport.State.WAITING) {
                lane = lane(pid);
            }
            assertThat(lane.name()).isEqualTo("forward-0");
            assertThat(lane.frames()).isEqualTo(200);
            assertThat(lane.rounds()).isEqualTo(4);
            assertThat(lane.busyNs()).isPositive();
            assertThat(lane.drops()).isZero();
            long idleNs = lane.idleNs();
            assertThat(lane(pid).idleNs()).isGreaterThan(idleNs);
            forwarder.stop();
            assertThat(lane(pid).state()).isEqualTo(LaneReport.State.ENDED);
        }
        assertThat(PublishedLanes.of(pid)).isEqualTo(PublishedLanes.NONE);
        pool.close();
    }

    private static LaneReport lane(long pid) {
        return PublishedLanes.of(pid).lanes().getFirst();
    }

    @Test
    void copiesForAllPortsButTheLast() {
        BridgeStage bridge = new BridgeStage(0b1111, new MacTable(64, 300_000_000_000L));
        try (Rig rig = Rig.of(4, bridge)) {
            rig.offer(0, udp(5, 64));
            ForwardStatistics statistics = rig.forwarder.statistics();
            assertThat(statistics.ports())
                    .extracting(ForwardStatistics.PortCounts::sent)
                    .containsExactly(0L, 1L, 1L, 1L);
            assertThat(statistics.ports())
                    .extracting(ForwardStatistics.PortCounts::copies)
                    .containsExactly(0L, 1L, 1L, 0L);
            assertThat(statistics.counts().outputs()).isEqualTo(3);
        }
    }

    @Test
    void countsWhatNobodyDecidedAndWhatDoesNotFit() {
        Stage longer = new Stage() {
            @Override
            public String name() {
                return "longer";
            }

            @Override
            public void process(Burst burst) {
                for (int i = 0, n = burst.count(); i < n; i++) {
                    assertThat(burst.resize(i, burst.length(i) + burst.tailroom(i)))
                            .isTrue();
                    assertThat(burst.prepend(i, 20)).isTrue();
                    burst.output(i, 1);
                }
            }
        };
        try (Rig rig = Rig.of(2)) {
            rig.offer(0, udp(5, 64));
            assertThat(rig.forwarder.statistics().counts().undecided()).isEqualTo(1);
        }
        try (Rig rig = Rig.of(2, longer)) {
            rig.offer(0, udp(5, 64));
            assertThat(rig.forwarder.statistics().ports().getLast().losses().tooLong())
                    .isEqualTo(1);
            assertThat(rig.sent(1)).isEmpty();
        }
    }

    @Test
    void countsWhatAPortHasNoRoomFor() {
        try (Rig rig = Rig.of(2, Rig.toPort(1))) {
            byte[] packet = udp(5, 64);
            for (int i = 0; i < 1100; i++) {
                rig.offer(0, packet);
            }
            ForwardStatistics.PortCounts to = rig.forwarder.statistics().ports().getLast();
            assertThat(to.sent()).isEqualTo(1024);
            assertThat(to.losses().going()).isEqualTo(76);
        }
    }

    @Test
    void writesAndCutsAroundAPacket() {
        Stage edit = new Stage() {
            @Override
            public String name() {
                return "edit";
            }

            @Override
            public void process(Burst burst) {
                assertThat(burst.prepend(0, 100_000)).isFalse();
                assertThat(burst.resize(0, 100_000)).isFalse();
                assertThat(burst.layers(0).layerCount()).isGreaterThan(2);
                burst.trimFront(0, 10);
                assertThat(burst.resize(0, 4)).isTrue();
                assertThatThrownBy(() -> burst.trimFront(0, 5)).isInstanceOf(IllegalArgumentException.class);
                burst.output(0, 1);
            }
        };
        try (Rig rig = Rig.of(2, edit)) {
            rig.offer(0, udp(5, 64));
            assertThat(rig.only(1)).isEqualTo(Arrays.copyOfRange(udp(5, 64), 10, 14));
        }
    }

    @Test
    void stopsWhenAStageFails() throws InterruptedException {
        Stage broken = new Stage() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public void process(Burst burst) {}

            @Override
            public void tick(Burst burst) {
                throw new IllegalStateException("as it is meant to");
            }
        };
        try (FramePool pool = new FramePool(16, 1522)) {
            Forwarder forwarder = new Forwarder.Builder()
                    .port(new MemoryPort("a", 1, pool))
                    .lane(-1, 0)
                    .idle(IdleStrategy.YIELD)
                    .stages(() -> List.of(broken))
                    .open();
            forwarder.start();
            while (forwarder.isRunning()) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.onSpinWait();
            }
            assertThatThrownBy(forwarder::stop).hasMessageContaining("as it is meant to");
            assertThatThrownBy(forwarder::close).hasMessageContaining("as it is meant to");
        }
    }

    /** Its packets come when it is started, and a moment before it has stopped. */
    private static class Busy extends RehearsedPort {
        private final MemoryPort memory;
        private final AtomicInteger coming = new AtomicInteger();
        private final AtomicInteger rounds = new AtomicInteger();
        private boolean hadLaneAtStart;
        boolean isClosed;

        Busy(FramePool pool) {
            super("busy", 1);
            memory = new MemoryPort("busy", 1, pool);
        }

        @Override
        public void open(int receiveQueues, int sendQueues) {
            receiveBy((burst, port) -> {
                rounds.incrementAndGet();
                while (coming.get() > 0 && put(0, udp(5, 64))) {
                    coming.decrementAndGet();
                }
                return memory.receive(burst, port);
            });
            sendBy(memory);
        }

        @Override
        public boolean put(int queue, byte[] packet) {
            return memory.offer(packet);
        }

        @Override
        public void start() {
            hadLaneAtStart = rounds.get() > 0;
            coming.addAndGet(10);
        }

        @Override
        public void stop() {
            coming.addAndGet(300);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /** The kernel refuses that it starts or stops. */
    private static final class Refused extends Busy {
        private final boolean atStart;
        private boolean wasStopped;

        Refused(FramePool pool, boolean atStart) {
            super(pool);
            this.atStart = atStart;
        }

        @Override
        public void start() {
            if (atStart) {
                throw new LinuxException("redirect queue 0", LinuxException.EPERM);
            }
        }

        @Override
        public void stop() {
            wasStopped = true;
            throw new LinuxException("end the redirection of queue 0", LinuxException.EPERM);
        }
    }

    private static Forwarder of(Port... ports) {
        Forwarder.Builder builder = new Forwarder.Builder().lane(-1, 0).idle(IdleStrategy.YIELD);
        for (Port port : ports) {
            builder.port(port);
        }
        return builder.open();
    }

    @Test
    void aPortThatCannotStopLeavesNoLaneRunningAndNoPortOpen() {
        try (FramePool pool = new FramePool(512, 1522)) {
            Refused refused = new Refused(pool, false);
            Busy other = new Busy(pool);
            Forwarder forwarder = of(new MemoryPort("read", 1, pool), refused, other);
            forwarder.start();
            assertThatThrownBy(forwarder::close).hasMessageContaining("end the redirection");
            assertThat(forwarder.isRunning()).isFalse();
            assertThat(forwarder.isQuiet()).isTrue();
            assertThat(other.coming.get()).isEqualTo(310); // it was stopped, too
            assertThat(refused.isClosed).isTrue();
            assertThat(other.isClosed).isTrue();
        }
    }

    @Test
    void aPortThatCannotStartIsNotStoppedAndThoseBeforeItAre() {
        try (FramePool pool = new FramePool(512, 1522)) {
            Refused refused = new Refused(pool, true);
            Busy before = new Busy(pool);
            Busy after = new Busy(pool);
            try (Forwarder forwarder = of(new MemoryPort("read", 1, pool), before, refused, after)) {
                assertThatThrownBy(forwarder::start).hasMessageContaining("redirect queue 0");
            }
            assertThat(refused.wasStopped).isFalse();
            assertThat(before.coming.get()).isEqualTo(310);
            assertThat(after.coming.get()).isZero();
            assertThat(refused.isClosed).isTrue();
        }
    }

    @Test
    void portsStartAfterTheLanesAndStopBeforeThemSoThatNothingIsLeft() {
        try (FramePool pool = new FramePool(512, 1522)) {
            Busy port = new Busy(pool);
            boolean[] hasReceived = new boolean[1];
            try (Forwarder forwarder = new Forwarder.Builder()
                    .port(port)
                    .lane(-1, 0)
                    .idle(IdleStrategy.YIELD)
                    .open()) {
                forwarder.start(() -> hasReceived[0] = port.coming.get() > 0);
                assertThat(hasReceived[0]).isFalse();
                assertThat(port.hadLaneAtStart).isTrue();
                forwarder.stop();
                assertThat(forwarder.statistics().ports().getFirst().received()).isEqualTo(310);
            }
        }
    }

    private static List<Stage> all(long nowNs, NatTable nat) {
        RouteTable routes = RouteTable.of(
                List.of(
                        new RouteTable.Interface(0, IpPrefix.parse("10.0.0.1/24")),
                        new RouteTable.Interface(1, IpPrefix.parse("10.0.1.1/24")),
                        new RouteTable.Interface(0, IpPrefix.parse("2001:db8:a::1/64"))),
                List.of(new RouteTable.Route(IpPrefix.parse("0.0.0.0/0"), 1, IpPrefix.parse("10.0.1.2"))),
                List.of(new RouteTable.Neighbor(1, IpPrefix.parse("10.0.1.2"), 0x0200_0000_00feL)));
        return List.of(
                new DecodeStage(),
                new FilterStage(
                        List.of(new FilterStage.Rule(
                                FilterStage.Action.COUNT, PacketFilter.of("udp or vlan 7", LinkType.ETHERNET))),
                        true),
                new RateLimitStage(
                        0b111, true, 32, 64, new TokenBuckets(1024, 1_000_000_000_000L, 1_000_000_000L, nowNs)),
                new VlanPopStage(0b111, 0, 7, false),
                new NatStage(true, 0b10, nat),
                RouteStage.of(
                        0b11,
                        new long[] {Rig.MAC, Rig.MAC + 1, Rig.MAC + 2},
                        new int[] {1500, 1500, 1500},
                        routes,
                        new NeighborTable(64, 60_000_000_000L, nowNs),
                        1_000_000,
                        nowNs),
                new NatStage(false, 0b10, nat),
                new BridgeStage(0b111, new MacTable(64, 300_000_000_000L)),
                new VlanPushStage(0, 0b110, 0x8100, 8, 0));
    }

    private static NatTable nat() {
        return NatTable.of(List.of(
                new Translation(Rig.ipv4("10.0.1.9"), Rig.ipv4("10.0.0.9"), Translation.ANY, 0, 0),
                new Translation(Rig.ipv4("10.0.1.1"), Rig.ipv4("10.0.0.2"), 17, 1, 1)));
    }

    @Test
    void allocatesNothing() {
        NatTable nat = nat();
        try (Rig rig = new Rig(3, clock -> all(clock.getAsLong(), nat))) {
            byte[][] packets = {
                udp(Rig.ipv4Long("8.8.8.8"), 64),
                udp(Rig.ipv4Long("10.0.0.1"), 64),
                udp(Rig.ipv4Long("8.8.4.4"), 1),
                Rig.packet(w ->
                        w.ethernet(9, EthernetFrames.BROADCAST).arp(1, 9, Rig.ipv4Long("10.0.0.2"), 0, 0x0a000001L))
            };
            int bursts = 3000;
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 20 && least >= bursts; attempt++) { // until it is compiled
                long allocated = 0;
                for (int i = 0; i < bursts; i++) {
                    for (byte[] packet : packets) {
                        rig.ports.getFirst().offer(packet);
                    }
                    rig.ports.get(2).offer(packets[0]);
                    rig.nowNs.addAndGet(500_000);
                    long before = threads.getCurrentThreadAllocatedBytes();
                    rig.forwarder.cycle();
                    allocated += threads.getCurrentThreadAllocatedBytes() - before;
                    for (int port = 0; port < 3; port++) {
                        rig.sent(port);
                    }
                }
                least = Math.min(least, allocated);
            }
            assertThat(rig.forwarder.statistics().ports().get(1).sent()).isGreaterThan(bursts);
            // a learned neighbour may make its table anew, once
            assertThat(least).isLessThan(bursts);
        }
    }

    @Test
    void survivesAnyBytesAtAll() {
        NatTable nat = nat();
        Random random = new Random(11);
        byte[][] seeds = {
            udp(Rig.ipv4Long("8.8.8.8"), 64),
            Rig.packet(w -> w.ethernet(7, Rig.MAC)
                    .vlan(7)
                    .ipv4(Rig.ipv4Long("10.0.0.9"), 5)
                    .tcp(1, 2, 3, 4, 5)),
            Rig.packet(w -> w.ethernet(7, Rig.MAC)
                    .ipv4(Rig.ipv4Long("10.0.0.9"), 5)
                    .icmp(3, 3, 0)
                    .payload(Arrays.copyOfRange(udp(5, 1), 14, 60))),
            Rig.packet(
                    w -> w.ethernet(9, EthernetFrames.BROADCAST).arp(1, 9, Rig.ipv4Long("10.0.0.2"), 0, 0x0a000001L)),
            Rig.packet(w -> w.ethernet(9, Rig.MAC)
                    .ipv6(0x20010db8000a0000L, 5, 0x20010db8000a0000L, 1, ip -> ip.hopLimit(255))
                    .icmpv6(135, 0, 0)
                    .bits64(0x20010db8000a0000L)
                    .bits64(1)
                    .payload(new byte[] {1, 1, 2, 0, 0, 0, 0, 7}))
        };
        try (Rig rig = new Rig(3, clock -> all(clock.getAsLong(), nat))) {
            for (byte[] seed : seeds) {
                for (int length = 0; length <= seed.length; length++) {
                    rig.offer(length % 3, Arrays.copyOf(seed, length));
                }
            }
            for (int i = 0; i < 40_000; i++) {
                byte[] packet = seeds[random.nextInt(seeds.length)].clone();
                for (int flips = random.nextInt(5); flips > 0; flips--) {
                    packet[random.nextInt(packet.length)] = (byte) random.nextInt();
                }
                rig.offer(
                        random.nextInt(3),
                        Arrays.copyOf(packet, random.nextInt(4) == 0 ? random.nextInt(200) : packet.length));
                rig.pass(i % 7 == 0 ? 1 : 0);
                for (int port = 0; port < 3; port++) {
                    while (rig.ports.get(port).take().length > 0) {}
                }
            }
            assertThat(rig.forwarder.statistics().ports())
                    .allSatisfy(port -> assertThat(port.received()).isGreaterThan(10_000));
            rig.pass(5000);
        }
    }
}
