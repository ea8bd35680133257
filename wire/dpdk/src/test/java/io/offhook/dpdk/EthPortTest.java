package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Ports of net_ring, whose queues give back what is sent, and net_null, which makes packets and forgets them. */
@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
@Timeout(60)
class EthPortTest {
    private static final int RING_ROOM = 1023;

    private final Eal eal = TestEal.get();
    private final Mempool pool = TestEal.pool(4095);
    private final MbufArray burst = new MbufArray(32);
    private final List<EthPort> ports = new ArrayList<>();
    private RegisteredThread lane;

    @BeforeEach
    void register() {
        lane = eal.registerThread();
    }

    /** Nothing is ever lost. */
    @AfterEach
    void allMbufsAreBack() {
        burst.free();
        ports.forEach(EthPort::close);
        assertThat(pool.inUse()).isZero();
        assertThat(pool.available()).isEqualTo(4095);
        pool.close();
        lane.close();
    }

    private EthPort add(String driver, String arguments) {
        EthPort port = eal.add(TestEal.unique(driver) + arguments);
        ports.add(port);
        return port;
    }

    private EthPort ring(int queues) {
        EthPort port = add("net_ring", "");
        port.start(EthPortOptions.ofQueues(queues, queues), pool);
        return port;
    }

    private void fill(int count, int first) {
        for (int i = 0; i < count; i++) {
            burst.add(pool.copy(MbufTemplate.of(TestEal.packet(60 + i, first + i))));
        }
    }

    @Test
    void sendsAndReceivesInOrder() {
        EthPort port = ring(1);
        for (int round = 0; round < 100; round++) {
            fill(32, round);
            assertThat(port.txQueue(0).send(burst)).isEqualTo(32);
            assertThat(burst.isEmpty()).isTrue();
            assertThat(port.rxQueue(0).receive(burst)).isEqualTo(32);
            for (int i = 0; i < 32; i++) {
                assertThat(TestEal.bytes(burst.get(i))).isEqualTo(TestEal.packet(60 + i, round + i));
            }
            burst.free();
        }
        EthStatistics statistics = port.statistics();
        assertThat(statistics.receivedPackets()).isEqualTo(3200);
        assertThat(statistics.sentPackets()).isEqualTo(3200);
        assertThat(port.rxQueue(0).receive(burst)).isZero();
    }

    @Test
    void keepsWhatAFullQueueDoesNotTake() {
        EthPort port = ring(1);
        int sent = 0;
        int number = 0;
        while (true) {
            fill(32, number);
            number += 32;
            int taken = port.txQueue(0).send(burst);
            sent += taken;
            if (taken < 32) {
                break;
            }
        }
        assertThat(sent).isEqualTo(RING_ROOM);
        assertThat(burst.count()).isEqualTo(number - RING_ROOM).isEqualTo(1);
        assertThat(TestEal.bytes(burst.get(0))).isEqualTo(TestEal.packet(60 + 31, number - 1));
        assertThat(port.txQueue(0).send(burst)).isZero();
        assertThat(burst.count()).isEqualTo(1);

        // room for some of a burst only: the tail stays, in order
        burst.free();
        assertThat(port.rxQueue(0).receive(burst)).isEqualTo(32);
        burst.free();
        MbufArray longer = new MbufArray(40);
        for (int i = 0; i < 40; i++) {
            longer.add(pool.copy(MbufTemplate.of(TestEal.packet(60, 1000 + i))));
        }
        assertThat(port.txQueue(0).send(longer)).isEqualTo(32);
        assertThat(longer.count()).isEqualTo(8);
        for (int i = 0; i < 8; i++) {
            assertThat(TestEal.bytes(longer.get(i))).isEqualTo(TestEal.packet(60, 1032 + i));
        }
        longer.free();
        drain(port);
    }

    private void drain(EthPort port) {
        for (int queue = 0; queue < port.rxQueues(); queue++) {
            while (port.rxQueue(queue).receive(burst) > 0) {
                burst.free();
            }
        }
    }

    @Test
    void queuesAreOfTheirOwn() {
        EthPort port = ring(3);
        for (int queue = 0; queue < 3; queue++) {
            fill(queue + 1, queue);
            assertThat(port.txQueue(queue).send(burst)).isEqualTo(queue + 1);
        }
        for (int queue = 2; queue >= 0; queue--) {
            assertThat(port.rxQueue(queue).receive(burst)).isEqualTo(queue + 1);
            assertThat(TestEal.bytes(burst.get(0))).isEqualTo(TestEal.packet(60, queue));
            burst.free();
        }
    }

    @Test
    void passesChainsAndSharedPacketsOn() {
        EthPort port = ring(1);
        byte[] jumbo = TestEal.packet(9000, 1);
        long original = pool.copy(MbufTemplate.of(jumbo));
        burst.add(original);
        burst.add(pool.share(original));
        assertThat(port.txQueue(0).send(burst)).isEqualTo(2);
        assertThat(port.rxQueue(0).receive(burst)).isEqualTo(2);
        assertThat(TestEal.bytes(burst.get(0))).isEqualTo(jumbo);
        assertThat(TestEal.bytes(burst.get(1))).isEqualTo(jumbo);
        assertThat(new MbufView().wrap(burst.get(1)).isIndirect()).isTrue();
    }

    @Test
    void netNullMakesAndForgetsPackets() {
        EthPort port = add("net_null", ",size=100");
        port.start(EthPortOptions.ofQueues(2, 2), pool);
        assertThat(port.info().driverName()).isEqualTo("net_null");
        assertThat(port.info().hasRss()).isTrue();
        assertThat(port.rxQueue(1).isCritical()).isTrue();
        for (int round = 0; round < 1000; round++) {
            assertThat(port.rxQueue(round & 1).receive(burst)).isEqualTo(32);
            assertThat(view.wrap(burst.get(31)).packetLength()).isEqualTo(100);
            assertThat(view.port()).isEqualTo(port.number());
            assertThat(port.txQueue(round & 1).send(burst)).isEqualTo(32);
        }
        assertThat(port.statistics().receivedPackets()).isEqualTo(32_000);
        assertThat(port.statistics().sentPackets()).isEqualTo(32_000);
        Map<String, Long> all = port.extendedStatistics();
        assertThat(all).containsEntry("rx_good_packets", 32_000L).containsEntry("rx_q1_packets", 16_000L);
    }

    @Test
    void netPcapWritesAFileAndReadsItsTimes(@TempDir Path folder) {
        Path file = folder.resolve("sent.pcap");
        EthPort writer = add("net_pcap", ",tx_pcap=" + file);
        writer.start(EthPortOptions.ofQueues(0, 1), pool);
        assertThat(writer.txQueue(0).isCritical()).isFalse();
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            // some of several mbufs
            sent.add(TestEal.packet(60 + i * 60, i));
            burst.add(pool.copy(MbufTemplate.of(sent.get(i))));
            if (burst.isFull() || i == 99) {
                writer.txQueue(0).send(burst);
                assertThat(burst.isEmpty()).isTrue();
            }
        }
        assertThat(writer.statistics().sentPackets()).isEqualTo(100);
        writer.close();

        EthPort reader = add("net_pcap", ",rx_pcap=" + file);
        reader.start(EthPortOptions.ofQueues(1, 0), pool);
        FrameBatch batch = new FrameBatch(100);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            assertThat(source.next(batch)).isTrue();
            assertThat(batch.count()).isEqualTo(100);
            int number = 0;
            while (reader.rxQueue(0).receive(burst) > 0) {
                for (int i = 0; i < burst.count(); i++, number++) {
                    assertThat(batch.segmentOf(number)
                                    .asSlice(batch.offset(number), batch.capturedLength(number))
                                    .toArray(ValueLayout.JAVA_BYTE))
                            .isEqualTo(sent.get(number));
                    assertThat(TestEal.bytes(burst.get(i))).isEqualTo(sent.get(number));
                    view.wrap(burst.get(i));
                    assertThat(view.hasTimestamp()).isTrue();
                    // of this driver microseconds
                    assertThat(view.timestamp()).isEqualTo(batch.timestampNs(number) / 1000);
                }
                burst.free();
            }
            assertThat(number).isEqualTo(100);
        }
    }

    @Test
    void receivesNothingWhereNoMbufIsFree() {
        Mempool small = eal.mempool(TestEal.unique("small"), 31, 0, 2048);
        EthPort port = add("net_null", "");
        port.start(EthPortOptions.ofQueues(1, 1), small);
        assertThat(port.rxQueue(0).receive(burst)).isZero();
        assertThat(small.inUse()).isZero();
        port.close();
        small.close();
    }

    @Test
    void reportsWhatItIs() {
        EthPort port = add("net_ring", "");
        assertThat(eal.port(port.name())).isSameAs(port);
        assertThat(eal.port(port.number())).isSameAs(port);
        assertThat(eal.portNumbers()).contains(port.number());
        assertThat(port.info().maxRxQueues()).isEqualTo(16);
        assertThat(port.link().isUp()).isFalse();
        port.start(EthPortOptions.ofQueues(1, 1), pool);
        assertThat(port.link()).isEqualTo(new EthLink(true, 10_000, true));
        assertThat(port.macAddress()).isZero();
        assertThat(port.mtu()).isEqualTo(1500);
        assertThat(port.isPromiscuous()).isTrue();
        assertThat(port.isRemoved()).isFalse();
        port.promiscuous(false);
        assertThat(port.isPromiscuous()).isFalse();
        port.allMulticast(false);
        assertThat(port.isAllMulticast()).isFalse();
        port.allMulticast(true);
        assertThat(port.isAllMulticast()).isTrue();
    }

    @Test
    void isStartedAgainWithOtherQueuesAndMtu() {
        EthPort port = add("net_null", "");
        port.start(EthPortOptions.ofQueues(1, 1), pool);
        assertThatThrownBy(() -> port.start(EthPortOptions.ofQueues(1, 1), pool))
                .isInstanceOf(IllegalStateException.class);
        port.stop();
        assertThat(port.isStarted()).isFalse();
        port.start(EthPortOptions.ofQueues(4, 4).withMtu(1400), pool);
        assertThat(port.rxQueues()).isEqualTo(4);
        assertThat(port.mtu()).isEqualTo(1400);
        assertThat(port.rxQueue(3).receive(burst)).isEqualTo(32);
    }

    @Test
    void statisticsBeginAnewWithEachStart() {
        EthPort port = add("net_null", "");
        port.start(EthPortOptions.ofQueues(1, 1), pool);
        assertThat(port.rxQueue(0).receive(burst)).isEqualTo(32);
        port.stop();
        assertThat(port.statistics().receivedPackets()).isEqualTo(32);
        port.start(EthPortOptions.ofQueues(1, 1), pool);
        assertThat(port.statistics().receivedPackets()).isZero();
    }

    @Test
    void aDeviceThatIsThereIsNotAddedAgain() {
        EthPort port = add("net_ring", "");
        int ports = eal.portNumbers().size();
        assertThat(eal.add(port.name())).isSameAs(port);
        assertThat(eal.portNumbers()).hasSize(ports);
    }

    @Test
    void anMtuThatNoPacketHasIsRefused() {
        EthPort port = add("net_null", "");
        for (int mtu : new int[] {-1, 67, 65_536, 65_536 + 1400}) {
            assertThatThrownBy(() -> port.mtu(mtu))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("mtu " + mtu + " is outside 68 to 65535");
        }
    }

    @Test
    void packetsOfTheUsualMtuNeedSeveralSmallMbufs() {
        long all = -1;
        EthPortInfo able = new EthPortInfo("net_any", 0, 68, 9000, 9018, 1, 1, all, all, 0);
        EthPortOptions usual = EthPortOptions.ofQueues(1, 1);
        long scatter = 1L << EthdevLayout.RX_SCATTER;
        assertThat(EthPortSetup.rxOffloads(usual, able, 1024) & scatter).isNotZero();
        assertThat(EthPortSetup.rxOffloads(usual, able, 2048) & scatter).isZero();
        assertThat(EthPortSetup.rxOffloads(usual.withMtu(9000), able, 2048) & scatter)
                .isNotZero();
        EthPortInfo unable = new EthPortInfo("net_any", 0, 68, 9000, 9018, 1, 1, 0, 0, 0);
        assertThat(EthPortSetup.rxOffloads(usual, unable, 1024)).isZero();
    }

    @Test
    void aClosedPoolMakesNothing() {
        Mempool other = TestEal.pool(63);
        fill(1, 1);
        EthPort port = add("net_null", "");
        other.close();
        for (Runnable use : List.<Runnable>of(
                () -> other.copy(template),
                () -> other.copy(burst.get(0), 60),
                () -> other.share(burst.get(0)),
                () -> port.start(EthPortOptions.ofQueues(1, 1), other))) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("pool " + other.name() + " is closed");
        }
        assertThatThrownBy(() -> pool.copy(burst.get(0), -1)).hasMessage("length -1 is outside 0 to 2147483647");
    }

    @Test
    void aStoppedPortGivesNothing() {
        EthPort port = ring(1);
        RxQueue rx = port.rxQueue(0);
        TxQueue tx = port.txQueue(0);
        port.stop();
        assertThat(rx.receive(burst)).isZero();
        fill(2, 1);
        assertThat(tx.send(burst)).isZero();
        assertThat(burst.count()).isEqualTo(2);
        port.close();
        assertThat(tx.send(burst)).isZero();
        assertThatThrownBy(port::statistics)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("port " + port.name() + " is closed");
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> eal.add("net_nothing0"))
                .isInstanceOf(DpdkException.class)
                .hasMessageContaining("add device net_nothing0")
                .hasMessageContaining("DPDK says: EAL: failed to parse device \"net_nothing0\"");
        assertThatThrownBy(() -> eal.add("net_pcap77,rx_pcap=/nowhere.pcap"))
                .hasMessageContaining("Couldn't open /nowhere.pcap");
        assertThatThrownBy(() -> eal.port("net_ring_of_nobody"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no port net_ring_of_nobody; there are ");
        EthPort port = add("net_ring", "");
        assertThatThrownBy(() -> port.start(EthPortOptions.ofQueues(17, 1), pool))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(net_ring) has 16 receive queues at the most, not 17");
        assertThatThrownBy(() -> EthPortOptions.ofQueues(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EthPortOptions.ofQueues(1, 1).withMtu(67)).hasMessage("mtu 67 is outside 68 to 65535");
        fill(1, 1);
        EthPort started = ring(1);
        assertThatThrownBy(() -> started.rxQueue(0).receive(burst)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> started.rxQueue(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(eal::registerThread)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is registered already");
    }

    @Test
    void callsOfDriversThatAskTheKernelAreNotCritical() {
        assertThat(ring(1).rxQueue(0).isCritical()).isTrue();
        EthPort port = add("net_ring", "");
        port.start(EthPortOptions.ofQueues(1, 1).withCritical(EthPortOptions.CriticalCalls.NEVER), pool);
        assertThat(port.rxQueue(0).isCritical()).isFalse();
        assertThat(port.txQueue(0).isCritical()).isFalse();
        fill(3, 1);
        assertThat(port.txQueue(0).send(burst)).isEqualTo(3);
        assertThat(port.rxQueue(0).receive(burst)).isEqualTo(3);
        for (String driver : List.of(
                "net_af_packet", "net_tap", "net_pcap", "net_af_xdp", "net_virtio_user", "net_vhost", "net_memif")) {
            assertThat(DriverCalls.mayBeCritical(driver)).as(driver).isFalse();
        }
    }

    @Test
    void allocatesNothingForPackets() {
        EthPort port = ring(1);
        fill(32, 1);
        port.txQueue(0).send(burst);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        // until it is compiled, which takes its time on a machine that is busy
        for (int attempt = 0; attempt < 100 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long sum = circulate(port, 20_000);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            assertThat(sum).isEqualTo(20_000L * (32 * 60 + 31 * 16));
        }
        assertThat(least).isZero();
        drain(port);
    }

    private final MbufView view = new MbufView();
    private final MbufTemplate template = MbufTemplate.of(TestEal.packet(60, 1));
    private final MbufArray made = new MbufArray(1);

    private long circulate(EthPort port, int rounds) {
        RxQueue rx = port.rxQueue(0);
        TxQueue tx = port.txQueue(0);
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            int count = rx.receive(burst);
            for (int i = 0; i < count; i++) {
                sum += view.wrap(burst.get(i)).dataLength();
                view.prepend(4);
                view.trimStart(4);
            }
            tx.send(burst);
            made.add(pool.copy(template));
            made.free();
        }
        return sum;
    }
}
