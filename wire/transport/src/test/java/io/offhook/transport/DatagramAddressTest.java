package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.IpAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class DatagramAddressTest {
    @Test
    void isEqualByContent() throws Exception {
        DatagramAddress reused = new DatagramAddress();
        reused.set(0, 0xffffL << 32 | 0xc0000201L, 5060, 0);
        DatagramAddress same = DatagramAddress.of(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 5060));
        assertThat(reused).isEqualTo(same).hasSameHashCodeAs(same).hasToString("192.0.2.1:5060");
        assertThat(DatagramAddress.of(IpAddress.ofIpv4(0xc0000201), 5061)).isNotEqualTo(same);
        reused.set(same.high(), same.low() + 1, 5060, 0);
        assertThat(reused).isNotEqualTo(same);
        assertThat(same.isIpv4()).isTrue();
    }

    @Test
    void keepsTheInterfaceOfLinkLocalAddressesOnly() throws Exception {
        InetSocketAddress scoped = new InetSocketAddress(
                Inet6Address.getByAddress(null, InetAddress.ofLiteral("fe80::1").getAddress(), 3), 7);
        DatagramAddress address = DatagramAddress.of(scoped);
        assertThat(address.scope()).isEqualTo(3);
        assertThat(address).hasToString("[fe80::1%3]:7");
        assertThat(((Inet6Address) address.toInetSocketAddress().getAddress()).getScopeId())
                .isEqualTo(3);
        address.set(0x20010db8L << 32, 1, 7, 3);
        assertThat(address.scope()).isZero();
        assertThat(address.toInetSocketAddress())
                .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 7));
        assertThat(address.isIpv4()).isFalse();
    }

    @Test
    void refusesImpossiblePorts() {
        assertThatThrownBy(() -> new DatagramAddress().set(0, 0, 65_536, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("port 65536 is outside 0 to 65535");
        assertThatThrownBy(() -> DatagramAddress.of(InetSocketAddress.createUnresolved("host.invalid", 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
