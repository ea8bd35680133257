package io.offhook.forward.application;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Translation;
import io.offhook.linux.CpuAffinity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks of values that are valid individually but not together. */
final class ForwardChecks {
    private final ForwardConfig config;
    private final ConfigFaults faults;

    private ForwardChecks(ForwardConfig config, ConfigFaults faults) {
        this.config = config;
        this.faults = faults;
    }

    static void check(ForwardConfig config, ConfigFaults faults) {
        ForwardChecks checks = new ForwardChecks(config, faults);
        checks.checkPorts();
        checks.checkLanes();
        backends(config).forEach(backend -> backend.check(config, faults));
        for (int i = 0; i < config.stages().size(); i++) {
            config.stages().get(i).check(new StageChecks(config, faults, i));
        }
        checks.checkWays();
        checks.checkNat();
        checks.checkAnswers();
    }

    /** Checks that this machine has the interfaces, processors and folders. */
    static void checkMachine(ForwardConfig config, ConfigFaults faults) {
        backends(config).forEach(backend -> backend.checkMachine(config, faults));
        for (int i = 0; i < config.stages().size(); i++) {
            config.stages().get(i).checkMachine(new StageChecks(config, faults, i));
        }
        int[] cores = CpuAffinity.processors();
        for (ForwardConfig.LaneConfig lane : config.lanes()) {
            if (lane.core() >= 0 && Arrays.stream(cores).noneMatch(core -> core == lane.core())) {
                faults.add(
                        lane.place(),
                        "core " + lane.core() + " is not available to this process, which may use "
                                + Arrays.toString(cores));
            }
        }
    }

    /** The backends that drive a port. */
    private static Set<PortBackend> backends(ForwardConfig config) {
        return config.ports().stream()
                .map(ForwardConfig.PortConfig::backend)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void checkPorts() {
        StageChecks.unique(
                faults, config.ports(), ForwardConfig.PortConfig::name, ForwardConfig.PortConfig::place, "port name");
        StageChecks.unique(
                faults,
                config.ports(),
                port -> port.interfaceName().value(),
                port -> port.interfaceName().place(),
                "interface");
        List<Placed<IpPrefix>> addresses = new ArrayList<>();
        for (ForwardConfig.PortConfig port : config.ports()) {
            addresses.addAll(port.addresses());
        }
        StageChecks.unique(faults, addresses, address -> address.value().addressText(), Placed::place, "address");
        StageChecks.unique(faults, addresses, address -> address.value().network(), Placed::place, "network");
        for (Placed<IpPrefix> address : addresses) {
            if (!isOfHost(address.value())) {
                faults.add(address.place(), address.value() + " cannot be the address of a host");
            }
        }
        if (config.ports().isEmpty() && !faults.has("ports")) {
            faults.add(
                    config.stages().isEmpty() ? TOP : config.stages().getFirst().place(), "there are no ports");
        }
    }

    /** Whether it is a unicast address, neither loopback nor the first or last of its network. */
    private static boolean isOfHost(IpPrefix prefix) {
        if (!prefix.isIpv4()) {
            boolean isLoopback = prefix.high() == 0 && prefix.low() <= 1 && prefix.low() >= 0;
            return !isLoopback && prefix.high() >>> 56 != 0xff;
        }
        long address = prefix.high() >>> 32;
        long hosts = 0xffff_ffffL >>> prefix.length();
        boolean isNetworks = prefix.length() <= 30 && ((address & hosts) == 0 || (address & hosts) == hosts);
        long first = address >>> 24;
        return !isNetworks && first != 0 && first != 127 && first < 224;
    }

    private static final ConfigPlace TOP = new ConfigPlace("configuration", 0, 0, "");

    private void checkLanes() {
        List<ForwardConfig.LaneConfig> pinned =
                config.lanes().stream().filter(lane -> lane.core() >= 0).toList();
        StageChecks.unique(faults, pinned, ForwardConfig.LaneConfig::core, ForwardConfig.LaneConfig::place, "core");
        List<String> read = new ArrayList<>();
        for (ForwardConfig.LaneConfig lane : config.lanes()) {
            StageChecks.known(config, faults, lane.ports());
            lane.ports().forEach(port -> read.add(port.value()));
            if (lane.ports().isEmpty()) {
                faults.add(lane.place(), "the lane reads from no port");
            }
        }
        for (ForwardConfig.PortConfig port : config.ports()) {
            if (!read.contains(port.name()) && !faults.has("lanes")) {
                faults.add(port.place(), "no lane reads from port " + port.name());
            }
        }
    }

    /** One stage chooses the outputs of a port's packets. */
    private void checkWays() {
        Map<String, StageConfig<?>> decidedBy = new HashMap<>();
        boolean isDecided = false;
        Set<String> names = new LinkedHashSet<>();
        config.ports().forEach(port -> names.add(port.name()));
        for (StageConfig<?> stage : config.stages()) {
            isDecided |= stage.has(StageRole.DECIDES);
            for (String name : names) {
                StageConfig<?> before = stage.has(StageRole.DECIDES, name) ? decidedBy.putIfAbsent(name, stage) : null;
                if (before != null) {
                    faults.add(
                            stage.place(),
                            "packets of port " + name + " get their output from " + before.name()
                                    + " already: nothing is left for " + stage.name());
                }
            }
        }
        if (!isDecided && !faults.has("stages")) {
            faults.add(
                    config.stages().isEmpty() ? TOP : config.stages().getFirst().place(),
                    "no stage chooses outputs: add bridge or route");
        }
    }

    private void checkAnswers() {
        for (ForwardConfig.PortConfig port : config.ports()) {
            boolean isAnswered = config.stages().stream().anyMatch(stage -> stage.has(StageRole.ANSWERS, port.name()));
            if (!isAnswered && !port.addresses().isEmpty() && !faults.has("stages")) {
                faults.add(
                        port.addresses().getFirst().place(),
                        "no route stage includes port " + port.name() + ", so its addresses would not be answered");
            }
        }
    }

    private void checkNat() {
        List<Translation> translations = config.nat().stream()
                .map(ForwardConfig.TranslationConfig::translation)
                .toList();
        for (int i : Translation.overlaps(translations)) {
            faults.add(config.nat().get(i).place(), "overlaps an earlier translation");
        }
        boolean isUsed = config.stages().stream().anyMatch(stage -> stage.has(StageRole.TRANSLATES));
        if (!config.nat().isEmpty() && !isUsed && !faults.has("stages")) {
            faults.add(
                    config.nat().getFirst().place(),
                    "no stage uses it: add nat-destination before route, or nat-source after it");
        }
    }
}
