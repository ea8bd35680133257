package io.offhook.linux.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.Ethtool.Channels;
import io.offhook.linux.network.Ethtool.Feature;
import io.offhook.linux.network.Ethtool.Rings;
import io.offhook.linux.network.Ethtool.Timestamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What the kernel tells us against what it tells ethtool(8). */
@EnabledOnOs(OS.LINUX)
class EthtoolTest {
    private static String run(String... command) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ethtool")), "ethtool is not here");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private static List<NetworkDevice> devices() {
        return NetworkDevice.all();
    }

    /** "name: value" lines below a heading, by name. */
    private static Map<String, String> lines(String said, String heading) {
        Map<String, String> found = new TreeMap<>();
        int start = said.indexOf(heading);
        Matcher line = Pattern.compile("(?m)^(\\S[^:\n]*):[ \t]+(\\S+)$")
                .matcher(start < 0 ? "" : said.substring(start + heading.length()));
        while (line.find()) {
            found.putIfAbsent(line.group(1), line.group(2));
        }
        return found;
    }

    private static String number(int value) {
        // a driver that has no such ring says n/a to ethtool, 0 to us
        return value == 0 ? "n/a" : Integer.toString(value);
    }

    @Test
    void ringsAreThoseOfEthtool() throws Exception {
        try (Ethtool ethtool = Ethtool.open()) {
            for (NetworkDevice device : devices()) {
                String said = run("/usr/sbin/ethtool", "-g", device.name());
                Rings rings = ethtool.rings(device.name());
                assertThat(rings != null).as(said).isEqualTo(said.contains("Current hardware settings:"));
                if (rings != null) {
                    Map<String, String> most = lines(said, "Pre-set maximums:");
                    Map<String, String> now = lines(said, "Current hardware settings:");
                    assertThat(number(rings.mostReceive())).isEqualTo(most.get("RX"));
                    assertThat(number(rings.mostSend())).isEqualTo(most.get("TX"));
                    assertThat(number(rings.receive())).isEqualTo(now.get("RX"));
                    assertThat(number(rings.send())).isEqualTo(now.get("TX"));
                }
            }
        }
    }

    @Test
    void timestampsAreThoseOfEthtool() throws Exception {
        try (Ethtool ethtool = Ethtool.open()) {
            for (NetworkDevice device : devices()) {
                String said = run("/usr/sbin/ethtool", "-T", device.name());
                Timestamps timestamps = ethtool.timestamps(device.name());
                assertThat(timestamps != null).as(said).isEqualTo(said.contains("Capabilities:"));
                if (timestamps != null) {
                    assertThat(timestamps.clock() >= 0).as(said).isEqualTo(said.matches("(?s).*Clock: [0-9].*"));
                    assertThat(timestamps.hasHardwareForAll())
                            .as(said)
                            .isEqualTo(said.contains("\thardware-receive") && said.contains("\tall"));
                }
            }
        }
    }

    @Test
    void cannotHaveTheLoopbackStampPackets() {
        try (Ethtool ethtool = Ethtool.open()) {
            assertThat(ethtool.stampAll("lo")).isFalse();
        }
    }

    @Test
    void knowsCardsThatStampAllPackets() {
        int receive = 1 << 2 | 1 << 6;
        assertThat(new Timestamps(receive, 0, 1 << 1).hasHardwareForAll()).isTrue();
        assertThat(new Timestamps(receive, 0, ~(1 << 1)).hasHardwareForAll())
                .as("PTP only")
                .isFalse();
        assertThat(new Timestamps(~(1 << 6), 0, 1 << 1).hasHardwareForAll()).isFalse();
        assertThat(new Timestamps(~(1 << 2), 0, 1 << 1).hasHardwareForAll())
                .as("sent ones only")
                .isFalse();
    }

    @Test
    void channelsAreThoseOfEthtool() throws Exception {
        try (Ethtool ethtool = Ethtool.open()) {
            for (NetworkDevice device : devices()) {
                String said = run("/usr/sbin/ethtool", "-l", device.name());
                Channels channels = ethtool.channels(device.name());
                assertThat(channels != null).as(said).isEqualTo(said.contains("Current hardware settings:"));
                if (channels != null) {
                    Map<String, String> most = lines(said, "Pre-set maximums:");
                    Map<String, String> now = lines(said, "Current hardware settings:");
                    assertThat(number(channels.mostCombined())).isEqualTo(most.get("Combined"));
                    assertThat(number(channels.combined())).isEqualTo(now.get("Combined"));
                    assertThat(number(channels.mostReceive())).isEqualTo(most.get("RX"));
                    assertThat(number(channels.receive())).isEqualTo(now.get("RX"));
                    assertThat(number(channels.mostSend())).isEqualTo(most.get("TX"));
                    assertThat(number(channels.send())).isEqualTo(now.get("TX"));
                }
            }
        }
    }

    @Test
    void featuresAreThoseOfEthtool() throws Exception {
        // names that ethtool made up before the kernel had any, for groups of features
        Map<String, String> renamed = Map.of(
                "rx-checksum", "rx-checksumming",
                "rx-gro", "generic-receive-offload",
                "tx-generic-segmentation", "generic-segmentation-offload",
                "rx-lro", "large-receive-offload",
                "rx-vlan-hw-parse", "rx-vlan-offload",
                "tx-vlan-hw-insert", "tx-vlan-offload",
                "rx-ntuple-filter", "ntuple-filters",
                "rx-hashing", "receive-hashing");
        try (Ethtool ethtool = Ethtool.open()) {
            for (NetworkDevice device : devices()) {
                String said = run("/usr/sbin/ethtool", "-k", device.name());
                List<Feature> features = ethtool.features(device.name());
                assertThat(features).hasSizeGreaterThan(30);
                int compared = 0;
                for (Feature feature : features) {
                    String name = renamed.getOrDefault(feature.name(), feature.name());
                    Matcher line = Pattern.compile("(?m)^\\s*" + Pattern.quote(name) + ": (on|off)( \\[fixed])?")
                            .matcher(said);
                    if (line.find()) {
                        compared++;
                        assertThat(feature.isOn())
                                .as(name)
                                .isEqualTo(line.group(1).equals("on"));
                        assertThat(feature.isFixed()).as(name).isEqualTo(line.group(2) != null);
                    }
                }
                assertThat(compared).as(said).isGreaterThan(30);
            }
        }
    }

    @Test
    void statisticsHaveTheNamesOfEthtool() throws Exception {
        try (Ethtool ethtool = Ethtool.open()) {
            for (NetworkDevice device : devices()) {
                Map<String, Long> statistics = ethtool.statistics(device.name());
                String said = run("/usr/sbin/ethtool", "-S", device.name());
                assertThat(statistics.keySet())
                        .containsExactlyInAnyOrderElementsOf(lines(said.replaceAll("(?m)^ +", ""), "NIC statistics:")
                                .keySet());
            }
        }
    }

    @Test
    void driverIsThatOfEthtool() throws Exception {
        try (Ethtool ethtool = Ethtool.open()) {
            for (NetworkDevice device : devices()) {
                String said = run("/usr/sbin/ethtool", "-i", device.name());
                assertThat(Objects.requireNonNullElse(ethtool.driver(device.name()), ""))
                        .isEqualTo(lines("\n" + said, "\n").getOrDefault("driver", ""));
            }
        }
    }

    @Test
    void saysThatAnInterfaceIsNotThere() {
        try (Ethtool ethtool = Ethtool.open()) {
            assertThatThrownBy(() -> ethtool.rings("no-such-dev"))
                    .isInstanceOf(LinuxException.class)
                    .hasMessageStartingWith("ask ethtool of no-such-dev: ENODEV");
            assertThatThrownBy(() -> ethtool.rings("a-name-that-is-too-long"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("outside 1 to 15 bytes");
        }
    }
}
