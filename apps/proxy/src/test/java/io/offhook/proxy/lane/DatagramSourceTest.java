package io.offhook.proxy.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatagramSourceTest {
    private static boolean isOneHost(String address, int port) {
        IpAddress ip = Objects.requireNonNull(IpAddress.parse(address));
        return DatagramSource.isOneHost(ip.high(), ip.low(), port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "224.0.1.75",
                "239.255.255.255",
                "255.255.255.255",
                "240.0.0.1",
                "0.0.0.0",
                "0.1.2.3",
                "ff02::1",
                "ff0e::1",
                "::"
            })
    void aGroupIsNotAnswered(String group) {
        assertThat(isOneHost(group, 5060)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"223.255.255.255", "127.0.0.1", "10.0.0.255", "fe80::1", "::1", "2001:db8::1"})
    void aHostIsAnsweredExceptAtPortZero(String host) {
        assertThat(isOneHost(host, 5060)).isTrue();
        assertThat(isOneHost(host, 65_535)).isTrue();
        assertThat(isOneHost(host, 0)).isFalse();
    }
}
