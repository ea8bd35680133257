package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.dpdk.DpdkBackend;
import io.offhook.dpdk.Eal;
import io.offhook.linux.TaskStatus;
import io.offhook.linux.network.KernelSocket;
import io.offhook.live.CaptureRequest;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveSource;
import io.offhook.live.TimestampClock;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code --backend dpdk}, with devices that read files. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class DpdkCaptureTest {
    private static final String SAMPLE = "../../samples/calls.pcap";

    @TempDir
    private Path folder;

    @BeforeEach
    void needsDpdk() {
        assumeTrue(Eal.missing() == null, () -> "no DPDK: " + Eal.missing());
    }

    private static List<String> frames(Path file) {
        List<String> frames = new ArrayList<>();
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    byte[] bytes = batch.segmentOf(i)
                            .asSlice(batch.offset(i), batch.capturedLength(i))
                            .toArray(ValueLayout.JAVA_BYTE);
                    frames.add(batch.timestampNs(i) + " " + bytes.length + " " + Arrays.hashCode(bytes));
                }
            }
        }
        return frames;
    }

    @Test
    void capturesFromADpdkDevice() {
        List<String> expected = frames(Path.of(SAMPLE));
        Path file = folder.resolve("captured.pcapng");
        Offhook.Result result = Offhook.run(
                "capture",
                "--backend",
                "dpdk",
                "-i",
                "net_pcap_sample,rx_pcap=" + SAMPLE,
                "--count",
                Integer.toString(expected.size()),
                "-w",
                file.toString());
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.DONE);
        assertThat(result.err()).contains("DPDK 22.11").contains("net_pcap; times are taken by Offhook, once a burst");
        assertThat(frames(file)).isEqualTo(expected);
    }

    /** Only a thread that sleeps gives its processor away by itself. */
    @Test
    void appliesIdleStrategyAndBuffer() {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
        CaptureRequest request = new CaptureRequest(
                "lo",
                "ether host 02:00:00:00:00:77",
                65_535,
                128 << 10,
                new CaptureRequest.Reception(false, false),
                IdleStrategy.SPIN,
                TimestampClock.KERNEL);
        try (LiveSource source = new DpdkBackend().open(request)) {
            // the least there can be, of frames for the MTU of lo
            assertThat(KernelSocket.packet())
                    .anyMatch(socket ->
                            socket.interfaceIndex() == 1 && socket.memory().ringBytes() == 64 * 61_440L);
            FrameBatch batch = new FrameBatch(16);
            int id = TaskStatus.currentId();
            source.next(batch);
            long before = Objects.requireNonNull(TaskStatus.of(id)).voluntarySwitches();
            for (int i = 0; i < 3; i++) {
                source.next(batch);
            }
            long after = Objects.requireNonNull(TaskStatus.of(id)).voluntarySwitches();
            assertThat(after - before).isLessThan(20);
        }
    }

    /** In a process of its own, as EAL is started once; without huge pages it refuses, and tells what it was to start with. */
    @Test
    void probesPciIfOneDeviceIsACard() throws Exception {
        assumeTrue(
                Files.readAllLines(Path.of("/proc/meminfo")).stream()
                        .anyMatch(line -> line.matches("HugePages_Free: +0")),
                "there are huge pages");
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.offhook.cli.Main",
                        "capture",
                        "--backend",
                        "dpdk",
                        "-i",
                        "lo",
                        "-i",
                        "0000:03:00.0",
                        "-w",
                        folder.resolve("x").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(ExitCode.MISUSE);
        assertThat(said)
                .contains("-i lo -i 0000:03:00.0: start EAL with ", "--allow=0000:03:00.0")
                .doesNotContain("--no-pci", "--no-huge");
    }

    @Test
    void describesDevices() {
        Offhook.Result result = Offhook.run(
                "capture",
                "--backend",
                "dpdk",
                "-i",
                "nowhere",
                "-w",
                folder.resolve("x").toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("-i nowhere: there is no interface nowhere; DPDK takes one of the kernel's");
    }

    @Test
    void interfacesListsDpdkDevices() {
        assertThat(Offhook.run("interfaces", "--format", "json").out()).contains("{\"name\":\"dpdk\",\"usable\":");
    }
}
