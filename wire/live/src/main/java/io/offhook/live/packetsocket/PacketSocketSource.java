package io.offhook.live.packetsocket;

import io.offhook.filter.FilterException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.DrivenSource;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveInterface;
import io.offhook.live.RingSource;
import io.offhook.live.engine.KernelFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * Captures the packets of one interface by AF_PACKET, packet(7): those that it receives and those that this machine
 * sends. The kernel shares the ring with this process; nothing is copied between the two.
 *
 * <p>Frames are in ring blocks, which a batch borrows until it is filled again: at most as many batches may be in use
 * as the ring has blocks, and a batch that is never filled again permanently occupies its blocks. A frame's VLAN tag,
 * which the network card or the kernel removes, is put back.
 *
 * <p>Needs CAP_NET_RAW. If the interface goes down, the source waits; if it disappears, the source ends with a fault.
 */
public final class PacketSocketSource implements DrivenSource {
    /** The most members of a group in the kernel. */
    private static final int MOST_SOURCES = 256;

    private final PacketSocketDriver driver;
    private final RingSource ring;

    private PacketSocketSource(
            PacketSocketOptions options, NetworkDevice device, KernelFilter filter, PacketRing ring) {
        driver = new PacketSocketDriver(options, device, filter, ring);
        this.ring = new RingSource(driver, options.idleStrategy());
    }

    /**
     * Starts to capture.
     *
     * @param expression a filter of pcap-filter(7), run in the kernel; empty for all packets
     * @throws io.offhook.linux.LinuxException EPERM if CAP_NET_RAW is missing
     * @throws FilterException if the expression is invalid, or the kernel cannot run it
     * @throws IllegalArgumentException if there is no such interface, its frames have an unknown format, or its card
     *     cannot stamp them as requested
     */
    public static PacketSocketSource open(PacketSocketOptions options, String expression) {
        NetworkDevice device = device(options.interfaceName());
        int linkType = knownLinkType(device);
        KernelFilter filter = KernelFilter.of(expression, linkType, options.snapLength());
        options.clock().switchOn(device.name());
        PacketRing ring = PacketRing.open(options, device, filter.program());
        try {
            return new PacketSocketSource(options, device, filter, ring);
        } catch (RuntimeException e) {
            ring.close();
            throw e;
        }
    }

    /**
     * Starts to capture with several sources that share the packets of the interface: each packet goes to one of them.
     * Each is meant for a lane of its own, and they are as independent of each other as sources of different
     * interfaces. Packets for a source that was {@linkplain #stop stopped} before the others are lost and not counted.
     *
     * <p>{@link LiveCounts} are those of each source, and add up.
     *
     * @param expression as in {@link #open}
     * @param count the number of sources, 1 to 256
     * @throws io.offhook.linux.LinuxException EPERM if CAP_NET_RAW is missing
     * @throws FilterException if the expression is invalid, or the kernel cannot run it
     * @throws IllegalArgumentException if there is no such interface, it is down, its frames have an unknown format, or
     *     its card cannot stamp them as requested
     */
    public static List<PacketSocketSource> openGroup(
            PacketSocketOptions options, String expression, FanOut fanOut, int count) {
        if (count < 1 || count > MOST_SOURCES) {
            throw new IllegalArgumentException("count " + count + " is outside 1 to " + MOST_SOURCES);
        }
        NetworkDevice device = device(options.interfaceName());
        if (!device.isUp()) {
            throw new IllegalArgumentException("interface " + device.name() + " is down, but its packets can be shared"
                    + " only while it is up; run ip link set " + device.name() + " up");
        }
        int linkType = knownLinkType(device);
        KernelFilter filter = KernelFilter.of(expression, linkType, options.snapLength());
        options.clock().switchOn(device.name());
        List<PacketRing> rings = new ArrayList<>();
        List<PacketSocketSource> sources = new ArrayList<>();
        try {
            int group = PacketRing.NEW_GROUP;
            for (int i = 0; i < count; i++) {
                // before it has joined, it would receive the packets of the others, too
                PacketRing ring = PacketRing.open(options, device, KernelFilter.nothing());
                rings.add(ring);
                group = ring.join(group, fanOut);
            }
            for (PacketRing ring : rings) {
                ring.attach(filter.program());
                sources.add(new PacketSocketSource(options, device, filter, ring));
            }
            return List.copyOf(sources);
        } catch (RuntimeException e) {
            sources.forEach(PacketSocketSource::close);
            rings.subList(sources.size(), rings.size()).forEach(PacketRing::close);
            throw e;
        }
    }

    /** Returns the interface of that name. */
    static NetworkDevice device(String name) {
        NetworkDevice device = NetworkDevice.named(name);
        if (device == null) {
            throw new IllegalArgumentException("there is no interface " + name);
        }
        return device;
    }

    /** As {@link LiveInterface#linkType}, but throws if it is unknown. */
    static int knownLinkType(NetworkDevice device) {
        int linkType = LiveInterface.linkType(device);
        if (linkType < 0) {
            throw new IllegalArgumentException("interface " + device.name() + " has hardware type "
                    + device.hardwareType() + " (ARPHRD_ of net/if_arp.h), whose frames are not known");
        }
        return linkType;
    }

    @Override
    public RingSource ring() {
        return ring;
    }

    /** Returns the delivered frames with a timestamp of the network card's clock. Thread-safe. */
    public long stampedByHardware() {
        return driver.stampedByHardware();
    }
}
