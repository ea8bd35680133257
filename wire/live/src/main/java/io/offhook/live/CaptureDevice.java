package io.offhook.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device that a backend can capture from, other than a network interface of the kernel: {@code any}, {@code usbmon1},
 * a PCI network card.
 *
 * @param name the name by which it is opened
 * @param description its description by the system; empty if there is none
 * @param driver the kernel driver that a network card is bound to, empty if none; null if it is not a network card
 * @param interfaces the kernel interfaces that it currently provides
 * @param lostInterfaces those of them that the kernel loses when the device is prepared for capture
 * @param availability whether the backend can capture from it
 */
public record CaptureDevice(
        String name,
        String description,
        @Nullable String driver,
        List<String> interfaces,
        List<String> lostInterfaces,
        Availability availability) {
    /** Copies the lists. */
    public CaptureDevice {
        interfaces = List.copyOf(interfaces);
        lostInterfaces = List.copyOf(lostInterfaces);
    }

    /** Creates a device that is not a network card. */
    public static CaptureDevice of(String name, String description, Availability availability) {
        return new CaptureDevice(name, description, null, List.of(), List.of(), availability);
    }
}
