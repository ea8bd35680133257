package io.offhook.forward.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.xdp.XdpMemory;
import io.offhook.live.xdp.XdpMode;
import io.offhook.live.xdp.XdpSocket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** A port whose sockets are bound to no interface. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root")
@Timeout(60)
class XdpPortTest {
    private static final int RING = 64;
    private static final int ROUNDS = 200;

    private static XdpPort port(XdpMemory memory) {
        NetworkDevice.Status status = new NetworkDevice.Status(1, NetworkDevice.OperationalState.UP);
        NetworkDevice device =
                new NetworkDevice("none", 1, NetworkDevice.ETHERNET, status, 1500, "02:00:00:00:00:01", List.of());
        XdpPort port = new XdpPort("a", device, XdpMode.GENERIC, RING, false, List.of(memory));
        XdpSocket socket = XdpSocket.openUnbound(memory, new XdpSocket.Options(0, RING, RING, RING, true, false));
        port.receiving.add(new XdpPort.Queue(socket, memory));
        return port;
    }

    @Test
    void countersCanBeReadAfterItsEnd() {
        try (XdpMemory memory = new XdpMemory(4 * RING, 2048)) {
            XdpPort port = port(memory);
            assertThat(port.receiveDrops()).isZero();
            port.close();
            port.close();
            assertThat(port.receiveDrops()).isZero();
        }
    }

    /** Without mutual exclusion, a reader sooner or later asks a socket that is being closed. */
    @Test
    void countersCanBeReadWhileItCloses() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            try (XdpMemory memory = new XdpMemory(4 * RING, 2048)) {
                XdpPort port = port(memory);
                CountDownLatch isReading = new CountDownLatch(1);
                FutureTask<Long> reading = new FutureTask<>(() -> {
                    long sum = 0;
                    for (int read = 0; read < 100; read++) {
                        sum += port.receiveDrops();
                        isReading.countDown();
                    }
                    return sum;
                });
                Thread.ofPlatform().start(reading);
                isReading.await();
                port.close();
                assertThat(reading.get()).isZero();
            }
        }
    }
}
