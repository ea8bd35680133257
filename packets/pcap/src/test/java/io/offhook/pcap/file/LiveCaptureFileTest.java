package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.CaptureOrigin;
import io.offhook.pcap.PacketSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pcapng file of a live capture tells beside its packets: as we read it, and as Wireshark does. */
class LiveCaptureFileTest {
    private static final long SECOND = 1_000_000_000L;
    /** 2023-11-14T22:13:20Z. */
    private static final long START = 1_700_000_000 * SECOND;

    @TempDir
    private Path folder;

    private final MemorySegment bytes = Arena.ofAuto().allocate(1000);
    private final FrameBatch batch = new FrameBatch(1);

    private static CaptureOrigin.Interface describe(String name, int linkType, String filter) {
        return new CaptureOrigin.Interface(
                new CaptureInterface(name, linkType, 96, SECOND, 0, name),
                "uplink of " + name,
                filter,
                new byte[] {2, 0, 0, 0, 0, 7},
                10_000_000_000L);
    }

    private static CaptureOrigin origin() {
        return new CaptureOrigin(
                "Offhook 1.2.3",
                "Linux 6.18",
                "Zen 4",
                List.of(describe("eth0", LinkType.ETHERNET, "udp port 5060"), describe("tun0", LinkType.RAW, "")),
                START - SECOND);
    }

    private void write(PacketSink sink, int interfaceIndex, long timestampNs, FrameDirection direction) {
        batch.clear(1);
        int linkType = interfaceIndex == 1 ? LinkType.RAW : LinkType.ETHERNET;
        batch.add(batch.addSegment(bytes), 0, 60, 90, timestampNs, interfaceIndex, linkType);
        batch.direction(direction);
        sink.write(batch, 0);
    }

    private Path written() throws IOException {
        Path file = folder.resolve("live.pcapng");
        try (PcapNgWriter writer = PcapNgWriter.to(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE), origin())) {
            write(writer, 1, START, FrameDirection.OUTGOING);
            write(writer, 0, START + 1, FrameDirection.INCOMING);
            writer.lost(0, 5, 2);
            write(writer, 1, START + 2, FrameDirection.UNKNOWN);
            write(writer, 0, START + 3, FrameDirection.INCOMING);
            writer.lost(1, 0, 4);
            writer.time(START + 9 * SECOND);
            assertThat(writer.packetsKept()).isEqualTo(4);
        }
        return file;
    }

    @Test
    void hasTheInterfacesOfTheSource() throws IOException {
        Reading reading = Reading.of(CaptureFiles.open(written().toString()), 10);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.interfaces()).extracting(CaptureInterface::name).containsExactly("eth0", "tun0");
        assertThat(reading.interfaces())
                .extracting(CaptureInterface::linkType)
                .containsExactly(LinkType.ETHERNET, LinkType.RAW);
        assertThat(reading.interfaces()).allMatch(one -> one.snapLength() == 96);
        try (CaptureFileSource source =
                CaptureFiles.open(folder.resolve("live.pcapng").toString())) {
            FrameBatch read = new FrameBatch(10);
            assertThat(source.next(read)).isTrue();
            assertThat(read.count()).isEqualTo(4);
            assertThat(List.of(
                            read.interfaceIndex(0),
                            read.interfaceIndex(1),
                            read.interfaceIndex(2),
                            read.interfaceIndex(3)))
                    .containsExactly(1, 0, 1, 0);
            assertThat(read.timestampNs(3)).isEqualTo(START + 3);
            assertThat(read.wireLength(3)).isEqualTo(90);
            assertThat(source.next(read)).isFalse();
            assertThat(source.endNs()).isEqualTo(START + 9 * SECOND);
        }
    }

    @Test
    void reportsWhatWasLostAndWhere() throws IOException {
        Reading reading = Reading.of(CaptureFiles.open(written().toString()), 10);
        assertThat(reading.losses())
                .extracting(CaptureLoss::packets, CaptureLoss::firstFrame, CaptureLoss::lastFrame)
                .containsExactly(
                        tuple(7L, 3L, 4L),
                        // that no packet came behind
                        tuple(4L, 1L, 4L));
    }

    @Test
    void isReadByWireshark() throws IOException {
        WiresharkTools.assume("tshark");
        WiresharkTools.assume("capinfos");
        String file = written().toString();
        String info = WiresharkTools.run(folder, List.of("capinfos", file)).out();
        assertThat(info)
                .contains("Offhook 1.2.3", "Linux 6.18", "Zen 4", "Number of interfaces in file: 2")
                .contains("Name = eth0", "Description = uplink of eth0", "Filter string = udp port 5060")
                .contains("Name = tun0", "Capture length = 96", "Time precision = nanoseconds (9)")
                .contains("Number of stat entries = 1");
        String fields = WiresharkTools.run(
                        folder,
                        List.of(
                                "tshark",
                                "-r",
                                file,
                                "-T",
                                "fields",
                                "-E",
                                "separator=,",
                                "-e",
                                "frame.interface_name",
                                "-e",
                                "frame.packet_flags_direction",
                                "-e",
                                "frame.drop_count"))
                .out();
        assertThat(fields.lines())
                .containsExactly("tun0,0x00000002,", "eth0,0x00000001,", "tun0,,", "eth0,0x00000001,7");
    }

    @Test
    void eachFileOfASeriesReportsItself() throws IOException {
        FileSeries series = new FileSeries(folder.resolve("s.pcapng"), 0);
        try (RotatingSink sink =
                RotatingSink.create(series, CaptureFormat.PCAPNG, new RotationLimits(0, 0, 2, 0), origin())) {
            sink.lost(0, 3, 0); // before there is a file
            for (int i = 0; i < 4; i++) {
                write(sink, 0, START + i * SECOND, FrameDirection.INCOMING);
            }
            sink.lost(0, 8, 0);
            write(sink, 0, START + 4 * SECOND, FrameDirection.INCOMING);
            sink.time(START + 60 * SECOND);
            assertThat(sink.packetsKept()).isEqualTo(5);
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> names = files.sorted().toList();
            assertThat(names).hasSize(3);
            assertThat(Reading.of(CaptureFiles.open(names.get(0).toString()), 9).losses())
                    .extracting(CaptureLoss::packets)
                    .containsExactly(3L);
            // where it came: behind the last packet of the second
            assertThat(Reading.of(CaptureFiles.open(names.get(1).toString()), 9).losses())
                    .extracting(CaptureLoss::packets)
                    .containsExactly(8L);
            Reading last = Reading.of(CaptureFiles.open(names.get(2).toString()), 9);
            assertThat(last.losses()).isEmpty();
            assertThat(last.interfaces()).hasSize(2);
        }
    }

    @Test
    void noFileOfALiveSeriesIsLargerThanItMay() throws IOException {
        FileSeries series = new FileSeries(folder.resolve("b.pcapng"), 0);
        try (RotatingSink sink =
                RotatingSink.create(series, CaptureFormat.PCAPNG, new RotationLimits(1500, 0, 0, 0), origin())) {
            for (int i = 0; i < 50; i++) {
                sink.lost(0, 1, 0);
                write(sink, 0, START + i, FrameDirection.INCOMING);
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.toList())
                    .hasSizeGreaterThan(3)
                    .allSatisfy(file -> assertThat(Files.size(file)).isLessThanOrEqualTo(1500));
        }
    }
}
