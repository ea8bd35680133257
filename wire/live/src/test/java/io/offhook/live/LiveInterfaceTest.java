package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.live.libpcap.LibpcapSource;
import io.offhook.live.xdp.XdpOptions;
import io.offhook.live.xdp.XdpSource;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class LiveInterfaceTest {
    @AutoClose
    private final Network network = Network.pair();

    LiveInterfaceTest() throws IOException {}

    private Availability on(String interfaceName, String name) throws Exception {
        return network.right().on(LiveInterface::all).stream()
                .filter(one -> one.device().name().equals(interfaceName))
                .flatMap(one -> one.backends().stream())
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()
                .availability();
    }

    private static List<CaptureRemedy> remedies(Availability availability) {
        return availability.needs().stream().map(Availability.Need::remedy).toList();
    }

    @Test
    void allWorksOnAnEthernetInterface() throws Exception {
        assertThat(on(Network.RIGHT, "afpacket").isUsable()).isTrue();
        assertThat(on(Network.RIGHT, "xdp").isUsable()).isTrue();
        Availability pcap = on(Network.RIGHT, "pcap");
        boolean isInstalled = LibpcapSource.version() != null;
        assertThat(pcap.missing()).isEqualTo(isInstalled ? null : "libpcap is not installed");
        assertThat(remedies(pcap))
                .isEqualTo(
                        isInstalled
                                ? List.of()
                                : List.of(new CaptureRemedy.Command("sudo apt-get install libpcap0.8")));
    }

    @Test
    void saysHowToSetAnInterfaceUp() throws Exception {
        network.right().ip("link", "set", Network.RIGHT, "down");
        for (String name : new String[] {"afpacket", "xdp"}) {
            Availability availability = on(Network.RIGHT, name);
            assertThat(availability.missing()).isEqualTo("the interface is down");
            assertThat(remedies(availability)).containsExactly(new CaptureRemedy.Command("sudo ip link set right up"));
        }
    }

    @Test
    void saysThatAnXdpProgramIsThere() throws Exception {
        try (XdpSource source = network.right().on(() -> XdpSource.open(XdpOptions.of(Network.RIGHT), ""))) {
            assertThat(source.faults()).isEmpty();
            assertThat(on(Network.RIGHT, "xdp").missing()).isEqualTo("it has an XDP program already");
            assertThat(on(Network.RIGHT, "afpacket").isUsable()).isTrue();
        }
        // before long: the kernel lets go of a link by a worker of its own
        while (!on(Network.RIGHT, "xdp").isUsable()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void saysWhereFramesAreNotThoseOfEthernet() throws Exception {
        network.right().ip("tuntap", "add", "pipe", "mode", "tun");
        assertThat(on("pipe", "xdp").missing()).isEqualTo("its frames are not those of Ethernet");
    }
}
