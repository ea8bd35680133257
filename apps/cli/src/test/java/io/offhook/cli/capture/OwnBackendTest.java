package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.live.CaptureBackend;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A backend of a user's, which is {@link SampleBackend} and a line in a jar, works with every command that captures. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class OwnBackendTest {
    private static final int FRAMES = 10_000;

    @TempDir
    private Path folder;

    @BeforeEach
    void provide() throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(CaptureBackend.class.getName()), SampleBackend.class.getName() + "\n");
    }

    /** With the folder on the class path. */
    private <T> T provided(Supplier<T> work) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return work.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Offhook.Result offhook(String... arguments) throws Exception {
        return provided(() -> Offhook.run(arguments));
    }

    @Test
    void isListedLast() throws Exception {
        assertThat(provided(CaptureBackend::all))
                .extracting(CaptureBackend::name)
                .startsWith("afpacket", "xdp", "pcap")
                .endsWith("sample");
        assertThat(offhook("interfaces").out()).containsPattern("\nsample0 +frames of memory +sample\n");
        assertThat(CaptureBackend.all()).extracting(CaptureBackend::name).doesNotContain("sample");
    }

    @Test
    void capturesToAFile() throws Exception {
        Path file = folder.resolve("captured.pcapng");
        Offhook.Result result = offhook(
                "capture", "-i", "sample0", "--backend", "sample", "--count", "" + FRAMES, "-w", file.toString());
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.DONE);
        assertThat(result.err()).contains("offhook: sample0: its frames were never on a wire\n");
        List<Integer> numbers = new ArrayList<>();
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(100);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    MemorySegment memory = batch.segmentOf(i);
                    numbers.add(SampleBackend.number(memory, batch.offset(i)));
                }
            }
        }
        assertThat(numbers).hasSize(FRAMES);
        for (int i = 0; i < FRAMES; i++) {
            assertThat(numbers.get(i)).isEqualTo(i);
        }
    }

    @Test
    void worksWithOtherLiveCommands() throws Exception {
        Offhook.Result printed = offhook("print", "-i", "sample0", "--backend", "sample", "--count", "3");
        assertThat(printed.code()).as(printed.err()).isEqualTo(ExitCode.DONE);
        assertThat(printed.err()).contains("3 packets printed; dropped by kernel 0, ring 0.");
        Offhook.Result calls = offhook(
                "calls",
                "-i",
                "sample0",
                "--backend",
                "SAMPLE",
                "--count",
                "" + FRAMES,
                "--format",
                "json",
                "--idle",
                "spin");
        assertThat(calls.code()).as(calls.err()).isEqualTo(ExitCode.DONE);
        String last = calls.out().lines().reduce((one, next) -> next).orElseThrow();
        assertThat(Json.asObject(Json.object(last).get("capture"))).containsEntry("packets", (long) FRAMES);
    }

    @Test
    void rejectsUnsupportedFeatures() throws Exception {
        assertThat(offhook("print", "-i", "sample1", "--backend", "sample").err())
                .contains("there is no interface sample1");
        assertThat(offhook("print", "-i", "sample0", "--backend", "sample", "--clock", "hardware")
                        .err())
                .contains("--clock hardware requires --backend afpacket, not sample");
        assertThat(offhook("print", "-i", "sample0", "--backend", "nothing").err())
                .contains("--backend nothing is not one of auto, afpacket, xdp, pcap, dpdk, sample");
    }
}
