package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.live.LiveInterface.Backend;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "io.offhook.live.TestNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class LiveInterfaceTest {
    private TestNetwork network;

    @BeforeEach
    void makeNetwork() throws IOException {
        network = new TestNetwork();
    }

    @AfterEach
    void removeNetwork() throws IOException {
        network.close();
    }

    private Backend backend(String interfaceName, String name) throws Exception {
        return network.onRight(LiveInterface::all).stream()
                .filter(one -> one.device().name().equals(interfaceName))
                .flatMap(one -> one.backends().stream())
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void allWorksOnAnEthernetInterface() throws Exception {
        assertThat(backend(TestNetwork.RIGHT, "afpacket").isUsable()).isTrue();
        assertThat(backend(TestNetwork.RIGHT, "xdp").isUsable()).isTrue();
        Backend pcap = backend(TestNetwork.RIGHT, "pcap");
        boolean isInstalled = LibpcapSource.version() != null;
        assertThat(pcap.missing()).isEqualTo(isInstalled ? null : "libpcap is not installed");
        assertThat(pcap.remedy()).isEqualTo(isInstalled ? null : "sudo apt-get install libpcap0.8");
    }

    @Test
    void saysHowToSetAnInterfaceUp() throws Exception {
        network.right("link", "set", TestNetwork.RIGHT, "down");
        for (String name : new String[] {"afpacket", "xdp"}) {
            Backend backend = backend(TestNetwork.RIGHT, name);
            assertThat(backend.missing()).isEqualTo("the interface is down");
            assertThat(backend.remedy()).isEqualTo("sudo ip link set right up");
        }
    }

    @Test
    void saysThatAnXdpProgramIsThere() throws Exception {
        try (XdpSource source = network.onRight(() -> XdpSource.open(XdpOptions.of(TestNetwork.RIGHT), ""))) {
            assertThat(source.faults()).isEmpty();
            assertThat(backend(TestNetwork.RIGHT, "xdp").missing()).isEqualTo("it has an XDP program already");
            assertThat(backend(TestNetwork.RIGHT, "afpacket").isUsable()).isTrue();
        }
        // before long: the kernel lets go of a link by a worker of its own
        while (!backend(TestNetwork.RIGHT, "xdp").isUsable()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void saysWhereFramesAreNotThoseOfEthernet() throws Exception {
        network.right("tuntap", "add", "pipe", "mode", "tun");
        assertThat(backend("pipe", "xdp").missing()).isEqualTo("its frames are not those of Ethernet");
    }
}
