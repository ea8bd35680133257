package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.linux.TaskStatus;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveCounts;
import io.offhook.packet.FrameBatch;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Packets that arrive at a port, as a live source: those that the test sends by net_ring, or net_null's endless ones. */
@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
@Timeout(120)
class DpdkSourceTest {
    /** The counts that are published with each batch, and the port's statistics now and then; nothing a packet. */
    private static final int BYTES_A_BATCH = 200;

    private static DpdkSource open(DpdkSourceOptions options, String filter) {
        TestEal.get();
        return DpdkSource.open(options, filter);
    }

    private static void send(DpdkSource source, Mempool pool, List<byte[]> packets) {
        MbufArray burst = new MbufArray(Math.max(1, packets.size()));
        for (byte[] packet : packets) {
            burst.add(pool.copy(MbufTemplate.of(packet)));
        }
        assertThat(source.port().txQueue(0).send(burst)).isEqualTo(packets.size());
    }

    private static List<byte[]> bytes(FrameBatch batch) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            all.add(batch.segmentOf(i)
                    .asSlice(batch.offset(i), batch.capturedLength(i))
                    .toArray(ValueLayout.JAVA_BYTE));
        }
        return all;
    }

    @Test
    void copiesPacketsOfSeveralMbufsTogether() {
        Mempool pool = TestEal.pool(1023);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            sent.add(TestEal.packet(i % 2 == 0 ? 100 : 60_000, i));
        }
        try (DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_ring")), "")) {
            send(source, pool, sent.subList(0, 20));
            send(source, pool, sent.subList(20, 40));
            source.stop();
            List<byte[]> got = new ArrayList<>();
            FrameBatch batch = new FrameBatch(1024);
            int batches = 0;
            while (source.next(batch)) {
                got.addAll(bytes(batch));
                batches++;
            }
            assertThat(got).hasSize(40);
            for (int i = 0; i < 40; i++) {
                assertThat(got.get(i)).isEqualTo(sent.get(i));
            }
            // a batch of 1,024 frames holds a megabyte of copies
            assertThat(batches).isGreaterThan(1);
            assertThat(source.copiedPackets()).isGreaterThanOrEqualTo(20);
            assertThat(source.counts().delivered()).isEqualTo(40);
        }
        assertThat(pool.inUse()).isZero();
        pool.close();
    }

    @Test
    void keepsFramesOfABatchUntilItComesBack() {
        try (DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_ring")), "")) {
            Mempool pool = source.pool();
            FrameBatch kept = new FrameBatch(16);
            FrameBatch passing = new FrameBatch(16);
            send(source, pool, List.of(TestEal.packet(100, 1), TestEal.packet(5000, 2)));
            assertThat(source.next(kept)).isTrue();
            // the chain was copied, and is free again
            assertThat(pool.inUse()).isEqualTo(1);
            for (int round = 0; round < 200; round++) {
                send(source, pool, List.of(TestEal.packet(100, round), TestEal.packet(5000, round)));
                assertThat(source.next(passing)).isTrue();
            }
            assertThat(source.copiedPackets()).isEqualTo(201);
            assertThat(bytes(kept).get(0)).isEqualTo(TestEal.packet(100, 1));
            assertThat(bytes(kept).get(1)).isEqualTo(TestEal.packet(5000, 2));
            assertThat(passing.number(0)).isEqualTo(2 + 199 * 2 + 1);
            assertThat(source.next(kept)).isTrue();
            assertThat(source.next(passing)).isTrue();
            assertThat(kept.count() + passing.count()).isZero();
            assertThat(pool.inUse()).isZero();
        }
    }

    @Test
    void putsVlanTagsBackThatTheDeviceTookOut() {
        Mempool pool = TestEal.pool(1023);
        byte[] packet = TestEal.packet(64, 1);
        try (DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_ring")), "vlan 5")) {
            MbufArray burst = new MbufArray(2);
            for (int tag : List.of(0xe005, 6)) {
                long mbuf = pool.copy(MbufTemplate.of(packet));
                MbufView.u16(mbuf + RteMbuf.VLAN_TCI, tag);
                MbufView.u64(mbuf + RteMbuf.OL_FLAGS, 1L << RteMbuf.FLAG_RX_VLAN | 1L << RteMbuf.FLAG_RX_VLAN_STRIPPED);
                burst.add(mbuf);
            }
            assertThat(source.port().txQueue(0).send(burst)).isEqualTo(2);
            FrameBatch batch = new FrameBatch(16);
            assertThat(source.next(batch)).isTrue();
            byte[] expected = new byte[68];
            System.arraycopy(packet, 0, expected, 0, 12);
            expected[12] = (byte) 0x81;
            expected[14] = (byte) 0xe0;
            expected[15] = 5;
            System.arraycopy(packet, 12, expected, 16, 52);
            assertThat(bytes(batch)).singleElement().isEqualTo(expected);
            assertThat(batch.wireLength(0)).isEqualTo(68);
            assertThat(source.counts().filtered()).isEqualTo(1);
        }
        assertThat(pool.inUse()).isZero();
        pool.close();
    }

    @Test
    void handsOverAnEmptyBatchWhereNothingComes() {
        try (DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_ring")), "")) {
            FrameBatch batch = new FrameBatch(16);
            long before = System.nanoTime();
            assertThat(source.next(batch)).isTrue();
            assertThat(System.nanoTime() - before).isBetween(90_000_000L, 2_000_000_000L);
            assertThat(batch.count()).isZero();
            source.stop();
            assertThat(source.next(batch)).isFalse();
            assertThat(source.next(batch)).isFalse();
        }
    }

    @Test
    void endsThoughTheNetworkIsNeverIdle() {
        try (DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_null")), "")) {
            FrameBatch batch = new FrameBatch(1024);
            assertThat(source.next(batch)).isTrue();
            source.stop();
            long before = System.nanoTime();
            while (source.next(batch)) {
                assertThat(System.nanoTime() - before).isLessThan(20_000_000_000L);
            }
            assertThat(batch.count()).isZero();
        }
    }

    /** A thread of its own, for without its limit this would never come back. */
    @Test
    void handsOverAnEmptyBatchThoughUnwantedPacketsNeverEnd() throws InterruptedException {
        DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_null")), "ip6");
        List<Long> filtered = new ArrayList<>();
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            FrameBatch batch = new FrameBatch(256);
            while (source.next(batch)) {
                filtered.add(source.counts().filtered());
                source.stop();
            }
        });
        reader.join(60_000);
        assertThat(reader.isAlive()).isFalse();
        assertThat(filtered).isNotEmpty().allMatch(count -> count > 0);
        LiveCounts counts = source.counts();
        assertThat(counts.delivered()).isZero();
        assertThat(counts.received()).isEqualTo(counts.filtered()).isGreaterThanOrEqualTo(filtered.getLast());
        source.close();
    }

    @Test
    void theFilterSeesMoreOfAPacketThanIsCaptured() {
        Mempool pool = TestEal.pool(1023);
        byte[] packet = TestEal.packet(9000, 1);
        String filter = "ether[5000] = " + (packet[5000] & 0xff);
        try (DpdkSource source =
                open(DpdkSourceOptions.of(TestEal.unique("net_ring")).withSnapLength(64), filter)) {
            send(source, pool, List.of(packet, TestEal.packet(9000, 2), packet));
            FrameBatch batch = new FrameBatch(16);
            assertThat(source.next(batch)).isTrue();
            assertThat(bytes(batch)).hasSize(2).allMatch(got -> Arrays.equals(got, Arrays.copyOf(packet, 64)));
            assertThat(batch.wireLength(1)).isEqualTo(9000);
            assertThat(source.counts().filtered()).isEqualTo(1);
        }
        assertThat(pool.inUse()).isZero();
        pool.close();
    }

    @Test
    void leavesAPortAloneThatIsInUse() {
        Mempool pool = TestEal.pool(255);
        try (EthPort port = TestEal.get().add(TestEal.unique("net_ring"))) {
            port.start(EthPortOptions.ofQueues(1, 1), pool);
            assertThatThrownBy(() -> open(DpdkSourceOptions.of("dpdk:" + port.number()), ""))
                    .isInstanceOf(DpdkException.class)
                    .hasMessage("port " + port.number() + " " + port.name()
                            + " is in use already, and only one source can use it; stop it first");
            assertThatThrownBy(() -> open(DpdkSourceOptions.of(port.name()), ""))
                    .isInstanceOf(DpdkException.class)
                    .hasMessageContaining("is in use already");
            MbufArray burst = new MbufArray(32);
            burst.add(pool.copy(MbufTemplate.of(TestEal.packet(60, 1))));
            assertThat(port.txQueue(0).send(burst)).isEqualTo(1);
            assertThat(port.rxQueue(0).receive(burst)).isEqualTo(1);
            burst.free();
        }
        pool.close();
    }

    /** Only a thread that sleeps gives its processor away by itself; before it does, it yields, which takes long on a busy machine. */
    @Test
    void spinsWhileNothingComesWhereAskedTo() {
        assertThat(switches(IdleStrategy.SPIN, -1)).isLessThan(20);
        assertThat(switches(IdleStrategy.PARK, 50)).isGreaterThan(50);
    }

    /** In three rounds of waiting, or in more where no more than some were seen yet. */
    private static long switches(IdleStrategy idleStrategy, long expected) {
        DpdkSourceOptions options =
                DpdkSourceOptions.of(TestEal.unique("net_ring")).withIdleStrategy(idleStrategy);
        try (DpdkSource source = open(options, "")) {
            FrameBatch batch = new FrameBatch(16);
            int id = TaskStatus.currentId();
            source.next(batch);
            long before = Objects.requireNonNull(TaskStatus.of(id)).voluntarySwitches();
            long seen = 0;
            for (int i = 0; i < 3 || seen <= expected && i < 600; i++) {
                assertThat(source.next(batch)).isTrue();
                seen = Objects.requireNonNull(TaskStatus.of(id)).voluntarySwitches() - before;
            }
            return seen;
        }
    }

    @Test
    void theThreadThatReadsHasACacheInThePool() throws Exception {
        TestEal.get();
        FutureTask<Integer> reading = new FutureTask<>(() -> {
            try (DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_null")), "")) {
                // nobody has taken anything but who made the pool
                assertThat(TestEal.inCaches(source.pool())).isZero();
                FrameBatch batch = new FrameBatch(32);
                assertThat(source.next(batch)).isTrue();
                assertThat(batch.count()).isPositive();
                int cached = TestEal.inCaches(source.pool());
                source.release(batch);
                return cached;
            }
        });
        Thread.ofPlatform().start(reading);
        assertThat(reading.get()).isPositive();
    }

    @Test
    void takesAPortThatThereIs() {
        EthPort port = TestEal.get().add(TestEal.unique("net_null"));
        try (DpdkSource source = open(DpdkSourceOptions.of("dpdk:" + port.number()), "")) {
            assertThat(source.port()).isSameAs(port);
            FrameBatch batch = new FrameBatch(256);
            assertThat(source.next(batch)).isTrue();
            assertThat(batch.count()).isEqualTo(256);
            assertThat(batch.timestampNs(0) / 1_000_000_000L)
                    .isBetween(System.currentTimeMillis() / 1000 - 60, System.currentTimeMillis() / 1000 + 60);
        }
    }

    @Test
    void saysWhatItTakes() {
        assertThatThrownBy(() -> open(DpdkSourceOptions.of("nowhere"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is no interface nowhere; DPDK takes one of the kernel's");
        assertThatThrownBy(() -> open(DpdkSourceOptions.of("dpdk:31"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is no port 31; there are");
        assertThatThrownBy(() -> DpdkSourceOptions.of("x").withSnapLength(0))
                .hasMessage("snapLength 0 is outside 1 to 262144");
        assertThat(DpdkDevice.isPci("0000:03:00.0")).isTrue();
        assertThat(DpdkDevice.isPci("03:00.1,a=b")).isTrue();
        assertThat(DpdkDevice.isPci("eth0")).isFalse();
        assertThat(DpdkDevice.name("03:00.1,a=b")).isEqualTo("0000:03:00.1");
        assertThat(DpdkDevice.name("0000:AF:00.0")).isEqualTo("0000:af:00.0");
        assertThat(DpdkDevice.name("net_pcap0,rx_pcap=A:b.pcap")).isEqualTo("net_pcap0");
        DpdkDevice loopback = DpdkDevice.of("lo", 512);
        assertThat(loopback.argument()).contains("iface=lo,blocksz=61440,framesz=61440,framecnt=512");
        assertThat(loopback.longestFrame()).isEqualTo(61_360);
        assertThat(DpdkDevice.of("net_ring0", 512).longestFrame()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void allocatesNothingForPackets() {
        try (DpdkSource source = open(DpdkSourceOptions.of(TestEal.unique("net_null")), "len > 10")) {
            FrameBatch batch = new FrameBatch(1024);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            int batches = 0;
            // until it is compiled, which takes its time on a machine that is busy
            while (batches < 100_000 && least > BYTES_A_BATCH) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 500; i++) {
                    source.next(batch);
                    batches++;
                }
                least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / 500);
            }
            assertThat(least).isLessThanOrEqualTo(BYTES_A_BATCH);
            assertThat(source.counts().delivered()).isEqualTo(batches * 1024L);
        }
    }
}
