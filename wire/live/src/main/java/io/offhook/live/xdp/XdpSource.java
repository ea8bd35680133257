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
 * Captures the packets that one interface receives, by AF_XDP. <b>They are taken away:</b> captured packets do not
 * reach this machine's own network stack, so its connections over the interface stall unless a filter excludes them.
 * The filter runs in the kernel, and packets that it does not match go on as usual. To watch the machine's own traffic,
 * use AF_PACKET; this is for interfaces fed by a mirror port.
 *
 * <p>Frames are in chunks of memory that the kernel shares, and a batch borrows those of its frames until it is filled
 * again. Packets that this machine sends are not captured. Frames have no timestamps of their own: their time is when
 * they were taken from the ring, the same for all that waited there, and up to 0.1 ms late at more than 20,000 frames
 * per second. A VLAN tag that the network card removes is lost ({@code ethtool -K eth0 rxvlan off} keeps it in the
 * frame). With several queues, frames are in order within each queue only.
 *
 * <p>Needs CAP_NET_RAW, CAP_NET_ADMIN, CAP_BPF, CAP_PERFMON for filters of ports, and CAP_IPC_LOCK if {@code ulimit -l}
 * is less than the memory; and Linux 5.11. If the interface goes down, the source waits; if it disappears, the source
 * ends with a fault. When the process ends, in whatever way, the kernel returns the interface to normal.
 */
public final class XdpSource implements DrivenSource {
    private final XdpDriver driver;
    private final RingSource ring;

    private XdpSource(XdpDriver driver, XdpOptions options) {
        this.driver = driver;
        ring = new RingSource(driver, options.idleStrategy());
    }

    /**
     * Starts to capture.
     *
     * @param expression a filter of pcap-filter(7), run in the kernel; empty for all packets
     * @throws io.offhook.linux.LinuxException EPERM if a capability is missing, EBUSY if the interface has an XDP
     *     program, ENOBUFS if {@code ulimit -l} is too low; with the message of the kernel's verifier if it rejects the
     *     filter
     * @throws FilterException if the expression is invalid
     * @throws IllegalArgumentException if there is no such interface, its frames are not Ethernet, or the kernel cannot
     *     run the filter
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

    /**
     * Returns a description of what was opened: {@code native mode, zero-copy, 4 queues, frames of up to 1792 bytes}.
     */
    public String description() {
        return driver.description();
    }

    @Override
    public RingSource ring() {
        return ring;
    }
}
