package io.offhook.dpdk;

import io.offhook.linux.NetworkDevice;
import io.offhook.live.LiveInterface;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether an interface of the kernel can be captured from by DPDK: its net_af_packet is made for it, which needs neither
 * huge pages nor a driver of its own. Network cards that DPDK drives itself are no
 * interfaces of the kernel: {@link PciCard}.
 */
public final class DpdkBackend {
    /** As it is typed. */
    public static final String NAME = "dpdk";

    private DpdkBackend() {}

    /** The interface, with this way to capture from it behind those that it has. Looks for DPDK's libraries. */
    public static LiveInterface with(LiveInterface known) {
        List<LiveInterface.Backend> backends = new ArrayList<>(known.backends());
        backends.add(of(known));
        return new LiveInterface(known.device(), backends);
    }

    private static LiveInterface.Backend of(LiveInterface known) {
        String missing = DpdkLibraries.missing();
        if (missing != null) {
            return new LiveInterface.Backend(NAME, missing, DpdkLibraries.remedy());
        }
        int hardware = known.device().hardwareType();
        if (hardware != NetworkDevice.ETHERNET && hardware != NetworkDevice.LOOPBACK) {
            return new LiveInterface.Backend(NAME, "its frames are not those of Ethernet", null);
        }
        LiveInterface.Backend socket = packetSocket(known);
        return socket == null
                ? new LiveInterface.Backend(NAME, null, null)
                : new LiveInterface.Backend(NAME, socket.missing(), socket.remedy());
    }

    /** The way by AF_PACKET, whose sockets the driver has; null where it is not listed. */
    private static LiveInterface.@Nullable Backend packetSocket(LiveInterface known) {
        for (LiveInterface.Backend backend : known.backends()) {
            if (backend.name().equals(LiveInterface.AF_PACKET)) {
                return backend;
            }
        }
        return null;
    }
}
