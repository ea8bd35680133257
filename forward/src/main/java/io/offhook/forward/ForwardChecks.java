package io.offhook.forward;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.packet.MacAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
        checks.checkMbufs();
        checks.checkStages();
        checks.checkNat();
        checks.checkTags();
        List<ForwardConfig.PortConfig> bridged = new ArrayList<>(config.ports());
        for (StageConfig stage : config.stages()) {
            if (stage instanceof StageConfig.Route route) {
                checks.checkRoutes(route);
                bridged.removeAll(portsOf(config, route));
            }
        }
        for (ForwardConfig.PortConfig port : bridged) {
            if (!port.addresses().isEmpty() && !faults.has("stages")) {
                faults.add(
                        port.addresses().getFirst().place(),
                        "no route stage is about port " + port.name() + ": nobody would answer for its addresses");
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
        for (Placed<IpPrefix> address : addresses) {
            if (!isOfHost(address.value())) {
                faults.add(address.place(), address.value() + " is no address that one host can have");
            }
        }
        if (config.ports().isEmpty() && !faults.has("ports")) {
            faults.add(
                    config.stages().isEmpty() ? TOP : config.stages().getFirst().place(), "there are no ports");
        }
    }

    /** Neither of several, nor a network's first or last, nor one that never leaves a machine. */
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

    /** A card holds mbufs for its whole rings; with none left, nothing would come in. Virtual devices take them as they need them. */
    private void checkMbufs() {
        List<ForwardConfig.PortConfig> cards = config.ports().stream()
                .filter(port -> port.backend() == ForwardConfig.Backend.DPDK)
                .filter(port -> !port.interfaceName().value().startsWith("net_"))
                .toList();
        long lanes = config.lanes().size();
        long held = lanes * Burst.CAPACITY;
        for (ForwardConfig.PortConfig card : cards) {
            long readers = config.lanes().stream()
                    .flatMap(lane -> lane.ports().stream())
                    .filter(name -> name.value().equals(card.name()))
                    .count();
            held += (readers + lanes) * card.ring();
        }
        if (!cards.isEmpty() && held > config.dpdk().mbufs() && !faults.has("lanes") && !faults.has("dpdk")) {
            faults.add(
                    cards.getFirst().place(),
                    "dpdk.mbufs " + config.dpdk().mbufs() + " is too few: rings of cards and lanes hold " + held
                            + "; take that many, or smaller rings");
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
                    checkAddresses(bridge);
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
        unique(mirrors, mirror -> mirror.file().toAbsolutePath().normalize(), StageConfig.Mirror::place, "file");
    }

    /** Each at a port of the bridge, and all together no more than its table takes. */
    private void checkAddresses(StageConfig.Bridge bridge) {
        unique(
                bridge.addresses(),
                address -> MacAddress.text(address.linkAddress()),
                address -> address.port().place(),
                "MAC address");
        MacTable table = new MacTable(bridge.tableSize(), bridge.ageingNs());
        boolean hasRoom = true;
        for (StageConfig.StaticAddress address : bridge.addresses()) {
            String port = address.port().value();
            if (known(address.port()) && !has(bridge.ports(), port)) {
                faults.add(address.port().place(), "port " + port + " is none of the bridge's");
            }
            if (hasRoom && !table.pin(address.linkAddress(), 0)) {
                hasRoom = false;
                faults.add(
                        address.port().place(),
                        "table-size " + bridge.tableSize() + " has no room for "
                                + MacAddress.text(address.linkAddress()));
            }
        }
    }

    /** Whether a stage is about a port: one that names none is about all. */
    static boolean has(List<Placed<String>> names, String port) {
        return names.isEmpty() || names.stream().anyMatch(name -> name.value().equals(port));
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

    /** A packet with a tag is none of IPv4 to NAT, which lets it pass as it is. */
    private void checkTags() {
        List<StageConfig> stages = config.stages();
        for (int i = 0; i < stages.size(); i++) {
            if (stages.get(i) instanceof StageConfig.Nat nat) {
                String name = nat.isDestination() ? "nat-destination" : "nat-source";
                boolean isTagged = stages.subList(0, i).stream()
                        .anyMatch(stage -> stage instanceof StageConfig.VlanPush push
                                && share(nat.isDestination() ? push.from() : push.to(), nat.outside()));
                boolean isStillTagged = stages.subList(i, stages.size()).stream()
                        .anyMatch(stage -> stage instanceof StageConfig.VlanPop pop
                                && pop.isStrict()
                                && nat.isDestination()
                                && share(pop.from(), nat.outside()));
                if (isTagged) {
                    faults.add(nat.place(), name + " stands behind vlan-push, and translates no tagged packets");
                }
                if (isStillTagged) {
                    faults.add(nat.place(), name + " stands before vlan-pop, and translates no tagged packets");
                }
            }
        }
    }

    /** Whether a port is in both. */
    private static boolean share(List<Placed<String>> one, List<Placed<String>> other) {
        return one.stream().anyMatch(port -> other.stream().map(Placed::value).anyMatch(port.value()::equals));
    }

    // ---- routes

    private void checkRoutes(StageConfig.Route stage) {
        List<ForwardConfig.PortConfig> own = portsOf(config, stage);
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
            if (known(neighbor.port()) && portOf(named(own, neighbor.port()), neighbor.address()) == null) {
                faults.add(
                        neighbor.place(),
                        neighbor.address().addressText() + " is in no network that the router has at port "
                                + neighbor.port().value());
            }
        }
    }

    private static List<ForwardConfig.PortConfig> named(List<ForwardConfig.PortConfig> ports, Placed<String> name) {
        return ports.stream().filter(port -> port.name().equals(name.value())).toList();
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
        } else if (via != null && portOf(own, via) == null && !faults.has("ports")) {
            faults.add(route.place(), via.addressText() + " is in no network of the router's ports");
        } else if (via != null && isOwn(own, via)) {
            faults.add(route.place(), via.addressText() + " is the router itself");
        }
        Placed<String> port = route.port();
        if (port != null && known(port) && !faults.has("ports")) {
            List<ForwardConfig.PortConfig> by = named(own, port);
            boolean canAsk = by.stream()
                    .flatMap(of -> of.addresses().stream())
                    .anyMatch(address -> address.value().isIpv4() == route.to().isIpv4());
            if (by.isEmpty()) {
                faults.add(port.place(), "port " + port.value() + " is none of the router's");
            } else if (!canAsk) {
                faults.add(
                        port.place(),
                        "port " + port.value() + " has no address of the IP version of " + route.to()
                                + " to ask for neighbours from");
            }
        }
    }

    private static boolean isOwn(List<ForwardConfig.PortConfig> own, IpPrefix address) {
        return own.stream()
                .flatMap(port -> port.addresses().stream())
                .anyMatch(prefix -> prefix.value().addressText().equals(address.addressText()));
    }

    static List<ForwardConfig.PortConfig> portsOf(ForwardConfig config, StageConfig.Route stage) {
        return config.ports().stream()
                .filter(port -> has(stage.ports(), port.name()))
                .toList();
    }

    /** The port in whose network an address is: the longest prefix, as for packets; null where there is none. */
    static ForwardConfig.@Nullable PortConfig portOf(List<ForwardConfig.PortConfig> ports, IpPrefix address) {
        ForwardConfig.PortConfig found = null;
        int longest = -1;
        for (ForwardConfig.PortConfig port : ports) {
            for (Placed<IpPrefix> prefix : port.addresses()) {
                if (prefix.value().isIpv4() == address.isIpv4()
                        && prefix.value().length() > longest
                        && prefix.value().contains(address.high(), address.low())) {
                    found = port;
                    longest = prefix.value().length();
                }
            }
        }
        return found;
    }
}
