package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.library.ComingAndGoing;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.FilteredSource;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.CaptureMemory;
import io.offhook.pcap.file.CaptureRewrite;
import io.offhook.pcap.file.FileSeries;
import io.offhook.pcap.file.PcapNgBlockWriter;
import io.offhook.pcap.file.PcapNgBlocks;
import io.offhook.pcap.file.PcapNgOptions;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.pcap.file.PcapWriter;
import io.offhook.pcap.file.RotatingSink;
import io.offhook.pcap.file.RotationLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What reads and writes files leaves none open, and none mapped, once it is closed: not after an exception either, and not
 * when only half was read. The kernel's lists of this process tell.
 */
class OpenFilesTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private static Path folder;

    private final FrameBatch batch = new FrameBatch(100);

    /** What a test before this one, that failed, left. */
    private List<String> before = List.of();

    @BeforeAll
    static void writeCaptures() throws IOException {
        ComingAndGoing traffic = new ComingAndGoing(3000);
        for (String name : List.of("a.pcap", "a.pcap.gz", "a.pcap.zst")) {
            try (PcapWriter sink = PcapWriter.create(folder.resolve(name), LinkType.ETHERNET)) {
                traffic.write(sink);
            }
        }
        for (String name : List.of("b.pcapng", "b.pcapng.gz", "b.pcapng.zst")) {
            try (PcapNgWriter sink = PcapNgWriter.create(folder.resolve(name))) {
                traffic.write(sink);
            }
        }
        for (String name : List.of("a.pcap", "a.pcap.gz", "a.pcap.zst", "b.pcapng", "b.pcapng.gz", "b.pcapng.zst")) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            Files.write(folder.resolve("cut-" + name), Arrays.copyOf(bytes, bytes.length / 2));
            Files.write(folder.resolve("head-" + name), Arrays.copyOf(bytes, 9));
            byte[] damaged = bytes.clone();
            Arrays.fill(damaged, bytes.length / 2, bytes.length / 2 + 40, (byte) 0x55);
            Files.write(folder.resolve("damaged-" + name), damaged);
        }
        Files.writeString(folder.resolve("text"), "this is no capture");
        Files.createFile(folder.resolve("empty"));
        Files.createDirectory(folder.resolve("directory"));
    }

    @BeforeEach
    void needsTheKernelsLists() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no /proc here");
        before = open();
    }

    /** Files of this test's folder, and the full device, that are open or mapped. */
    private List<String> open() {
        List<String> open = new ArrayList<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    Path target = Files.readSymbolicLink(descriptor);
                    if (target.startsWith(folder) || target.equals(FULL)) {
                        open.add("open " + target);
                    }
                } catch (NoSuchFileException e) {
                    assertThat(e.getFile()).as("that of this look itself").startsWith("/proc/");
                }
            }
            for (String mapping : Files.readAllLines(Path.of("/proc/self/maps"))) {
                if (mapping.contains(folder.toString())) {
                    open.add("mapped " + mapping.substring(mapping.indexOf(folder.toString())));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        before.forEach(open::remove);
        return open;
    }

    private static List<String> captures() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(name -> name.matches(".*/(((cut|head|damaged)-)?[ab]\\..*|text|empty|directory)"))
                    .sorted()
                    .toList();
        }
    }

    /** So that the others can fail. */
    @Test
    void detectsOpenFiles() throws IOException {
        Path file = folder.resolve("b.pcapng");
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            channel.map(FileChannel.MapMode.READ_ONLY, 0, 100, arena);
            assertThat(open()).containsExactlyInAnyOrder("open " + file, "mapped " + file);
        }
        assertThat(open()).isEmpty();
    }

    @Test
    void readersLeaveNothingOpen() throws IOException {
        assertThat(captures()).hasSize(27);
        for (String capture : captures()) {
            try (CaptureFileSource source = CaptureFiles.open(List.of(capture))) {
                while (source.next(batch)) {
                    assertThat(batch.count()).isPositive();
                }
            }
            assertThat(open()).as("after all of %s", capture).isEmpty();
            CaptureFileSource half = CaptureFiles.open(List.of(capture));
            half.next(batch);
            half.close();
            half.close();
            assertThat(open()).as("after the first of %s", capture).isEmpty();
            try (CaptureMemory memory = CaptureMemory.load(List.of(capture), 64 << 20)) {
                assertThat(open()).as("with %s in memory", capture).isEmpty();
                assertThat(memory.frames()).isNotNegative();
            }
            try (PcapNgBlocks blocks = PcapNgBlocks.open(capture)) {
                blocks.next();
            }
            assertThat(open()).as("after a block of %s", capture).isEmpty();
        }
        try (CaptureFileSource merged = CaptureFiles.open(captures())) {
            merged.next(batch);
        }
        assertThat(open()).as("after the first of all").isEmpty();
    }

    @Test
    void readersThatFailLeaveNothingOpen() {
        assertThatThrownBy(() -> CaptureFiles.open(folder)).isInstanceOf(UncheckedIOException.class);
        assertThat(open()).isEmpty();
        for (String name : List.of("a.pcap", "a.pcap.gz", "b.pcapng.zst")) {
            List<String> file = List.of(folder.resolve(name).toString());
            assertThatThrownBy(() -> CaptureMemory.load(file, 1000)).isInstanceOf(IllegalArgumentException.class);
            assertThat(open()).isEmpty();
            assertThatThrownBy(() -> {
                        try (FilteredSource source = new FilteredSource(CaptureFiles.open(file), _ -> {
                            throw new IllegalStateException("no filter today");
                        })) {
                            source.next(batch);
                        }
                    })
                    .hasMessage("no filter today");
            assertThat(open()).isEmpty();
            assertThatThrownBy(() -> {
                        try (CaptureRewrite rewrite = CaptureRewrite.open(file, System.in)) {
                            rewrite.edit(_ -> {
                                throw new IllegalStateException("no edit today");
                            });
                            rewrite.to(new FileSeries(folder.resolve("edited.pcap.gz"), 0), RotationLimits.NONE);
                        }
                    })
                    .hasMessage("no edit today");
            assertThat(open()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pcap", "pcap.gz", "pcap.zst", "pcapng", "pcapng.gz", "pcapng.zst"})
    void writersLeaveNothingOpen(String ending) throws IOException {
        CaptureFormat format = ending.startsWith("pcapng") ? CaptureFormat.PCAPNG : CaptureFormat.PCAP;
        ComingAndGoing traffic = new ComingAndGoing(2000);
        Path name = folder.resolve("rotated." + ending);
        try (RotatingSink sink = RotatingSink.create(name, format, new RotationLimits(50_000, 0, 0, 2))) {
            traffic.write(sink);
            assertThat(sink.files()).isGreaterThan(2);
        }
        assertThat(open()).isEmpty();
        try (CaptureRewrite rewrite =
                CaptureRewrite.open(List.of(folder.resolve("a.pcap").toString()), System.in)) {
            rewrite.format(format);
            rewrite.to(new FileSeries(name, 2), new RotationLimits(0, 0, 500, 2));
        }
        assertThat(open()).isEmpty();
        try (PcapNgBlockWriter writer = PcapNgBlockWriter.create(folder.resolve("blocks." + ending))) {
            writer.section(new PcapNgOptions(ByteOrder.LITTLE_ENDIAN));
        }
        assertThat(open()).isEmpty();
    }

    /** A disk that is full is found when the buffer is written: at a packet, or not before the end. */
    @ParameterizedTest
    @ValueSource(strings = {"pcap", "pcap.gz", "pcap.zst", "pcapng", "pcapng.gz", "pcapng.zst"})
    void writersLeaveNothingOpenOnAFullDisk(String ending) throws IOException {
        assumeTrue(Files.exists(FULL), "no " + FULL);
        Path full = Files.createSymbolicLink(folder.resolve("full-" + System.nanoTime() + "." + ending), FULL);
        for (int packets : new int[] {1000, 20_000}) {
            assertThatThrownBy(() -> {
                        try (PacketSink sink = ending.startsWith("pcapng")
                                ? PcapNgWriter.create(full)
                                : PcapWriter.create(full, LinkType.ETHERNET)) {
                            new ComingAndGoing(packets).write(sink);
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(open()).as("after %d packets", packets).isEmpty();
        }
        assertThatThrownBy(() -> {
                    try (CaptureRewrite rewrite =
                            CaptureRewrite.open(List.of(folder.resolve("a.pcap").toString()), System.in)) {
                        rewrite.to(FileChannel.open(full, StandardOpenOption.WRITE));
                    }
                })
                .isInstanceOf(UncheckedIOException.class);
        assertThat(open()).isEmpty();
        Files.delete(full);
    }

    @Test
    void sinksThatRefuseAPacketLeaveNothingOpen() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment packet = arena.allocate(60);
            for (CaptureFormat format : List.of(CaptureFormat.PCAP, CaptureFormat.PCAPNG)) {
                RotatingSink sink = RotatingSink.create(folder.resolve("refused"), format, RotationLimits.NONE);
                assertThatThrownBy(() -> sink.write(packet, 0, 60, 60, 0, 70_000))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("70000");
                sink.close();
                assertThat(open()).as(format.label()).isEmpty();
            }
            PcapWriter writer = PcapWriter.create(folder.resolve("one-type.pcap"), LinkType.ETHERNET);
            assertThatThrownBy(() -> writer.write(packet, 0, 60, 60, 0, LinkType.RAW))
                    .isInstanceOf(LinkTypeException.class);
            writer.close();
            assertThat(open()).isEmpty();
            assertThatThrownBy(() -> PcapWriter.create(folder.resolve("x.pcap"), 70_000))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> PcapWriter.create(folder.resolve("x.pcap"), CaptureFormat.SNOOP, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> PcapNgWriter.create(folder.resolve("not/there.pcapng")))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(open()).isEmpty();
        }
    }

    @Test
    void failedRewriteClosesItsTarget() throws IOException {
        try (CaptureRewrite rewrite =
                CaptureRewrite.open(List.of(folder.resolve("a.pcap").toString()), System.in)) {
            rewrite.to(channel("once.pcapng"));
            assertThatThrownBy(() -> rewrite.to(channel("twice.pcapng"))).isInstanceOf(IllegalStateException.class);
        }
        assertThat(open()).isEmpty();
    }

    private static FileChannel channel(String name) throws IOException {
        return FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    @Test
    void commandsLeaveNothingOpen() throws IOException {
        String a = folder.resolve("a.pcap").toString();
        String b = folder.resolve("b.pcapng.zst").toString();
        String cut = folder.resolve("cut-a.pcap.gz").toString();
        String out = folder.resolve("out.pcapng").toString();
        String missing = folder.resolve("missing.pcap").toString();
        String[][] commands = {
            {"split", a, "--write", folder.resolve("split.pcap.gz").toString(), "--packets", "400", "--keep", "2"},
            {"split", cut, missing, "--write", folder.resolve("split2.pcap").toString(), "--packets", "100"},
            {"convert", b, "--write", out},
            {"convert", cut, "--write", folder.resolve("not/there.pcap").toString()},
            {"merge", a, b, cut, "--write", out},
            {"merge", a, b, "--write", a},
            {"info", a, b, cut, missing},
            {"flows", a, "--filter", "udp"},
            {"print", cut},
            {"calls", a, b, cut, missing},
            {"match", folder.resolve("text").toString(), a}
        };
        for (String[] command : commands) {
            Offhook.Result result = Offhook.run(command);
            assertThat(result.out() + result.err())
                    .as("%s", Arrays.asList(command))
                    .isNotEmpty();
            assertThat(open()).as("%s", Arrays.asList(command)).isEmpty();
        }
    }
}
