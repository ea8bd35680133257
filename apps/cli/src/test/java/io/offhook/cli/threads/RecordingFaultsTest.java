package io.offhook.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.monitor.recording.RecordingListener;
import io.offhook.monitor.recording.RecordingReader;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.testkit.peers.JavaProcess;
import io.offhook.testkit.peers.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of processes that are killed, and on disks that are full. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class RecordingFaultsTest {
    private static final RecordingListener NOBODY = new RecordingListener() {};

    @TempDir
    private Path folder;

    @Test
    void whatWasRecordedIsThereWhenTheRecorderIsKilled() throws Exception {
        Path file = folder.resolve("recording");
        Process recorder = new ProcessBuilder(JavaProcess.command(
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        Main.class,
                        "threads",
                        Long.toString(ProcessHandle.current().pid()),
                        "--every",
                        "0.1",
                        "--record",
                        file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        long looks = 0;
        try {
            while (looks < 3 && recorder.isAlive()) {
                looks = Files.exists(file) ? looks(file) : 0;
            }
        } finally {
            recorder.destroyForcibly().waitFor();
        }
        assertThat(looks).as(Files.readString(folder.resolve("output"))).isGreaterThanOrEqualTo(3);
        RecordingSummary summary = RecordingReader.read(file, NOBODY);
        assertThat(summary.looks()).isGreaterThanOrEqualTo(looks);
        assertThat(summary.extent().end()).isNull();
        assertThat(Offhook.run("threads", "play", file.toString()).out())
                .containsAnyOf("The recording has no end", "cut off");
    }

    /** Of a file that may have begun only. */
    private static long looks(Path file) {
        try {
            return RecordingReader.read(file, NOBODY).looks();
        } catch (IOException e) {
            return 0;
        }
    }

    @Test
    void whatWasRecordedIsThereWhenTheProcessEnds() throws Exception {
        Path file = folder.resolve("recording");
        Process process = new ProcessBuilder("cat").start();
        FutureTask<Offhook.Result> recording = new FutureTask<>(() ->
                Offhook.run("threads", Long.toString(process.pid()), "--every", "0.1", "--record", file.toString()));
        Thread.ofPlatform().daemon().start(recording);
        try {
            while (!recording.isDone() && (!Files.exists(file) || looks(file) < 2)) {
                Thread.onSpinWait();
            }
        } finally {
            process.getOutputStream().close(); // which ends it
        }
        assertThat(process.waitFor()).isZero();
        assertThat(recording.get().out()).contains("The process has ended.").contains("Recorded to");
        assertThat(Offhook.done("threads", "play", file.toString()).out())
                .contains("cat")
                .contains("The process has ended.");
    }

    @Test
    void aDiskThatIsFullLosesNoTimeAndTheRecordingGoesOn() throws Exception {
        assumeTrue(SmallDisk.isPossible(), "needs root and unshare");
        String[] words = SmallDisk.run(FullRecordingMain.class, folder).split(" ", 9);
        assertThat(Integer.parseInt(words[1])).isGreaterThanOrEqualTo(10);
        assertThat(words[2]).as("looks").isEqualTo(words[0]);
        assertThat(words[4]).as("time").isEqualTo(words[3]);
        assertThat(words[5]).as("whole").isEqualTo("true");
        assertThat(words[7]).as("frames").isEqualTo(words[6]);
        assertThat(words[8]).contains("space");
    }
}
