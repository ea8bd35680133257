package io.offhook.forward;

import io.offhook.config.ConfigTypes.Placed;
import io.offhook.filter.PacketFilter;
import io.offhook.linux.NetworkDevice;
import io.offhook.live.XdpMemory;
import io.offhook.live.XdpMode;
import io.offhook.packet.LinkType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Forwarder} as a {@link ForwardConfig} describes it, whose tables (filter rules, routes, neighbours, addresses of a
 * bridge, translations) can be exchanged while it runs, without losing a packet. One thread controls it.
 */
public final class ForwardApplication implements AutoCloseable {
    private final List<Port> ports = new ArrayList<>();
    private final List<MirrorFile> mirrors = new ArrayList<>();
    private final List<XdpMemory> xdpMemories = new ArrayList<>();
    private final List<ConfiguredStage> stages = new ArrayList<>();
    private final LongSupplier clock;
    private final @Nullable DpdkPorts dpdk;
    private final Forwarder forwarder;
    private final List<String> warnings;
    private ForwardConfig config;
    private boolean closed;

    /** Opens ports and files; {@link #forwarder()} is still to be started. */
    public static ForwardApplication open(ForwardConfig config) {
        return new ForwardApplication(config, null, System::nanoTime, Forwarder.STOP_MS);
    }

    /**
     * With ports of another kind; for tests.
     *
     * @param clock in nanoseconds
     * @param stopMs how long lanes are waited for at the end, in milliseconds
     */
    static ForwardApplication open(
            ForwardConfig config, Function<ForwardConfig.PortConfig, Port> ports, LongSupplier clock, long stopMs) {
        return new ForwardApplication(config, ports, clock, stopMs);
    }

    private ForwardApplication(
            ForwardConfig config,
            @Nullable Function<ForwardConfig.PortConfig, Port> toPort,
            LongSupplier clock,
            long stopMs) {
        this.config = config;
        this.clock = clock;
        boolean hasDpdk = toPort == null
                && config.ports().stream().anyMatch(port -> port.backend() == ForwardConfig.Backend.DPDK);
        dpdk = hasDpdk ? new DpdkPorts(config.dpdk()) : null;
        try {
            for (ForwardConfig.PortConfig port : config.ports()) {
                ports.add(toPort == null ? port(port, dpdk) : toPort.apply(port));
            }
            for (StageConfig stage : config.stages()) {
                stages.add(new ConfiguredStage(this, stage));
            }
            Forwarder.Builder builder = new Forwarder.Builder()
                    .idle(config.idle())
                    .buffers(config.buffers())
                    .clock(clock)
                    .stopMs(stopMs)
                    .stages(this::stagesOfALane);
            ports.forEach(builder::port);
            if (dpdk != null) {
                builder.scope(dpdk::scope);
            }
            for (ForwardConfig.LaneConfig lane : config.lanes()) {
                builder.lane(lane.core(), numbers(lane.ports()));
            }
            forwarder = builder.open();
            warnings = toPort == null ? PortWarnings.of(config, ports) : List.of();
        } catch (RuntimeException e) {
            ports.forEach(Port::close);
            closeShared();
            throw e;
        }
    }

    /** How each backend makes a port: the one place where another is added. */
    private Port port(ForwardConfig.PortConfig port, @Nullable DpdkPorts dpdk) {
        return switch (port.backend()) {
            case AFPACKET ->
                new PacketSocketPort(port.name(), port.interfaceName().value(), port.ring(), port.isPromiscuous());
            case XDP ->
                new XdpPort(
                        port.name(),
                        device(port),
                        XdpMode.AUTO,
                        Integer.highestOneBit(port.ring()),
                        port.isPromiscuous(),
                        xdpMemories());
            case DPDK -> Objects.requireNonNull(dpdk, "DPDK was not started").port(port);
        };
    }

    private static NetworkDevice device(ForwardConfig.PortConfig port) {
        String name = port.interfaceName().value();
        NetworkDevice device = NetworkDevice.named(name);
        if (device == null) {
            throw new IllegalArgumentException("there is no interface " + name);
        }
        return device;
    }

    /** Of each lane, for all its ports of AF_XDP: twice what these can have in their rings. */
    private List<XdpMemory> xdpMemories() {
        if (xdpMemories.isEmpty()) {
            int chunks = 0;
            int longest = 0;
            for (ForwardConfig.PortConfig port : config.ports()) {
                if (port.backend() == ForwardConfig.Backend.XDP) {
                    chunks += 4 * Integer.highestOneBit(port.ring());
                    longest = Math.max(longest, device(port).mtu());
                }
            }
            boolean isSmall = longest + EthernetFrames.MAX_HEADER + XdpMemory.HEADROOM_BYTES <= 2048;
            for (int i = 0; i < config.lanes().size(); i++) {
                xdpMemories.add(new XdpMemory(chunks, isSmall ? 2048 : 4096));
            }
        }
        return xdpMemories;
    }

    private List<Stage> stagesOfALane() {
        return stages.stream().map(ConfiguredStage::ofALane).toList();
    }

    /** What it was made of, or took last. */
    public ForwardConfig config() {
        return config;
    }

    /** What of the ports and their interfaces is not as it should be, with what mends it: as they were opened. */
    public List<String> warnings() {
        return warnings;
    }

    /** What runs. */
    public Forwarder forwarder() {
        return forwarder;
    }

    /**
     * What a rule of a filter has matched, of all lanes, since the rules were taken.
     *
     * @param action what it does
     * @param expression which packets
     * @param packets that it matched
     */
    public record RuleCount(FilterStage.Action action, String expression, long packets) {}

    /** Of all filters, in the order of the configuration. */
    public List<RuleCount> ruleCounts() {
        return stages.stream().flatMap(stage -> stage.ruleCounts().stream()).toList();
    }

    /**
     * The table of a bridge or a router.
     *
     * @param stage its name
     * @param entries addresses or neighbours in it, with those whose time is over and whose place nobody took
     * @param lost how many it has not for want of room: of a bridge addresses that gave way, of a router neighbours that
     *     were not noted, also those that came too fast
     */
    public record TableCount(String stage, int entries, long lost) {}

    /** Of all bridges and routers, in the order of the configuration. */
    public List<TableCount> tableCounts() {
        return stages.stream().flatMap(stage -> stage.tableCounts().stream()).toList();
    }

    /** Files that packets are mirrored to, in the order of the stages. */
    public List<MirrorFile> mirrors() {
        return List.copyOf(mirrors);
    }

    /**
     * Takes the tables of another configuration. Each lane takes those of its stages between two bursts, all of them together;
     * addresses of a bridge, which its lanes share, are taken at once.
     *
     * @return what else differs, a line each: then nothing was taken, as it needs a new start
     */
    public List<String> reload(ForwardConfig other) {
        List<String> differences = differences(config.structure(), other.structure());
        if (differences.isEmpty()) {
            ForwardConfig before = config;
            config = other;
            List<List<Optional<Runnable>>> ofLanes = new ArrayList<>();
            config.lanes().forEach(_ -> ofLanes.add(new ArrayList<>()));
            for (int i = 0; i < stages.size(); i++) {
                List<Runnable> exchanges = stages.get(i)
                        .exchange(before.stages().get(i), other.stages().get(i));
                for (int lane = 0; lane < ofLanes.size(); lane++) {
                    ofLanes.get(lane).add(exchanges.isEmpty() ? Optional.empty() : Optional.of(exchanges.get(lane)));
                }
            }
            forwarder.exchange(ofLanes);
        }
        return differences;
    }

    private static List<String> differences(List<String> now, List<String> then) {
        List<String> differences = new ArrayList<>();
        without(then, now).forEach(line -> differences.add("new: " + line));
        without(now, then).forEach(line -> differences.add("gone: " + line));
        if (differences.isEmpty() && !now.equals(then)) {
            differences.add("the order of ports, lanes or stages");
        }
        return differences;
    }

    /** One for one: of two that are the same, one may be left. */
    private static List<String> without(List<String> lines, List<String> others) {
        List<String> left = new ArrayList<>(lines);
        others.forEach(left::remove);
        return left;
    }

    /**
     * Stops the lanes, and closes ports and files; as {@link Forwarder#close}.
     *
     * @throws IllegalStateException where a lane has failed, or has not ended
     */
    @Override
    public void close() {
        try {
            forwarder.close();
        } finally {
            if (!closed && forwarder.isQuiet()) {
                closed = true;
                closeShared();
            }
        }
    }

    private void closeShared() {
        xdpMemories.forEach(XdpMemory::close);
        mirrors.forEach(MirrorFile::close);
        if (dpdk != null) {
            dpdk.close();
        }
    }

    // ---- what stages are made with

    long nowNs() {
        return clock.getAsLong();
    }

    MirrorFile mirror(StageConfig.Mirror mirror) {
        MirrorFile file = new MirrorFile(mirror.file(), mirror.snapLength(), mirror.queue());
        mirrors.add(file);
        return file;
    }

    private int number(String name) {
        for (int i = 0; i < config.ports().size(); i++) {
            if (config.ports().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("there is no port " + name);
    }

    int number(Placed<String> name) {
        return number(name.value());
    }

    private int[] numbers(List<Placed<String>> names) {
        return names.stream().mapToInt(this::number).toArray();
    }

    /** Ports as bits. */
    long bits(List<Placed<String>> names) {
        long bits = 0;
        for (Placed<String> name : names) {
            bits |= 1L << number(name);
        }
        return bits;
    }

    /** As {@link #bits}, all of them where none is named. */
    long bitsOrAll(List<Placed<String>> names) {
        return names.isEmpty() ? -1L >>> 64 - ports.size() : bits(names);
    }

    long[] linkAddresses() {
        return ports.stream().mapToLong(Port::linkAddress).toArray();
    }

    int[] mtus() {
        return ports.stream().mapToInt(Port::mtu).toArray();
    }

    static PacketFilter filter(String expression) {
        return PacketFilter.of(expression, LinkType.ETHERNET);
    }

    static List<FilterStage.Rule> rules(StageConfig.Filter filter) {
        return filter.rules().stream()
                .map(rule -> new FilterStage.Rule(rule.action(), filter(rule.expression())))
                .toList();
    }

    NatTable nat() {
        return NatTable.of(config.nat().stream()
                .map(ForwardConfig.TranslationConfig::translation)
                .toList());
    }

    RouteTable routes(StageConfig.Route route) {
        long bits = bitsOrAll(route.ports());
        List<RouteTable.Interface> interfaces = new ArrayList<>();
        for (int i = 0; i < config.ports().size(); i++) {
            if ((bits >>> i & 1) != 0) {
                for (Placed<IpPrefix> address : config.ports().get(i).addresses()) {
                    interfaces.add(new RouteTable.Interface(i, address.value()));
                }
            }
        }
        List<RouteTable.Route> routes = new ArrayList<>();
        for (StageConfig.RouteConfig entry : route.routes()) {
            IpPrefix via = entry.via();
            Placed<String> port = entry.port();
            int number = via != null ? gatewayPort(route, via) : port != null ? number(port) : -1;
            routes.add(new RouteTable.Route(entry.to(), number, via));
        }
        List<RouteTable.Neighbor> neighbors = new ArrayList<>();
        for (StageConfig.NeighborConfig neighbor : route.neighbors()) {
            neighbors.add(new RouteTable.Neighbor(number(neighbor.port()), neighbor.address(), neighbor.linkAddress()));
        }
        return RouteTable.of(interfaces, routes, neighbors, translated(bits));
    }

    private int gatewayPort(StageConfig.Route route, IpPrefix via) {
        ForwardConfig.PortConfig port = ForwardChecks.portOf(ForwardChecks.portsOf(config, route), via);
        return number(Objects.requireNonNull(port, "no port has the network of a gateway")
                .name());
    }

    /** The names that hosts inside have outside, in the networks of a router's ports: it answers for them, too. */
    private List<RouteTable.Interface> translated(long routerPorts) {
        Set<RouteTable.Interface> names = new LinkedHashSet<>();
        for (StageConfig stage : config.stages()) {
            if (stage instanceof StageConfig.Nat nat && nat.isDestination()) {
                for (Placed<String> name : nat.outside()) {
                    int number = number(name);
                    List<ForwardConfig.PortConfig> port = List.of(config.ports().get(number));
                    for (ForwardConfig.TranslationConfig entry : config.nat()) {
                        long outside = (entry.translation().outside() & 0xffff_ffffL) << 32;
                        IpPrefix address = new IpPrefix(outside, 0, 32, true);
                        if ((routerPorts >>> number & 1) != 0 && ForwardChecks.portOf(port, address) != null) {
                            names.add(new RouteTable.Interface(number, address));
                        }
                    }
                }
            }
        }
        return List.copyOf(names);
    }

    /** Addresses of a bridge that need not be learned, with their ports. */
    Map<Long, Integer> pinned(StageConfig.Bridge bridge) {
        Map<Long, Integer> pinned = new LinkedHashMap<>();
        bridge.addresses().forEach(address -> pinned.put(address.linkAddress(), number(address.port())));
        return pinned;
    }
}
