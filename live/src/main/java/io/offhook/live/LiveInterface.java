package io.offhook.live;

import io.offhook.linux.LinuxException;
import io.offhook.linux.NetworkDevice;
import io.offhook.packet.LinkType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A network interface, and how packets can be captured from it here and now.
 *
 * @param device what the kernel tells of it
 * @param backends all there are, each with what keeps it from this interface, if anything does
 */
public record LiveInterface(NetworkDevice device, List<Backend> backends) {
    /**
     * A way to capture.
     *
     * @param name as it is typed: {@code afpacket}
     * @param missing what keeps it from working on the interface; null where it works
     * @param remedy a command that would help; null where there is none, or none is needed
     */
    public record Backend(
            String name, @Nullable String missing, @Nullable String remedy) {
        /** Whether it works. */
        public boolean isUsable() {
            return missing == null;
        }
    }

    /** The way by AF_PACKET. */
    public static final String AF_PACKET = "afpacket";
    /** The way by AF_XDP, which takes packets away from this machine. */
    public static final String AF_XDP = "xdp";

    /** The way by libpcap. */
    public static final String PCAP = "pcap";

    /** Gives an ordinary user what AF_PACKET needs, for one program: a file capability on java would break its libraries. */
    static final String WITH_NET_RAW = withCapabilities("+net_raw");

    static final String WITH_NET_ADMIN = withCapabilities("+net_raw,+net_admin");

    private static final String WITH_XDP = withCapabilities("+net_raw,+net_admin,+bpf,+perfmon,+ipc_lock");

    private static String withCapabilities(String capabilities) {
        return "sudo setpriv --reuid=$(id -u) --regid=$(id -g) --init-groups --inh-caps=" + capabilities
                + " --ambient-caps=" + capabilities + " offhook ...";
    }

    /**
     * All interfaces of this network namespace, by their index.
     *
     * @throws LinuxException where the kernel does not list them
     */
    public static List<LiveInterface> all() {
        String refusal = refusal();
        String xdpRefusal = XdpRedirect.refusal();
        Set<Integer> taken = NetworkDevice.withXdpProgram();
        List<LiveInterface> all = new ArrayList<>();
        for (NetworkDevice device : NetworkDevice.all()) {
            all.add(new LiveInterface(
                    device,
                    List.of(packetSocket(device, refusal), xdp(device, xdpRefusal, taken), pcap(device, refusal))));
        }
        return List.copyOf(all);
    }

    /** Why no packet socket can be had at all; null where one can. */
    static @Nullable String refusal() {
        try {
            PacketRing.probe();
            return null;
        } catch (LinuxException e) {
            return e.errno() == LinuxException.EPERM ? "capability CAP_NET_RAW is missing" : e.getMessage();
        }
    }

    private static Backend packetSocket(NetworkDevice device, @Nullable String refusal) {
        if (refusal != null) {
            return new Backend(AF_PACKET, refusal, WITH_NET_RAW);
        }
        if (PacketSocketSource.linkType(device) < 0) {
            return new Backend(AF_PACKET, "frames of hardware type " + device.hardwareType() + " are not known", null);
        }
        return ifUp(AF_PACKET, device);
    }

    private static Backend xdp(NetworkDevice device, @Nullable String refusal, Set<Integer> taken) {
        if (refusal != null) {
            return new Backend(AF_XDP, refusal, refusal.startsWith("capabilit") ? WITH_XDP : null);
        }
        if (PacketSocketSource.linkType(device) != LinkType.ETHERNET) {
            return new Backend(AF_XDP, "its frames are not those of Ethernet", null);
        }
        return taken.contains(device.index())
                ? new Backend(AF_XDP, "it has an XDP program already", null)
                : ifUp(AF_XDP, device);
    }

    /** On Linux it needs what a packet socket does. */
    private static Backend pcap(NetworkDevice device, @Nullable String refusal) {
        if (!Pcap.isInstalled()) {
            return new Backend(PCAP, "libpcap is not installed", "sudo apt-get install libpcap0.8");
        }
        return refusal == null ? ifUp(PCAP, device) : new Backend(PCAP, refusal, WITH_NET_RAW);
    }

    /** Of what libpcap alone knows. */
    static Backend libpcapBackend(@Nullable String missing, String remedy) {
        return new Backend(PCAP, missing, missing == null ? null : remedy);
    }

    private static Backend ifUp(String name, NetworkDevice device) {
        return device.isUp()
                ? new Backend(name, null, null)
                : new Backend(name, "the interface is down", "sudo ip link set " + device.name() + " up");
    }
}
