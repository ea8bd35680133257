package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Csv;
import io.offhook.cli.Json;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Decimals;
import io.offhook.linux.CpuAffinity;
import io.offhook.live.LiveCounts;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapWriter;
import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook capture} as a process, on one end of a veth pair, of what is sent from the other. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class CaptureCommandTest {
    private static final int FRAMES = 5_000;
    private static final String RIGHT = CaptureNetwork.RIGHT;

    @TempDir
    private Path folder;

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    /** Frames of all sizes, each another, in a file. */
    private Path frames(int count) {
        return frames(count, 60, 1514);
    }

    private Path frames(int count, int shortest, int longest) {
        Path file = folder.resolve("sent-" + count + (longest == 1514 ? "" : "-" + longest) + ".pcap");
        Random random = new Random(count);
        byte[] frame = new byte[longest];
        try (PcapWriter writer = PcapWriter.create(file, LinkType.ETHERNET);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(frame.length);
            for (int i = 0; i < count; i++) {
                random.nextBytes(frame);
                frame[0] = 2;
                frame[6] = 2;
                frame[12] = 8;
                frame[13] = 0;
                MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, 0, frame.length);
                int length = shortest + random.nextInt(longest - shortest + 1);
                writer.write(memory, 0, length, length, i, LinkType.ETHERNET);
            }
        }
        return file;
    }

    /** What was read of a file: frames as text that a failure can be read by, and times. */
    private record Read(List<String> frames, List<Long> times, List<CaptureInterface> interfaces, List<Integer> from) {
        static Read of(Path file) {
            List<String> frames = new ArrayList<>();
            List<Long> times = new ArrayList<>();
            List<Integer> from = new ArrayList<>();
            try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
                FrameBatch batch = new FrameBatch(1000);
                while (source.next(batch)) {
                    for (int i = 0; i < batch.count(); i++) {
                        byte[] bytes = batch.segmentOf(i)
                                .asSlice(batch.offset(i), batch.capturedLength(i))
                                .toArray(ValueLayout.JAVA_BYTE);
                        frames.add(frames.size() + ": " + batch.wireLength(i) + " " + Arrays.hashCode(bytes));
                        times.add(batch.timestampNs(i));
                        from.add(batch.interfaceIndex(i));
                    }
                }
                assertThat(source.faults()).extracting(CaptureFault::describe).isEmpty();
                return new Read(frames, times, source.interfaces(), from);
            }
        }
    }

    /** The same frames in the same order; told by the first that is another. */
    private static void assertSame(List<String> read, List<String> sent) {
        int same = 0;
        while (same < Math.min(read.size(), sent.size()) && read.get(same).equals(sent.get(same))) {
            same++;
        }
        assertThat(read.subList(same, Math.min(read.size(), same + 3)))
                .as("from frame " + same + " on, of " + read.size() + " and " + sent.size())
                .isEqualTo(sent.subList(same, Math.min(sent.size(), same + 3)));
    }

    private CaptureNetwork.Running capture(String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("capture"));
        all.addAll(List.of(args));
        return network.offhook(all.toArray(String[]::new)).awaitError("Ctrl-C ends it");
    }

    private static Map<String, Object> captured(CaptureNetwork.Running running) throws InterruptedException {
        Map<String, Object> all = Json.object(running.out());
        @SuppressWarnings("unchecked")
        Map<String, Object> captured = (Map<String, Object>) Objects.requireNonNull(all.get("captured"));
        return captured;
    }

    private static long number(Map<String, Object> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name), name)).longValue();
    }

    private static void assertAddsUp(Map<String, Object> captured, long sent) {
        assertThat(number(captured, "received")).isEqualTo(sent);
        assertThat(number(captured, "captured")
                        + number(captured, "filtered")
                        + number(captured, "ringDrops")
                        + number(captured, "kernelDrops"))
                .isEqualTo(sent);
        assertThat(number(captured, "written") + number(captured, "diskDrops")).isEqualTo(number(captured, "captured"));
    }

    @Test
    void writesWhatTcpdumpWrites() throws Exception {
        Path sent = frames(FRAMES);
        Path ours = folder.resolve("ours.pcapng");
        Path theirs = folder.resolve("theirs.pcap");
        CaptureNetwork.Running tcpdump = network.right(
                        "tcpdump",
                        "-i",
                        RIGHT,
                        "-w",
                        theirs.toString(),
                        "-U",
                        "-B",
                        "65536",
                        "-Z",
                        "root",
                        "--time-stamp-precision=nano",
                        "-c",
                        Integer.toString(FRAMES))
                .awaitError("listening on");
        CaptureNetwork.Running capture = capture("-i", RIGHT, "-w", ours.toString(), "--format", "json");
        network.sender(sent).send();
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        assertThat(tcpdump.code()).as(tcpdump.err()).isZero(); // what its ring holds when it is interrupted it leaves

        Read read = Read.of(ours);
        assertSame(read.frames(), Read.of(sent).frames());
        Read other = Read.of(theirs);
        assertSame(read.frames(), other.frames());
        // tcpdump asks the kernel to stamp packets as they arrive, once for all; else each ring does it by itself
        assertThat(read.times()).isEqualTo(other.times());
        Map<String, Object> captured = captured(capture);
        assertAddsUp(captured, FRAMES);
        assertThat(number(captured, "written")).isEqualTo(FRAMES);
        assertThat(number(captured, "bytes")).isEqualTo(Files.size(ours));
        assertThat(captured.get("endedBy")).isEqualTo("signal");
        assertThat(captured.get("format")).isEqualTo("pcapng");
    }

    @Test
    void capturesFromSeveralInterfacesInOneFile() throws Exception {
        Path sent = frames(500);
        Path file = folder.resolve("both.pcapng");
        CaptureNetwork.Running capture =
                capture("-i", RIGHT, "-i", "lo", "-w", file.toString(), "--filter", "not arp", "--format", "json");
        CaptureNetwork.Sender sender = network.sender(sent);
        for (int round = 0; round < 3; round++) {
            sender.send();
            assertThat(network.right(
                                    "python3",
                                    "-c",
                                    "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
                                            + "for i in range(100): s.sendto(b'x' * i, ('127.0.0.1', 4000))")
                            .code())
                    .isZero();
        }
        assertThat(capture.signal("TERM").code()).as(capture.err()).isZero();
        Read read = Read.of(file);
        assertThat(read.interfaces()).extracting(CaptureInterface::name).containsExactly(RIGHT, "lo");
        assertThat(read.times()).isSorted();
        assertThat(read.from().stream().filter(index -> index == 0)).hasSize(1500);
        // and what the kernel answers: that nobody listens there
        assertThat(read.from().stream().filter(index -> index == 1).count()).isGreaterThanOrEqualTo(300);
        assertThat(Json.objects(Json.object(capture.out()).get("interfaces"))).hasSize(2);
        String info = run("capinfos", file.toString());
        assertThat(info).contains("Filter string = not arp", "Number of interfaces in file: 2");
    }

    @Test
    void pinsThreadsAndReportsWhereTheyRan() throws Exception {
        CaptureNetwork.Running capture = capture(
                "-i",
                RIGHT,
                "-i",
                "lo",
                "-w",
                folder.resolve("pinned.pcapng").toString(),
                "--pin",
                "--count",
                "50",
                "--format",
                "json");
        network.sender(frames(50)).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        List<Map<String, Object>> lanes =
                Json.objects(Json.object(capture.out()).get("lanes"));
        assertThat(lanes)
                .extracting(lane -> lane.get("name"))
                .containsExactly("reader-" + RIGHT, "reader-lo", "capture", "writer");
        int[] processors = CpuAffinity.processors();
        for (int i = 0; i < lanes.size(); i++) {
            Map<String, Object> lane = lanes.get(i);
            List<Map<String, Object>> seen = Json.objects(lane.get("processors"));
            assertThat(seen).as(lane.toString()).isNotEmpty();
            if (i == 3 && processors.length < 4) {
                // it takes no processor of those that wait for packets
                assertThat(lane).containsEntry("pinnedTo", null);
            } else {
                long expected = processors[i % processors.length];
                assertThat(lane).containsEntry("pinnedTo", expected);
                assertThat(seen)
                        .singleElement()
                        .satisfies(place -> assertThat(place).containsEntry("processor", expected));
            }
        }
    }

    @Test
    void countsDropsOfATinyRing() throws Exception {
        Path sent = frames(20_000);
        Path file = folder.resolve("tiny.pcapng");
        CaptureNetwork.Running capture =
                capture("-i", RIGHT, "-w", file.toString(), "--buffer", "128Ki", "--format", "json");
        CaptureNetwork.Sender sender = network.sender(sent);
        capture.signal("STOP"); // as slow as can be
        sender.send();
        capture.signal("CONT");
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        Map<String, Object> captured = captured(capture);
        assertAddsUp(captured, 20_000);
        assertThat(number(captured, "ringDrops")).isPositive();
        assertThat(Read.of(file).frames()).hasSize((int) number(captured, "written"));
        // what the file tells of it
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(1000);
            while (source.next(batch)) {
                assertThat(batch.count()).isPositive();
            }
            assertThat(source.losses().stream()
                            .mapToLong(loss -> loss.packets())
                            .sum())
                    .isEqualTo(number(captured, "ringDrops"));
        }
    }

    @Test
    void countsDropsOfASlowDisk() throws Exception {
        // a pipe that is not read until all was sent
        CaptureNetwork.Running capture = network.offhook(
                        List.of(), false, "capture", "-i", RIGHT, "-w", "-", "--write-buffer", "1Mi", "--count", "5000")
                .awaitError("Ctrl-C ends it");
        network.sender(frames(FRAMES)).send();
        Path file = folder.resolve("slow.pcapng");
        Files.copy(capture.process().getInputStream(), file);
        assertThat(capture.code()).as(capture.err()).isZero();
        int written = Read.of(file).frames().size();
        assertThat(written).isBetween(500, 4500);
        assertThat(capture.err())
                .contains(Decimals.grouped(written) + " packets written to - (pcapng")
                .contains("5,000 packets received; dropped by kernel 0, ring 0, disk "
                        + Decimals.grouped(FRAMES - written) + ".");
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(1000);
            while (source.next(batch)) {
                assertThat(batch.count()).isPositive();
            }
            assertThat(source.losses().stream()
                            .mapToLong(loss -> loss.packets())
                            .sum())
                    .isEqualTo(FRAMES - written);
        }
    }

    @Test
    void rotatesAndKeepsTheLastFiles() throws Exception {
        CaptureNetwork.Running capture = capture(
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
        network.sender(frames(FRAMES)).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        List<Path> files = written("r_*.pcap.gz");
        assertThat(files).hasSize(3);
        assertThat(files.getLast().getFileName().toString()).startsWith("r_00011_");
        List<String> frames = new ArrayList<>();
        for (Path file : files) {
            for (String frame : Read.of(file).frames()) {
                frames.add(frames.size() + 800 + frame.substring(frame.indexOf(':')));
            }
        }
        assertSame(frames, Read.of(folder.resolve("sent-5000.pcap")).frames().subList(800, 1050));
        Map<String, Object> captured = captured(capture);
        assertThat(captured.get("endedBy")).isEqualTo("count");
        assertThat(captured.get("format")).isEqualTo("nsecpcap");
        assertThat(captured.get("compression")).isEqualTo("gzip");
        assertThat(number(captured, "written")).isEqualTo(1050);
        assertThat(number(captured, "files")).isEqualTo(11);
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
        Path sent = frames(FRAMES);
        Path file = folder.resolve("bytes.pcapng");
        CaptureNetwork.Running capture = capture(
                "-i", RIGHT, "-w", file.toString(), "--total-bytes", "100k", "--snap-length", "100", "--format=csv");
        network.sender(sent).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        List<List<String>> csv = Csv.parse(capture.out());
        assertThat(csv.getFirst()).isEqualTo(CaptureStatisticsOutput.COLUMNS);
        assertThat(csv.get(1).get(CaptureStatisticsOutput.COLUMNS.indexOf("endedBy")))
                .isEqualTo("bytes");
        long bytes = Long.parseLong(csv.get(1).get(CaptureStatisticsOutput.COLUMNS.indexOf("packetBytes")));
        assertThat(bytes).isBetween(100_000L, 100_100L);
        assertThat(Read.of(file).frames())
                .hasSize(Integer.parseInt(csv.get(1).get(CaptureStatisticsOutput.COLUMNS.indexOf("written"))));

        CaptureNetwork.Running timed = capture("-i", RIGHT, "-w", file.toString(), "--duration", "1.5");
        assertThat(timed.code()).isZero();
        assertThat(timed.out()).startsWith("0 packets written to " + file);
        // from the first second on
        assertThat(timed.err()).contains("0 packets, 0 a second, 0 bytes/s; dropped by kernel 0, ring 0, disk 0");
    }

    @Test
    void redrawsTheStatusLineOnATerminal() throws Exception {
        CaptureNetwork.Running capture = network.offhook(
                List.of("env", "OFFHOOK_TTY=2"),
                true,
                "capture",
                "-i",
                RIGHT,
                "-w",
                folder.resolve("terminal.pcapng").toString(),
                "--duration",
                "3.5");
        assertThat(capture.code()).as(capture.err()).isZero();
        String line = "\r\u001b[K0 packets, 0 a second, 0 bytes/s; dropped by kernel 0, ring 0, disk 0";
        // at each second, and gone at the end
        assertThat(capture.err().replace("\n\u001b[K", "\r\u001b[K"))
                .contains(line + line)
                .endsWith("\r\u001b[K\n");
    }

    @Test
    void reportsDropsByTheirCause() {
        LiveCounts counts = new LiveCounts(20_000, 12_345, 0, 7_000, 655, 9);
        assertThat(CaptureStatus.line(12_345, 1_204, 1_200_000, counts, 3))
                .isEqualTo("12,345 packets, 1,204 a second, 1.2 MB/s; dropped by kernel 655, ring 7,000, disk 3");
    }

    @Test
    void fileOfAKilledCaptureIsReadable() throws Exception {
        Path sent = frames(FRAMES);
        Path file = folder.resolve("killed.pcapng");
        CaptureNetwork.Running capture = capture("-i", RIGHT, "-w", file.toString());
        network.sender(sent).send();
        // flushed while it goes on
        long began = System.nanoTime();
        while (framesSoFar(file) < FRAMES && System.nanoTime() - began < 30_000_000_000L) {
            Thread.onSpinWait();
        }
        assertThat(capture.process().isAlive()).isTrue();
        assertThat(capture.signal("KILL").code()).isEqualTo(137);
        assertSame(Read.of(file).frames(), Read.of(sent).frames());
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
            Path sent = frames(FRAMES);
            Path file = disk.resolve("full.pcapng");
            CaptureNetwork.Running capture = capture("-i", RIGHT, "-w", file.toString(), "--format", "json");
            network.sender(sent).send();
            assertThat(capture.code()).isEqualTo(ExitCode.UNWRITABLE);
            assertThat(capture.err()).contains("offhook: the output cannot be written: " + file, "No space left");
            Read read = Read.of(file);
            assertThat(read.frames())
                    .hasSizeGreaterThan(500)
                    .isSubsetOf(Read.of(sent).frames());
            Map<String, Object> captured = captured(capture);
            assertThat(captured.get("endedBy")).isEqualTo("unwritable");
            assertThat(number(captured, "written")).isEqualTo(read.frames().size());
            assertThat(number(captured, "written") + number(captured, "diskDrops"))
                    .isEqualTo(number(captured, "captured"));
            assertThat(run("capinfos", "-c", file.toString()))
                    .contains("Number of packets:   "
                            + Decimals.grouped(read.frames().size()).replace(",", ""));
        } finally {
            Program.run("umount", disk.toString());
        }
    }

    @Test
    void advisesCommandsWithoutPermission() throws Exception {
        openFolder();
        Path file = folder.resolve("denied.pcapng");
        CaptureNetwork.Running denied = network.offhook(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-net_raw"),
                true,
                "capture",
                "-i",
                RIGHT,
                "-w",
                file.toString());
        assertThat(denied.code()).as(denied.err()).isEqualTo(ExitCode.MISUSE);
        assertThat(denied.err())
                .contains("-i right: capability CAP_NET_RAW is missing", "setpriv", "AmbientCapabilities=CAP_NET_RAW")
                .contains("setcap on the java binary does not help");
        assertThat(file).doesNotExist();

        CaptureNetwork.Running allowed = network.offhook(
                List.of(
                        "setpriv",
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        "--inh-caps=+net_raw",
                        "--ambient-caps=+net_raw"),
                true,
                "capture",
                "-i",
                RIGHT,
                "-w",
                file.toString(),
                "--count",
                "3");
        allowed.awaitError("Ctrl-C ends it");
        network.sender(frames(3)).send();
        assertThat(allowed.code()).as(allowed.err()).isZero();
        assertThat(Read.of(file).frames()).hasSize(3);
    }

    private void openFolder() throws IOException, InterruptedException {
        Program.run("chmod", "777", folder.toString());
    }

    @Test
    void givesUpRootInAllThreads() throws Exception {
        openFolder();
        Path file = folder.resolve("user.pcapng");
        CaptureNetwork.Running capture =
                capture("-i", RIGHT, "-i", "lo", "-w", file.toString(), "--user", "nobody", "--count", "3");
        String user = Files.getAttribute(file, "unix:uid").toString();
        assertThat(user).isNotEqualTo("0");
        int threads = 0;
        try (Stream<Path> tasks =
                Files.list(Path.of("/proc/" + capture.process().pid() + "/task"))) {
            for (Path task : tasks.toList()) {
                List<String> status;
                try {
                    status = Files.readAllLines(task.resolve("status"));
                } catch (IOException e) {
                    continue; // a thread that has ended meanwhile
                }
                assertThat(status).contains("Uid:" + ("\t" + user).repeat(4), "CapEff:\t0000000000000000");
                threads++;
            }
        }
        assertThat(threads).isGreaterThan(8);
        network.sender(frames(3)).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        assertThat(Read.of(file).frames()).hasSize(3);
    }

    private void mtu(int bytes) throws IOException, InterruptedException {
        network.ip("link", "set", RIGHT, "mtu", Integer.toString(bytes));
        network.leftIp("link", "set", CaptureNetwork.LEFT, "mtu", Integer.toString(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "pcap"})
    void continuesAfterLinkDownAndMtuChange(String backend) throws Exception {
        Path file = folder.resolve("updown.pcapng");
        CaptureNetwork.Running capture = capture("-i", RIGHT, "-w", file.toString(), "--backend", backend);
        Path few = frames(30);
        Path large = frames(40, 8_000, 9_014);
        CaptureNetwork.Sender sender = network.sender(few);
        sender.send();
        network.ip("link", "set", RIGHT, "down");
        network.ip("link", "set", RIGHT, "up");
        sender.send();
        mtu(9_000);
        network.sender(large).send();
        sender.send();
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        List<String> expected = new ArrayList<>();
        for (Path sent : List.of(few, few, large, few)) {
            for (String frame : Read.of(sent).frames()) {
                expected.add(expected.size() + frame.substring(frame.indexOf(':')));
            }
        }
        assertSame(Read.of(file).frames(), expected);
        assertThat(capture.out()).contains("130 packets received; dropped by kernel 0, ring 0, disk 0.");
    }

    @Test
    void xdpContinuesAfterLinkDownAndCountsFramesLongerThanChunks() throws Exception {
        Path file = folder.resolve("updown.pcapng");
        CaptureNetwork.Running capture =
                capture("-i", RIGHT, "-w", file.toString(), "--backend", "xdp", "--format", "json");
        CaptureNetwork.Sender sender = network.sender(frames(30));
        sender.send();
        network.ip("link", "set", RIGHT, "down");
        network.ip("link", "set", RIGHT, "up");
        sender.send();
        mtu(3_000);
        network.sender(frames(40, 2_000, 3_014)).send();
        sender.send();
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        assertThat(Read.of(file).frames()).hasSize(90);
        Map<String, Object> captured = captured(capture);
        assertAddsUp(captured, 130);
        assertThat(number(captured, "kernelDrops")).isEqualTo(40);
    }

    @Test
    void continuesIfOneOfSeveralInterfacesDisappears() throws Exception {
        network.ip("link", "add", "extra", "type", "veth", "peer", "name", "other");
        network.ip("link", "set", "extra", "up");
        Path file = folder.resolve("gone.pcapng");
        CaptureNetwork.Running capture =
                capture("-i", "extra", "-i", RIGHT, "-w", file.toString(), "--count", "50", "--format", "json");
        network.ip("link", "del", "extra");
        network.sender(frames(50)).send();
        assertThat(capture.code()).as(capture.err()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(capture.err()).contains("offhook: extra: the interface has disappeared");
        assertThat(Read.of(file).frames()).hasSize(50);
        assertThat(captured(capture).get("endedBy")).isEqualTo("count");
    }

    @Test
    void endsWhenItsOnlyInterfaceDisappears() throws Exception {
        Path file = folder.resolve("alone.pcapng");
        CaptureNetwork.Running capture = capture("-i", RIGHT, "-w", file.toString(), "--format", "json");
        network.sender(frames(20)).send();
        network.ip("link", "del", RIGHT);
        assertThat(capture.code()).as(capture.err()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(captured(capture).get("endedBy")).isEqualTo("interfaces");
        assertThat(Read.of(file).interfaces()).hasSize(1);
    }

    @Test
    void writesToAPipe() throws Exception {
        Path sent = frames(200);
        CaptureNetwork.Running capture = capture("-i", RIGHT, "-w", "-", "--count", "200");
        network.sender(sent).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        Path file = Files.write(folder.resolve("piped"), capture.outBytes());
        assertSame(Read.of(file).frames(), Read.of(sent).frames());
        assertThat(capture.err()).contains("200 packets written to - (pcapng");
    }

    @Test
    void secondSignalEndsTheProcessAtOnce() throws Exception {
        // a pipe that nobody reads: it cannot end, as there is something to write
        CaptureNetwork.Running capture = network.offhook(List.of(), false, "capture", "-i", RIGHT, "-w", "-")
                .awaitError("Ctrl-C ends it");
        network.sender(frames(FRAMES)).send();
        capture.signal("INT").awaitInterrupted();
        assertThat(capture.process().isAlive()).isTrue();
        assertThat(capture.signal("INT").code()).isEqualTo(130);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "capture -w a.pcapng | -i NAME is missing",
                "capture -i right | -w FILE is missing",
                "capture -i nowhere -w a.pcapng | there is no interface nowhere; existing ones: lo, right",
                "capture -i idle0 -w a.pcapng | -i idle0: the interface is down; what helps: sudo ip link set idle0 up",
                "capture -i right -i right -w a.pcapng | -i right is given twice",
                "capture -i right -w a.pcapng --buffer 1k | --buffer 1k is outside 128Ki to 16Gi",
                "capture -i right -w a.pcapng --backend xdp --buffer 9Gi | --buffer 9,663,676,416 bytes are more than the 8Gi",
                "capture -i right -w a.pcapng --write-buffer 1k | --write-buffer 1k is outside 1Mi to 16Gi",
                "capture -i right -w a.pcapng --count 0 | --count 0 is less than 1",
                "capture -i right -w a.pcapng --duration 0 | --duration 0 is not a number of seconds",
                "capture -i right -w a.pcapng --snap-length 300000 | --snap-length 300000 is more than 262,144",
                "capture -i right -w a.pcapng --keep 3 | --keep requires --packets",
                "capture -i right -w - --packets 3 | -w - writes one stream",
                "capture -i right -w a.pcapng --user nobody-at-all | --user nobody-at-all: there is no such user",
                "capture -i right -w a.pcapng --filter port | --filter for link type ether: ",
                "capture -i right -i tunnel -w a.pcap | a pcap file holds one link type"
            })
    void rejectsInvalidOptions(String commandAndMessage) throws Exception {
        String[] parts = commandAndMessage.split(" \\| ", 2);
        if (parts[0].contains("idle0")) {
            network.ip("link", "add", "idle0", "type", "veth", "peer", "name", "other");
        }
        if (parts[0].contains("tunnel")) {
            network.ip("tuntap", "add", "tunnel", "mode", "tun");
            network.ip("link", "set", "tunnel", "up");
        }
        CaptureNetwork.Running run =
                network.offhook(parts[0].replace("a.pcap", folder + "/a.pcap").split(" ", -1));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.MISUSE);
        assertThat(run.err()).contains("offhook: ").contains(parts[1]);
        assertThat(folder.resolve("a.pcapng")).doesNotExist();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
