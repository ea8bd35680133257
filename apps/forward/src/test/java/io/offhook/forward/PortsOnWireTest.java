package io.offhook.forward;

import static io.offhook.forward.ForwardedHosts.BRIDGE;
import static io.offhook.forward.ForwardedHosts.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.config.ConfigException;
import io.offhook.dpdk.Eal;
import io.offhook.dpdk.EalOptions;
import io.offhook.forward.application.ForwardApplication;
import io.offhook.linux.network.LinkState;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports on interfaces of the kernel: their state, what they set there, and what is warned of or refused. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class PortsOnWireTest {
    private static final int IFF_ALLMULTI = 0x200;

    @AutoClose
    private final ForwardedHosts hosts = new ForwardedHosts();

    PortsOnWireTest() throws IOException {}

    /** Of port b; the kernel follows the other end's carrier with some delay. */
    private static void awaitState(ForwardApplication application, LinkState state) {
        List<LinkState> states = List.of();
        while (!states.equals(List.of(LinkState.UP, state))) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as(states + ", not " + state)
                    .isFalse();
            states = application.forwarder().statistics().ports().stream()
                    .map(ForwardStatistics.PortCounts::state)
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"afpacket, m1", "xdp, m1", "dpdk, 'net_af_packet_s1,iface=m1'"})
    void reportsWhetherThePortsCanSend(String backend, String device) throws Exception {
        if (backend.equals("dpdk")) {
            startDpdk();
        }
        String config =
                BRIDGE.replace("interface: m1", "backend: " + backend + ", ring: 64, interface: \"" + device + '"')
                        + "dpdk: {huge: false, memory: 64MiB, mbufs: 1023}\n";
        ForwardApplication application = hosts.open(config.lines()
                .filter(line -> backend.equals("dpdk") || !line.startsWith("dpdk"))
                .collect(Collectors.joining("\n")));
        try (application) {
            awaitState(application, LinkState.UP);
            hosts.network.right().ip("link", "set", "r0", "down");
            awaitState(application, LinkState.NO_CARRIER);
            hosts.network.middle().ip("link", "set", "m1", "down");
            awaitState(application, LinkState.DOWN);
            hosts.network.right().ip("link", "set", "r0", "up");
            hosts.network.middle().ip("link", "set", "m1", "up");
            awaitState(application, LinkState.UP);
            hosts.network.middle().ip("link", "del", "m1");
            awaitState(application, LinkState.GONE);
        }
    }

    /** By the test, which may start it once, and so does not end it. */
    private static void startDpdk() {
        assumeTrue(Eal.missing() == null, "needs DPDK (librte-eal, librte-net-af-packet)");
        if (Eal.running() == null) {
            Eal.start(EalOptions.virtual());
        }
    }

    /** Neighbours of an IPv6 router ask by groups; a card hands over those that it was told of. */
    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "xdp"})
    void takesFramesToGroups(String backend) throws Exception {
        String config = ROUTER.replace("interface:", "backend: " + backend + ", interface:")
                .replace("[{ports: [a]}, {ports: [b]}]", "[{ports: [a, b]}]");
        try (ForwardApplication _ = hosts.open(config)) {
            String flags = hosts.network.middle().run("cat", "/sys/class/net/m0/flags");
            assertThat(Integer.decode(flags.strip()) & IFF_ALLMULTI).isNotZero();
        }
    }

    @Test
    @EnabledIf(value = "io.offhook.forward.ForwardedHosts#hasEthtool", disabledReason = "needs ethtool")
    void warnsOfInterfacesThatMergePacketsAndOfAddressesOfTheKernel() throws Exception {
        for (String name : List.of("m0", "m1")) {
            hosts.network.middle().run("ethtool", "-K", name, "gro", "off");
        }
        try (ForwardApplication application = hosts.open(ROUTER)) {
            assertThat(application.warnings()).isEmpty();
        }
        hosts.network.middle().run("ethtool", "-K", "m1", "gro", "on");
        hosts.network.middle().address("m0", "10.0.0.9/24");
        try (ForwardApplication application = hosts.open(ROUTER)) {
            assertThat(application.warnings())
                    .containsExactly(
                            "port a: the kernel answers as well, since it has addresses there (10.0.0.9/24):"
                                    + " sudo ip address flush dev m0",
                            "port b: the kernel may merge packets into ones longer than the next MTU (rx-gro):"
                                    + " sudo ethtool -K m1 gro off");
        }
        try (ForwardApplication application = hosts.open(BRIDGE)) {
            assertThat(application.warnings()).hasSize(1);
        }
        try (ForwardApplication application = hosts.open(BRIDGE.replaceFirst(", promiscuous: true", ""))) {
            assertThat(application.warnings())
                    .hasSize(2)
                    .contains("port a: the bridge receives no frames to other machines there; set promiscuous: true");
        }
    }

    @Test
    void refusesAnMtuThatXdpHasNoRoomFor() throws Exception {
        hosts.network.middle().ip("link", "set", "m1", "mtu", "9000");
        ConfigException e =
                catchThrowableOfType(ConfigException.class, () -> hosts.open(BRIDGE.replace("m1", "m1, backend: xdp")));
        assertThat(e.faults())
                .singleElement()
                .asString()
                .contains("f.yaml:3:", "MTU of 9000", "ip link set m1 mtu 3818");
    }
}
