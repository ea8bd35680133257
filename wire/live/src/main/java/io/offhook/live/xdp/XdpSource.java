package io.offhook.live.xdp;

import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.DrivenSource;
import io.offhook.live.LiveInterface;
import io.offhook.live.RingSource;
import io.offhook.packet.LinkType;

/**
 * The packets that one interface receives, by AF_XDP. <b>They are taken away:</b> what is captured does not reach this
 * machine's own network stack, so its connections over the interface stand still, unless a filter leaves them out. The
 * filter runs in the kernel, and what it does not want goes on as if nothing was there. For watching what a machine does
 * itself there is AF_PACKET; this is for interfaces that a mirror port feeds.
 *
 * <p>Frames lie in chunks of memory that the kernel shares, and a batch keeps those of its frames until it is handed in
 * again. What this machine sends is not seen. Nobody stamps the frames: their time is when they were taken from the ring,
 * the same for all that waited there, 0.1 ms late where more than 20,000 a second come. A VLAN tag that the network card
 * takes out is lost ({@code ethtool -K eth0 rxvlan off} leaves it in). With several queues, frames are in order within a
 * queue only.
 *
 * <p>Needs CAP_NET_RAW, CAP_NET_ADMIN, CAP_BPF, for filters of ports CAP_PERFMON, and CAP_IPC_LOCK where {@code ulimit -l}
 * is less than the memory; and Linux 5.11. An interface that goes down is waited for; one that
 * disappears ends the source with a fault. When the process ends, however it does, the kernel gives the interface back.
 */
public final class XdpSource implements DrivenSource {
    private final XdpDriver driver;
    private final RingSource ring;

    private XdpSource(XdpDriver driver, XdpOptions options) {
        this.driver = driver;
        ring = new RingSource(driver, options.idleStrategy());
    }

    /**
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7), run in the kernel; empty for all packets
     * @throws io.offhook.linux.LinuxException EPERM where a capability is missing, EBUSY where the interface has an XDP
     *     program, ENOBUFS where {@code ulimit -l} is too low; with what the kernel's verifier said where it refuses the filter
     * @throws FilterException where the expression is none
     * @throws IllegalArgumentException where there is no such interface, its frames are not those of Ethernet, or the kernel
     *     cannot run the filter
     */
    public static XdpSource open(XdpOptions options, String expression) {
        XdpSource source = openHeld(options, expression);
        try {
            source.start();
            return source;
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
    }

    /** As {@link #open}, but no packet is taken before {@link #start}. */
    static XdpSource openHeld(XdpOptions options, String expression) {
        NetworkDevice device = NetworkDevice.named(options.interfaceName());
        if (device == null) {
            throw new IllegalArgumentException("there is no interface " + options.interfaceName());
        }
        if (LiveInterface.linkType(device) != LinkType.ETHERNET) {
            throw new IllegalArgumentException("AF_XDP takes Ethernet frames only, and interface " + device.name()
                    + " has hardware type " + device.hardwareType() + " (ARPHRD_ of net/if_arp.h)");
        }
        BpfProgram filter = FilterCompiler.compile(expression, LinkType.ETHERNET, FilterCompiler.DEFAULT_SNAP_LENGTH);
        XdpQueues queues = XdpQueues.open(options, device, filter);
        try {
            return new XdpSource(new XdpDriver(options, device, queues, !expression.isBlank()), options);
        } catch (RuntimeException e) {
            queues.close();
            throw e;
        }
    }

    /** What was got: {@code native mode, zero-copy, 4 queues, frames of up to 1792 bytes}. */
    public String description() {
        return driver.description();
    }

    @Override
    public RingSource ring() {
        return ring;
    }
}
