package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.command.ExitCode;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Decimals;
import io.offhook.testkit.peers.Program;
import io.offhook.testkit.truth.Csv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The files that {@code offhook capture} writes: their rotation and limits, and what is in them if it ends early. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class CaptureFilesTest {
    private static final int FRAMES = 5_000;
    private static final String RIGHT = CaptureNetwork.RIGHT;

    @TempDir
    private Path folder;

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    @Test
    void rotatesAndKeepsTheLastFiles() throws Exception {
        CaptureNetwork.Running capture = network.capture(
                "-i",
                RIGHT,
                "-w",
                folder.resolve("r.pcap.gz").toString(),
                "--packets",
                "100",
                "--keep",
                "3",
                "--count",
                "1050",
                "--format",
                "json");
        network.sender(FileFrames.write(folder, FRAMES)).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        List<Path> files = written("r_*.pcap.gz");
        assertThat(files).hasSize(3);
        assertThat(files.getLast().getFileName().toString()).startsWith("r_00011_");
        List<String> frames = new ArrayList<>();
        for (Path file : files) {
            for (String frame : FileFrames.of(file).frames()) {
                frames.add(frames.size() + 800 + frame.substring(frame.indexOf(':')));
            }
        }
        FileFrames.assertSame(
                frames, FileFrames.of(folder.resolve("sent-5000.pcap")).frames().subList(800, 1050));
        Map<String, Object> captured = CaptureResult.captured(capture);
        assertThat(captured.get("endedBy")).isEqualTo("count");
        assertThat(captured.get("format")).isEqualTo("nsecpcap");
        assertThat(captured.get("compression")).isEqualTo("gzip");
        assertThat(CaptureResult.number(captured, "written")).isEqualTo(1050);
        assertThat(CaptureResult.number(captured, "files")).isEqualTo(11);
    }

    private List<Path> written(String glob) throws IOException {
        List<Path> files = new ArrayList<>();
        try (var matches = Files.newDirectoryStream(folder, glob)) {
            matches.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    @Test
    void endsAtItsLimits() throws Exception {
        Path sent = FileFrames.write(folder, FRAMES);
        Path file = folder.resolve("bytes.pcapng");
        CaptureNetwork.Running capture = network.capture(
                "-i", RIGHT, "-w", file.toString(), "--total-bytes", "100k", "--snap-length", "100", "--format=csv");
        network.sender(sent).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        List<List<String>> csv = Csv.parse(capture.out());
        assertThat(csv.getFirst()).isEqualTo(CaptureStatisticsOutput.COLUMNS);
        assertThat(csv.get(1).get(CaptureStatisticsOutput.COLUMNS.indexOf("endedBy")))
                .isEqualTo("bytes");
        long bytes = Long.parseLong(csv.get(1).get(CaptureStatisticsOutput.COLUMNS.indexOf("packetBytes")));
        assertThat(bytes).isBetween(100_000L, 100_100L);
        assertThat(FileFrames.of(file).frames())
                .hasSize(Integer.parseInt(csv.get(1).get(CaptureStatisticsOutput.COLUMNS.indexOf("written"))));

        CaptureNetwork.Running timed = network.capture("-i", RIGHT, "-w", file.toString(), "--duration", "1.5");
        assertThat(timed.code()).isZero();
        assertThat(timed.out()).startsWith("0 packets written to " + file);
        // from the first second on
        assertThat(timed.err()).contains("0 packets, 0 a second, 0 bytes/s; dropped by kernel 0, ring 0, disk 0");
    }

    @Test
    void fileOfAKilledCaptureIsReadable() throws Exception {
        Path sent = FileFrames.write(folder, FRAMES);
        Path file = folder.resolve("killed.pcapng");
        CaptureNetwork.Running capture = network.capture("-i", RIGHT, "-w", file.toString());
        network.sender(sent).send();
        // flushed while it goes on
        long began = System.nanoTime();
        while (framesSoFar(file) < FRAMES && System.nanoTime() - began < 30_000_000_000L) {
            Thread.onSpinWait();
        }
        assertThat(capture.process().isAlive()).isTrue();
        assertThat(capture.signal("KILL").code()).isEqualTo(137);
        FileFrames.assertSame(FileFrames.of(file).frames(), FileFrames.of(sent).frames());
    }

    /** Of a file that is being written, and may end within a frame just now. */
    private static int framesSoFar(Path file) {
        int frames = 0;
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(1000);
            while (source.next(batch)) {
                frames += batch.count();
            }
        }
        return frames;
    }

    @Test
    void fileOnAFullDiskIsReadable() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Program.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString());
        try {
            Path sent = FileFrames.write(folder, FRAMES);
            Path file = disk.resolve("full.pcapng");
            CaptureNetwork.Running capture = network.capture("-i", RIGHT, "-w", file.toString(), "--format", "json");
            network.sender(sent).send();
            assertThat(capture.code()).isEqualTo(ExitCode.UNWRITABLE);
            assertThat(capture.err()).contains("offhook: the output cannot be written: " + file, "No space left");
            FileFrames read = FileFrames.of(file);
            assertThat(read.frames())
                    .hasSizeGreaterThan(500)
                    .isSubsetOf(FileFrames.of(sent).frames());
            Map<String, Object> captured = CaptureResult.captured(capture);
            assertThat(captured.get("endedBy")).isEqualTo("unwritable");
            assertThat(CaptureResult.number(captured, "written"))
                    .isEqualTo(read.frames().size());
            assertThat(CaptureResult.number(captured, "written") + CaptureResult.number(captured, "diskDrops"))
                    .isEqualTo(CaptureResult.number(captured, "captured"));
            assertThat(Program.run("capinfos", "-c", file.toString()))
                    .contains("Number of packets:   "
                            + Decimals.grouped(read.frames().size()).replace(",", ""));
        } finally {
            Program.run("umount", disk.toString());
        }
    }

    @Test
    void writesToAPipe() throws Exception {
        Path sent = FileFrames.write(folder, 200);
        CaptureNetwork.Running capture = network.capture("-i", RIGHT, "-w", "-", "--count", "200");
        network.sender(sent).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        Path file = Files.write(folder.resolve("piped"), capture.outBytes());
        FileFrames.assertSame(FileFrames.of(file).frames(), FileFrames.of(sent).frames());
        assertThat(capture.err()).contains("200 packets written to - (pcapng");
    }
}
