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
 * The packets of one interface by AF_PACKET, packet(7): those that come in and those that this machine sends. The ring is
 * memory that the kernel and this process share; nothing is copied between the two.
 *
 * <p>Frames lie in ring blocks, which a batch keeps until it is handed in again: as many batches may be in use at a time as
 * the ring has blocks, and a batch that never comes back costs the ring its blocks. A frame's VLAN tag, which the network
 * card or the kernel takes out, is put back.
 *
 * <p>Needs CAP_NET_RAW. An interface that goes down is waited for; one that disappears ends the source with a fault.
 */
public final class PacketSocketSource implements DrivenSource {
    /** As many members as a group of the kernel's has. */
    private static final int MOST_SOURCES = 256;

    private final PacketSocketDriver driver;
    private final RingSource ring;

    private PacketSocketSource(
            PacketSocketOptions options, NetworkDevice device, KernelFilter filter, PacketRing ring) {
        driver = new PacketSocketDriver(options, device, filter, ring);
        this.ring = new RingSource(driver, options.idleStrategy());
    }

    /**
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7), run in the kernel; empty for all packets
     * @throws io.offhook.linux.LinuxException EPERM where CAP_NET_RAW is missing
     * @throws FilterException where the expression is none, or the kernel cannot run it
     * @throws IllegalArgumentException where there is no such interface, its packets have a form that is not known, or its
     *     card cannot stamp them as the options want it
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
     * Begins to capture by several sources that share the packets of the interface: each packet comes to one of them. They
     * are for a lane each, and as independent of each other as sources of different interfaces; packets for one that was
     * {@linkplain #stop stopped} before the others are lost, and not counted.
     *
     * <p>{@link LiveCounts} are each source's own, and add up.
     *
     * @param expression as in {@link #open}
     * @param count how many, 1 to 256
     * @throws io.offhook.linux.LinuxException EPERM where CAP_NET_RAW is missing
     * @throws FilterException where the expression is none, or the kernel cannot run it
     * @throws IllegalArgumentException where there is no such interface, it is down, its packets have a form that is not known,
     *     or its card cannot stamp them as the options want it
     */
    public static List<PacketSocketSource> openGroup(
            PacketSocketOptions options, String expression, FanOut fanOut, int count) {
        if (count < 1 || count > MOST_SOURCES) {
            throw new IllegalArgumentException("count " + count + " is outside 1 to " + MOST_SOURCES);
        }
        NetworkDevice device = device(options.interfaceName());
        if (!device.isUp()) {
            throw new IllegalArgumentException("interface " + device.name() + " is down, and packets are shared of one"
                    + " that is up; ip link set " + device.name() + " up");
        }
        int linkType = knownLinkType(device);
        KernelFilter filter = KernelFilter.of(expression, linkType, options.snapLength());
        options.clock().switchOn(device.name());
        List<PacketRing> rings = new ArrayList<>();
        List<PacketSocketSource> sources = new ArrayList<>();
        try {
            int group = PacketRing.NEW_GROUP;
            for (int i = 0; i < count; i++) {
                // until it has joined it would get what another gets, too
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

    /** The interface of that name. */
    static NetworkDevice device(String name) {
        NetworkDevice device = NetworkDevice.named(name);
        if (device == null) {
            throw new IllegalArgumentException("there is no interface " + name);
        }
        return device;
    }

    /** As {@link LiveInterface#linkType}, where it is known. */
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

    /** Of the frames delivered so far, how many have a time of the network card's clock; any thread may ask. */
    public long stampedByHardware() {
        return driver.stampedByHardware();
    }
}
