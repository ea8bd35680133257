package io.offhook.forward;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.linux.CpuAffinity;
import io.offhook.linux.NetworkDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What makes no sense in a configuration whose values are right one by one. */
final class ForwardChecks {
    private final ForwardConfig config;
    private final ConfigFaults faults;
    private final Map<String, ForwardConfig.PortConfig> ports = new HashMap<>();

    private ForwardChecks(ForwardConfig config, ConfigFaults faults) {
        this.config = config;
        this.faults = faults;
    }

    static void check(ForwardConfig config, ConfigFaults faults) {
        ForwardChecks checks = new ForwardChecks(config, faults);
        checks.checkPorts();
        checks.checkLanes();
        checks.checkStages();
        checks.checkNat();
        for (StageConfig stage : config.stages()) {
            if (stage instanceof StageConfig.Route route) {
                checks.checkRoutes(route);
            }
        }
    }

    /** Tells of each item that is like one before it. */
    private <T> void unique(List<T> items, Function<T, Object> key, Function<T, ConfigPlace> place, String what) {
        Map<Object, ConfigPlace> seen = new HashMap<>();
        for (T item : items) {
            Object of = key.apply(item);
            ConfigPlace before = seen.putIfAbsent(of, place.apply(item));
            if (before != null) {
                faults.add(place.apply(item), what + " " + of + " is used twice; line " + before.line() + " has it");
            }
        }
    }

    private void checkPorts() {
        unique(config.ports(), ForwardConfig.PortConfig::name, ForwardConfig.PortConfig::place, "port name");
        unique(
                config.ports(),
                port -> port.interfaceName().value(),
                port -> port.interfaceName().place(),
                "interface");
        List<Placed<IpPrefix>> addresses = new ArrayList<>();
        for (ForwardConfig.PortConfig port : config.ports()) {
            ports.putIfAbsent(port.name(), port);
            addresses.addAll(port.addresses());
        }
        unique(addresses, address -> address.value().addressText(), Placed::place, "address");
        unique(addresses, address -> address.value().network(), Placed::place, "network");
        if (config.ports().isEmpty() && !faults.has("ports")) {
            faults.add(
                    config.stages().isEmpty() ? TOP : config.stages().getFirst().place(), "there are no ports");
        }
    }

    private static final ConfigPlace TOP = new ConfigPlace("configuration", 0, 0, "");

    /** Tells of names that no port has. */
    private void known(List<Placed<String>> names) {
        for (Placed<String> name : names) {
            known(name);
        }
        unique(names, Placed::value, Placed::place, "port");
    }

    private boolean known(Placed<String> name) {
        if (!ports.containsKey(name.value()) && !faults.has("ports")) {
            faults.add(name.place(), "there is no port " + name.value() + "; there are " + String.join(", ", names()));
        }
        return ports.containsKey(name.value());
    }

    private List<String> names() {
        return config.ports().stream()
                .map(ForwardConfig.PortConfig::name)
                .distinct()
                .toList();
    }

    private void checkLanes() {
        List<ForwardConfig.LaneConfig> pinned =
                config.lanes().stream().filter(lane -> lane.core() >= 0).toList();
        unique(pinned, ForwardConfig.LaneConfig::core, ForwardConfig.LaneConfig::place, "core");
        List<String> read = new ArrayList<>();
        for (ForwardConfig.LaneConfig lane : config.lanes()) {
            known(lane.ports());
            lane.ports().forEach(port -> read.add(port.value()));
            if (lane.ports().isEmpty()) {
                faults.add(lane.place(), "the lane reads from no port");
            }
        }
        for (ForwardConfig.PortConfig port : config.ports()) {
            if (!read.contains(port.name()) && !faults.has("lanes")) {
                faults.add(port.place(), "no lane reads from port " + port.name());
            }
            boolean isReadByAll = config.lanes().stream()
                    .allMatch(lane ->
                            lane.ports().stream().anyMatch(name -> name.value().equals(port.name())));
            if (port.backend() == ForwardConfig.Backend.XDP && !isReadByAll && !faults.has("lanes")) {
                faults.add(
                        port.place(), "is driven by xdp, where each lane has a queue: all lanes have to read from it");
            }
        }
    }

    private void checkStages() {
        Map<String, String> decidedBy = new HashMap<>();
        boolean hasDecided = false;
        for (int i = 0; i < config.stages().size(); i++) {
            StageConfig stage = config.stages().get(i);
            boolean isFirst = i == 0;
            switch (stage) {
                case StageConfig.Decode decode
                when !isFirst ->
                    faults.add(
                            decode.place(),
                            "decode stands behind other stages; it is for those behind it: put it first");
                case StageConfig.Bridge bridge -> {
                    known(bridge.ports());
                    bridge.addresses().forEach(address -> known(address.port()));
                    unique(
                            bridge.addresses(),
                            StageConfig.StaticAddress::linkAddress,
                            address -> address.port().place(),
                            "MAC address");
                    decide(decidedBy, bridge.ports(), "bridge", bridge.place());
                    hasDecided = true;
                }
                case StageConfig.Route route -> {
                    known(route.ports());
                    decide(decidedBy, route.ports(), "route", route.place());
                    hasDecided = true;
                }
                case StageConfig.RateLimit limit -> known(limit.ports());
                case StageConfig.VlanPush push -> tagged(push.from(), push.to(), hasDecided, push.place());
                case StageConfig.VlanPop pop -> tagged(pop.from(), pop.to(), hasDecided, pop.place());
                case StageConfig.Nat nat -> checkOrder(nat, hasDecided);
                default -> {}
            }
        }
        if (!hasDecided && !faults.has("stages")) {
            ConfigPlace place =
                    config.stages().isEmpty() ? TOP : config.stages().getFirst().place();
            faults.add(place, "no stage says where packets go: there is neither bridge nor route");
        }
        List<StageConfig.Mirror> mirrors = config.stages().stream()
                .filter(StageConfig.Mirror.class::isInstance)
                .map(StageConfig.Mirror.class::cast)
                .toList();
        unique(mirrors, StageConfig.Mirror::file, StageConfig.Mirror::place, "file");
    }

    private void decide(Map<String, String> decidedBy, List<Placed<String>> of, String stage, ConfigPlace place) {
        List<String> names =
                of.isEmpty() ? names() : of.stream().map(Placed::value).toList();
        for (String name : names) {
            String before = decidedBy.putIfAbsent(name, stage);
            if (before != null) {
                faults.add(
                        place,
                        "packets of port " + name + " have their way by " + before + " before: nothing is left to "
                                + stage);
            }
        }
    }

    private void tagged(List<Placed<String>> from, List<Placed<String>> to, boolean hasDecided, ConfigPlace place) {
        known(from);
        known(to);
        if (from.isEmpty() && to.isEmpty()) {
            faults.add(place, "does nothing: say from which ports, or to which");
        }
        if (!to.isEmpty() && !hasDecided) {
            faults.add(place, "stands before bridge and route, where nothing has a port to go to yet");
        }
    }

    private void checkOrder(StageConfig.Nat nat, boolean hasDecided) {
        known(nat.outside());
        if (nat.isDestination() && hasDecided) {
            faults.add(
                    nat.place(), "nat-destination stands behind the stage that looks at destinations: put it before");
        }
        if (!nat.isDestination() && !hasDecided) {
            faults.add(nat.place(), "nat-source stands before bridge and route, where nothing goes outside yet");
        }
        if (config.nat().isEmpty() && !faults.has("nat")) {
            faults.add(nat.place(), "there are no translations: nat is empty");
        }
    }

    private void checkNat() {
        List<NatTable.Translation> translations = config.nat().stream()
                .map(ForwardConfig.TranslationConfig::translation)
                .toList();
        for (int i : NatTable.overlaps(translations)) {
            faults.add(config.nat().get(i).place(), "overlaps a translation before it");
        }
        boolean isUsed = config.stages().stream().anyMatch(StageConfig.Nat.class::isInstance);
        if (!config.nat().isEmpty() && !isUsed && !faults.has("stages")) {
            faults.add(
                    config.nat().getFirst().place(),
                    "no stage uses it: nat-destination before route, nat-source behind it");
        }
    }

    // ---- routes

    private void checkRoutes(StageConfig.Route stage) {
        List<ForwardConfig.PortConfig> own = portsOf(stage);
        if (own.stream().allMatch(port -> port.addresses().isEmpty()) && !faults.has("ports")) {
            faults.add(stage.place(), "none of its ports has an address");
        }
        unique(stage.routes(), route -> route.to().network(), StageConfig.RouteConfig::place, "prefix");
        unique(
                stage.neighbors(),
                neighbor -> neighbor.address().addressText(),
                StageConfig.NeighborConfig::place,
                "neighbour");
        for (StageConfig.RouteConfig route : stage.routes()) {
            checkRoute(route, own);
        }
        for (StageConfig.NeighborConfig neighbor : stage.neighbors()) {
            if (known(neighbor.port()) && portOf(own, neighbor.address()) < 0) {
                faults.add(
                        neighbor.place(), neighbor.address().addressText() + " is in no network of the router's ports");
            }
        }
    }

    private void checkRoute(StageConfig.RouteConfig route, List<ForwardConfig.PortConfig> own) {
        if (!route.to().isNetwork()) {
            faults.add(
                    route.place(),
                    route.to() + " has bits behind its prefix; the network is "
                            + route.to().network());
        }
        int ways = (route.via() == null ? 0 : 1) + (route.port() == null ? 0 : 1) + (route.isRejected() ? 1 : 0);
        if (ways != 1) {
            faults.add(route.place(), "needs one of via, port and reject, and has " + ways);
        }
        IpPrefix via = route.via();
        if (via != null && via.isIpv4() != route.to().isIpv4()) {
            faults.add(route.place(), via.addressText() + " is of the other IP version than " + route.to());
        } else if (via != null && portOf(own, via) < 0 && !faults.has("ports")) {
            faults.add(route.place(), via.addressText() + " is in no network of the router's ports");
        } else if (via != null && isOwn(own, via)) {
            faults.add(route.place(), via.addressText() + " is the router itself");
        }
        if (route.port() != null) {
            known(route.port());
        }
    }

    private static boolean isOwn(List<ForwardConfig.PortConfig> own, IpPrefix address) {
        return own.stream()
                .flatMap(port -> port.addresses().stream())
                .anyMatch(prefix -> prefix.value().addressText().equals(address.addressText()));
    }

    private List<ForwardConfig.PortConfig> portsOf(StageConfig.Route stage) {
        return config.ports().stream()
                .filter(port -> stage.ports().isEmpty()
                        || stage.ports().stream().anyMatch(name -> name.value().equals(port.name())))
                .toList();
    }

    /** The index of the port in whose network an address is; -1. */
    static int portOf(List<ForwardConfig.PortConfig> ports, IpPrefix address) {
        for (int i = 0; i < ports.size(); i++) {
            for (Placed<IpPrefix> prefix : ports.get(i).addresses()) {
                if (prefix.value().isIpv4() == address.isIpv4()
                        && prefix.value().contains(address.high(), address.low())) {
                    return i;
                }
            }
        }
        return -1;
    }

    // ---- the machine

    /** What it has: interfaces and processors. */
    static void checkMachine(ForwardConfig config, ConfigFaults faults) {
        Map<String, NetworkDevice> devices = new HashMap<>();
        NetworkDevice.all().forEach(device -> devices.put(device.name(), device));
        for (ForwardConfig.PortConfig port : config.ports()) {
            if (port.backend() == ForwardConfig.Backend.DPDK) {
                continue; // DPDK knows its devices, once it runs
            }
            String name = port.interfaceName().value();
            NetworkDevice device = devices.get(name);
            if (device == null) {
                faults.add(port.interfaceName().place(), "this machine has no interface " + name);
            } else if (device.hardwareType() != NetworkDevice.ETHERNET) {
                faults.add(port.interfaceName().place(), "interface " + name + " is not Ethernet");
            } else if (!device.isUp()) {
                faults.add(port.interfaceName().place(), "is down: sudo ip link set " + name + " up");
            }
        }
        int[] cores = CpuAffinity.processors();
        for (ForwardConfig.LaneConfig lane : config.lanes()) {
            if (lane.core() >= 0 && Arrays.stream(cores).noneMatch(core -> core == lane.core())) {
                faults.add(
                        lane.place(),
                        "core " + lane.core() + " is not this process's; it may use " + Arrays.toString(cores));
            }
        }
    }
}
