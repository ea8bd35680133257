package io.offhook.live;

import io.offhook.linux.LinuxException;
import io.offhook.linux.NetworkDevice;
import java.util.ArrayList;
import java.util.List;
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

    /** Gives an ordinary user what AF_PACKET needs, for one program: a file capability on java would break its libraries. */
    private static final String WITH_NET_RAW = "sudo setpriv --reuid=$(id -u) --regid=$(id -g) --init-groups"
            + " --inh-caps=+net_raw --ambient-caps=+net_raw offhook ...";

    /**
     * All interfaces of this network namespace, by their index.
     *
     * @throws LinuxException where the kernel does not list them
     */
    public static List<LiveInterface> all() {
        String refusal = refusal();
        List<LiveInterface> all = new ArrayList<>();
        for (NetworkDevice device : NetworkDevice.all()) {
            all.add(new LiveInterface(device, List.of(packetSocket(device, refusal))));
        }
        return List.copyOf(all);
    }

    /** Why no packet socket can be had at all; null where one can. */
    private static @Nullable String refusal() {
        try {
            PacketRing.probe();
            return null;
        } catch (LinuxException e) {
            return e.errno() == LinuxException.EPERM ? "capability CAP_NET_RAW is missing" : e.getMessage();
        }
    }

    private static Backend packetSocket(NetworkDevice device, @Nullable String refusal) {
        String name = "afpacket";
        if (refusal != null) {
            return new Backend(name, refusal, WITH_NET_RAW);
        }
        if (PacketSocketSource.linkType(device) < 0) {
            return new Backend(name, "frames of hardware type " + device.hardwareType() + " are not known", null);
        }
        return device.isUp()
                ? new Backend(name, null, null)
                : new Backend(name, "the interface is down", "sudo ip link set " + device.name() + " up");
    }
}
