package io.offhook.live;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.packet.LinkType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A network interface, and how packets can be captured from it here and now.
 *
 * @param device the interface as the kernel describes it
 * @param backends all backends, in their order
 */
public record LiveInterface(NetworkDevice device, List<Backend> backends) {
    /**
     * A way to capture from it.
     *
     * @param name the name of the {@link CaptureBackend}
     * @param availability whether it can capture from the interface
     */
    public record Backend(String name, Availability availability) {}

    /** Copies the list. */
    public LiveInterface {
        backends = List.copyOf(backends);
    }

    /**
     * Returns all interfaces of this network namespace, ordered by index.
     *
     * @throws LinuxException if the kernel does not list them
     */
    public static List<LiveInterface> all() {
        List<CaptureBackend> backends = CaptureBackend.all();
        List<Function<NetworkDevice, Availability>> surveys =
                backends.stream().map(CaptureBackend::survey).toList();
        List<LiveInterface> all = new ArrayList<>();
        for (NetworkDevice device : NetworkDevice.all()) {
            List<Backend> ways = new ArrayList<>();
            for (int i = 0; i < backends.size(); i++) {
                ways.add(new Backend(backends.get(i).name(), surveys.get(i).apply(device)));
            }
            all.add(new LiveInterface(device, ways));
        }
        return List.copyOf(all);
    }

    /** Returns that an interface is usable, unless it is down. */
    public static Availability ifUp(NetworkDevice device) {
        return device.isUp()
                ? Availability.USABLE
                : Availability.without(
                        "the interface is down",
                        new CaptureRemedy.Command("sudo ip link set " + device.name() + " up"));
    }

    /** Returns the {@link LinkType} of an interface's frames, or -1 if their format is unknown. */
    public static int linkType(NetworkDevice device) {
        return switch (device.hardwareType()) {
            case NetworkDevice.ETHERNET, NetworkDevice.LOOPBACK -> LinkType.ETHERNET;
            case NetworkDevice.RAW_IP, NetworkDevice.NONE -> LinkType.RAW;
            case NetworkDevice.WIRELESS -> LinkType.IEEE802_11;
            case NetworkDevice.WIRELESS_RADIOTAP -> LinkType.IEEE802_11_RADIOTAP;
            default -> -1;
        };
    }
}
