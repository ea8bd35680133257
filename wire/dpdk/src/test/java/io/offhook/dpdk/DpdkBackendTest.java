package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.network.NetworkDevice.OperationalState;
import io.offhook.live.Availability;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureRemedy;
import java.util.List;
import org.junit.jupiter.api.Test;

class DpdkBackendTest {
    private static Availability on(int hardwareType, Availability packetSocket) {
        NetworkDevice device = new NetworkDevice(
                "eth7", 7, hardwareType, new NetworkDevice.Status(1, OperationalState.UP), 1500, "", List.of());
        return DpdkBackend.on(_ -> packetSocket).apply(device);
    }

    @Test
    void worksWhereAPacketSocketDoes() {
        assertThat(on(NetworkDevice.ETHERNET, Availability.USABLE).isUsable()).isTrue();
        assertThat(on(NetworkDevice.LOOPBACK, Availability.USABLE).isUsable()).isTrue();
        assertThat(on(NetworkDevice.NONE, Availability.USABLE).missing())
                .isEqualTo("its frames are not those of Ethernet");
        Availability down =
                Availability.without("the interface is down", new CaptureRemedy.Command("sudo ip link set eth7 up"));
        assertThat(on(NetworkDevice.ETHERNET, down)).isEqualTo(down);
    }

    @Test
    void isFoundBehindThoseOfTheKernel() {
        assertThat(CaptureBackend.all())
                .extracting(CaptureBackend::name)
                .containsExactly("afpacket", "xdp", "pcap", "dpdk");
    }
}
