package io.offhook.forward.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.filter.PacketFilter;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Rig;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.VlanTag;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Filter, rate limit, VLAN push and pop, mirror, decode. */
@Timeout(60)
class SmallStagesTest {
    private static byte[] udp(String source, int port) {
        return Rig.packet(
                w -> w.ethernet(1, 2).ipv4(Rig.ipv4Long(source), 5).udp(port, 9).payload(new byte[30]));
    }

    private static FilterStage.Rule rule(FilterStage.Action action, String expression) {
        return new FilterStage.Rule(action, PacketFilter.of(expression, LinkType.ETHERNET));
    }

    @Test
    void theFirstRuleThatMatchesDecides() {
        FilterStage filter = new FilterStage(
                List.of(
                        rule(FilterStage.Action.COUNT, "udp"),
                        rule(FilterStage.Action.ALLOW, "udp port 5060"),
                        rule(FilterStage.Action.DENY, "udp"),
                        rule(FilterStage.Action.COUNT, "arp")),
                false);
        try (Rig rig = Rig.of(2, filter, Rig.toPort(1))) {
            byte[] arp = Rig.packet(w -> w.ethernet(1, 2).arp(1, 1, 1, 1, 1));
            rig.offer(0, udp("10.0.0.1", 5060), udp("10.0.0.1", 5061), arp);
            assertThat(rig.only(1)).isEqualTo(udp("10.0.0.1", 5060));
            assertThat(rig.drops("denied")).isEqualTo(1);
            assertThat(rig.drops("not allowed")).isEqualTo(1);
            assertThat(List.of(filter.matches(0), filter.matches(1), filter.matches(2), filter.matches(3)))
                    .containsExactly(2L, 1L, 1L, 1L);
            filter.exchange(List.of(rule(FilterStage.Action.DENY, "arp")), true);
            rig.offer(0, udp("10.0.0.1", 5061), arp);
            assertThat(rig.sent(1)).hasSize(1);
        }
    }

    @Test
    void limitsPacketsOfAPort() {
        TokenBuckets buckets = new TokenBuckets(64, 1000, 10_000_000, 1_000_000_000_000L);
        try (Rig rig = Rig.of(3, new RateLimitStage(0b11, false, -1, -1, buckets), Rig.toPort(2))) {
            for (int i = 0; i < 50; i++) {
                rig.offer(0, udp("10.0.0.1", 1));
                rig.offer(2, udp("10.0.0.1", 1));
            }
            // 10 ms of 1,000 a second at once; port 2 has no limit
            assertThat(rig.sent(2)).hasSize(10 + 50);
            rig.pass(1);
            rig.offer(0, udp("10.0.0.1", 1), udp("10.0.0.1", 1));
            rig.offer(1, udp("10.0.0.1", 1));
            assertThat(rig.sent(2)).hasSize(1 + 1);
            assertThat(rig.drops("above the rate")).isEqualTo(41);
        }
    }

    @Test
    void limitsBitsOfASourcePrefix() {
        // a packet has 72 bytes: 5,760 bits are 10 of them
        TokenBuckets buckets = new TokenBuckets(64, 5_760_000, 1_000_000, 1_000_000_000_000L);
        try (Rig rig = Rig.of(2, new RateLimitStage(0b11, true, 24, 64, buckets), Rig.toPort(1))) {
            for (int i = 0; i < 20; i++) {
                rig.offer(0, udp("10.0.0." + i, 1), udp("10.0.1." + i, 1));
            }
            assertThat(rig.sent(1)).hasSize(20);
            // what has no address is not limited
            byte[] arp = Rig.packet(w -> w.ethernet(1, 2).arp(1, 1, 1, 1, 1));
            rig.offer(0, arp, udp("10.0.1.1", 1));
            assertThat(rig.only(1)).isEqualTo(arp);
        }
    }

    @Test
    void aFullTableOfBucketsRefusesNewKeysUntilOthersAreIdle() {
        TokenBuckets buckets = new TokenBuckets(8, 1000, 1_000_000_000, 0);
        int taken = 0;
        for (int key = 1; key <= 20; key++) {
            taken += buckets.take(key, 1, 0) ? 1 : 0;
        }
        assertThat(taken).isEqualTo(8);
        assertThat(buckets.take(100, 1, 2_000_000)).isTrue();
    }

    @Test
    void tellsSourcesThatThereIsNoRoomForFromThoseThatAreTooFast() {
        TokenBuckets buckets = new TokenBuckets(8, 1000, 1_000_000, 1_000_000_000_000L); // a packet each
        try (Rig rig = Rig.of(2, new RateLimitStage(0b11, false, 32, 64, buckets), Rig.toPort(1))) {
            for (int i = 1; i <= 20; i++) {
                rig.offer(0, udp("10.0.0." + i, 1));
            }
            assertThat(rig.sent(1)).hasSize(8);
            assertThat(rig.drops("too many sources at a time")).isEqualTo(12);
            rig.offer(0, udp("10.0.0.1", 1));
            assertThat(rig.drops("above the rate")).isEqualTo(1);
        }
    }

    @Test
    void ratesAreRightToAPacket() {
        for (long rate : new long[] {1, 7, 1000, 999_983, 14_880_952}) {
            TokenBuckets buckets = new TokenBuckets(1, rate, 1_000_000_000, 0);
            while (buckets.take(1, 1, 0)) {}
            long taken = 0;
            long seconds = 1 + 1_000_000 / rate;
            long step = Math.max(1, 1_000_000_000L / rate / 2);
            for (long now = step; now <= seconds * 1_000_000_000L && taken < 3_000_000; now += step) {
                taken += buckets.take(1, 1, now) ? 1 : 0;
            }
            long expected = Math.min(3_000_000, rate * seconds);
            long off = 2 + expected / 100_000; // a packet's time is rounded to 1/64 ns
            assertThat(taken).as(rate + " a second").isBetween(expected - off, expected + off);
        }
    }

    /** As when a bridge floods: only the copy for the strict port is dropped. */
    @Test
    void strictAtOnePortLeavesUntaggedPacketsToTheOthers() {
        byte[] plain = udp("10.0.0.1", 1);
        BridgeStage bridge = new BridgeStage(0b111, new MacTable(64, 300_000_000_000L));
        try (Rig rig = Rig.of(3, bridge, new VlanPopStage(0, 0b010, 0, true))) {
            rig.offer(0, plain);
            assertThat(rig.sent(1)).isEmpty();
            assertThat(rig.only(2)).isEqualTo(plain);
            assertThat(rig.drops("no such tag")).isEqualTo(1);
        }
    }

    @Test
    void pushesAndPopsTagsByWhereTheyComeFrom() {
        byte[] plain = udp("10.0.0.1", 1);
        byte[] tagged = Rig.packet(w -> w.ethernet(1, 2)
                .vlan(100, tag -> tag.priority(3))
                .ipv4(Rig.ipv4Long("10.0.0.1"), 5)
                .udp(1, 9)
                .payload(new byte[30]));
        try (Rig rig = Rig.of(2, new VlanPushStage(0b01, 0, VlanTag.CUSTOMER, 100, 3), Rig.toPort(1))) {
            rig.offer(0, plain);
            assertThat(rig.only(1)).isEqualTo(tagged);
            rig.offer(1, plain);
            assertThat(rig.only(1)).isEqualTo(plain);
        }
        try (Rig rig = Rig.of(2, new VlanPopStage(0b01, 0, 100, true), Rig.toPort(1))) {
            rig.offer(0, tagged, plain);
            assertThat(rig.only(1)).isEqualTo(plain);
            assertThat(rig.drops("no such tag")).isEqualTo(1);
        }
    }

    @Test
    void tagsForOnePortAndNotForTheOthers() {
        byte[] plain = Rig.packet(w -> w.ethernet(1, EthernetFrames.BROADCAST).arp(1, 1, 1, 1, 1));
        BridgeStage bridge = new BridgeStage(0b111, new MacTable(64, 300_000_000_000L));
        try (Rig rig = Rig.of(
                3,
                bridge,
                new VlanPushStage(0, 0b010, VlanTag.SERVICE, 7, 0),
                new VlanPushStage(0, 0b010, 0x8100, 8, 0))) {
            rig.offer(0, plain);
            assertThat(rig.only(2)).isEqualTo(plain);
            byte[] twice = rig.only(1);
            assertThat(twice).hasSize(plain.length + 8);
            assertThat(Rig.u32(twice, 12)).isEqualTo(0x8100_0008);
            assertThat(Rig.u32(twice, 16)).isEqualTo(0x88a8_0007);
        }
        byte[] tagged =
                Rig.packet(w -> w.ethernet(1, EthernetFrames.BROADCAST).vlan(9).arp(1, 1, 1, 1, 1));
        BridgeStage other = new BridgeStage(0b111, new MacTable(64, 300_000_000_000L));
        try (Rig rig = Rig.of(3, other, new VlanPopStage(0, 0b010, 9, false))) {
            rig.offer(0, tagged);
            assertThat(rig.only(1)).isEqualTo(plain);
            assertThat(rig.only(2)).isEqualTo(tagged);
        }
    }

    @Test
    void writesWhatPassesToAFile(@TempDir Path folder) {
        Path file = folder.resolve("mirror.pcapng");
        MirrorFile mirror = new MirrorFile(file, 64, 16);
        PacketFilter filter = PacketFilter.of("udp src port 7", LinkType.ETHERNET);
        try (Rig rig = Rig.of(2, new MirrorStage(mirror, filter), Rig.toPort(1))) {
            rig.offer(0, udp("10.0.0.1", 7), udp("10.0.0.1", 8), udp("10.0.0.2", 7));
            assertThat(rig.sent(1)).hasSize(3);
        }
        mirror.close();
        assertThat(mirror.failure()).isNull();
        assertThat(mirror.packets() + mirror.dropped()).isEqualTo(2);
        FrameBatch batch = new FrameBatch(16);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            assertThat(source.next(batch)).isTrue();
            assertThat(batch.count()).isEqualTo((int) mirror.packets());
            assertThat(batch.capturedLength(0)).isEqualTo(64);
            assertThat(batch.wireLength(0)).isEqualTo(72);
        }
    }

    /** Nobody reads: the file's thread has ended. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskCostsPacketsOfTheFileOnly() {
        MirrorFile mirror = new MirrorFile(Path.of("/dev/full"), 512, 16);
        byte[] packet = udp("10.0.0.1", 7);
        long offered = 0;
        try (Rig rig = Rig.of(2, new MirrorStage(mirror, null), Rig.toPort(1))) {
            while (mirror.failure() == null) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                rig.offer(0, packet);
                offered++;
                assertThat(rig.sent(1)).hasSize(1);
            }
            long before = mirror.dropped();
            for (int i = 0; i < 100; i++) {
                rig.offer(0, packet);
                assertThat(rig.sent(1)).hasSize(1);
            }
            assertThat(mirror.dropped()).isEqualTo(before + 100);
        }
        mirror.close();
        assertThat(mirror.failure()).isNotNull();
        assertThat(mirror.packets() + mirror.dropped()).isLessThanOrEqualTo(offered + 100);
    }

    @Test
    void dropsHeadersThatCannotBe() {
        try (Rig rig = Rig.of(2, new DecodeStage(), Rig.toPort(1))) {
            byte[] packet = udp("10.0.0.1", 7);
            byte[] bad = packet.clone();
            bad[14] = 0x44; // an IPv4 header of 16 bytes
            rig.offer(0, packet, bad, java.util.Arrays.copyOf(packet, 20), new byte[] {1, 2, 3});
            assertThat(rig.only(1)).isEqualTo(packet);
            assertThat(rig.drops("malformed")).isEqualTo(1);
            assertThat(rig.drops("truncated")).isEqualTo(2);
        }
    }

    /** Of 100 kbit/s, 10 ms are less than a packet: it takes its time, and is not kept out for ever. */
    @Test
    void aPacketThatIsMoreThanABurstPassesByTheRate() {
        TokenBuckets buckets = new TokenBuckets(64, 100_000, 10_000_000, 1_000_000_000_000L);
        try (Rig rig = Rig.of(2, new RateLimitStage(0b01, true, -1, -1, buckets), Rig.toPort(1))) {
            byte[] packet =
                    Rig.packet(w -> w.ethernet(1, 2).ipv4(1, 2).udp(1, 2).payload(new byte[1208])); // 10 kbit
            assertThat(packet).hasSize(1250);
            long sent = 0;
            for (int ms = 0; ms < 1000; ms++) {
                rig.offer(0, packet);
                rig.pass(1);
                sent += rig.sent(1).size();
            }
            assertThat(sent).isEqualTo(10);
        }
    }
}
