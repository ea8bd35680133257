package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Starting and ending EAL, in processes of its own, for each can do it once. */
@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
@Timeout(60)
class EalTest {
    private static List<String> run(List<String> before, String... what) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(before);
        command.addAll(ChildJvm.command(EalMain.class, what));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said.lines().toList();
    }

    @Test
    void startsOnceAndEndsForGood() throws Exception {
        assertThat(run(List.of(), "once"))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("running true ports [0, 1] net_null"),
                        line -> assertThat(line).isEqualTo("processors [1]"),
                        line -> assertThat(line)
                                .startsWith("IllegalStateException: threads are registered with EAL; close"),
                        line -> assertThat(line).startsWith("IllegalStateException: only Thread[#"),
                        line -> assertThat(line)
                                .isEqualTo("IllegalStateException: a virtual thread has no processor of its own;"
                                        + " use a platform thread"),
                        line -> assertThat(line).isEqualTo("open false running false"),
                        line -> assertThat(line).isEqualTo("IllegalStateException: port net_ring5 is closed"),
                        line -> assertThat(line).isEqualTo("IllegalStateException: EAL is closed"),
                        line -> assertThat(line)
                                .isEqualTo("IllegalStateException: EAL was started before;"
                                        + " it can start only once per process"));
    }

    /** Of all processors, whatever the test itself was left. */
    private static List<String> runOnAllProcessors(String what) throws IOException, InterruptedException {
        String all = Files.readString(Path.of("/sys/devices/system/cpu/online")).strip();
        return run(List.of("taskset", "-c", all), what);
    }

    /** rte_eal_init pins the thread that calls it, and what that thread starts later would be pinned with it. */
    @Test
    void startingPinsNobodyButEalsOwnThread() throws Exception {
        assertThat(runOnAllProcessors("affinity"))
                .containsExactly(
                        "EAL's own thread on one processor true",
                        "caller as before true",
                        "thread as its caller was true");
    }

    @Test
    void aThreadThatIsRefusedStaysOnItsProcessors() throws Exception {
        assertThat(runOnAllProcessors("pinned"))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("IllegalStateException: Thread[#")
                                .endsWith(" is registered already"),
                        line -> assertThat(line).isEqualTo("caller as before true"),
                        line -> assertThat(line).startsWith("IllegalStateException: a virtual thread has no processor"),
                        line -> assertThat(line).isEqualTo("carrier as before true"));
    }

    @Test
    void saysWhatDpdkSaysWhereItIsRefused() throws Exception {
        assertThat(run(List.of(), "lcores"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "DpdkException: start EAL with offhook --no-telemetry -m 512 --lcores=nonsense --no-huge")
                        .contains("Invalid argument; DPDK says: ")
                        .contains("EAL: invalid parameter for --lcores"))
                .contains(
                        "IllegalStateException: EAL was started before; it can start only once per process",
                        "running false");
        assertThat(run(List.of(), "device"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("DpdkException: start EAL with")
                        .contains("--vdev=net_nothing0")
                        .contains("DPDK says: ")
                        .contains("failed to parse device \"net_nothing0\""));
    }

    @Test
    void aSourceMayBeClosedAfterEal() throws Exception {
        assertThat(run(List.of(), "late"))
                .containsExactly(
                        "IllegalStateException: EAL is closed",
                        "IllegalStateException: EAL is closed",
                        "IllegalStateException: pool offhook-0 is closed",
                        "done");
    }

    static boolean isRoot() {
        return TestEal.isPossible() && System.getProperty("user.name").equals("root");
    }

    /** Where its file of configuration is to be there is a folder: of this it logs only. */
    @Test
    @EnabledIf(value = "isRoot", disabledReason = "needs root, whose files are in /var/run/dpdk")
    void isRefusedWhereDpdkGivesNoErrno() throws Exception {
        String prefix = "offhook-test-" + ProcessHandle.current().pid();
        Path files = Path.of("/var/run/dpdk", prefix);
        Files.createDirectories(files.resolve("config"));
        try {
            assertThat(run(List.of(), "files", prefix))
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("DpdkException: start EAL with")
                            .contains("/config' for rte_mem_config"))
                    .contains("running false");
        } finally {
            try (Stream<Path> all = Files.walk(files)) {
                for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void saysThatHugePagesAreMissing() throws Exception {
        assumeTrue(
                Files.readString(Path.of("/proc/meminfo")).matches("(?s).*HugePages_Total: +0\n.*"),
                "this machine has huge pages");
        assertThat(run(List.of(), "huge"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("DpdkException: start EAL with")
                        .contains("hugepages")
                        .endsWith("; sudo sysctl vm.nr_hugepages=512 makes huge pages"));
    }

    static boolean canHideFiles() {
        return TestEal.isPossible()
                && System.getProperty("user.name").equals("root")
                && Stream.of("/usr/bin/unshare", "/bin/unshare").anyMatch(file -> Files.isExecutable(Path.of(file)));
    }

    /** In a mount namespace whose library is no library. */
    @Test
    @EnabledIf(value = "canHideFiles", disabledReason = "needs root and unshare (util-linux)")
    void saysWhatToInstallWhereDpdkIsNot() throws Exception {
        Path library = Path.of("/usr/lib/x86_64-linux-gnu/librte_eal.so.23");
        assumeTrue(Files.exists(library), "DPDK is not where Debian has it on x86-64");
        String text = "DPDK is not installed: there is no librte_eal.so.23; sudo apt-get install dpdk";
        assertThat(run(
                        List.of(
                                "unshare",
                                "-m",
                                "sh",
                                "-c",
                                "mount --bind /dev/null " + library.toRealPath() + " && exec \"$@\"",
                                "sh"),
                        "missing"))
                .containsExactly(
                        "missing: " + text,
                        "DpdkException: " + text,
                        "DpdkException: " + text,
                        "DpdkException: " + text);
    }

    @Test
    void argumentsAreDpdksOwn() {
        assertThat(EalOptions.virtual().withDevices("net_ring0").arguments(0, 2, 3))
                .containsExactly(
                        "offhook",
                        "--no-telemetry",
                        "-m",
                        "512",
                        "--lcores=0@(0,2,3)",
                        "--no-huge",
                        "--no-shconf",
                        "--no-pci",
                        "--vdev=net_ring0");
        assertThat(EalOptions.hardware()
                        .withPciAllowed("0000:03:00.0")
                        .withLcores("0@1")
                        .withLog("debug", true)
                        .arguments(0))
                .containsExactly(
                        "offhook",
                        "--no-telemetry",
                        "-m",
                        "1024",
                        "--lcores=0@1",
                        "--in-memory",
                        "--allow=0000:03:00.0",
                        "--log-level=debug");
        assertThatThrownBy(() -> EalOptions.virtual().withMemoryMib(15))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mib 15 is outside 16 to 1048576");
        assertThatThrownBy(() -> new EalOptions.Pci(false, List.of("03:00.0"), List.of()))
                .hasMessage("PCI devices are listed, but isSearched is false");
        assertThatThrownBy(() -> new EalOptions.Pci(true, List.of("03:00.0"), List.of("04:00.0")))
                .hasMessageContaining("name only one kind");
    }
}
