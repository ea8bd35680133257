package io.offhook.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.cli.command.AddressPattern;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.TextPattern;
import io.offhook.cli.command.TimeBound;
import io.offhook.packet.Endpoint;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What filters are given: texts, addresses, times. */
class FilterPatternsTest {
    @ParameterizedTest
    @CsvSource({
        "ali, alice, true",
        "ALI, alice, true",
        "ali, bob, false",
        "'', bob, true",
        "ali*, alice, true",
        "ali*, malice, false",
        "*ice, malice, true",
        "*ice, iced, false",
        "a*b*c, axxbxxc, true",
        "a*b*c, axxcxxb, false",
        "*1*2*, 3132, true",
        "ab*ba, aba, false",
        "a*aa*a, aaa, false",
        "a*aa*a, aaaa, true",
        "*, anything, true",
        "+49*, +4930123456, true",
        "a.c, abc, false"
    })
    void textMatchesAPartUnlessItHasAWildcard(String pattern, String text, boolean matches) {
        assertThat(new TextPattern(pattern).matches(text)).isEqualTo(matches);
    }

    @Test
    void absentTextDoesNotMatch() {
        assertThat(new TextPattern("*").matches(null)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, 5060, true",
        "192.0.2.1, 192.0.2.11, 5060, false",
        "192.0.2.1:5060, 192.0.2.1, 5060, true",
        "192.0.2.1:5060, 192.0.2.1, 5061, false",
        "192.0.2.0/24, 192.0.2.255, 1, true",
        "192.0.2.0/24, 192.0.3.0, 1, false",
        "0.0.0.0/0, 10.1.2.3, 1, true",
        "0.0.0.0/0, 2001:db8::1, 1, false",
        "2001:db8::1, 2001:db8::1, 9, true",
        "[2001:db8::1]:9, 2001:db8::1, 9, true",
        "[2001:db8::1]:9, 2001:db8::1, 8, false",
        "[2001:db8::1], 2001:db8::1, 8, true",
        "2001:db8::/32, 2001:db8:ffff::1, 8, true",
        "2001:db8::/32, 2001:db9::1, 8, false",
        "2001:db8::/96, 2001:db8::1:1, 8, true",
        "2001:db8::/96, 2001:db8::1:0:1, 8, false"
    })
    void acceptsAddressesPortsAndNetworks(String pattern, String address, int port, boolean matches) {
        assertThat(AddressPattern.of(pattern).matches(endpoint(address, port))).isEqualTo(matches);
    }

    private static Endpoint endpoint(String address, int port) {
        ByteBuffer octets = ByteBuffer.wrap(InetAddress.ofLiteral(address).getAddress());
        return octets.remaining() == 4
                ? Endpoint.ofIpv4(octets.getInt(), port)
                : new Endpoint(octets.getLong(), octets.getLong(), port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pbx",
                "192.0.2.256",
                "192.0.2.0/33",
                "192.0.2.1:99999",
                "192.0.2.1:",
                "2001:db8::/129",
                "[2001:db8::1]:x",
                "",
                "/8",
                ":5060"
            })
    void rejectsInvalidAddresses(String text) {
        assertThatThrownBy(() -> AddressPattern.of(text))
                .isInstanceOf(MisuseException.class)
                .hasMessageContaining("is not an IP address");
    }

    @ParameterizedTest
    @CsvSource({
        "2023-11-14T22:13:20Z, 2023-11-14T22:13:20Z",
        "2023-11-14T22:13:20.5Z, 2023-11-14T22:13:20.500Z",
        "2023-11-14T22:13:20+01:00, 2023-11-14T21:13:20Z",
        "2023-11-14T22:13:20+0100, 2023-11-14T21:13:20Z",
        "2023-11-14T22:13+01, 2023-11-14T21:13:00Z",
        "2023-11-14T22:13:20-05:00, 2023-11-15T03:13:20Z",
        "2023-11-14t22:13:20.25-00:30, 2023-11-14T22:43:20.250Z",
        "2016-12-31T23:59:60Z, 2017-01-01T00:00:00Z",
        "20231114221320, 2023-11-14T13:13:20Z",
        "2023-11-14T22:13, 2023-11-14T13:13:00Z",
        "2023-11-14 22:13:20, 2023-11-14T13:13:20Z",
        "2023-11-14, 2023-11-13T15:00:00Z",
        "1700000000, 2023-11-14T22:13:20Z",
        "1700000000.123456789, 2023-11-14T22:13:20.123456789Z",
        "22:13, 2023-11-15T13:13:00Z",
        "7:05:30, 2023-11-14T22:05:30Z"
    })
    void acceptsIsoEpochAndTimeOfDay(String text, String expected) {
        // the capture begins in Tokyo's 15th of November
        long begin = 1_700_000_000_000_000_000L;
        TimeBound bound = TimeBound.of("--since", text, false, ZoneId.of("Asia/Tokyo"));
        Instant instant = Instant.parse(expected);
        assertThat(bound.ns(begin)).isEqualTo(instant.getEpochSecond() * 1_000_000_000L + instant.getNano());
    }

    @Test
    void untilWithADateIncludesTheDay() {
        long end = TimeBound.of("--until", "1970-01-01", true, ZoneOffset.UTC).ns(0);
        assertThat(end).isEqualTo(86_400_000_000_000L - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "noon",
                "25:00",
                "2023-13-01",
                "2023-11-14T",
                "99999999999999999999",
                "20231114241320",
                "2023-02-29T00:00:00Z",
                "2023-11-14T24:00:00+01:00",
                "2023-11-14T22:13:60Z",
                "",
                "1:2:3:4"
            })
    void rejectsInvalidTimes(String text) {
        assertThatThrownBy(() -> TimeBound.of("--since", text, false, ZoneOffset.UTC))
                .isInstanceOf(MisuseException.class)
                .hasMessageContaining("--since " + text + " is not a time");
    }
}
