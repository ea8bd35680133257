package io.offhook.forward.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.config.ConfigTable;
import io.offhook.forward.Burst;
import io.offhook.forward.port.DpdkPortBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Configurations that are read, the faults reported in others, and the document that describes them. */
@Timeout(60)
class ForwardConfigTest {
    private static final Path DOCUMENT = Path.of("../../docs/FORWARD.md");
    private static final String BEGIN = "<!-- made from the description by ForwardConfigTest -->\n";
    private static final String END = "<!-- end -->";

    private static ForwardConfig read(String text) {
        return ForwardConfig.reader().read(text, "f.yaml");
    }

    private static List<String> faults(String text) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> read(text));
        assertThat(e).isNotNull();
        return e.faults().stream().map(ConfigFault::toString).toList();
    }

    /** With {@code -Doffhook.write=true}, it is written. */
    @Test
    void theDocumentHasTheTableOfKeys() throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        int to = document.indexOf(END);
        String expected = "\n" + ConfigTable.markdown(ForwardConfig.schema()) + "\n";
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(DOCUMENT, document.substring(0, from) + expected + document.substring(to));
            return;
        }
        assertThat(document.substring(from, to)).isEqualTo(expected);
    }

    @Test
    void samplesOfTheDocumentAreRight() throws IOException {
        Matcher sample = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(DOCUMENT));
        int samples = 0;
        while (sample.find()) {
            samples++;
            assertThat(read(sample.group(1)).stages()).isNotEmpty();
        }
        assertThat(samples).isEqualTo(5);
    }

    @Test
    void reportsAllThatMakesNoSense() {
        assertThat(faults("""
                ports:
                  - {name: lan, interface: eth1, addresses: [10.0.0.1/24]}
                  - {name: lan, interface: eth1, addresses: [10.0.0.2/24]}
                  - {name: dmz, interface: eth3}
                lanes:
                  - {core: 1, ports: [lan, wan]}
                  - {core: 1, ports: []}
                stages:
                  - nat-source: {outside: [lan]}
                  - vlan-push: {id: 4095}
                  - vlan-push: {id: 5}
                  - vlan-pop: {to: [lan]}
                  - route:
                      routes:
                        - {to: 10.1.0.1/16, via: 10.0.0.7}
                        - {to: 10.2.0.0/16, via: 172.16.0.1}
                        - {to: 10.2.0.0/16}
                        - {to: "::/0", via: 10.0.0.7}
                        - {to: 10.3.0.0/16, via: 10.0.0.1}
                  - bridge
                  - decode
                  - nat-destination: {outside: [lan]}
                nat:
                  - {outside: 1.2.3.4, inside: 10.0.0.9}
                  - {outside: 1.2.3.4, inside: 10.0.0.8, protocol: tcp, outside-port: 80}
                  - {outside: 1.2.3.5, inside: 10.0.0.7, protocol: tcp}
                """))
                .containsExactly(
                        "f.yaml:3:5: ports[1]: port name lan is used twice; line 2 has it",
                        "f.yaml:3:28: ports[1].interface: interface eth1 is used twice; line 2 has it",
                        "f.yaml:3:46: ports[1].addresses[0]: network 10.0.0.0/24 is used twice; line 2 has it",
                        "f.yaml:7:5: lanes[1]: core 1 is used twice; line 6 has it",
                        "f.yaml:7:5: lanes[1]: the lane reads from no port",
                        "f.yaml:9:17: stages[0].nat-source: nat-source stands before bridge and route, where packets"
                                + " have no output yet",
                        "f.yaml:10:21: stages[1].vlan-push.id: 4095 is outside 1 to 4094",
                        "f.yaml:11:16: stages[2].vlan-push: does nothing: set from or to",
                        "f.yaml:12:15: stages[3].vlan-pop: stands before bridge and route, where packets have no output"
                                + " yet",
                        "f.yaml:15:11: stages[4].route.routes[0]: 10.1.0.1/16 has host bits; the network is"
                                + " 10.1.0.0/16",
                        "f.yaml:17:11: stages[4].route.routes[2]: prefix 10.2.0.0/16 is used twice; line 16 has it",
                        "f.yaml:17:11: stages[4].route.routes[2]: needs exactly one of via, port and reject; it has 0",
                        "f.yaml:18:11: stages[4].route.routes[3]: 10.0.0.7 is not of the same IP version as ::/0",
                        "f.yaml:19:11: stages[4].route.routes[4]: 10.0.0.1 is an address of the router itself",
                        "f.yaml:20:5: stages[5].bridge: packets of port lan get their output from route already:"
                                + " nothing is left for bridge",
                        "f.yaml:20:5: stages[5].bridge: packets of port dmz get their output from route already:"
                                + " nothing is left for bridge",
                        "f.yaml:21:5: stages[6].decode: decode comes after other stages, but decodes for those after"
                                + " it: put it first",
                        "f.yaml:22:22: stages[7].nat-destination: nat-destination stands after the stage that reads"
                                + " destinations: put it before that",
                        "f.yaml:25:5: nat[1]: overlaps an earlier translation",
                        "f.yaml:26:5: nat[2].outside-port: is missing; tcp needs it");
    }

    @Test
    void reportsPortsThatAreMissing() {
        assertThat(faults("""
                ports: [{name: lan, interface: eth1}]
                lanes: [{ports: [lan, wan]}]
                stages:
                  - bridge: {ports: [lan, dmz], addresses: [{mac: "02:00:00:00:00:01", port: x}]}
                  - rate-limit: {ports: [y], rate: 1pps}
                """))
                .containsExactly(
                        "f.yaml:2:23: lanes[0].ports[1]: there is no port wan; there are lan",
                        "f.yaml:4:27: stages[0].bridge.ports[1]: there is no port dmz; there are lan",
                        "f.yaml:4:78: stages[0].bridge.addresses[0].port: there is no port x; there are lan",
                        "f.yaml:5:26: stages[1].rate-limit.ports[0]: there is no port y; there are lan");
    }

    @Test
    void tellsOfLanesThatDoNotReadFromXdp() {
        assertThat(faults("""
                ports: [{name: a, interface: eth1, backend: xdp}, {name: b, interface: eth2}]
                lanes: [{ports: [a, b]}, {ports: [b]}]
                stages: [bridge]
                """))
                .containsExactly(
                        "f.yaml:1:9: ports[0]: is driven by xdp, where each lane has a queue: all lanes must read"
                                + " from it");
    }

    @Test
    void reportsWhatWouldHaveNoEffect() {
        assertThat(faults("""
                ports: [{name: lan, interface: eth1}]
                lanes: [{ports: [lan]}]
                dpdk: {memory: 2GiB}
                stages:
                  - rate-limit: {rate: 10pps, ipv4-prefix: 24, table-size: 4096}
                  - rate-limit: {rate: 10pps, by: source, ipv4-prefix: 24, table-size: 4096}
                  - bridge
                """))
                .containsExactly(
                        "f.yaml:3:7: dpdk: no port has backend dpdk",
                        "f.yaml:5:44: stages[0].rate-limit.ipv4-prefix: applies to sources only: it needs by: source",
                        "f.yaml:5:60: stages[0].rate-limit.table-size: applies to sources only: it needs by: source");
        assertThat(faults("""
                ports: [{name: lan, interface: eth1, backend: dkdp}]
                lanes: [{ports: [lan]}]
                dpdk: {memory: 2GiB}
                stages: [bridge]
                """)).hasSize(1);
    }

    @Test
    void reportsWhereAFilterIsWrong() {
        assertThat(faults("""
                ports: [{name: lan, interface: eth1}]
                lanes: [{ports: [lan]}]
                stages: [filter: {rules: [{action: deny, match: tcp prt 80}]}, bridge]
                """))
                .singleElement()
                .asString()
                .startsWith("f.yaml:3:49: stages[0].filter.rules[0].match: \"tcp prt 80\": ");
    }

    @Test
    void reportsThatNothingIsThere() {
        assertThat(faults("{}"))
                .containsExactly(
                        "f.yaml:1:1: ports: is missing; it is: list of: section",
                        "f.yaml:1:1: lanes: is missing; it is: list of: section",
                        "f.yaml:1:1: stages: is missing; it is: list of: one of decode, filter, bridge, route, rate-limit,"
                                + " mirror, vlan-push, vlan-pop, nat-destination, nat-source");
        assertThat(faults("{ports: [], lanes: [], stages: []}"))
                .anyMatch(fault -> fault.contains("there are no ports"))
                .anyMatch(fault -> fault.contains("no stage chooses outputs"));
    }

    @Test
    void looksAtTheMachine() {
        ConfigException e = catchThrowableOfType(
                ConfigException.class,
                () -> ForwardConfig.readerForThisMachine().read("""
                ports: [{name: a, interface: none-such-0}, {name: b, interface: lo}]
                lanes: [{core: 8191, ports: [a, b]}]
                stages: [bridge]
                """, "f.yaml"));
        assertThat(e.faults())
                .extracting(ConfigFault::text)
                .anyMatch(text -> text.equals("this machine has no interface none-such-0"))
                .anyMatch(text -> text.equals("interface lo is not Ethernet"))
                .anyMatch(text -> text.startsWith("core 8191 is not available to this process"));
    }

    @Test
    void reportsRoutesAndNeighboursThatCannotWork() {
        assertThat(faults("""
                ports:
                  - {name: a, interface: e1, addresses: [10.0.0.1/8]}
                  - {name: b, interface: e2, addresses: [10.1.0.1/16, "2001:db8::1/64"]}
                  - {name: c, interface: e3}
                lanes: [{ports: [a, b, c]}]
                stages:
                  - route:
                      ports: [a, b]
                      routes:
                        - {to: 172.16.0.0/16, port: c}
                        - {to: "2001:db8:1::/48", port: a}
                        - {to: 172.17.0.0/16, port: a}
                      neighbors:
                        - {port: a, address: 192.0.2.1, mac: "02:00:00:00:00:fd"}
                        - {port: c, address: 10.1.0.7, mac: "02:00:00:00:00:fd"}
                        - {port: a, address: "2001:db8::9", mac: "02:00:00:00:00:fd"}
                        - {port: a, address: 10.1.0.8, mac: "02:00:00:00:00:fd"}
                """))
                .containsExactly(
                        "f.yaml:10:37: stages[0].route.routes[0].port: port c is not one of the router's",
                        "f.yaml:11:41: stages[0].route.routes[1].port: port a has no address of the same IP version"
                                + " as 2001:db8:1::/48, from which to ask for neighbours",
                        "f.yaml:14:11: stages[0].route.neighbors[0]: 192.0.2.1 is not in a network of the router at"
                                + " port a",
                        "f.yaml:15:11: stages[0].route.neighbors[1]: 10.1.0.7 is not in a network of the router at"
                                + " port c",
                        "f.yaml:16:11: stages[0].route.neighbors[2]: 2001:db8::9 is not in a network of the router at"
                                + " port a");
    }

    @Test
    void reportsAddressesThatNoRouterCanHaveOrNobodyAnswersFor() {
        assertThat(faults("""
                ports:
                  - {name: a, interface: e1, addresses: [10.0.0.0/24, 10.0.1.255/24, 224.0.0.1/24, 127.0.0.1/8]}
                  - {name: b, interface: e2, addresses: ["ff02::1/64", "::1/128", 10.0.2.0/31]}
                  - {name: c, interface: e3, addresses: [10.0.3.1/24]}
                lanes: [{ports: [a, b, c]}]
                stages: [{route: {ports: [a, b]}}, {bridge: {ports: [c]}}]
                """))
                .containsExactly(
                        "f.yaml:2:42: ports[0].addresses[0]: 10.0.0.0/24 cannot be the address of a host",
                        "f.yaml:2:55: ports[0].addresses[1]: 10.0.1.255/24 cannot be the address of a host",
                        "f.yaml:2:70: ports[0].addresses[2]: 224.0.0.1/24 cannot be the address of a host",
                        "f.yaml:2:84: ports[0].addresses[3]: 127.0.0.1/8 cannot be the address of a host",
                        "f.yaml:3:42: ports[1].addresses[0]: ff02::1/64 cannot be the address of a host",
                        "f.yaml:3:56: ports[1].addresses[1]: ::1/128 cannot be the address of a host",
                        "f.yaml:4:42: ports[2].addresses[0]: no route stage includes port c, so its addresses would"
                                + " not be answered");
    }

    @Test
    void reportsAddressesThatABridgeDoesNotTake() {
        StringBuilder addresses = new StringBuilder();
        for (int i = 1; i <= 9; i++) {
            addresses.append("{mac: \"02:00:00:00:00:0" + i + "\", port: a}, ");
        }
        addresses.append("{mac: \"02:00:00:00:00:01\", port: c}");
        assertThat(faults("""
                ports: [{name: a, interface: e1}, {name: b, interface: e2}, {name: c, interface: e3}]
                lanes: [{ports: [a, b, c]}]
                stages: [{bridge: {ports: [a, b], table-size: 8, addresses: [ADDRESSES]}}]
                """.replace("ADDRESSES", addresses)))
                .anyMatch(fault -> fault.endsWith("table-size 8 is too small: no room for 02:00:00:00:00:09"))
                .anyMatch(fault -> fault.endsWith("MAC address 02:00:00:00:00:01 is used twice; line 3 has it"))
                .anyMatch(fault -> fault.endsWith("port c is not one of the bridge's"))
                .hasSize(3);
    }

    @Test
    void looksForTheFoldersOfFilesBeforeAnythingIsOpened(@TempDir Path folder) {
        String text = """
                ports: [{name: a, interface: none-such-0}]
                lanes: [{ports: [a]}]
                stages: [{mirror: {file: "FILE"}}, bridge]
                """;
        String missing = text.replace("FILE", folder.resolve("none/m.pcapng").toString());
        assertThat(machineFaults(missing)).anyMatch(fault -> fault.contains("there is no folder"));
        assertThat(machineFaults(text.replace("FILE", folder.toString())))
                .anyMatch(fault -> fault.endsWith("cannot be written"));
        assertThat(machineFaults(text.replace("FILE", folder.resolve("m").toString())))
                .containsExactly("this machine has no interface none-such-0");
    }

    private static List<String> machineFaults(String text) {
        ConfigException e = catchThrowableOfType(
                ConfigException.class,
                () -> ForwardConfig.readerForThisMachine().read(text, "f.yaml"));
        return e.faults().stream().map(ConfigFault::text).toList();
    }

    @Test
    void reportsThatMbufsDoNotFitDpdksMemory() {
        String config = """
                ports: [{name: a, backend: dpdk, interface: net_null0}]
                dpdk: {memory: 40MiB, mbufs: MBUFS, mbuf-size: 2048}
                lanes: [{ports: [a]}]
                stages: [bridge]
                """;
        assertThat(faults(config.replace("MBUFS", "32767")))
                .singleElement()
                .asString()
                .contains(
                        "f.yaml:2:",
                        "dpdk.memory",
                        "too little for 32767 mbufs of 2048 bytes, which need at least 74MiB");
        assertThat(read(config.replace("MBUFS", "16383"))
                        .section(DpdkPortBackend.KEYS)
                        .mbufs())
                .isEqualTo(16_383);
    }

    @Test
    void reportsThatCardsRingsHoldMoreMbufsThanThereAre() {
        String config = """
                ports:
                  - {name: a, backend: dpdk, interface: "0000:03:00.0"}
                  - {name: b, backend: dpdk, interface: "0000:03:00.1", ring: RING}
                dpdk: {mbufs: 16383}
                lanes: [{ports: [a, b]}, {ports: [a, b]}]
                stages: [bridge]
                """;
        // two rings of 2,048 for receiving and two for sending, of each; and a burst of each lane
        int bursts = 2 * Burst.CAPACITY;
        assertThat(faults(config.replace("RING", "2048")))
                .singleElement()
                .asString()
                .contains("f.yaml:2:", "dpdk.mbufs 16383 is too few", "hold up to " + (16_384 + bursts) + ";");
        assertThat(read(config.replace("RING", "1024")).ports())
                .extracting(ForwardConfig.PortConfig::ring)
                .containsExactly(2048, 1024);
        // these take what they need
        assertThat(read(config.replace("RING", "32768").replaceAll("0000:03:00.", "net_null"))
                        .ports())
                .hasSize(2);
    }

    @Test
    void ringsOfTheKernelsInterfacesAreLongerThanOfCards() {
        String config = """
                ports: [{name: a, interface: lo}, {name: b, backend: xdp, interface: eth0}]
                lanes: [{ports: [a, b]}]
                stages: [bridge]
                """;
        assertThat(read(config).ports())
                .extracting(ForwardConfig.PortConfig::ring)
                .containsExactly(4096, 4096);
    }

    @Test
    void reportsNatThatSeesNothingButTags() {
        String config = """
                ports: [{name: lan, interface: e0, addresses: [10.0.0.1/24]}, {name: wan, interface: e1, addresses: [10.0.1.1/24]}]
                lanes: [{ports: [lan, wan]}]
                stages:
                  - nat-destination: {outside: [wan]}
                  - vlan-pop: {from: [PORT], strict: true}
                  - route
                  - vlan-push: {to: [PORT], id: 7}
                  - nat-source: {outside: [wan]}
                nat: [{outside: 10.0.1.9, inside: 10.0.0.9}]
                """;
        assertThat(faults(config.replace("PORT", "wan")))
                .containsExactly(
                        "f.yaml:4:22: stages[0].nat-destination: nat-destination stands before vlan-pop, but does not"
                                + " translate tagged packets",
                        "f.yaml:8:17: stages[4].nat-source: nat-source stands after vlan-push, but does not translate"
                                + " tagged packets");
        assertThat(read(config.replace("PORT", "lan")).stages()).hasSize(5);
    }
}
