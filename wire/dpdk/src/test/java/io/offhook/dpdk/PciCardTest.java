package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.live.Availability;
import io.offhook.live.Availability.Need;
import io.offhook.live.CaptureDevice;
import io.offhook.live.CaptureRemedy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Network cards of a machine that is not here, by a kept copy of what /sys and /proc tell of it. */
@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
class PciCardTest {
    /** 40 pages of 2 MiB are taken, and 512 are wanted. */
    private static final Need PAGES =
            Need.of("huge pages of 120 MiB are free, 1024 MiB are needed", "sudo sysctl -w vm.nr_hugepages=552");

    @TempDir
    private Path root;

    @BeforeEach
    void unfold() throws IOException {
        String text;
        try (InputStream in = PciCardTest.class.getResourceAsStream("/pci/machine.txt")) {
            text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
        Path file = root;
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "#" -> {}
                case "===" -> file = write(words[1], "");
                case "+++" -> Files.createDirectories(path(words[1]));
                case "-->" -> {
                    Files.createDirectories(path(words[1]).getParent());
                    Files.createSymbolicLink(path(words[1]), Path.of(words[2]));
                }
                default -> Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
            }
        }
    }

    private Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    private Path write(String absolute, String text) throws IOException {
        Files.createDirectories(path(absolute).getParent());
        return Files.writeString(path(absolute), text);
    }

    private PciCard card(String address) {
        return PciCard.below(root, true).stream()
                .filter(card -> card.address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void networkCardsAreListedAndNoOtherDevices() {
        assertThat(PciCard.below(root, true))
                .extracting(PciCard::address)
                .containsExactly("0000:03:00.0", "0000:03:00.1", "0000:81:00.0", "0000:82:00.0", "0000:83:00.0");
        assertThat(PciCard.below(root.resolve("nowhere"), true)).isEmpty();
    }

    @Test
    void cardOfTheKernelIsToldWithAllThatMustBeDone() {
        PciCard card = card("0000:03:00.0");
        assertThat(card)
                .isEqualTo(new PciCard(
                        "0000:03:00.0",
                        "8086:1572",
                        "i40e",
                        List.of("ens1f0"),
                        List.of(
                                PAGES,
                                Need.of(
                                        "it is bound to i40e, and ens1f0 ends with that",
                                        "sudo dpdk-devbind.py -b vfio-pci 0000:03:00.0"))));
        CaptureDevice device = card.device();
        assertThat(device.availability().missing())
                .isEqualTo("huge pages of 120 MiB are free, 1024 MiB are needed; it is bound to i40e, and ens1f0 ends"
                        + " with that");
        assertThat(device.availability().needs()).isEqualTo(card.needs());
        assertThat(device.lostInterfaces()).containsExactly("ens1f0");
    }

    @Test
    void cardThatIsBoundForDpdkNeedsHugePagesOnly() throws IOException {
        assertThat(card("0000:03:00.1").needs()).containsExactly(PAGES);
        write("/proc/meminfo", "HugePages_Total:       2\nHugePages_Free:        1\nHugepagesize:    1048576 kB\n");
        assertThat(card("0000:03:00.1").device().availability()).isEqualTo(Availability.USABLE);
        write("/proc/meminfo", "HugePages_Total:       0\nHugePages_Free:        0\nHugepagesize:    1048576 kB\n");
        assertThat(card("0000:03:00.1").needs())
                .containsExactly(
                        Need.of("no huge pages are free, 1024 MiB are needed", "sudo sysctl -w vm.nr_hugepages=1"));
    }

    /** The kernel's list of /proc/meminfo is of the usual size only, and DPDK takes any. */
    @Test
    void hugePagesOfAnotherThanTheUsualSizeCount() throws IOException {
        write("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "60\n");
        write("/sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "0\n");
        assertThat(card("0000:03:00.1").needs()).containsExactly(PAGES);
        write("/sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "1\n");
        assertThat(card("0000:03:00.1").needs()).isEmpty();
    }

    @Test
    void cardThatDpdkSharesStaysBound() {
        PciCard card = card("0000:81:00.0");
        assertThat(card.driver()).isEqualTo("mlx5_core");
        assertThat(card.interfaces()).containsExactly("ens2f0np0");
        assertThat(card.needs()).containsExactly(PAGES);
    }

    @Test
    void cardBehindNoIommuNeedsTheModeWithoutOne() throws IOException {
        Need bind = Need.of(
                "it is bound to virtio-pci, and eth7 ends with that", "sudo dpdk-devbind.py -b vfio-pci 0000:82:00.0");
        Need mode = Need.of(
                "there is no IOMMU for it, and vfio's unsafe mode without one is off",
                "echo 1 | sudo tee /sys/module/vfio/parameters/enable_unsafe_noiommu_mode");
        assertThat(card("0000:82:00.0").needs()).containsExactly(PAGES, mode, bind);
        write("/sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "Y\n");
        assertThat(card("0000:82:00.0").needs()).containsExactly(PAGES, bind);
    }

    @Test
    void moduleThatIsNotLoadedComesBeforeWhatNeedsIt() throws IOException {
        Files.delete(path("/sys/bus/pci/drivers/vfio-pci"));
        assertThat(card("0000:82:00.0").needs())
                .extracting(Need::remedy)
                .containsExactly(
                        new CaptureRemedy.Command("sudo sysctl -w vm.nr_hugepages=552"),
                        new CaptureRemedy.Command("sudo modprobe vfio-pci"),
                        new CaptureRemedy.Command(
                                "echo 1 | sudo tee /sys/module/vfio/parameters/enable_unsafe_noiommu_mode"),
                        new CaptureRemedy.Command("sudo dpdk-devbind.py -b vfio-pci 0000:82:00.0"));
    }

    @Test
    void cardThatNobodyReportsMuchOfIsListed() {
        PciCard card = card("0000:83:00.0");
        assertThat(card.model()).isEmpty();
        assertThat(card.driver()).isEmpty();
        assertThat(card.interfaces()).isEmpty();
        assertThat(card.needs().getLast().what()).isEqualTo("no driver is bound to it");
    }

    @Test
    void whoIsNotRootIsToldSo() {
        assertThat(PciCard.below(root, false))
                .allSatisfy(card -> assertThat(card.needs().getLast())
                        .isEqualTo(new Need("capability CAP_SYS_ADMIN is missing", new CaptureRemedy.Root())));
    }
}
