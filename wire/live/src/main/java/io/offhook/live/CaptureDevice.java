package io.offhook.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that a backend can capture from, and that is no network interface of the kernel: {@code any}, {@code usbmon1}, a
 * network card on PCI.
 *
 * @param name as it is opened by
 * @param description as the system has it; empty where it has none
 * @param driver of the kernel that a network card is bound to, empty where it has none; null for what is no card
 * @param interfaces of the kernel that it is now
 * @param lostInterfaces those of them that the kernel loses where it is made ready to be captured from
 * @param availability what keeps the backend from it
 */
public record CaptureDevice(
        String name,
        String description,
        @Nullable String driver,
        List<String> interfaces,
        List<String> lostInterfaces,
        Availability availability) {
    /** Copies what may be changed. */
    public CaptureDevice {
        interfaces = List.copyOf(interfaces);
        lostInterfaces = List.copyOf(lostInterfaces);
    }

    /** One that is no network card. */
    public static CaptureDevice of(String name, String description, Availability availability) {
        return new CaptureDevice(name, description, null, List.of(), List.of(), availability);
    }
}
