package io.offhook.dpdk;

import io.offhook.linux.Capabilities;
import io.offhook.live.Availability;
import io.offhook.live.Availability.Need;
import io.offhook.live.CaptureDevice;
import io.offhook.live.CaptureRemedy;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A network card on PCI, and what keeps DPDK from driving it. Whether DPDK has a driver for the model shows only when
 * it is opened.
 *
 * @param address the address by which it is opened: {@code 0000:03:00.0}
 * @param model vendor and device as shown by lspci -nn: {@code 8086:1572}; empty if unknown
 * @param driver the kernel driver that it is bound to: {@code ixgbe}, {@code vfio-pci}; empty if there is none
 * @param interfaces its kernel interfaces in this network namespace; they disappear when it is bound to another driver
 * @param needs what is missing, in the order in which to provide it; empty if the card can be used
 */
public record PciCard(String address, String model, String driver, List<String> interfaces, List<Need> needs) {
    private static final String NETWORK_CLASS = "0x02";
    private static final String VFIO = "vfio-pci";

    /** Drivers that leave the card to DPDK. */
    private static final Set<String> FOR_DPDK = Set.of(VFIO, "uio_pci_generic", "igb_uio");
    /** Drivers that share the card with DPDK: it stays bound, and stays a kernel interface. */
    private static final Set<String> SHARED = Set.of("mlx4_core", "mlx5_core");

    /** Copies the lists. */
    public PciCard {
        interfaces = List.copyOf(interfaces);
        needs = List.copyOf(needs);
    }

    /** Returns all cards, ordered by address. */
    public static List<PciCard> all() {
        return below(Path.of("/"), Capabilities.has(Capabilities.SYS_ADMIN));
    }

    /**
     * As {@link #all}, for a copy of the system's files.
     *
     * @param root the directory that contains {@code proc} and {@code sys}
     * @param isRoot whether root is to use the card
     */
    static List<PciCard> below(Path root, boolean isRoot) {
        Path bus = root.resolve("sys/bus/pci/devices");
        List<Need> ofMachine = ofMachine(root);
        List<PciCard> cards = new ArrayList<>();
        for (String address : names(bus)) {
            Path device = bus.resolve(address);
            if (text(device.resolve("class")).startsWith(NETWORK_CLASS)) {
                String driver = target(device.resolve("driver"));
                List<Need> needs = new ArrayList<>(ofMachine);
                needs.addAll(ofDriver(root, device, address, driver));
                if (!isRoot) {
                    needs.add(new Need("capability CAP_SYS_ADMIN is missing", new CaptureRemedy.Root()));
                }
                cards.add(new PciCard(address, model(device), driver, interfaces(device), needs));
            }
        }
        return List.copyOf(cards);
    }

    private static List<Need> ofMachine(Path root) {
        List<Need> needs = new ArrayList<>();
        String missing = DpdkLibraries.missing();
        if (missing != null) {
            needs.add(new Need(missing, DpdkLibraries.remedy()));
        }
        HugePages pages = HugePages.below(root);
        int wantedMib = EalOptions.hardware().memory().mib();
        if (pages.freeMib() < wantedMib) {
            needs.add(Need.of(
                    (pages.freeMib() == 0
                                    ? "no huge pages are free"
                                    : "huge pages of " + pages.freeMib() + " MiB are free")
                            + ", " + wantedMib + " MiB are needed",
                    "sudo sysctl -w vm.nr_hugepages=" + pages.wanted(wantedMib)));
        }
        return needs;
    }

    private static List<Need> ofDriver(Path root, Path device, String address, String driver) {
        List<Need> needs = new ArrayList<>();
        if (isForDpdk(driver)) {
            return needs;
        }
        if (!Files.exists(root.resolve("sys/bus/pci/drivers/" + VFIO))) {
            needs.add(Need.of("the kernel's module vfio-pci is not loaded", "sudo modprobe vfio-pci"));
        }
        // a card without a group is behind no IOMMU
        boolean isIsolated = Files.exists(device.resolve("iommu_group"));
        String mode = "sys/module/vfio/parameters/enable_unsafe_noiommu_mode";
        if (!isIsolated && !text(root.resolve(mode)).equals("Y")) {
            needs.add(Need.of(
                    "there is no IOMMU for it, and vfio's unsafe mode without one is off",
                    "echo 1 | sudo tee /" + mode));
        }
        List<String> ending = interfaces(device);
        needs.add(Need.of(
                driver.isEmpty()
                        ? "no driver is bound to it"
                        : "it is bound to " + driver
                                + (ending.isEmpty() ? "" : ", and " + String.join(", ", ending) + " ends with that"),
                "sudo dpdk-devbind.py -b vfio-pci " + address));
        return needs;
    }

    private static boolean isForDpdk(String driver) {
        return FOR_DPDK.contains(driver) || SHARED.contains(driver);
    }

    /**
     * Returns the interfaces that the kernel loses when the card is bound for DPDK; empty if it is bound already, or
     * shared.
     */
    public List<String> endingInterfaces() {
        return isForDpdk(driver) ? List.of() : interfaces;
    }

    /** Returns the card as a device to capture from. */
    public CaptureDevice device() {
        return new CaptureDevice(address, model, driver, interfaces, endingInterfaces(), new Availability(needs));
    }

    private static String model(Path device) {
        String vendor = text(device.resolve("vendor"));
        String model = text(device.resolve("device"));
        return vendor.startsWith("0x") && model.startsWith("0x") ? vendor.substring(2) + ":" + model.substring(2) : "";
    }

    /** Returns the interfaces of a device; those of virtio belong to a child device. */
    private static List<String> interfaces(Path device) {
        Set<String> names = new TreeSet<>(names(device.resolve("net")));
        for (String below : names(device)) {
            if (below.startsWith("virtio")) {
                names.addAll(names(device.resolve(below).resolve("net")));
            }
        }
        return List.copyOf(names);
    }

    /** Returns the last name in the target of a link; empty if it is not a link. */
    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).getFileName().toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the sorted names in a directory; empty if it does not exist. */
    private static Set<String> names(Path folder) {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException e) {
            return Set.of();
        }
        return names;
    }
}
