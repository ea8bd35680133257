package io.offhook.forward;

import io.offhook.linux.Ethtool;
import io.offhook.linux.LinuxException;
import io.offhook.linux.NetworkDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What of ports and their interfaces is not as a packet application wants it, though it runs: a line each. */
final class PortWarnings {
    /** Features that make one long packet of several: as the kernel has them, and as {@code ethtool -K} does. */
    private static final Map<String, String> MERGING =
            Map.of("rx-gro", "gro", "rx-lro", "lro", "rx-gro-hw", "rx-gro-hw", "rx-gro-list", "rx-gro-list");

    private PortWarnings() {}

    /** Of ports that are open, in the order of the configuration. */
    static List<String> of(ForwardConfig config, List<Port> ports) {
        List<String> warnings = new ArrayList<>();
        try (Ethtool ethtool = Ethtool.open()) {
            for (int i = 0; i < ports.size(); i++) {
                ForwardConfig.PortConfig port = config.ports().get(i);
                if (!port.isPromiscuous() && isBridged(config, port.name())) {
                    warnings.add("port " + port.name()
                            + ": the bridge gets no frames for other machines there: promiscuous: true");
                }
                NetworkDevice device = behindKernel(ports.get(i));
                if (device != null) {
                    merging(port.name(), device.name(), features(ethtool, device.name()), warnings);
                    // of AF_XDP, the kernel gets nothing to answer
                    if (!(ports.get(i) instanceof XdpPort) && isRouters(config, port.name())) {
                        addresses(port.name(), device, warnings);
                    }
                }
            }
        }
        return warnings;
    }

    /** The interface whose frames the kernel's network stack has before the port does; null where there is none. */
    private static @Nullable NetworkDevice behindKernel(Port port) {
        return switch (port) {
            case PacketSocketPort socket -> socket.device();
            case XdpPort xdp when !xdp.isNative() -> xdp.device();
            case DpdkPort dpdk
            when dpdk.info().driverName().equals("net_af_packet") ->
                NetworkDevice.all().stream()
                        .filter(device -> device.index() == dpdk.info().interfaceIndex())
                        .findFirst()
                        .orElse(null);
            default -> null;
        };
    }

    /** None where they cannot be asked for: nothing fails for the sake of a warning. */
    private static List<Ethtool.Feature> features(Ethtool ethtool, String name) {
        try {
            return ethtool.features(name);
        } catch (LinuxException e) {
            return List.of();
        }
    }

    private static void merging(String port, String name, List<Ethtool.Feature> features, List<String> warnings) {
        List<String> merging = features.stream()
                .filter(feature -> feature.isOn() && !feature.isFixed() && MERGING.containsKey(feature.name()))
                .map(Ethtool.Feature::name)
                .toList();
        if (!merging.isEmpty()) {
            warnings.add("port " + port + ": packets may be merged to ones longer than the next MTU ("
                    + String.join(", ", merging) + "): sudo ethtool -K " + name
                    + merging.stream()
                            .map(feature -> " " + MERGING.get(feature) + " off")
                            .collect(Collectors.joining()));
        }
    }

    private static boolean isBridged(ForwardConfig config, String port) {
        return config.stages().stream()
                .anyMatch(
                        stage -> stage instanceof StageConfig.Bridge bridge && ForwardChecks.has(bridge.ports(), port));
    }

    private static boolean isRouters(ForwardConfig config, String port) {
        return config.stages().stream()
                .anyMatch(stage -> stage instanceof StageConfig.Route route && ForwardChecks.has(route.ports(), port));
    }

    /** Its link-local ones are of the link only: nothing is routed for them. */
    private static void addresses(String port, NetworkDevice device, List<String> warnings) {
        List<String> own = device.addresses().stream()
                .filter(address -> !address.startsWith("fe80:"))
                .toList();
        if (!own.isEmpty()) {
            warnings.add("port " + port + ": the kernel answers, too, for it has addresses there ("
                    + String.join(", ", own) + "): sudo ip address flush dev " + device.name());
        }
    }
}
