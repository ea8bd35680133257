package io.offhook.proxy.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.config.ConfigReader;
import io.offhook.packet.IpAddress;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Bans, with simulated time: scanners are dropped, and forged sources cut nobody off. */
class BanTableTest {
    private static final long MINUTE = 60_000;
    private static final IpAddress A = address("203.0.113.7");
    private static final IpAddress TRUNK = address("192.0.2.10");

    private static IpAddress address(String text) {
        return Objects.requireNonNull(IpAddress.parse(text));
    }

    private static BanConfig config(String yaml) {
        return ConfigReader.of(BanConfig.schema()).read(yaml, "ban");
    }

    private static BanTable table(String yaml) {
        return new BanTable(config(yaml), List.of(AddressBlock.parse("192.0.2.0/28")), 99);
    }

    private static boolean isBanned(BanTable table, IpAddress source, boolean isConnection, long nowMs) {
        return table.isBanned(source.high(), source.low(), isConnection, nowMs);
    }

    /** @return the events that came before the ban, or -1 */
    private static int until(
            BanTable table, IpAddress source, BadEvent event, boolean isConfirmed, int most, long now) {
        for (int i = 1; i <= most; i++) {
            if (table.count(source, event, isConfirmed, now)) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void bansWhoGuessesPasswords() {
        BanTable table = table("{}");
        assertThat(until(table, A, BadEvent.WRONG_CREDENTIALS, true, 100, 1000)).isEqualTo(10);
        assertThat(isBanned(table, A, false, 1001)).isTrue();
        assertThat(isBanned(table, A, true, 1001)).isTrue();
        assertThat(isBanned(table, address("203.0.113.8"), false, 1001)).isFalse();
        assertThat(isBanned(table, A, false, 1000 + 5 * MINUTE - 1)).isTrue();
        assertThat(isBanned(table, A, false, 1000 + 5 * MINUTE)).isFalse();
        assertThat(table.dropped()).isEqualTo(3);
        assertThat(table.banned()).isEqualTo(1);
        assertThat(table.events(BadEvent.WRONG_CREDENTIALS)).isEqualTo(10);
    }

    @Test
    void bansGrowUpToTheLongest() {
        BanTable table = table("{first: 5m, most: 18m}");
        long now = 0;
        for (long minutes : new long[] {5, 10, 18, 18}) {
            until(table, A, BadEvent.FORBIDDEN, true, 100, now);
            assertThat(table.bans(now))
                    .singleElement()
                    .extracting(BanTable.Ban::untilMs)
                    .isEqualTo(now + minutes * MINUTE);
            now += minutes * MINUTE;
            assertThat(isBanned(table, A, false, now)).isFalse();
        }
        now += 25 * 60 * MINUTE;
        until(table, A, BadEvent.FORBIDDEN, true, 100, now);
        assertThat(table.bans(now))
                .singleElement()
                .extracting(BanTable.Ban::untilMs)
                .isEqualTo(now + 5 * MINUTE);
    }

    @Test
    void doesNotBanWhoErrsNowAndThen() {
        BanTable table = table("{}");
        for (int i = 0; i < 1000; i++) {
            assertThat(table.count(A, BadEvent.WRONG_CREDENTIALS, true, i * 10_000L))
                    .isFalse();
        }
    }

    @Test
    void aKnownScannerIsBannedAtOnce() {
        BanConfig config = config("{}");
        assertThat(config.isScanner("friendly-scanner")).isTrue();
        assertThat(config.isScanner("SIPVicious 0.3")).isTrue();
        assertThat(config.isScanner("Linphone/5.0")).isFalse();
        assertThat(config.isScanner("")).isFalse();
        assertThat(config("{scanners: [Sipsak]}").isScanner("sipsak 0.9.8")).isTrue();
        assertThat(table("{}").count(A, BadEvent.SCANNER, true, 0)).isTrue();
    }

    @Test
    void aForgedSourceCannotCutOffATrunk() {
        BanTable table = table("{allow: [198.51.100.0/24]}");
        for (IpAddress trusted : List.of(TRUNK, address("198.51.100.200"))) {
            for (BadEvent event : BadEvent.values()) {
                assertThat(until(table, trusted, event, false, 500, 0)).isEqualTo(-1);
                assertThat(until(table, trusted, event, true, 500, 0)).isEqualTo(-1);
            }
            assertThat(isBanned(table, trusted, false, 1)).isFalse();
        }
        assertThat(table.events(BadEvent.NOT_FOUND)).as("counted all the same").isEqualTo(2000);
    }

    @Test
    void aForgedSourceIsBannedForAMinuteAndNotItsConnections() {
        BanTable table = table("{}");
        for (int ban = 0; ban < 5; ban++) {
            long now = ban * MINUTE;
            assertThat(until(table, A, BadEvent.SCANNER, false, 100, now)).isEqualTo(1);
            assertThat(isBanned(table, A, false, now + 1)).isTrue();
            assertThat(isBanned(table, A, true, now + 1)).as("its connection").isFalse();
            assertThat(isBanned(table, A, false, now + MINUTE)).isFalse();
        }
        assertThat(table.bans(4 * MINUTE))
                .containsExactly(new BanTable.Ban(A, BadEvent.SCANNER, 5 * MINUTE, 0, false, 1));
    }

    @Test
    void unconfirmedPointsDoNotMakeALongBan() {
        BanTable table = table("{}");
        for (int i = 0; i < 29; i++) {
            table.count(A, BadEvent.CHALLENGED, false, 0);
        }
        assertThat(table.count(A, BadEvent.WRONG_CREDENTIALS, true, 0)).isTrue();
        assertThat(table.bans(0))
                .singleElement()
                .extracting(BanTable.Ban::untilMs)
                .isEqualTo(MINUTE);
    }

    @Test
    void whoHasAuthenticatedIsNotBannedByForgedDatagrams() {
        BanTable table = table("{}");
        assertThat(until(table, A, BadEvent.WRONG_CREDENTIALS, true, 9, 0)).isEqualTo(-1);
        table.succeeded(A, 0);
        assertThat(until(table, A, BadEvent.MALFORMED, false, 1000, 1)).isEqualTo(-1);
        assertThat(table.spared()).isEqualTo(1000);
        assertThat(until(table, A, BadEvent.WRONG_CREDENTIALS, true, 1000, 1))
                .as("himself")
                .isEqualTo(10);
        table.lift(A);
        table.succeeded(A, 0);
        assertThat(until(table, A, BadEvent.MALFORMED, false, 1000, BanTable.PROVEN_MS))
                .as("an hour later")
                .isEqualTo(15);
    }

    @Test
    void anIpv6NetworkIsBannedButForTrustedAddressesInIt() {
        BanTable table = new BanTable(config("{}"), List.of(AddressBlock.parse("2001:db8::5")), 99);
        table.count(address("2001:db8::1"), BadEvent.SCANNER, true, 0);
        assertThat(isBanned(table, address("2001:db8::ffff"), false, 1)).isTrue();
        assertThat(isBanned(table, address("2001:db8::5"), false, 1)).isFalse();
        assertThat(isBanned(table, address("2001:db8:0:1::1"), false, 1)).isFalse();
    }

    @Test
    void reloadLiftsWhatIsTrustedNow() {
        BanTable table = table("{}");
        table.count(A, BadEvent.SCANNER, true, 0);
        table.reload(config("{}"), List.of(AddressBlock.parse("203.0.113.0/24")), 1);
        assertThat(isBanned(table, A, false, 2)).isFalse();
        assertThat(table.bans(2)).isEmpty();
    }

    @Test
    void aFloodOfSourcesStaysInTheTable() {
        BanTable table = table("{table-size: 1024}");
        table.count(A, BadEvent.SCANNER, true, 0);
        for (int i = 0; i < 100_000; i++) {
            table.count(IpAddress.ofIpv4(0x0a00_0000 + i), BadEvent.MALFORMED, false, i / 100);
        }
        assertThat(table.evicted()).isGreaterThan(50_000);
        assertThat(isBanned(table, A, false, 1000))
                .as("banned for longer than others have points")
                .isTrue();
    }

    @Test
    void canBeSwitchedOff() {
        BanTable table = table("{enabled: false}");
        assertThat(until(table, A, BadEvent.SCANNER, true, 100, 0)).isEqualTo(-1);
        assertThat(table.events(BadEvent.SCANNER)).isEqualTo(100);
    }

    @Test
    void looksForBansWithoutAllocation() {
        BanTable table = table("{allow: [198.51.100.0/24]}");
        table.count(A, BadEvent.SCANNER, true, 0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int round = 0; round < 2; round++) { // the first one loads classes
            before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) {
                table.isBanned(0, 0xffff_cb00_7100L + (i & 15), false, 1);
            }
        }
        assertThat(table.dropped()).as("one of sixteen").isEqualTo(12_500);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }
}
