package io.offhook.forward.application;

import io.offhook.forward.Port;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.Ethtool;
import io.offhook.linux.network.NetworkDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Warnings about ports and interfaces with which an application runs, but not as intended. */
final class PortWarnings {
    /** Features that merge several packets into one: the kernel's name, and that of {@code ethtool -K}. */
    private static final Map<String, String> MERGING =
            Map.of("rx-gro", "gro", "rx-lro", "lro", "rx-gro-hw", "rx-gro-hw", "rx-gro-list", "rx-gro-list");

    private PortWarnings() {}

    /** The warnings for open ports, in the order of the configuration. */
    static List<String> of(ForwardConfig config, List<Port> ports) {
        List<String> warnings = new ArrayList<>();
        try (Ethtool ethtool = Ethtool.open()) {
            for (int i = 0; i < ports.size(); i++) {
                ForwardConfig.PortConfig port = config.ports().get(i);
                if (!port.isPromiscuous() && hasRole(config, StageRole.TAKES_ALL_FRAMES, port.name())) {
                    warnings.add("port " + port.name()
                            + ": the bridge receives no frames to other machines there; set promiscuous: true");
                }
                NetworkDevice device = ports.get(i).behindKernel().orElse(null);
                if (device != null) {
                    merging(port.name(), device.name(), features(ethtool, device.name()), warnings);
                    if (ports.get(i).isSharedWithKernel() && hasRole(config, StageRole.ANSWERS, port.name())) {
                        addresses(port.name(), device, warnings);
                    }
                }
            }
        }
        return warnings;
    }

    private static boolean hasRole(ForwardConfig config, StageRole role, String port) {
        return config.stages().stream().anyMatch(stage -> stage.has(role, port));
    }

    /** Empty if they cannot be read: a warning is not worth a failure. */
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
            warnings.add("port " + port + ": the kernel may merge packets into ones longer than the next MTU ("
                    + String.join(", ", merging) + "): sudo ethtool -K " + name
                    + merging.stream()
                            .map(feature -> " " + MERGING.get(feature) + " off")
                            .collect(Collectors.joining()));
        }
    }

    /** Link-local addresses are not reported, as nothing is routed to them. */
    private static void addresses(String port, NetworkDevice device, List<String> warnings) {
        List<String> own = device.addresses().stream()
                .filter(address -> !address.startsWith("fe80:"))
                .toList();
        if (!own.isEmpty()) {
            warnings.add("port " + port + ": the kernel answers as well, since it has addresses there ("
                    + String.join(", ", own) + "): sudo ip address flush dev " + device.name());
        }
    }
}
