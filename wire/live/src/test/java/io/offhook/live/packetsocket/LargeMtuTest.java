package io.offhook.live.packetsocket;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.network.NetworkDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An MTU that sizes of rings cannot be computed from is refused before a socket is opened. */
class LargeMtuTest {
    private static final String MESSAGE = "has an MTU of 2147483647; the limit is 268435456";

    private static NetworkDevice device(int mtu) {
        NetworkDevice.Status status = new NetworkDevice.Status(1, NetworkDevice.OperationalState.UP);
        return new NetworkDevice("large", 1, NetworkDevice.ETHERNET, status, mtu, "02:00:00:00:00:01", List.of());
    }

    @Test
    void isRefusedBySendRings() {
        assertThatThrownBy(() -> SendRing.open(PacketSocketSinkOptions.of("large"), device(Integer.MAX_VALUE), 14))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(MESSAGE);
    }

    @Test
    void isRefusedByLinks() {
        assertThatThrownBy(() -> PacketSocketLink.open(device(Integer.MAX_VALUE), 64, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(MESSAGE);
    }
}
