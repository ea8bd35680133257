package io.offhook.forward.port;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.dpdk.Eal;
import io.offhook.dpdk.EalOptions;
import io.offhook.dpdk.EthPort;
import io.offhook.dpdk.EthPortInfo;
import io.offhook.dpdk.EthStatistics;
import io.offhook.dpdk.MbufArray;
import io.offhook.dpdk.MbufTemplate;
import io.offhook.dpdk.MbufView;
import io.offhook.dpdk.Mempool;
import io.offhook.dpdk.RegisteredThread;
import io.offhook.forward.Burst;
import io.offhook.forward.Bytes;
import io.offhook.forward.ForwardStatistics;
import io.offhook.forward.Forwarder;
import io.offhook.forward.Port;
import io.offhook.forward.Rig;
import io.offhook.forward.Stage;
import io.offhook.forward.application.ForwardApplication;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.stage.VlanPopStage;
import io.offhook.forward.stage.VlanPushStage;
import io.offhook.packet.link.VlanTag;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Over ring devices, which receive what they send: the test puts packets into one, and takes them from the other. */
@EnabledIf(value = "isPossible", disabledReason = "needs DPDK (librte-eal, librte-net-ring)")
@Timeout(60)
class DpdkPortTest {
    private static int next;

    private Eal eal;
    private RegisteredThread thread;
    private Mempool pool;
    private EthPort in;
    private EthPort out;

    static boolean isPossible() {
        return Eal.missing() == null;
    }

    @BeforeEach
    void open() {
        Eal running = Eal.running();
        // one a process, which lives as long as it
        eal = running == null ? Eal.start(EalOptions.virtual()) : running;
        thread = eal.registerThread();
        pool = eal.mempool("test" + next, 1023, 32, 2048);
        in = eal.add("net_ring_f" + next++);
        out = eal.add("net_ring_f" + next++);
    }

    @AfterEach
    void close() {
        thread.close();
        in.close();
        out.close();
        assertThat(pool.inUse()).isZero();
        pool.close();
    }

    private Forwarder forwarder(Stage... stages) {
        return new Forwarder.Builder()
                .port(new DpdkPort("in", in, pool, 512, true))
                .port(new DpdkPort("out", out, pool, 512, true))
                .lane(-1, 0)
                .stages(() -> List.of(stages))
                .open();
    }

    private void put(byte[] packet) {
        MbufArray one = new MbufArray(1);
        one.add(pool.copy(MbufTemplate.of(packet)));
        assertThat(in.txQueue(0).send(one)).isEqualTo(1);
    }

    private List<byte[]> taken() {
        MbufArray burst = new MbufArray(64);
        List<byte[]> packets = new ArrayList<>();
        MbufView view = new MbufView();
        while (out.rxQueue(0).receive(burst) > 0) {
            for (int i = 0; i < burst.count(); i++) {
                view.wrap(burst.get(i));
                packets.add(Bytes.get(view.dataAddress(), view.dataLength()));
            }
            burst.free();
        }
        return packets;
    }

    private static byte[] packet(int number) {
        return Rig.packet(w -> w.ethernet(7, 8).ipv4(1, number).udp(1, 2).payload(new byte[number]));
    }

    @Test
    void passesMbufsOnWithoutACopy() {
        try (Forwarder forwarder = forwarder(Rig.toPort(1))) {
            for (int i = 0; i < 200; i++) {
                put(packet(i));
            }
            while (forwarder.cycle() > 0) {}
            List<byte[]> taken = taken();
            assertThat(taken).hasSize(200);
            for (int i = 0; i < 200; i++) {
                assertThat(taken.get(i)).isEqualTo(packet(i));
            }
            ForwardStatistics statistics = forwarder.statistics();
            assertThat(statistics.isBalanced()).isTrue();
            assertThat(statistics.ports().getLast().sent()).isEqualTo(200);
            assertThat(statistics.ports().getLast().copies()).isZero();
        }
    }

    @Test
    void sendsWhatStagesMadeLongerOrShorter() {
        byte[] tagged =
                Rig.packet(w -> w.ethernet(7, 8).vlan(9).ipv4(1, 50).udp(1, 2).payload(new byte[50]));
        try (Forwarder forwarder = forwarder(new VlanPushStage(1, 0, VlanTag.CUSTOMER, 9, 0), Rig.toPort(1))) {
            put(packet(50));
            forwarder.cycle();
            assertThat(taken()).singleElement().isEqualTo(tagged);
        }
    }

    @Test
    void cutsTagsAndTails() {
        byte[] tagged =
                Rig.packet(w -> w.ethernet(7, 8).vlan(9).ipv4(1, 50).udp(1, 2).payload(new byte[50]));
        Stage shorter = new Stage() {
            @Override
            public String name() {
                return "shorter";
            }

            @Override
            public void process(Burst burst) {
                assertThat(burst.resize(0, burst.length(0) - 5)).isTrue();
            }
        };
        try (Forwarder forwarder = forwarder(new VlanPopStage(1, 0, 9, true), shorter, Rig.toPort(1))) {
            put(tagged);
            forwarder.cycle();
            assertThat(taken()).singleElement().isEqualTo(java.util.Arrays.copyOf(packet(50), packet(50).length - 5));
        }
    }

    @Test
    void freesWhatIsDroppedAndCopiesWhatGoesToSeveralPorts() {
        Stage both = new Stage() {
            private int seen;

            @Override
            public String name() {
                return "both";
            }

            @Override
            public List<String> dropCauses() {
                return List.of("odd");
            }

            @Override
            public void process(Burst burst) {
                for (int i = 0, n = burst.count(); i < n; i++) {
                    if (burst.length(i) % 2 == 1) {
                        burst.drop(i, 0);
                    } else if (seen++ < 20) { // not when they come again
                        burst.outputs(i, 0b11);
                    }
                }
            }
        };
        try (Forwarder forwarder = forwarder(both, Rig.toPort(1))) {
            for (int i = 40; i < 140; i++) {
                put(packet(i));
            }
            for (int i = 0; i < 20; i++) {
                forwarder.cycle(); // what goes back to the ring device comes again
                taken();
            }
            ForwardStatistics statistics = forwarder.statistics();
            assertThat(statistics.isBalanced()).isTrue();
            assertThat(statistics.dropped()).isEqualTo(50);
            assertThat(statistics.ports().getFirst().copies()).isEqualTo(20);
        }
    }

    @Test
    void allocatesNothing() {
        try (Forwarder forwarder = forwarder(Rig.toPort(1))) {
            // in a circle: what comes out goes in again
            MbufArray burst = new MbufArray(64);
            for (int i = 0; i < 64; i++) {
                put(packet(i));
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 40 && least >= 5000; attempt++) { // until it is compiled
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 5000; i++) {
                    forwarder.cycle();
                    out.rxQueue(0).receive(burst);
                    in.txQueue(0).send(burst);
                    burst.free();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(forwarder.statistics().ports().getLast().sent()).isGreaterThan(64L * 4_000);
            assertThat(least).isLessThan(5000);
            while (forwarder.cycle() > 0) {}
            taken(); // nothing is left in the devices' rings
        }
    }

    @Test
    void runsFromAConfiguration() {
        ForwardConfig config = ForwardConfig.readerForThisMachine().read("""
                ports:
                  - {name: a, backend: dpdk, interface: net_null_f1, ring: 64}
                  - {name: b, backend: dpdk, interface: "net_null_f2,size=100", ring: 64}
                dpdk: {huge: false, memory: 64MiB, mbufs: 1023}
                lanes: [{ports: [a]}, {ports: [b]}]
                stages: [decode, bridge]
                idle: yield
                """, "f.yaml");
        try (ForwardApplication application = ForwardApplication.open(config)) {
            application.forwarder().start();
            while (application.forwarder().statistics().ports().getFirst().received() < 1000) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.onSpinWait();
            }
            application.forwarder().stop();
            assertThat(application.forwarder().statistics().isBalanced()).isTrue();
        }
    }

    @Test
    void dividesOnePortAmongLanes() {
        Port source = new DpdkPort("source", eal.add("net_null_f3,size=80"), pool, 64, false);
        Forwarder.Builder builder = new Forwarder.Builder()
                .port(source)
                .port(new DpdkPort("sink", eal.add("net_null_f4"), pool, 64, false))
                .lane(-1, 0)
                .lane(-1, 0)
                .stages(() -> List.of(Rig.toPort(1)))
                .scope(() -> {
                    RegisteredThread lane = eal.registerThread();
                    return lane::close;
                });
        try (Forwarder forwarder = builder.open()) {
            forwarder.start();
            while (forwarder.statistics().lanes().stream().anyMatch(lane -> lane.packets() < 1000)) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.onSpinWait();
            }
            forwarder.stop();
            ForwardStatistics statistics = forwarder.statistics();
            assertThat(statistics.isBalanced()).as(statistics.toString()).isTrue();
            assertThat(statistics.ports().getFirst().received())
                    .isEqualTo(statistics.lanes().stream()
                            .mapToLong(ForwardStatistics.LaneCounts::packets)
                            .sum());
        }
    }

    @Test
    void takesFramesToGroupsWhereItDoesNotTakeAll() {
        Forwarder.Builder builder = new Forwarder.Builder()
                .port(new DpdkPort("in", in, pool, 512, false))
                .port(new DpdkPort("out", out, pool, 512, true))
                .lane(-1, 0);
        in.allMulticast(false);
        out.allMulticast(false);
        try (Forwarder _ = builder.open()) {
            assertThat(in.isAllMulticast()).isTrue();
            assertThat(out.isAllMulticast()).isFalse();
        }
    }

    @Test
    void countsAPacketThatFindsNoMbufAsLostWhereItsDriverLosesIt() {
        EthStatistics counts = new EthStatistics(100, 0, 0, 0, 3, 4, 0, 50);
        assertThat(DpdkPort.lost(counts, info("net_af_packet"))).isEqualTo(7);
        assertThat(DpdkPort.lost(counts, info("net_ixgbe"))).isEqualTo(7);
        assertThat(DpdkPort.lost(counts, info("net_pcap"))).isEqualTo(57);
        assertThat(DpdkPort.lost(counts, info("net_tap"))).isEqualTo(57);
    }

    private static EthPortInfo info(String driver) {
        return new EthPortInfo(driver, 0, 68, 9000, 9018, 1, 1, 0, 0, 0);
    }
}
