package io.offhook.linux.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NetworkDeviceTest {
    @Test
    void knowsTheLoopback() {
        NetworkDevice loopback = Objects.requireNonNull(NetworkDevice.named("lo"));

        assertThat(loopback.index()).isEqualTo(1);
        assertThat(loopback.hardwareType()).isEqualTo(NetworkDevice.LOOPBACK);
        assertThat(loopback.linkAddress()).isEqualTo("00:00:00:00:00:00");
        assertThat(loopback.isUp()).isEqualTo(loopback.addresses().contains("127.0.0.1/8"));
        assertThat(loopback.speedMbps()).isEqualTo(-1);
        assertThat(loopback.receiveQueues()).isEqualTo(1);
    }

    @Test
    void speedThatIsUnknownIsNone() {
        assertThat(NetworkDevice.speedMbps("10000\n")).isEqualTo(10_000);
        for (String text : List.of("-1\n", "65535\n", "4294967295\n", "18446744073709551615\n", "\n", "")) {
            assertThat(NetworkDevice.speedMbps(text)).as(text).isEqualTo(-1);
        }
    }

    @Test
    void agreesWithJava() throws SocketException {
        for (NetworkDevice device : NetworkDevice.all()) {
            NetworkInterface java = NetworkInterface.getByName(device.name());
            if (java != null) {
                assertThat(device.index()).isEqualTo(java.getIndex());
                assertThat(device.isUp()).isEqualTo(java.isUp());
                assertThat(device.mtu()).isEqualTo(java.getMTU());
                assertThat(device.addresses())
                        .hasSize(java.getInterfaceAddresses().size());
            }
        }
    }

    @Test
    void findsNoneOfAnUnknownName() {
        assertThat(NetworkDevice.named("no-such-device")).isNull();
        assertThat(NetworkDevice.named("")).isNull();
    }
}
