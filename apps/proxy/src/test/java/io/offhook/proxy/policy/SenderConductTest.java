package io.offhook.proxy.policy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.limit.BadEvent;
import io.offhook.proxy.limit.BanConfig;
import io.offhook.proxy.limit.BanTable;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.digest.DigestVerdict.Finding;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SenderConductTest {
    private static final long NOW = 1_000_000;

    private final BanTable bans =
            new BanTable(ConfigReader.of(BanConfig.schema()).read("{}", "ban.yaml"), List.of(), 7);
    private final SenderConduct conduct = new SenderConduct(bans, InstantSource.fixed(Instant.ofEpochMilli(NOW)));

    private static SipHop from(String address, SipTransport transport) {
        IpAddress ip = Objects.requireNonNull(IpAddress.parse(address));
        return new SipHop().set(transport, 0, ip.high(), ip.low(), 5060);
    }

    private static SipMessageView request(String userAgent) {
        byte[] octets = ("OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP c;branch=z9hG4bK1\r\nFrom: <sip:c>;tag=1\r\n"
                        + "To: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\n" + userAgent
                        + "Content-Length: 0\r\n\r\n")
                .getBytes(US_ASCII);
        SipMessageView view = new SipMessageView();
        view.wrap(octets, 0, octets.length);
        return view;
    }

    /** How many times a source may do this until it is banned. */
    private int untilBanned(SipHop source, Runnable event) {
        int times = 0;
        while (!isBanned(source) && times < 1000) {
            event.run();
            times++;
        }
        return times;
    }

    private boolean isBanned(SipHop source) {
        return bans.isBanned(source.high(), source.low(), source.transport().isReliable(), NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "WRONG_RESPONSE, 10, WRONG_CREDENTIALS",
        "UNKNOWN_USER, 10, WRONG_CREDENTIALS",
        "ABSENT, 30, CHALLENGED",
        "REPLAYED, 30, CHALLENGED",
        "MALFORMED, 15, MALFORMED",
        "STALE, 1000, CHALLENGED"
    })
    void guessesBanSoonerThanMissingCredentials(Finding finding, int times, BadEvent counted) {
        for (SipTransport transport : new SipTransport[] {SipTransport.UDP, SipTransport.TCP}) {
            SipHop source = from(transport == SipTransport.UDP ? "192.0.2.1" : "192.0.2.2", transport);
            DigestVerdict verdict = new DigestVerdict(finding, "alice");
            assertThat(untilBanned(source, () -> conduct.credentials(source, verdict)))
                    .as("%s over %s", finding, transport)
                    .isEqualTo(times);
        }
        assertThat(bans.events(counted)).isEqualTo(finding == Finding.STALE ? 0 : 2L * times);
    }

    @Test
    void aRightPasswordForgetsWhatWasBefore() {
        SipHop phone = from("192.0.2.1", SipTransport.UDP);
        for (int i = 0; i < 200; i++) {
            // each request of a phone is challenged first
            conduct.credentials(phone, new DigestVerdict(Finding.ABSENT, ""));
            conduct.credentials(phone, new DigestVerdict(Finding.AUTHENTIC, "alice"));
        }
        assertThat(isBanned(phone)).isFalse();
        conduct.credentials(phone, new DigestVerdict(Finding.ABSENT, ""));
        assertThat(bans.spared()).as("of a source that is known").isEqualTo(200);
    }

    @Test
    void aScannerIsBannedAtOnceAndTheBanSaysWhy() {
        SipHop scanner = from("192.0.2.1", SipTransport.TCP);
        assertThat(conduct.isScanner(scanner, request("User-Agent: Linphone/5\r\n")))
                .isFalse();
        assertThat(conduct.isScanner(scanner, request(""))).isFalse();
        assertThat(isBanned(scanner)).isFalse();
        assertThat(conduct.isScanner(scanner, request("User-Agent: Friendly-Scanner 1\r\n")))
                .isTrue();
        assertThat(isBanned(scanner)).isTrue();
        assertThat(isBanned(scanner)).isTrue();
        assertThat(bans.bans(NOW)).singleElement().satisfies(ban -> {
            assertThat(ban.event()).isEqualTo(BadEvent.SCANNER);
            assertThat(ban.isConfirmed()).isTrue();
            assertThat(ban.dropped()).isEqualTo(2);
        });
    }

    @Test
    void answersThatSendAwayCount() {
        SipHop source = from("2001:db8::1", SipTransport.UDP);
        conduct.countAnswer(source, 200);
        conduct.countAnswer(source, 480);
        assertThat(untilBanned(source, () -> conduct.countAnswer(source, 403))).isEqualTo(15);
        assertThat(bans.events(BadEvent.NOT_FOUND)).isZero();
        conduct.countAnswer(source, 404);
        assertThat(bans.events(BadEvent.NOT_FOUND)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "127.8.9.10", "::1"})
    void theHostItselfIsNeverBanned(String address) {
        SipHop local = from(address, SipTransport.UDP);
        assertThat(untilBanned(local, () -> conduct.count(local, BadEvent.SCANNER)))
                .isEqualTo(1000);
        assertThat(bans.ban(local.address(), NOW + 1000, NOW)).isFalse();
    }
}
