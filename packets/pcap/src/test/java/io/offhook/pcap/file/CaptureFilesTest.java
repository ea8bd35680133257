package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CaptureFilesTest {
    private static final byte[] CAPTURE = PcapBytes.plain().record(1, 0, 60).toBytes();

    @TempDir
    private Path directory;

    private String base = "";

    @BeforeEach
    void nameDirectory() {
        base = directory + File.separator;
    }

    private void make(String... names) throws IOException {
        for (String name : names) {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, CAPTURE);
        }
    }

    private List<String> expand(String pattern) {
        return CaptureFiles.expand(List.of(base + pattern)).stream()
                .map(path -> path.substring(base.length()).replace(File.separatorChar, '/'))
                .toList();
    }

    @Test
    void expandsPatternsInTheOrderOfTheNames() throws IOException {
        make("b.pcap", "a.pcap", "B.pcap", "c.pcapng", "d.txt", ".hidden.pcap", "x/a.pcap", "x/y/b.pcap", "z/a.pcap");
        Files.createDirectories(directory.resolve("directory.pcap"));
        assertThat(expand("*.pcap")).containsExactly("B.pcap", "a.pcap", "b.pcap");
        assertThat(expand("?.pcap*")).containsExactly("B.pcap", "a.pcap", "b.pcap", "c.pcapng");
        assertThat(expand("[a-b].pcap")).containsExactly("a.pcap", "b.pcap");
        assertThat(expand("{c,d}.*")).containsExactly("c.pcapng", "d.txt");
        assertThat(expand(".h*")).containsExactly(".hidden.pcap");
        assertThat(expand("*/a.pcap")).containsExactly("x/a.pcap", "z/a.pcap");
        assertThat(expand("*/*/*.pcap")).containsExactly("x/y/b.pcap");
        assertThat(expand("x/*.pcap")).containsExactly("x/a.pcap");
    }

    @Test
    void takesAPathThatExistsForThatFile() throws IOException {
        assumeTrue(File.separatorChar == '/', "no such names on this system");
        make("call[1].pcap", "call1.pcap", "*.pcap", "{a");
        assertThat(expand("call[1].pcap")).containsExactly("call[1].pcap");
        assertThat(expand("*.pcap")).containsExactly("*.pcap");
        assertThat(expand("{a")).containsExactly("{a");
    }

    @Test
    void keepsPatternsThatMatchNothing() {
        assertThat(expand("*.pcap")).containsExactly("*.pcap");
        assertThat(expand("no/such/*/x")).containsExactly("no/such/*/x");
        assertThat(expand("broken[")).containsExactly("broken[");
        assertThat(CaptureFiles.expand(List.of("-", base))).containsExactly("-", base);
        assertThat(fault(base + "*.pcap"))
                .isEqualTo(new CaptureFault(
                        CaptureFault.Kind.UNREADABLE, base + "*.pcap", -1, "no file matches the pattern"));
    }

    private static CaptureFault fault(String path) {
        try (CaptureFileSource source = CaptureFiles.open(List.of(path))) {
            assertThat(ReadFrame.readAll(source, 10)).isEmpty();
            assertThat(source.files().getFirst().format()).isNull();
            assertThat(source.faults()).hasSize(1);
            return source.faults().getFirst();
        }
    }

    /** Whoever names one file does not look for faults before the first packet. */
    @Test
    void throwsWhereTheOnlyFileCannotBeOpened() throws IOException {
        Path missing = directory.resolve("missing.pcap");
        assertThatThrownBy(() -> CaptureFiles.open(missing))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(missing + ": no such file");
        assertThatThrownBy(() -> CaptureFiles.open(directory.toString())).hasMessageContaining("a directory found");
        Path text = Files.writeString(directory.resolve("text.pcap"), "not a capture");
        try (CaptureFileSource source = CaptureFiles.open(text)) {
            assertThat(source.faults()).hasSize(1);
        }
        try (CaptureFileSource source = CaptureFiles.open(Reading.write(directory, CAPTURE))) {
            assertThat(ReadFrame.readAll(source, 10)).isNotEmpty();
        }
    }

    @Test
    void reportsWhyAFileCannotBeOpened() throws IOException {
        String missing = base + "missing.pcap";
        assertThat(fault(missing))
                .isEqualTo(new CaptureFault(CaptureFault.Kind.UNREADABLE, missing, -1, "no such file"));
        assertThat(fault(directory.toString()).describe())
                .isEqualTo(directory + ": a file was expected, a directory found");
        assertThat(fault("a\0b").kind()).isEqualTo(CaptureFault.Kind.UNREADABLE);
        String empty = Files.createFile(directory.resolve("empty.pcap")).toString();
        assertThat(fault(empty).describe())
                .isEqualTo(empty + ": at byte 0: pcap, pcapng or snoop, plain or in gzip or zstd, was expected, "
                        + "an empty file found");
        String elf = Reading.write(directory, new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 9, 9})
                .toString();
        assertThat(fault(elf))
                .isEqualTo(new CaptureFault(
                        CaptureFault.Kind.UNKNOWN_FORMAT,
                        elf,
                        0,
                        "pcap, pcapng or snoop, plain or in gzip or zstd, was expected, "
                                + "found the bytes 7f 45 4c 46 02 01 01 00"));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void reportsMissingPermission() throws IOException {
        Path file = Reading.write(directory, CAPTURE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-w-------"));
        assumeFalse(Files.isReadable(file), "this user may read everything");
        assertThat(fault(file.toString()).message()).isEqualTo("no permission to read it");
    }

    @Test
    void readsStandardInputOnce() {
        try (CaptureFileSource source = CaptureFiles.open(List.of("-", "-"), new ByteArrayInputStream(CAPTURE))) {
            assertThat(ReadFrame.readAll(source, 10)).hasSize(1);
            assertThat(source.faults())
                    .containsExactly(new CaptureFault(
                            CaptureFault.Kind.UNREADABLE,
                            "-",
                            -1,
                            "standard input can be read once, and was named before"));
        }
    }

    @Test
    void reportsAPipeThatFails() {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken");
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                throw new IOException("broken");
            }
        };
        InputStream broken = new SequenceInputStream(new ByteArrayInputStream(CAPTURE), failing);
        Reading reading = Reading.streamed(broken, 10);
        assertThat(reading.frames()).hasSize(1);
        assertThat(reading.faults())
                .containsExactly("UNREADABLE at " + CAPTURE.length + ": reading failed: java.io.IOException: broken");
    }

    @Test
    void reportsHowFarItIs() throws IOException {
        PcapBytes capture = PcapBytes.plain();
        for (int i = 0; i < 1000; i++) {
            capture.record(i, 0, 100);
        }
        byte[] bytes = capture.toBytes();
        String path = Reading.write(directory, bytes).toString();
        FrameBatch batch = new FrameBatch(500);
        try (CaptureFileSource source = CaptureFiles.open(path)) {
            assertThat(source.size()).isEqualTo(bytes.length);
            assertThat(source.position()).isZero();
            assertThat(source.next(batch)).isTrue();
            assertThat(source.position()).isEqualTo(24 + 500 * 116);
            assertThat(source.next(batch)).isTrue();
            assertThat(source.next(batch)).isFalse();
            assertThat(source.position()).isEqualTo(bytes.length);
        }
        byte[] gzip = Reading.gzip(bytes);
        String compressed = Reading.write(directory, gzip).toString();
        try (CaptureFileSource source = CaptureFiles.open(List.of(path, compressed))) {
            assertThat(source.size()).isEqualTo(bytes.length + gzip.length);
            ReadFrame.readAll(source, 100);
            assertThat(source.position()).isEqualTo(source.size());
        }
        try (CaptureFileSource source = CaptureFiles.open(List.of(path, "-"), new ByteArrayInputStream(CAPTURE))) {
            assertThat(source.size()).isEqualTo(-1);
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void readsANamedPipe() throws Exception {
        Path pipe = directory.resolve("pipe");
        Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assumeTrue(mkfifo.waitFor(10, TimeUnit.SECONDS) && mkfifo.exitValue() == 0, "no mkfifo here");
        Thread writer = Thread.ofVirtual().start(() -> {
            try (FileChannel channel = FileChannel.open(pipe, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(CAPTURE));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (CaptureFileSource source = CaptureFiles.open(pipe.toString())) {
            assertThat(source.size()).isEqualTo(-1);
            assertThat(ReadFrame.readAll(source, 10)).hasSize(1);
            assertThat(source.faults()).isEmpty();
        }
        writer.join();
    }

    @Test
    void endsTheLifeOfItsFramesWhenItIsClosed() {
        for (byte[] file : List.of(CAPTURE, Reading.gzip(CAPTURE))) {
            FrameBatch batch = new FrameBatch(10);
            CaptureFileSource source =
                    CaptureFiles.open(Reading.write(directory, file).toString());
            assertThat(source.next(batch)).isTrue();
            MemorySegment segment = batch.segmentOf(0);
            source.close();
            source.close();
            assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> source.next(batch)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void givesABatchNewMemoryWhereThatOfAnEarlierSourceIsGone() {
        FrameBatch batch = new FrameBatch(10);
        for (int i = 0; i < 3; i++) {
            try (CaptureFileSource source = CaptureFiles.open(List.of("-"), new ByteArrayInputStream(CAPTURE))) {
                assertThat(source.next(batch)).isTrue();
                assertThat(ReadFrame.of(batch, 0).capturedLength()).isEqualTo(60);
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void survivesAFileThatIsCutShorterWhileItIsRead() throws IOException {
        PcapBytes capture = PcapBytes.plain();
        for (int i = 0; i < 1000; i++) {
            capture.record(i, 0, 1000);
        }
        Path file = Reading.write(directory, capture.toBytes());
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(10);
            assertThat(source.next(batch)).isTrue();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(1);
            }
            while (source.next(batch)) {
                // what the system has mapped already may still be read
            }
            assertThat(source.faults()).hasSize(1);
        }
    }

    @Test
    void allocatesNothingForABatchOfAMappedFile() {
        PcapBytes pcap = PcapBytes.plain();
        PcapNgBytes pcapNg = PcapNgBytes.plain().describe(1, 0);
        for (int i = 0; i < 40_000; i++) {
            pcap.record(i, 0, 20);
            pcapNg.enhanced(0, i, 20);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (byte[] capture : List.of(pcap.toBytes(), pcapNg.toBytes())) {
            String path = Reading.write(directory, capture).toString();
            FrameBatch batch = new FrameBatch(64);
            try (CaptureFileSource source = CaptureFiles.open(path)) {
                for (int i = 0; i < 300; i++) {
                    source.next(batch);
                }
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 300; i++) {
                    source.next(batch);
                }
                assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
            }
        }
    }

    @Test
    void refusesToOpenNothing() {
        assertThatThrownBy(() -> CaptureFiles.open(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no file is named; at least one is needed");
    }

    /** Run in a process of its own by the test below. */
    static final class ReadAPlainFile {
        public static void main(String[] arguments) {
            try (CaptureFileSource source = CaptureFiles.open(List.of(arguments))) {
                System.out.println("packets " + ReadFrame.readAll(source, 10).size());
            }
        }
    }

    @Test
    void loadsNeitherZstdNorTheLinkerForPlainFilesAndGzip() throws Exception {
        String plain = Reading.write(directory, CAPTURE).toString();
        String gzip = Reading.write(directory, Reading.gzip(CAPTURE)).toString();
        assertThat(loadedClasses(plain, gzip))
                .contains("packets 2")
                .contains("io.offhook.pcap.reader.GzipChannel")
                .doesNotContain("com.github.luben.zstd")
                .doesNotContain("Linker");
        String zstd = Reading.write(directory, Reading.zstd(CAPTURE)).toString();
        assertThat(loadedClasses(zstd)).contains("packets 1").contains("com.github.luben.zstd");
    }

    private static String loadedClasses(String... files) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ReadAPlainFile.class.getName()));
        command.addAll(List.of(files));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        // the Java machine itself loads a few classes beside the linker
        return output.lines()
                .filter(line -> line.matches(".*(packets|io\\.offhook|com\\.github|AbstractLinker|DowncallLinker).*"))
                .collect(Collectors.joining("\n"));
    }
}
