package io.offhook.forward.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.offhook.config.ConfigDifference;
import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.config.ConfigTable;
import io.offhook.forward.Burst;
import io.offhook.forward.Bytes;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Forwarder;
import io.offhook.forward.FramePool;
import io.offhook.forward.PacketBuffers;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.Rig;
import io.offhook.forward.SendQueue;
import io.offhook.forward.port.DpdkPortBackend;
import io.offhook.forward.port.MemoryPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ForwardConfigTest {
    private static final Path DOCUMENT = Path.of("../../docs/FORWARD.md");
    private static final String BEGIN = "<!-- made from the description by ForwardConfigTest -->\n";
    private static final String END = "<!-- end -->";

    static final String ROUTER = """
            ports:
              - {name: lan, interface: eth1, addresses: [10.0.0.1/24]}
              - {name: wan, interface: eth2, addresses: [10.0.1.1/24]}
            lanes:
              - ports: [lan, wan]
            stages:
              - decode
              - filter:
                  rules: [{action: deny, match: udp port 7}]
              - nat-destination: {outside: [wan]}
              - route:
                  routes:
                    - {to: 192.168.0.0/16, via: 10.0.1.254}
                  neighbors:
                    - {port: wan, address: 10.0.1.254, mac: "02:00:00:00:00:fe"}
              - nat-source: {outside: [wan]}
            nat:
              - {outside: 10.0.1.9, inside: 10.0.0.9}
            """;

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

    // ---- running

    private static final class Running implements AutoCloseable {
        final FramePool pool = new FramePool(1024, 1522);
        final AtomicLong nowNs = new AtomicLong(1_000_000_000_000L);
        final List<MemoryPort> ports = new ArrayList<>();
        final ForwardApplication application;

        Running(String text) {
            application = ForwardApplication.open(
                    read(text),
                    port -> {
                        ports.add(new MemoryPort(port.name(), Rig.MAC + ports.size(), pool));
                        return ports.getLast();
                    },
                    nowNs::get,
                    Forwarder.STOP_MS);
        }

        List<byte[]> through(int from, int to, byte[] packet) {
            ports.get(from).offer(packet);
            application.forwarder().cycle();
            List<byte[]> sent = new ArrayList<>();
            for (byte[] one = ports.get(to).take();
                    one.length > 0;
                    one = ports.get(to).take()) {
                sent.add(one);
            }
            return sent;
        }

        @Override
        public void close() {
            assertThat(application.forwarder().statistics().isBalanced()).isTrue();
            application.close();
            pool.close();
        }
    }

    private static List<StageFigure.RuleCount> rules(ForwardApplication application) {
        return application.figures().stream()
                .filter(StageFigure.RuleCount.class::isInstance)
                .map(StageFigure.RuleCount.class::cast)
                .toList();
    }

    private static List<String> reload(Running running, String text) {
        return running.application.reload(read(text)).stream()
                .map(ConfigDifference::toString)
                .toList();
    }

    private static byte[] udp(String source, String destination, int port) {
        return Rig.packet(w -> w.ethernet(7, Rig.MAC)
                .ipv4(Rig.ipv4Long(source), Rig.ipv4Long(destination))
                .udp(1, port));
    }

    @Test
    void runsWhatItDescribes() {
        try (Running running = new Running(ROUTER)) {
            assertThat(running.through(0, 1, udp("10.0.0.2", "192.168.0.1", 7))).isEmpty();
            byte[] sent =
                    running.through(0, 1, udp("10.0.0.9", "192.168.0.1", 8)).getFirst();
            assertThat(Rig.u48(sent, 0)).isEqualTo(0x0200_0000_00feL);
            assertThat(Rig.u32(sent, 26)).isEqualTo(Rig.ipv4("10.0.1.9"));
            Rig.layers(sent);
        }
    }

    @Test
    void exchangesTablesWithoutLosingAPacket() {
        try (Running running = new Running(ROUTER)) {
            byte[] seven = udp("10.0.0.2", "192.168.0.1", 7);
            assertThat(running.through(0, 1, seven)).isEmpty();
            String other = ROUTER.replace("udp port 7", "udp port 8")
                    .replace(":fe", ":fd")
                    .replace("inside: 10.0.0.9", "inside: 10.0.0.2");
            assertThat(rules(running.application)).containsExactly(new StageFigure.RuleCount("deny", "udp port 7", 1));
            assertThat(running.application.reload(read(other))).isEmpty();
            assertThat(rules(running.application)).containsExactly(new StageFigure.RuleCount("deny", "udp port 8", 0));
            byte[] sent = running.through(0, 1, seven).getFirst();
            assertThat(Rig.u48(sent, 0)).isEqualTo(0x0200_0000_00fdL);
            assertThat(Rig.u32(sent, 26)).isEqualTo(Rig.ipv4("10.0.1.9"));
            // what only moved in the file is the same
            assertThat(running.application.reload(read("# more\n" + other))).isEmpty();
        }
    }

    @Test
    void exchangesTheRoutersAddresses() {
        try (Running running = new Running(ROUTER)) {
            byte[] question = Rig.packet(w -> w.ethernet(7, EthernetFrames.BROADCAST)
                    .arp(1, 7, Rig.ipv4Long("10.0.0.2"), 0, Rig.ipv4Long("10.0.0.7")));
            assertThat(running.through(0, 0, question)).isEmpty();
            assertThat(running.application.reload(read(ROUTER.replace("10.0.0.1/24", "10.0.0.7/24"))))
                    .isEmpty();
            assertThat(running.through(0, 0, question)).hasSize(1);
        }
    }

    @Test
    void countsWhatItsTablesHaveNoRoomFor() {
        String bridge = """
                ports: [{name: a, interface: e1}, {name: b, interface: e2}]
                lanes: [{ports: [a, b]}]
                stages: [{bridge: {table-size: 8}}]
                """;
        try (Running running = new Running(bridge)) {
            for (int i = 1; i <= 20; i++) {
                long source = i + 1L;
                running.through(0, 1, Rig.packet(w -> w.ethernet(source, 1).arp(1, source, 1, 1, 1)));
            }
            assertThat(running.application.figures())
                    .containsExactly(new StageFigure.TableCount(
                            "bridge", 8, 12, "addresses gave way to others (key table-size)"));
        }
        String router = ROUTER.replace("  - route:\n", "  - route:\n      neighbor-table: 16\n");
        try (Running running = new Running(router)) {
            for (int i = 1; i <= 20; i++) {
                long source = i + 1L;
                running.through(
                        0,
                        0,
                        Rig.packet(w -> w.ethernet(source, EthernetFrames.BROADCAST)
                                .arp(1, source, Rig.ipv4Long("10.0.0.0") + 20 + source, 0, Rig.ipv4Long("10.0.0.1"))));
            }
            // half of it is for those whom the router asked
            assertThat(running.application.figures())
                    .contains(new StageFigure.TableCount(
                            "route", 8, 12, "neighbours were refused (key neighbor-table), or arrived too fast"));
        }
    }

    @Test
    void saysWhatNeedsANewStart() {
        try (Running running = new Running(ROUTER)) {
            assertThat(reload(running, ROUTER.replace("eth2", "eth3")))
                    .containsExactly("f.yaml:3:28: ports[1].interface: eth3; it was eth2 in line 3");
            assertThat(reload(running, ROUTER.replace("  - decode\n", "")))
                    .containsExactly("f.yaml:7:3: stages[0]: is gone; it was decode in line 7");
            byte[] packet = udp("10.0.0.2", "192.168.0.1", 9);
            assertThat(running.through(0, 1, packet)).hasSize(1);
        }
    }

    @Test
    void saysThatThereIsOneMoreOfAKind() {
        String one = ROUTER.replace("  - decode\n", "  - decode\n  - vlan-pop: {from: [lan]}\n");
        try (Running running = new Running(one)) {
            String two = one.replace("  - decode\n", "  - decode\n  - vlan-pop: {from: [lan]}\n");
            assertThat(reload(running, two)).containsExactly("f.yaml:9:5: stages[2]: {vlan-pop: {from: [lan]}} is new");
            String later = ROUTER.replace("  - nat-source", "  - vlan-pop: {from: [lan]}\n  - nat-source");
            assertThat(reload(running, later))
                    .containsExactly(
                            "f.yaml:7:3: stages[1]: is gone; it was {vlan-pop: {from: [lan]}} in line 8",
                            "f.yaml:16:5: stages[4]: {vlan-pop: {from: [lan]}} is new");
        }
    }

    @Test
    void exchangesAddressesOfABridge(@TempDir Path folder) {
        String bridge = """
                ports: [{name: a, interface: e1}, {name: b, interface: e2}, {name: c, interface: e3}]
                lanes: [{ports: [a, b, c]}]
                stages:
                  - mirror: {file: FILE, match: arp}
                  - bridge: {addresses: [{mac: "02:00:00:00:00:77", port: b}]}
                """.replace("FILE", folder.resolve("m.pcapng").toString());
        byte[] packet = Rig.packet(w -> w.ethernet(7, 0x0200_0000_0077L).arp(1, 7, 1, 1, 1));
        Path file;
        try (Running running = new Running(bridge)) {
            assertThat(running.through(0, 1, packet)).hasSize(1);
            assertThat(running.application.reload(read(bridge.replace("port: b", "port: c"))))
                    .isEmpty();
            assertThat(running.through(0, 2, packet)).hasSize(1);
            assertThat(running.through(0, 1, packet)).isEmpty();
            file = folder.resolve("m.pcapng");
            assertThat(running.application.figures())
                    .filteredOn(StageFigure.FileCount.class::isInstance)
                    .hasSize(1);
        }
        assertThat(file).isNotEmptyFile();
    }

    private static final String TWO = """
            ports:
              - {name: a, interface: e1, addresses: [10.0.0.1/8]}
              - {name: b, interface: e2, addresses: [10.1.0.1/16, "2001:db8::1/64"]}
              - {name: c, interface: e3}
            lanes: [{ports: [a, b, c]}]
            stages:
              - route:
                  ports: [a, b]
                  routes:
                    - {to: 192.168.0.0/16, via: 10.1.0.254}
                  neighbors:
                    - {port: b, address: 10.1.0.254, mac: "02:00:00:00:00:fe"}
            """;

    @Test
    void findsAGatewayByTheLongestPrefix() {
        try (Running running = new Running(TWO)) {
            assertThat(running.through(0, 1, udp("10.0.0.2", "192.168.0.1", 9)))
                    .singleElement()
                    .satisfies(sent -> assertThat(Rig.u48(sent, 0)).isEqualTo(0x0200_0000_00feL));
        }
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

    /** Hosts outside would look for them in vain, else. */
    @Test
    void answersArpForNamesOutsideThatAreInTheNetworkOfItsPort() {
        try (Running running = new Running(ROUTER)) {
            byte[] question = Rig.packet(w -> w.ethernet(7, EthernetFrames.BROADCAST)
                    .arp(1, 7, Rig.ipv4Long("10.0.1.254"), 0, Rig.ipv4Long("10.0.1.9")));
            assertThat(running.through(1, 1, question))
                    .containsExactly(Rig.packet(w -> w.ethernet(Rig.MAC + 1, 7)
                            .arp(2, Rig.MAC + 1, Rig.ipv4Long("10.0.1.9"), 7, Rig.ipv4Long("10.0.1.254"))));
            assertThat(running.application.reload(read(ROUTER.replace("outside: 10.0.1.9", "outside: 10.0.1.8"))))
                    .isEmpty();
            assertThat(running.through(1, 1, question)).isEmpty();
        }
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

    /** Gives each packet of a list in one burst; tells when the first of its buffers is free. */
    private static final class RecordingPort extends RehearsedPort implements ReceiveQueue, SendQueue, PacketBuffers {
        final List<byte[]> packets = new ArrayList<>();
        final FramePool pool;
        Runnable whenFreed = () -> {};
        int sent;
        boolean isClosed;

        RecordingPort(FramePool pool) {
            super("telling", Rig.MAC);
            this.pool = pool;
        }

        @Override
        public int receive(Burst burst, int port) {
            for (byte[] packet : packets) {
                int frame = pool.take();
                Bytes.put(packet, pool.address(frame));
                int i = burst.add(this, frame, pool.address(frame), packet.length, FramePool.HEADROOM, 0);
                burst.received(i, port, 0);
            }
            int count = packets.size();
            packets.clear();
            return count;
        }

        @Override
        public void free(long handle) {
            pool.free(handle);
            whenFreed.run();
            whenFreed = () -> {};
        }

        @Override
        public int send(Burst burst, int[] indexes, int count) {
            sent += count;
            return count;
        }

        @Override
        public long copies() {
            return 0;
        }

        @Override
        public boolean put(int queue, byte[] packet) {
            return packets.add(packet);
        }

        @Override
        public void open(int receiveQueues, int sendQueues) {
            receiveBy(this);
            sendBy(this);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /** What it reads and writes is not taken from it. */
    @Test
    void reportsALaneThatStallsAndClosesItsPortsWhenItHasEnded(@TempDir Path folder) throws InterruptedException {
        String config = """
                ports: [{name: a, interface: e0}]
                lanes: [{ports: [a]}]
                stages: [{filter: {rules: [{action: deny, match: udp port 7}]}}, {mirror: {file: FILE}}, bridge]
                """.replace("FILE", folder.resolve("m.pcapng").toString());
        CountDownLatch isStalled = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        try (FramePool pool = new FramePool(64, Rig.MTU + EthernetFrames.MAX_HEADER)) {
            RecordingPort port = new RecordingPort(pool);
            port.packets.addAll(List.of(udp("10.0.0.1", "10.0.0.2", 7), udp("10.0.0.1", "10.0.0.2", 8)));
            port.whenFreed = () -> { // the filter has dropped the first
                isStalled.countDown();
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
            ForwardApplication application = ForwardApplication.open(read(config), _ -> port, System::nanoTime, 20);
            application.forwarder().start();
            isStalled.await();
            assertThatThrownBy(application::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("forward-0 did not end within 20 ms");
            assertThat(port.isClosed).isFalse();
            mayGoOn.countDown();
            while (!application.forwarder().isQuiet()) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.onSpinWait();
            }
            application.close();
            assertThat(port.isClosed).isTrue();
            assertThat(application.figures())
                    .contains(new StageFigure.FileCount(folder.resolve("m.pcapng"), 1, 0, null));
            assertThat(application.forwarder().statistics().isBalanced()).isTrue();
        }
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

    @Test
    void takesTheTablesOfAllStagesTogetherBetweenTwoBursts() {
        String before = """
                ports: [{name: a, interface: e0}, {name: b, interface: e1}]
                lanes: [{ports: [a, b]}]
                stages:
                  - filter: {rules: [{action: deny, match: udp port 7}]}
                  - filter: {rules: [{action: count, match: udp port 8}]}
                  - bridge
                """;
        byte[] denied = Rig.packet(w -> w.ethernet(1L << 41, 4).ipv4(1, 2).udp(1, 7));
        byte[] counted = Rig.packet(w -> w.ethernet(1L << 41, 4).ipv4(1, 2).udp(1, 8));
        List<RecordingPort> ports = new ArrayList<>();
        try (FramePool pool = new FramePool(64, Rig.MTU + EthernetFrames.MAX_HEADER);
                ForwardApplication application = ForwardApplication.open(
                        read(before),
                        _ -> {
                            ports.add(new RecordingPort(pool));
                            return ports.getLast();
                        },
                        () -> 0,
                        Forwarder.STOP_MS)) {
            RecordingPort in = ports.getFirst();
            RecordingPort out = ports.getLast();
            in.packets.addAll(List.of(denied, counted));
            // when the first filter has dropped a packet, before the second one sees the other
            in.whenFreed = () -> {
                assertThat(application.reload(read(before.replace("action: count", "action: deny"))))
                        .isEmpty();
                assertThat(application.reload(read(
                                before.replace("action: count", "action: deny").replace("port 7", "port 9"))))
                        .isEmpty();
            };
            application.forwarder().cycle();
            assertThat(out.sent).isEqualTo(1);
            in.packets.addAll(List.of(denied, counted));
            application.forwarder().cycle();
            assertThat(out.sent).isEqualTo(2);
            assertThat(rules(application))
                    .extracting(StageFigure.RuleCount::packets)
                    .containsExactly(0L, 1L);
        }
    }
}
