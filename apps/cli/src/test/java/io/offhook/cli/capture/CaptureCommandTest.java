package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.cli.command.ExitCode;
import io.offhook.linux.CpuAffinity;
import io.offhook.live.LiveCounts;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Decimals;
import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    @Test
    void writesWhatTcpdumpWrites() throws Exception {
        Path sent = FileFrames.write(folder, FRAMES);
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
        CaptureNetwork.Running capture = network.capture("-i", RIGHT, "-w", ours.toString(), "--format", "json");
        network.sender(sent).send();
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        assertThat(tcpdump.code()).as(tcpdump.err()).isZero(); // what its ring holds when it is interrupted it leaves

        FileFrames read = FileFrames.of(ours);
        FileFrames.assertSame(read.frames(), FileFrames.of(sent).frames());
        FileFrames other = FileFrames.of(theirs);
        FileFrames.assertSame(read.frames(), other.frames());
        // tcpdump asks the kernel to stamp packets as they arrive, once for all; else each ring does it by itself
        assertThat(read.times()).isEqualTo(other.times());
        Map<String, Object> captured = CaptureResult.captured(capture);
        CaptureResult.assertAddsUp(captured, FRAMES);
        assertThat(CaptureResult.number(captured, "written")).isEqualTo(FRAMES);
        assertThat(CaptureResult.number(captured, "bytes")).isEqualTo(Files.size(ours));
        assertThat(captured.get("endedBy")).isEqualTo("signal");
        assertThat(captured.get("format")).isEqualTo("pcapng");
    }

    @Test
    void capturesFromSeveralInterfacesInOneFile() throws Exception {
        Path sent = FileFrames.write(folder, 500);
        Path file = folder.resolve("both.pcapng");
        CaptureNetwork.Running capture = network.capture(
                "-i", RIGHT, "-i", "lo", "-w", file.toString(), "--filter", "not arp", "--format", "json");
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
        FileFrames read = FileFrames.of(file);
        assertThat(read.interfaces()).extracting(CaptureInterface::name).containsExactly(RIGHT, "lo");
        assertThat(read.times()).isSorted();
        assertThat(read.from().stream().filter(index -> index == 0)).hasSize(1500);
        // and what the kernel answers: that nobody listens there
        assertThat(read.from().stream().filter(index -> index == 1).count()).isGreaterThanOrEqualTo(300);
        assertThat(Json.objects(Json.object(capture.out()).get("interfaces"))).hasSize(2);
        String info = Program.run("capinfos", file.toString());
        assertThat(info).contains("Filter string = not arp", "Number of interfaces in file: 2");
    }

    @Test
    void pinsThreadsAndReportsWhereTheyRan() throws Exception {
        CaptureNetwork.Running capture = network.capture(
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
        network.sender(FileFrames.write(folder, 50)).send();
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
        Path sent = FileFrames.write(folder, 20_000);
        Path file = folder.resolve("tiny.pcapng");
        CaptureNetwork.Running capture =
                network.capture("-i", RIGHT, "-w", file.toString(), "--buffer", "128Ki", "--format", "json");
        CaptureNetwork.Sender sender = network.sender(sent);
        capture.signal("STOP"); // as slow as can be
        sender.send();
        capture.signal("CONT");
        assertThat(capture.signal("INT").code()).as(capture.err()).isZero();
        Map<String, Object> captured = CaptureResult.captured(capture);
        CaptureResult.assertAddsUp(captured, 20_000);
        assertThat(CaptureResult.number(captured, "ringDrops")).isPositive();
        assertThat(FileFrames.of(file).frames()).hasSize((int) CaptureResult.number(captured, "written"));
        // what the file tells of it
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(1000);
            while (source.next(batch)) {
                assertThat(batch.count()).isPositive();
            }
            assertThat(source.losses().stream()
                            .mapToLong(loss -> loss.packets())
                            .sum())
                    .isEqualTo(CaptureResult.number(captured, "ringDrops"));
        }
    }

    @Test
    void countsDropsOfASlowDisk() throws Exception {
        // a pipe that is not read until all was sent
        CaptureNetwork.Running capture = network.offhook(
                        List.of(), false, "capture", "-i", RIGHT, "-w", "-", "--write-buffer", "1Mi", "--count", "5000")
                .awaitError("Ctrl-C ends it");
        network.sender(FileFrames.write(folder, FRAMES)).send();
        Path file = folder.resolve("slow.pcapng");
        Files.copy(capture.process().getInputStream(), file);
        assertThat(capture.code()).as(capture.err()).isZero();
        int written = FileFrames.of(file).frames().size();
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
        network.sender(FileFrames.write(folder, 3)).send();
        assertThat(allowed.code()).as(allowed.err()).isZero();
        assertThat(FileFrames.of(file).frames()).hasSize(3);
    }

    private void openFolder() throws IOException, InterruptedException {
        Program.run("chmod", "777", folder.toString());
    }

    @Test
    void givesUpRootInAllThreads() throws Exception {
        openFolder();
        Path file = folder.resolve("user.pcapng");
        CaptureNetwork.Running capture =
                network.capture("-i", RIGHT, "-i", "lo", "-w", file.toString(), "--user", "nobody", "--count", "3");
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
        network.sender(FileFrames.write(folder, 3)).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        assertThat(FileFrames.of(file).frames()).hasSize(3);
    }

    @Test
    void secondSignalEndsTheProcessAtOnce() throws Exception {
        // a pipe that nobody reads: it cannot end, as there is something to write
        CaptureNetwork.Running capture = network.offhook(List.of(), false, "capture", "-i", RIGHT, "-w", "-")
                .awaitError("Ctrl-C ends it");
        network.sender(FileFrames.write(folder, FRAMES)).send();
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
                "capture -i right -w a.pcapng --duration 0 | --duration 0 is not a time",
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
}
