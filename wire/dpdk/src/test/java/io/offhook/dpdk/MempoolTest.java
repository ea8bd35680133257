package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Pools, and the mbufs that are made in them. */
@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
class MempoolTest {
    private final Mempool pool = TestEal.pool(255);
    private final MbufArray array = new MbufArray(64);
    private final MbufView view = new MbufView();

    /** Nothing is ever lost. */
    @AfterEach
    void allMbufsAreBack() {
        array.free();
        assertThat(pool.inUse()).isZero();
        assertThat(pool.available()).isEqualTo(255);
        pool.close();
    }

    private long made(byte[] packet) {
        long mbuf = pool.copy(MbufTemplate.of(packet));
        assertThat(mbuf).isNotZero();
        array.add(mbuf);
        return mbuf;
    }

    @Test
    void makesPacketsOfATemplate() {
        byte[] packet = TestEal.packet(300, 1);
        view.wrap(made(packet));

        assertThat(TestEal.bytes(view.address())).isEqualTo(packet);
        assertThat(view.dataLength()).isEqualTo(300);
        assertThat(view.packetLength()).isEqualTo(300);
        assertThat(view.segments()).isEqualTo(1);
        assertThat(view.headroom()).isEqualTo(MbufView.HEADROOM_BYTES).isEqualTo(128);
        assertThat(view.tailroom()).isEqualTo(2048 - 300);
        assertThat(view.bufferLength()).isEqualTo(2048 + 128);
        assertThat(view.dataAddress()).isEqualTo(view.bufferAddress() + 128);
        assertThat(view.isDirect()).isTrue();
        assertThat(view.isIndirect()).isFalse();
        assertThat(view.hasRssHash()).isFalse();
        assertThat(view.hasVlanTag()).isFalse();
        assertThat(view.hasTimestamp()).isFalse();
        assertThat(view.packetType()).isZero();
        assertThat(pool.inUse()).isEqualTo(1);
        assertThat(pool.contains(view.dataAddress(), 300)).isTrue();
    }

    @Test
    void reportsWhatTheDeviceFound() {
        long mbuf = made(TestEal.packet(64, 9));
        MbufView.u32(mbuf + RteMbuf.HASH_RSS, 0xfeed_beefL);
        MbufView.u32(mbuf + RteMbuf.PACKET_TYPE, 0x8000_0211L);
        MbufView.u16(mbuf + RteMbuf.VLAN_TCI, 0xe005);
        MbufView.u16(mbuf + RteMbuf.VLAN_TCI_OUTER, 0xffff);
        MbufView.u16(mbuf + RteMbuf.PORT, 65_535);
        view.wrap(mbuf);
        assertThat(view.hasRssHash()).isFalse();
        assertThat(view.hasVlanTag()).isFalse();

        MbufView.u64(
                mbuf + RteMbuf.OL_FLAGS,
                1L << RteMbuf.FLAG_RX_RSS_HASH | 1L << RteMbuf.FLAG_RX_VLAN | 1L << RteMbuf.FLAG_RX_VLAN_STRIPPED);
        assertThat(view.hasRssHash()).isTrue();
        assertThat(view.rssHash()).isEqualTo(0xfeed_beefL);
        assertThat(view.hasVlanTag()).isTrue();
        assertThat(view.isVlanStripped()).isTrue();
        assertThat(view.vlanTag()).isEqualTo(0xe005);
        assertThat(view.outerVlanTag()).isEqualTo(0xffff);
        assertThat(view.packetType()).isEqualTo(0x8000_0211L);
        assertThat(view.port()).isEqualTo(65_535);
        assertThat(view.isDirect()).isTrue();
        assertThat(view).hasToString("mbuf at 0x" + Long.toHexString(mbuf) + ", 64 bytes in 1 segments");
    }

    @Test
    void makesChainsOfWhatDoesNotFitOneMbuf() {
        byte[] packet = TestEal.packet(9_000, 2);
        view.wrap(made(packet));

        assertThat(view.segments()).isEqualTo(5);
        assertThat(view.dataLength()).isEqualTo(2048);
        assertThat(view.packetLength()).isEqualTo(9_000);
        assertThat(TestEal.bytes(view.address())).isEqualTo(packet);
        assertThat(pool.inUse()).isEqualTo(5);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(10_000);
            assertThat(view.copyTo(whole, 7, 9_500)).isEqualTo(9_000);
            assertThat(whole.asSlice(7, 9_000).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(packet);
            assertThat(view.copyTo(whole, 0, 2_100)).isEqualTo(2_100);
            assertThat(whole.get(ValueLayout.JAVA_BYTE, 2_099)).isEqualTo(packet[2_099]);
        }
        assertThatThrownBy(() -> view.append(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void indirectMbufsGoBackInAnyOrder() {
        byte[] packet = TestEal.packet(3_000, 3);
        long original = pool.copy(MbufTemplate.of(packet));
        long share = pool.share(original);
        view.wrap(share);
        assertThat(view.isIndirect()).isTrue();
        assertThat(view.isDirect()).isFalse();
        assertThat(view.dataAddress()).isEqualTo(new MbufView().wrap(original).dataAddress());
        assertThat(new MbufView().wrap(original).referenceCount()).isEqualTo(2);
        assertThat(pool.inUse()).isEqualTo(4);

        array.add(original);
        array.free();
        // the bytes are held by who shows them
        assertThat(pool.inUse()).isEqualTo(4);
        assertThat(TestEal.bytes(share)).isEqualTo(packet);

        array.add(share);
        array.free();
        assertThat(pool.inUse()).isZero();
        // an mbuf that was indirect is direct when it is used again
        for (int i = 0; i < 64; i++) {
            assertThat(view.wrap(made(packet)).isDirect()).isTrue();
            if (array.count() == 32) {
                array.free();
            }
        }
    }

    @Test
    void copiesAreOfTheirOwn() {
        long original = made(TestEal.packet(100, 4));
        long copy = pool.copy(original, 60);
        array.add(copy);

        assertThat(view.wrap(copy).packetLength()).isEqualTo(60);
        MbufView.memory().set(ValueLayout.JAVA_BYTE, view.dataAddress(), (byte) 99);
        assertThat(TestEal.bytes(original)).isEqualTo(TestEal.packet(100, 4));
    }

    @Test
    void anArrayLosesWhatGoesAnotherWay() {
        for (int i = 0; i < 6; i++) {
            made(TestEal.packet(60, i));
        }
        MbufArray odd = new MbufArray(6);
        int kept = 0;
        for (int i = 0; i < 6; i++) {
            long mbuf = array.get(i);
            if (i % 2 == 0) {
                array.set(kept++, mbuf);
            } else {
                odd.add(mbuf);
            }
        }
        array.truncate(kept);
        assertThat(array.count()).isEqualTo(3);
        assertThat(TestEal.bytes(array.get(2))).isEqualTo(TestEal.packet(60, 4));
        assertThat(TestEal.bytes(odd.get(2))).isEqualTo(TestEal.packet(60, 5));
        assertThatThrownBy(() -> array.truncate(4)).isInstanceOf(IllegalArgumentException.class);
        odd.free();
        assertThat(pool.inUse()).isEqualTo(3);
    }

    @Test
    void movesTheEndsOfThePacket() {
        view.wrap(made(TestEal.packet(100, 5)));
        long start = view.dataAddress();

        assertThat(view.prepend(14)).isEqualTo(start - 14);
        assertThat(view.trimStart(20)).isEqualTo(start + 6);
        assertThat(view.append(10)).isEqualTo(start + 100);
        view.trimEnd(4);
        assertThat(view.dataLength()).isEqualTo(100);
        assertThat(view.packetLength()).isEqualTo(100);
        assertThatThrownBy(() -> view.prepend(view.headroom() + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bytes before 135 is outside 0 to 134");
        assertThatThrownBy(() -> view.append(view.tailroom() + 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> view.trimStart(101)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> view.trimEnd(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isEmptyRatherThanWrongWhenAllMbufsAreInUse() {
        MbufArray all = new MbufArray(255);
        MbufTemplate template = MbufTemplate.of(TestEal.packet(60, 6));
        for (long mbuf = pool.copy(template); mbuf != 0; mbuf = pool.copy(template)) {
            all.add(mbuf);
        }
        assertThat(all.count()).isEqualTo(255);
        assertThat(pool.inUse()).isEqualTo(255);
        assertThat(pool.copy(all.get(0), 60)).isZero();
        assertThat(pool.share(all.get(0))).isZero();
        all.free();
        // a chain for which there is not enough gives back what it has
        byte[] long255 = TestEal.packet(65_535, 7);
        for (int i = 0; i < 7; i++) {
            array.add(pool.copy(MbufTemplate.of(long255)));
        }
        assertThat(pool.copy(MbufTemplate.of(long255))).isZero();
        assertThat(pool.inUse()).isEqualTo(7 * 32);
    }

    /** Else each burst would go to the ring that all threads share. */
    @Test
    void burstsOfARegisteredThreadGoByItsCache() throws Exception {
        assertThat(cachedByABurst(false)).isZero();
        // a burst, and as many as the cache has room for
        assertThat(cachedByABurst(true)).isEqualTo(32);
    }

    /** How many mbufs lie in caches while a thread has a burst of 32. */
    private int cachedByABurst(boolean isRegistered) throws Exception {
        Eal eal = TestEal.get();
        EthPort port = eal.add(TestEal.unique("net_null"));
        port.start(EthPortOptions.ofQueues(1, 1), pool);
        FutureTask<Integer> burst = new FutureTask<>(() -> {
            try (RegisteredThread _ = isRegistered ? eal.registerThread() : null) {
                MbufArray received = new MbufArray(32);
                assertThat(port.rxQueue(0).receive(received)).isEqualTo(32);
                assertThat(pool.inUse()).isEqualTo(32);
                int cached = TestEal.inCaches(pool);
                received.free();
                return cached;
            }
        });
        Thread.ofPlatform().start(burst);
        try {
            return burst.get();
        } finally {
            port.close();
        }
    }

    @Test
    void saysWhatIsMisuse() {
        Eal eal = TestEal.get();
        assertThatThrownBy(() -> eal.mempool(pool.name(), 15, 0, 2048))
                .isInstanceOf(DpdkException.class)
                .hasMessageContaining("make pool " + pool.name())
                .hasMessageContaining("File exists");
        assertThatThrownBy(() -> eal.mempool("p", 0, 0, 2048))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mbufs 0 is outside 1 to 2147483647");
        assertThatThrownBy(() -> eal.mempool("p", 10, 9, 2048)).hasMessage("cache 9 is outside 0 to 6");
        assertThatThrownBy(() -> eal.mempool("a name that is much too long", 10, 0, 2048))
                .hasMessageContaining("outside 1 to 25");
        assertThatThrownBy(() -> eal.mempool("huge", 2_000_000, 0, 2048))
                .isInstanceOf(DpdkException.class)
                .hasMessageStartingWith("make pool huge of 2000000 mbufs of 2048 bytes: ");
        assertThatThrownBy(() -> MbufTemplate.of(new byte[65_536])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MbufArray(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> array.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> array.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
