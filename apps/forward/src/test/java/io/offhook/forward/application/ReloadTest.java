package io.offhook.forward.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigDifference;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSection;
import io.offhook.config.ConfigTable;
import io.offhook.config.ConfigTypes;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each key and each component of a record makes a difference: none is forgotten when a configuration is read again. */
class ReloadTest {
    /** One key a line, so that a change of a line is a change of one key. */
    private static final String ALL = """
            ports:
              - name: a
                backend: dpdk
                interface: net_null0
                ring: 1024
                promiscuous: true
                addresses: [10.0.0.1/24]
              - {name: b, backend: dpdk, interface: e2, addresses: [10.0.1.1/24]}
              - {name: c, interface: e3}
              - {name: d, interface: e4}
            lanes:
              - core: 0
                ports: [a, b, c, d]
              - {core: 9, ports: [a, b, c, d]}
            idle: spin
            buffers: 128
            dpdk:
              huge: false
              memory: 64MiB
              mbufs: 8191
              mbuf-size: 2048
              lcores: "0"
              pci: ["0000:03:00.0"]
              arguments: [--no-telemetry]
            statistics:
              interval: 2s
            stages:
              - decode
              - filter:
                  rules:
                    - action: deny
                      match: udp port 7
                  otherwise: deny
              - rate-limit:
                  ports: [c]
                  rate: 10kpps
                  burst: 20ms
                  by: source
                  ipv4-prefix: 24
                  ipv6-prefix: 56
                  table-size: 512
              - mirror:
                  file: m.pcapng
                  match: arp
                  snap-length: 128
                  queue: 64
              - vlan-pop:
                  from: [c]
                  to: []
                  id: 5
                  strict: true
              - nat-destination:
                  outside: [b]
              - route:
                  ports: [a, b]
                  routes:
                    - to: 192.168.0.0/16
                      via: 10.0.1.254
                    - to: 172.16.0.0/16
                      port: b
                    - to: 172.17.0.0/16
                      reject: true
                  neighbors:
                    - port: b
                      address: 10.0.1.254
                      mac: "02:00:00:00:00:fe"
                  neighbor-table: 64
                  neighbor-lifetime: 30s
                  icmp-errors: 10
              - bridge:
                  ports: [c, d]
                  table-size: 1024
                  ageing: 60s
                  addresses:
                    - mac: "02:00:00:00:00:77"
                      port: d
              - vlan-push:
                  from: [d]
                  to: [c]
                  id: 6
                  priority: 1
                  service: true
              - nat-source:
                  outside: [b]
            nat:
              - outside: 10.0.1.9
                inside: 10.0.0.9
                protocol: udp
                outside-port: 53
                inside-port: 54
            """;

    /** A key, as the document heads its section, what stands there, and what is to stand there. */
    private record Change(String key, String before, String after) {
        static Change of(String line) {
            String[] parts = line.replace("\\n", "\n").split(" \\| ", -1);
            return new Change(parts[0], parts[1], parts[2].equals("nothing") ? "" : parts[2]);
        }

        String applied() {
            assertThat(ALL.split(Pattern.quote(before), -1)).as(before).hasSize(2);
            return ALL.replace(before, after);
        }
    }

    /** Key, before and after; a line end in them is written as in Java. */
    private static final List<Change> CHANGES = changes("""
            ports |   - {name: d, interface: e4}\\n |   - {name: d, interface: e4}\\n  - {name: e, interface: e5}\\n
            ports[].name | name: d, interface | name: x, interface
            ports[].backend |     backend: dpdk\\n    interface: net_null0 \
            |     backend: afpacket\\n    interface: net_null0
            ports[].interface | net_null0 | net_null1
            ports[].ring | ring: 1024 | ring: 2048
            ports[].promiscuous | promiscuous: true | promiscuous: false
            ports[].addresses | addresses: [10.0.0.1/24] | addresses: [10.0.0.2/24]
            lanes |   - {core: 9, ports: [a, b, c, d]}\\n | nothing
            lanes[].core | core: 0 | core: 3
            lanes[].ports |     ports: [a, b, c, d]\\n |     ports: [a, b, c]\\n
            idle | idle: spin | idle: park
            buffers | buffers: 128 | buffers: 256
            dpdk |   huge: false\\n  memory: 64MiB |   huge: true\\n  memory: 65MiB
            dpdk.huge | huge: false | huge: true
            dpdk.memory | memory: 64MiB | memory: 128MiB
            dpdk.mbufs | mbufs: 8191 | mbufs: 16383
            dpdk.mbuf-size | mbuf-size: 2048 | mbuf-size: 2176
            dpdk.lcores | lcores: "0" | lcores: "1"
            dpdk.pci | 0000:03:00.0 | 0000:03:00.1
            dpdk.arguments | --no-telemetry | --no-pci
            statistics | interval: 2s | interval: 3s
            statistics.interval | interval: 2s | interval: 2500ms
            stages |   - decode\\n | nothing
            stages[].filter.rules |         - action: deny\\n          match: udp port 7\\n \
            |         - {action: deny, match: udp port 7}\\n        - {action: count, match: arp}\\n
            stages[].filter.rules[].action | action: deny | action: count
            stages[].filter.rules[].match | udp port 7 | udp port 8
            stages[].filter.otherwise | otherwise: deny | otherwise: allow
            stages[].rate-limit.ports | ports: [c]\\n | ports: [d]\\n
            stages[].rate-limit.rate | 10kpps | 11kpps
            stages[].rate-limit.burst | 20ms | 30ms
            stages[].rate-limit.by |       by: source\\n      ipv4-prefix: 24\\n      ipv6-prefix: 56\\n      table-size: 512\\n \
            |       by: port\\n
            stages[].rate-limit.ipv4-prefix | ipv4-prefix: 24 | ipv4-prefix: 25
            stages[].rate-limit.ipv6-prefix | ipv6-prefix: 56 | ipv6-prefix: 57
            stages[].rate-limit.table-size | table-size: 512 | table-size: 256
            stages[].mirror.file | m.pcapng | n.pcapng
            stages[].mirror.match | match: arp | match: ip6
            stages[].mirror.snap-length | snap-length: 128 | snap-length: 129
            stages[].mirror.queue | queue: 64 | queue: 65
            stages[].vlan-pop.from | from: [c] | from: [d]
            stages[].vlan-pop.id | id: 5 | id: 7
            stages[].vlan-pop.strict | strict: true | strict: false
            stages[].nat-destination.outside |   - nat-destination:\\n      outside: [b] \
            |   - nat-destination:\\n      outside: [a]
            stages[].route.ports | ports: [a, b]\\n | ports: [b, a]\\n
            stages[].route.routes |         - to: 172.17.0.0/16\\n          reject: true\\n | nothing
            stages[].route.routes[].to | 192.168.0.0/16 | 192.167.0.0/16
            stages[].route.routes[].via | via: 10.0.1.254 | via: 10.0.1.253
            stages[].route.routes[].port |           port: b |           port: a
            stages[].route.routes[].reject | reject: true | port: a
            stages[].route.neighbors |         - port: b\\n          address: 10.0.1.254\\n          mac: "02:00:00:00:00:fe"\\n \
            |         []\\n
            stages[].route.neighbors[].port | - port: b\\n          address: 10.0.1.254 | \
            - port: a\\n          address: 10.0.0.254
            stages[].route.neighbors[].address | address: 10.0.1.254 | address: 10.0.1.253
            stages[].route.neighbors[].mac | 00:fe | 00:fd
            stages[].route.neighbor-table | neighbor-table: 64 | neighbor-table: 65
            stages[].route.neighbor-lifetime | 30s | 31s
            stages[].route.icmp-errors | icmp-errors: 10 | icmp-errors: 11
            stages[].bridge.ports | ports: [c, d]\\n | ports: [d, c]\\n
            stages[].bridge.table-size | table-size: 1024 | table-size: 2048
            stages[].bridge.ageing | 60s | 61s
            stages[].bridge.addresses |         - mac: "02:00:00:00:00:77"\\n          port: d\\n |         []\\n
            stages[].bridge.addresses[].mac | 00:77 | 00:78
            stages[].bridge.addresses[].port |           port: d |           port: c
            stages[].vlan-push.from | from: [d] | from: [c]
            stages[].vlan-push.to | to: [c] | to: [d]
            stages[].vlan-pop.to | to: [] | to: [d]
            stages[].vlan-push.id | id: 6 | id: 8
            stages[].vlan-push.priority | priority: 1 | priority: 2
            stages[].vlan-push.service | service: true | service: false
            stages[].nat-source.outside |   - nat-source:\\n      outside: [b] |   - nat-source:\\n      outside: [a]
            nat |   - outside: 10.0.1.9\\n |   - {outside: 10.0.1.8, inside: 10.0.0.8}\\n  - outside: 10.0.1.9\\n
            nat[].outside | outside: 10.0.1.9 | outside: 10.0.1.7
            nat[].inside | inside: 10.0.0.9 | inside: 10.0.0.7
            nat[].protocol | protocol: udp | protocol: tcp
            nat[].outside-port | outside-port: 53 | outside-port: 55
            nat[].inside-port | inside-port: 54 | inside-port: 56
            """);

    private static List<Change> changes(String lines) {
        return lines.lines().map(Change::of).toList();
    }

    /** Of what may change while it runs. */
    private static final Set<String> RELOADED = Set.of(
            "ports[].addresses",
            "statistics",
            "statistics.interval",
            "stages[].filter.",
            "stages[].bridge.addresses",
            "stages[].route.routes",
            "stages[].route.neighbors",
            "nat");

    private static final Map<String, ForwardConfig> CHANGED = new HashMap<>();

    private static ForwardConfig read(Change change) {
        return CHANGED.computeIfAbsent(change.applied(), ReloadTest::read);
    }

    /** Without the checks that look at several keys: a change of one may need another. */
    private static ForwardConfig read(String text) {
        return ConfigReader.of(ForwardConfig.schema()).read(text, "f.yaml");
    }

    private static List<ConfigDifference> differences(ForwardConfig before, ForwardConfig after) {
        return ForwardConfig.schema().differences(before.read(), after.read());
    }

    @Test
    void whatIsTheSameDiffersInNothing() {
        String moved = "# above\n\n" + ALL.replace("interval: 2s", "interval: 2000ms");
        assertThat(differences(read(ALL), read(moved))).isEmpty();
        String without = ALL.replace("      snap-length: 128\n", "");
        String written = ALL.replace("snap-length: 128", "snap-length: 2048"); // the default
        assertThat(differences(read(without), read(written))).isEmpty();
    }

    @Test
    void everyChangeOfAKeyIsADifferenceAndMayBeMadeAsTheSchemaSays() {
        ForwardConfig before = read(ALL);
        for (Change change : CHANGES) {
            List<ConfigDifference> differences = differences(before, read(change));
            assertThat(differences).as(change.toString()).isNotEmpty();
            boolean mayChange = RELOADED.stream().anyMatch(key -> change.key().startsWith(key));
            assertThat(differences).as(change.toString()).allMatch(difference -> difference.mayChange() == mayChange);
            String key = change.key().replaceFirst(".*[.\\]]", "");
            assertThat(differences)
                    .as(change.toString())
                    .anyMatch(difference ->
                            difference.place().path().replaceAll("\\[\\d+]", "").contains(key));
            assertThat(differences(read(change), before)).as(change + " back").isNotEmpty();
        }
    }

    /** The table of keys in the document has all there are. */
    @Test
    void everyKeyIsChanged() {
        Set<String> keys = new TreeSet<>();
        String section = "";
        Pattern line = Pattern.compile("### `([^`]+)`|\\| `([a-z0-9-]+)` \\|.*");
        for (String text : ConfigTable.markdown(ForwardConfig.schema()).split("\n", -1)) {
            Matcher matcher = line.matcher(text);
            if (matcher.matches() && matcher.group(1) != null) {
                section = matcher.group(1) + ".";
            } else if (matcher.matches()) {
                keys.add(section + matcher.group(2));
            }
        }
        assertThat(keys).hasSizeGreaterThan(60);
        assertThat(CHANGES).extracting(Change::key).containsExactlyInAnyOrderElementsOf(keys);
    }

    /** Found by reflection: what a key sets and nobody compares would not be noticed. */
    @Test
    void everyComponentOfEveryRecordIsChangedBySomeKey() throws ReflectiveOperationException {
        ForwardConfig before = read(ALL);
        Set<String> there = new TreeSet<>();
        compare(before, before, there, new TreeSet<>());
        Set<String> changed = new TreeSet<>();
        for (Change change : CHANGES) {
            compare(before, read(change), new TreeSet<>(), changed);
        }
        assertThat(there).hasSizeGreaterThan(50).contains("ForwardConfig.ports", "PortConfig.ring", "Config.ageingNs");
        assertThat(changed).containsExactlyInAnyOrderElementsOf(there);
    }

    /**
     * Notes which components two records have, and which differ; places, and what was read, are no values.
     *
     * @param there components that were met, {@code PortConfig.ring}
     * @param changed those that differ
     */
    private static void compare(Object before, Object after, Set<String> there, Set<String> changed)
            throws ReflectiveOperationException {
        if (before instanceof ConfigTypes.Placed<?> was && after instanceof ConfigTypes.Placed<?> is) {
            compare(was.value(), is.value(), there, changed);
        } else if (before instanceof List<?> was && after instanceof List<?> is) {
            for (int i = 0; i < Math.min(was.size(), is.size()); i++) {
                compare(was.get(i), is.get(i), there, changed);
            }
        } else if (before instanceof Map<?, ?> was && after instanceof Map<?, ?> is) {
            for (Object key : was.keySet()) {
                compare(Objects.requireNonNull(was.get(key)), Objects.requireNonNull(is.get(key)), there, changed);
            }
        } else if (before instanceof Record && before.getClass() == after.getClass() && isOfConfig(before)) {
            for (RecordComponent component : before.getClass().getRecordComponents()) {
                if (component.getType() != ConfigPlace.class && component.getType() != ConfigSection.class) {
                    components(before, after, component, there, changed);
                }
            }
        }
    }

    /** Not a value, such as a prefix, which a key sets as a whole. */
    private static boolean isOfConfig(Object value) {
        String room = value.getClass().getPackageName();
        return Set.of("application", "stage", "port").contains(room.substring(room.lastIndexOf('.') + 1));
    }

    private static void components(
            Object before, Object after, RecordComponent component, Set<String> there, Set<String> changed)
            throws ReflectiveOperationException {
        String name = before.getClass().getSimpleName() + "." + component.getName();
        component.getAccessor().setAccessible(true);
        Object was = component.getAccessor().invoke(before);
        Object is = component.getAccessor().invoke(after);
        there.add(name);
        if (!String.valueOf(withoutPlaces(was)).equals(String.valueOf(withoutPlaces(is)))) {
            changed.add(name);
        }
        if (was != null && is != null) {
            compare(was, is, there, changed);
        }
    }

    private static Object withoutPlaces(Object value) throws ReflectiveOperationException {
        return switch (value) {
            case null -> "";
            case ConfigPlace _, ConfigSection _ -> "";
            case List<?> list -> {
                List<Object> items = new ArrayList<>();
                for (Object item : list) {
                    items.add(withoutPlaces(item));
                }
                yield items;
            }
            case Map<?, ?> map -> withoutPlaces(List.copyOf(map.values()));
            case StageType<?> type -> type.schema().name();
            case PortBackend backend -> backend.name();
            case Record record -> {
                List<Object> items = new ArrayList<>();
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    component.getAccessor().setAccessible(true);
                    items.add(withoutPlaces(component.getAccessor().invoke(record)));
                }
                yield items;
            }
            default -> value;
        };
    }
}
