package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.walk.GoldenFrame;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTest {
    private static final int V4 = 0xc0000201;

    @ParameterizedTest
    @CsvSource({"192.0.2.1, 4", "255.255.255.255, 4", "2001:db8::ff00:42:8329, 16", "::1, 16", "fe80::1, 16"})
    void isWhatTheClassesOfTheJdkHave(String text, int octets) throws UnknownHostException {
        Endpoint endpoint = Endpoint.of(text, 5060);
        InetAddress address = InetAddress.getByName(text);

        assertThat(address.getAddress()).hasSize(octets);
        assertThat(Endpoint.of(address, 5060)).isEqualTo(endpoint);
        assertThat(Endpoint.of(new InetSocketAddress(address, 5060))).isEqualTo(endpoint);
        assertThat(endpoint.toInetSocketAddress()).isEqualTo(new InetSocketAddress(address, 5060));
    }

    @Test
    void hasNoAddressOfANameThatIsNotResolved() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("sip.example.com", 5060);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.of(unresolved))
                .withMessageContaining("sip.example.com");
    }

    @Test
    void printsIpv4WithItsPort() {
        Endpoint endpoint = Endpoint.ofIpv4(V4, 5060);

        assertThat(endpoint.isIpv4()).isTrue();
        assertThat(endpoint).hasToString("192.0.2.1:5060");
        assertThat(endpoint.addressText()).isEqualTo("192.0.2.1");
    }

    @ParameterizedTest
    @CsvSource({
        "20010db800000000, 0000000000000001, 2001:db8::1",
        "0000000000000000, 0000000000000000, ::",
        "0000000000000000, 0000000000000001, ::1",
        "20010db800010000, 0000000000000000, 2001:db8:1::",
        "20010db800000001, 0001000100010001, 2001:db8:0:1:1:1:1:1", // one group of zeros stays (RFC 5952, 4.2.2)
        "2001000000000001, 0000000000000001, 2001:0:0:1::1", // the longer run
        "20010db800000000, 0001000000000001, 2001:db8::1:0:0:1", // the first of two
        "fe80000000000000, 02005efffe000001, fe80::200:5eff:fe00:1",
        "0001000200030004, 0005000600070008, 1:2:3:4:5:6:7:8",
        "0001000200030004, 0005000600000000, 1:2:3:4:5:6::",
        "0000000000000000, 0000fffe01020304, ::fffe:102:304"
    })
    void printsIpv6AsRfc5952Says(String high, String low, String text) {
        Endpoint endpoint = new Endpoint(Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16), 5060);

        assertThat(endpoint.isIpv4()).isFalse();
        assertThat(endpoint.addressText()).isEqualTo(text);
        assertThat(endpoint).hasToString("[" + text + "]:5060");
    }

    @Test
    void printsWhatTheJdkReadsBack() throws UnknownHostException {
        Random random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            for (int i = 0; i < 16; i += 2) { // many groups of zeros
                if (random.nextInt(3) > 0) {
                    bytes[i] = 0;
                    bytes[i + 1] = (byte) random.nextInt(2);
                }
            }
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            Endpoint endpoint = new Endpoint(buffer.getLong(), buffer.getLong(), 0);

            assertThat(InetAddress.getByName(endpoint.addressText()))
                    .as("seed 1, round %d", round)
                    .isEqualTo(InetAddress.getByAddress(bytes));
        }
    }

    @Test
    void readsBothFamiliesFromMemory() {
        GoldenFrame four = GoldenFrame.of("raw4");
        assertThat(Endpoint.readIpv4(four.segment(), 12, 1)).hasToString("192.0.2.1:1");
        GoldenFrame six = GoldenFrame.of("raw6");
        assertThat(Endpoint.readIpv6(six.segment(), 8, 2)).hasToString("[2001:db8::1]:2");
    }

    @Test
    void takesAMappedAddressForIpv4() {
        assertThat(new Endpoint(0, 0xffffL << 32 | V4 & 0xffff_ffffL, 7)).isEqualTo(Endpoint.ofIpv4(V4, 7));
    }

    @Test
    void knowsTheUnspecifiedAddressOfBothFamilies() {
        assertThat(Endpoint.ofIpv4(0, 5060).isUnspecified()).isTrue();
        assertThat(new Endpoint(0, 0, 5060).isUnspecified()).isTrue();
        assertThat(new Endpoint(0, 1, 5060).isUnspecified()).isFalse();
        assertThat(Endpoint.ofIpv4(V4, 0).isUnspecified()).isFalse();
    }

    @Test
    void refusesAPortThatDoesNotFit() {
        assertThatThrownBy(() -> Endpoint.ofIpv4(V4, 65536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
        assertThatThrownBy(() -> Endpoint.ofIpv4(V4, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Endpoint.ofIpv4(V4, 1).withPort(65535).port()).isEqualTo(65535);
    }

    @Test
    void readsAddressesAsText() {
        assertThat(Endpoint.of("192.0.2.1", 5060)).isEqualTo(Endpoint.ofIpv4(0xc0000201, 5060));
        assertThat(Endpoint.of("2001:db8::1", 1)).isEqualTo(new Endpoint(0x2001_0db8_0000_0000L, 1, 1));
        assertThat(Endpoint.of("::ffff:192.0.2.1", 1)).isEqualTo(Endpoint.ofIpv4(0xc0000201, 1));
        assertThat(Endpoint.of("fe80::ff00:8000:0:1", 0).low()).isEqualTo(0xff00_8000_0000_0001L);
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.of("localhost", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.of("192.0.2", 1));
    }

    @Test
    void readsMacAddressesAsText() {
        assertThat(MacAddress.parse("02:00:5e:10:ff:01")).isEqualTo(0x0200_5e10_ff01L);
        assertThat(MacAddress.parse(MacAddress.text(0xffee_ddcc_bbaaL))).isEqualTo(0xffee_ddcc_bbaaL);
        for (String text :
                new String[] {"", "02:00:5e:10:ff", "02:00:5e:10:ff:01:02", "02-00-5e-10-ff-01", "02:00:5e:10:ff:0g"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> MacAddress.parse(text));
        }
    }

    @Test
    void readsWhatItWrites() {
        for (String text : List.of("192.0.2.1:5060", "[2001:db8::1]:0", "0.0.0.0:65535")) {
            assertThat(Endpoint.parse(text)).hasToString(text);
        }
        for (String text : List.of(
                "",
                ":",
                "192.0.2.1",
                "192.0.2.1:",
                "192.0.2.1:65536",
                "192.0.2.1:-1",
                "192.0.2.1:+1",
                "a:1",
                "192.0.2.1:999999")) {
            assertThat(Endpoint.parse(text)).as(text).isNull();
        }
    }
}
