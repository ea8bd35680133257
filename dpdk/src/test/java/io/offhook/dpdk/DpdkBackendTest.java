package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.NetworkDevice;
import io.offhook.live.LiveInterface;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
class DpdkBackendTest {
    private static LiveInterface.Backend of(int hardwareType, LiveInterface.Backend socket) {
        NetworkDevice device = new NetworkDevice("eth7", 7, hardwareType, 1, 1500, "", List.of(), "up");
        LiveInterface with = DpdkBackend.with(new LiveInterface(device, List.of(socket)));
        assertThat(with.device()).isEqualTo(device);
        assertThat(with.backends()).hasSize(2).startsWith(socket);
        assertThat(with.backends().getLast().name()).isEqualTo("dpdk");
        return with.backends().getLast();
    }

    @Test
    void worksWhereAPacketSocketDoes() {
        LiveInterface.Backend usable = new LiveInterface.Backend("afpacket", null, null);
        assertThat(of(NetworkDevice.ETHERNET, usable).isUsable()).isTrue();
        assertThat(of(NetworkDevice.LOOPBACK, usable).isUsable()).isTrue();
        assertThat(of(NetworkDevice.NONE, usable).missing()).isEqualTo("its frames are not those of Ethernet");
        LiveInterface.Backend down =
                new LiveInterface.Backend("afpacket", "the interface is down", "sudo ip link set eth7 up");
        assertThat(of(NetworkDevice.ETHERNET, down).missing()).isEqualTo("the interface is down");
        assertThat(of(NetworkDevice.ETHERNET, down).remedy()).isEqualTo("sudo ip link set eth7 up");
    }
}
