package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.dpdk.PciCard;
import io.offhook.linux.LinuxException;
import io.offhook.live.Availability.Need;
import io.offhook.live.libpcap.LibpcapSource;
import io.offhook.testkit.truth.Csv;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class InterfacesCommandTest {
    @Test
    void listsTheLoopback() {
        Offhook.Result result = Offhook.run("interfaces");
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        assertThat(result.out()).startsWith("Interface").contains("\nlo ");
    }

    @Test
    void printsJson() {
        String out = Offhook.run("interfaces", "--format", "json").out();
        assertThat(out)
                .startsWith("{\"interfaces\":[\n{\"name\":\"lo\",\"index\":1,\"state\":")
                .contains("\"speedMbps\":null,\"linkAddress\":\"00:00:00:00:00:00\",\"addresses\":[")
                .contains("\"backends\":[{\"name\":\"afpacket\",\"usable\":");
    }

    @Test
    void printsCsv() {
        List<String> lines =
                Offhook.run("interfaces", "--format=csv").out().lines().toList();
        assertThat(lines.getFirst()).isEqualTo(String.join(",", InterfacesCommand.COLUMNS));
        assertThat(lines.get(1)).startsWith("lo,1,");
    }

    @Test
    void reportsARefusalByTheKernel() {
        InterfacesCommand command = new InterfacesCommand(
                () -> {
                    throw new LinuxException("netlink socket", LinuxException.EPERM);
                },
                List::of);
        assertThatThrownBy(() -> run(command))
                .isInstanceOf(MisuseException.class)
                .hasMessageStartingWith("the kernel does not list the interfaces: netlink socket: EPERM");
    }

    private static String run(InterfacesCommand command, String... arguments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(out, OutputStream.nullOutputStream());
        CommandSpec spec = new CommandSpec("offhook interfaces", "");
        command.describe(spec);
        assertThat(command.run(ParseResult.of(spec, arguments), terminal)).isEqualTo(ExitCode.DONE);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static InterfacesCommand.Device device(PciCard card) {
        return new InterfacesCommand.Device("dpdk", card.device());
    }

    /** Two ports of a card, one of them bound for DPDK. */
    private static InterfacesCommand withCards() {
        Need pages = Need.of("no huge pages are free", "sudo sysctl -w vm.nr_hugepages=512");
        Need bind = Need.of("it is bound to i40e", "sudo dpdk-devbind.py -b vfio-pci 0000:03:00.0");
        return new InterfacesCommand(
                List::of,
                () -> List.of(
                        device(new PciCard(
                                "0000:03:00.0", "8086:1572", "i40e", List.of("ens1f0"), List.of(pages, bind))),
                        device(new PciCard("0000:03:00.1", "8086:1572", "", List.of(), List.of(pages)))));
    }

    @Test
    void listsPciCardsWithRequirementsOfDpdk() throws IOException {
        String out = run(withCards());
        assertThat(out)
                .containsPattern("\n0000:03:00\\.0 +8086:1572, driver i40e, ens1f0 +dpdk: no huge pages are free; it is"
                        + " bound to i40e\n")
                .containsPattern("\n0000:03:00\\.1 +8086:1572, no driver +dpdk: no huge pages are free\n")
                .endsWith("""
                    Only to give a card to DPDK, where the kernel then loses ens1f0:
                      sudo sysctl -w vm.nr_hugepages=512
                      sudo dpdk-devbind.py -b vfio-pci 0000:03:00.0
                    """);
    }

    @Test
    void cardSharedWithTheKernelKeepsItsInterface() throws IOException {
        Need pages = Need.of("no huge pages are free", "sudo sysctl -w vm.nr_hugepages=512");
        PciCard shared = new PciCard("0000:04:00.0", "15b3:1017", "mlx5_core", List.of("ens2"), List.of(pages));
        assertThat(run(new InterfacesCommand(List::of, () -> List.of(device(shared)))))
                .contains("\nOnly to give a card to DPDK:\n  sudo sysctl -w vm.nr_hugepages=512\n");
    }

    @Test
    void listsPciCardsInJsonAndCsv() throws IOException {
        List<Map<String, Object>> devices =
                Json.objects(Json.object(run(withCards(), "--format", "json")).get("devices"));
        Map<String, Object> card = devices.get(devices.size() - 2);
        assertThat(card)
                .containsEntry("name", "0000:03:00.0")
                .containsEntry("description", "8086:1572")
                .containsEntry("driver", "i40e")
                .containsEntry("interfaces", List.of("ens1f0"));
        assertThat(Json.objects(card.get("backends")))
                .containsExactly(Map.of(
                        "name",
                        "dpdk",
                        "usable",
                        false,
                        "missing",
                        "no huge pages are free; it is bound to i40e",
                        "remedy",
                        "sudo sysctl -w vm.nr_hugepages=512 && sudo dpdk-devbind.py -b vfio-pci 0000:03:00.0"));
        assertThat(devices.getLast()).containsEntry("driver", null).containsEntry("interfaces", List.of());
        assertThat(Csv.parse(run(withCards(), "--format", "csv")))
                .contains(List.of(
                        "0000:03:00.0",
                        "",
                        "",
                        "",
                        "",
                        "",
                        "",
                        "",
                        "dpdk: no huge pages are free; it is bound to i40e"));
    }

    @Test
    void listsDevicesThatOnlyLibpcapKnows() throws IOException {
        assumeTrue(LibpcapSource.version() != null, "libpcap0.8 is not installed");
        assertThat(run(new InterfacesCommand(List::of, InterfacesCommand::ownDevices)))
                .containsPattern("\nany +\\S.* pcap(\n|: capability CAP_NET_RAW)");
        assertThat(Json.objects(Json.object(
                                run(new InterfacesCommand(List::of, InterfacesCommand::ownDevices), "--format", "json"))
                        .get("devices")))
                .anySatisfy(device -> assertThat(device)
                        .containsEntry("name", "any")
                        .containsEntry("driver", null)
                        .containsKeys("description", "backends"));
        assertThat(run(new InterfacesCommand(List::of, InterfacesCommand::ownDevices), "--format", "csv"))
                .contains("\nany,,,,,,,,pcap");
    }

    /** As another user than root, who runs these tests. */
    @Test
    @EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
    void advisesCommandsWithoutPermission() throws Exception {
        try (CaptureNetwork network = new CaptureNetwork()) {
            CaptureNetwork.Running interfaces = network.offhook(
                    List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"),
                    true,
                    "interfaces");
            assertThat(interfaces.code()).as(interfaces.err()).isZero();
            assertThat(interfaces.out())
                    .containsPattern("\nright +.* afpacket: capability CAP_NET_RAW is missing, xdp: capabilities"
                            + " CAP_NET_RAW, CAP_NET_ADMIN, CAP_BPF and CAP_PERFMON are needed")
                    .containsPattern("(?s)\nWhat would help:\n.*  sudo setpriv .*--ambient-caps=\\+net_raw offhook")
                    .containsPattern("--ambient-caps=\\+net_raw,\\+net_admin,\\+bpf,\\+perfmon,\\+ipc_lock offhook");
            if (LibpcapSource.version() != null) {
                assertThat(interfaces.out())
                        .contains("pcap: capability CAP_NET_RAW is missing")
                        .containsPattern("\nany .* pcap: capability CAP_NET_RAW is missing\n")
                        .containsPattern("\nnflog .* pcap: capability CAP_NET_ADMIN is missing\n");
            }
            assertThat(interfaces.out()).containsPattern("\nright .* dpdk: \\S");
        }
    }

    @Test
    void takesNoArguments() {
        assertThat(Offhook.run("interfaces", "eth0").code()).isEqualTo(ExitCode.MISUSE);
    }
}
