package io.offhook.forward.application;

import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.Bytes;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Translation;
import io.offhook.packet.write.PacketWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Synthetic packets as the ports of a configuration may receive them: between a host behind each port and one behind
 * every other, of IPv4 and IPv6, UDP, TCP and ICMP, short and long; requests and replies of ARP and neighbour
 * discovery; packets that the translations apply to; some with a VLAN tag.
 */
final class RehearsalPackets {
    /** The MAC addresses of hosts; their second byte differs from that of ports. */
    private static final long HOST = 0x0201_0000_0000L;

    private static final long PORT = 0x0202_0000_0000L;
    private static final int SOLICITATION = 135;
    private static final int MAX_TRANSLATIONS = 8;
    private static final int MAX_STATIONS = 8;

    private final ForwardConfig config;
    private final PacketWriter writer = new PacketWriter();
    private final MemorySegment memory;
    private final List<List<byte[]>> ofPorts = new ArrayList<>();

    private RehearsalPackets(ForwardConfig config, Arena arena) {
        this.config = config;
        memory = arena.allocate(2048);
    }

    /** The packets that each port receives, in the order of the configuration. */
    static List<List<byte[]>> of(ForwardConfig config) {
        try (Arena arena = Arena.ofConfined()) {
            RehearsalPackets packets = new RehearsalPackets(config, arena);
            for (int port = 0; port < config.ports().size(); port++) {
                packets.ofPorts.add(new ArrayList<>());
                packets.make(port);
            }
            return packets.ofPorts;
        }
    }

    /** The MAC address of a port. */
    static long linkAddress(int port) {
        return PORT + port;
    }

    private void make(int port) {
        for (int other = 0; other < config.ports().size(); other++) {
            if (other != port || config.ports().size() == 1) {
                between(port, other);
            }
        }
        config.stages().stream()
                .flatMap(stage -> stage.stations().stream())
                .limit(MAX_STATIONS)
                .forEach(station -> flow(port, station, IpPrefix.parse("192.0.2.1"), IpPrefix.parse("192.0.2.3")));
        for (Placed<IpPrefix> address : config.ports().get(port).addresses()) {
            asks(port, address.value());
        }
        long broadcast = EthernetFrames.BROADCAST;
        add(port, w -> w.ethernet(HOST + port, broadcast).arp(1, HOST + port, 1, 0, 2));
        config.nat().stream().limit(MAX_TRANSLATIONS).forEach(entry -> translated(port, entry.translation()));
    }

    private void between(int port, int other) {
        List<IpPrefix> hosts = hosts(port);
        List<IpPrefix> others = hosts(other);
        for (IpPrefix from : hosts) {
            for (IpPrefix to : others) {
                if (from.isIpv4() == to.isIpv4()) {
                    flow(port, destination(port, other), from, to);
                }
            }
        }
        if (hosts.isEmpty() || others.isEmpty()) {
            flow(port, destination(port, other), IpPrefix.parse("192.0.2.1"), IpPrefix.parse("192.0.2.2"));
            flow(port, destination(port, other), IpPrefix.parse("2001:db8::1"), IpPrefix.parse("2001:db8::2"));
        }
    }

    /** A router receives frames to its own address, a bridge those to the host. */
    private long destination(int port, int other) {
        String name = config.ports().get(port).name();
        boolean isRouter = config.stages().stream().anyMatch(stage -> stage.has(StageRole.ANSWERS, name));
        return isRouter ? linkAddress(port) : HOST + other;
    }

    private void flow(int port, long destination, IpPrefix from, IpPrefix to) {
        for (int length : new int[] {18, 172, 1000}) {
            byte[] data = new byte[length];
            add(
                    port,
                    w -> ip(w, port, destination, from, to)
                            .udp(10_000 + length, 20_000)
                            .payload(data));
        }
        add(
                port,
                w -> ip(w, port, destination, from, to)
                        .tcp(10_000, 80, 1, 1, 0x18)
                        .payload(new byte[512]));
        add(port, w -> ip(w, port, destination, from, to).tcp(10_000, 80, 1, 1, 0x10));
        add(
                port,
                w -> network(w.ethernet(HOST + port, destination).vlan(7), from, to)
                        .udp(10_000, 20_000)
                        .payload(new byte[60]));
        if (from.isIpv4()) {
            add(port, w -> ip(w, port, destination, from, to).icmp(8, 0, 1).payload(new byte[56]));
        }
    }

    private PacketWriter ip(PacketWriter w, int port, long destination, IpPrefix from, IpPrefix to) {
        return network(w.ethernet(HOST + port, destination), from, to);
    }

    private static PacketWriter network(PacketWriter w, IpPrefix from, IpPrefix to) {
        return from.isIpv4()
                ? w.ipv4(from.high() >>> 32, to.high() >>> 32)
                : w.ipv6(from.high(), from.low(), to.high(), to.low());
    }

    /** A host resolves the router's address, by which the router learns that of the host. */
    private void asks(int port, IpPrefix router) {
        for (IpPrefix host : host(router)) {
            if (router.isIpv4()) {
                add(
                        port,
                        w -> w.ethernet(HOST + port, EthernetFrames.BROADCAST)
                                .arp(1, HOST + port, host.high() >>> 32, 0, router.high() >>> 32));
            } else {
                ByteBuffer body = ByteBuffer.allocate(24)
                        .putLong(router.high())
                        .putLong(router.low())
                        .putShort((short) 0x0101) // an option: the sender's address, 8 bytes
                        .putShort((short) ((HOST + port) >>> 32))
                        .putInt((int) (HOST + port));
                add(
                        port,
                        w -> w.ethernet(HOST + port, linkAddress(port))
                                .ipv6(host.high(), host.low(), router.high(), router.low(), ip -> ip.hopLimit(255))
                                .icmpv6(SOLICITATION, 0, 0)
                                .payload(body.array()));
            }
        }
    }

    private void translated(int port, Translation translation) {
        long inside = translation.inside() & 0xffff_ffffL;
        long outside = translation.outside() & 0xffff_ffffL;
        for (IpPrefix host : hosts(port)) {
            long address = host.high() >>> 32;
            if (host.isIpv4()) {
                for (long to : new long[] {inside, outside}) {
                    add(
                            port,
                            w -> w.ethernet(HOST + port, linkAddress(port))
                                    .ipv4(address, to)
                                    .udp(10_000, translation.outsidePort())
                                    .payload(new byte[100]));
                }
                add(
                        port,
                        w -> w.ethernet(HOST + port, linkAddress(port))
                                .ipv4(inside, address)
                                .udp(translation.insidePort(), 10_000)
                                .payload(new byte[100]));
            }
        }
    }

    /** One host for each network of the router at a port. */
    private List<IpPrefix> hosts(int port) {
        return config.ports().get(port).addresses().stream()
                .flatMap(address -> host(address.value()).stream())
                .toList();
    }

    /** Another address of the router's network, if there is one. */
    private static List<IpPrefix> host(IpPrefix router) {
        boolean isSmall = router.length() >= (router.isIpv4() ? 31 : 127);
        if (router.length() == (router.isIpv4() ? 32 : 128)) {
            return List.of();
        }
        long unit = router.isIpv4() ? 1L << 32 : 1;
        long value = router.isIpv4() ? router.high() : router.low();
        // of four neighbours, the first and the last may mean the network and all of it
        long last = value & 3 * unit;
        long other = isSmall ? value ^ unit : value & ~(3 * unit) | (last == unit ? 2 * unit : unit);
        int full = router.isIpv4() ? 32 : 128;
        return List.of(
                router.isIpv4() ? new IpPrefix(other, 0, full, true) : new IpPrefix(router.high(), other, full, false));
    }

    private void add(int port, Consumer<PacketWriter> layers) {
        writer.begin(memory, 0);
        layers.accept(writer);
        ofPorts.get(port).add(Bytes.get(memory.address(), writer.finish(60)));
    }
}
