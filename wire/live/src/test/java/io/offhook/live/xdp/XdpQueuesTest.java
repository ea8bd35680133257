package io.offhook.live.xdp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.filter.FilterCompiler;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.packet.LinkType;
import java.util.List;
import org.junit.jupiter.api.Test;

class XdpQueuesTest {
    @Test
    void refusesAnMtuThatFramesCannotBeComputedFrom() {
        NetworkDevice.Status status = new NetworkDevice.Status(1, NetworkDevice.OperationalState.UP);
        NetworkDevice device = new NetworkDevice(
                "large", 1, NetworkDevice.ETHERNET, status, Integer.MAX_VALUE, "02:00:00:00:00:01", List.of());
        assertThatThrownBy(() -> XdpQueues.open(
                        XdpOptions.of("large"), device, FilterCompiler.compile("", LinkType.ETHERNET, 65_535)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has an MTU of 2147483647; the limit is 268435456");
    }
}
