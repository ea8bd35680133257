package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PacketSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WritersTest {
    @TempDir
    private Path directory;

    private static MemorySegment segment(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    @Test
    void givesBackEveryFrameThatWasWritten() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] linkTypes = {LinkType.ETHERNET, LinkType.LINUX_SLL2, LinkType.RAW, 65_535, 0, 7};
        Path pcapNg = directory.resolve("a.pcapng");
        Path pcap = directory.resolve("a.pcap");
        List<ReadFrame> written = new ArrayList<>();
        List<ReadFrame> writtenPcap = new ArrayList<>();
        try (PcapNgWriter ng = PcapNgWriter.create(pcapNg, "a section");
                PcapWriter classic = PcapWriter.create(pcap, LinkType.IPV4)) {
            List<Integer> interfaces = new ArrayList<>();
            for (int i = 1; i <= 3000; i++) {
                byte[] packet = new byte[random.nextInt(random.nextInt(200) == 0 ? 262_145 : 400)];
                random.nextBytes(packet);
                int wire = packet.length + random.nextInt(2000);
                long ns = random.nextLong(0xffff_ffffL * 1_000_000_000L);
                int linkType = linkTypes[random.nextInt(linkTypes.length)];
                if (!interfaces.contains(linkType)) {
                    interfaces.add(linkType);
                }
                String bytes = HexFormat.of().formatHex(packet);
                ng.write(segment(packet), 0, packet.length, wire, ns, linkType, i % 3 == 0 ? "comment " + i : null);
                classic.write(segment(packet), 0, packet.length, wire, ns, LinkType.IPV4);
                written.add(new ReadFrame(i, ns, packet.length, wire, interfaces.indexOf(linkType), linkType, bytes));
                writtenPcap.add(new ReadFrame(i, ns, packet.length, wire, 0, LinkType.IPV4, bytes));
            }
            assertThat(ng.packets()).isEqualTo(3000);
            assertThat(classic.packets()).isEqualTo(3000);
        }
        Reading ng = Reading.of(CaptureFiles.open(pcapNg.toString()), 100);
        assertThat(ng.faults()).isEmpty();
        assertThat(ng.frames().equals(written)).as("seed %d", seed).isTrue();
        Reading classic = Reading.of(CaptureFiles.open(pcap.toString()), 100);
        assertThat(classic.faults()).isEmpty();
        assertThat(classic.frames().equals(writtenPcap)).as("seed %d", seed).isTrue();
        assertThat(classic.files().getFirst().format()).isEqualTo(CaptureFormat.PCAP_NANOSECOND);
    }

    @Test
    void writesTheFramesOfABatch() throws IOException {
        byte[] capture = PcapBytes.plain().record(1, 2, 30).record(3, 4, 50).toBytes();
        Path copy = directory.resolve("copy.pcapng");
        FrameBatch batch = new FrameBatch(10);
        try (CaptureFileSource source =
                        CaptureFiles.open(Reading.write(directory, capture).toString());
                PacketSink sink = PcapNgWriter.create(copy)) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    sink.write(batch, i);
                }
            }
        }
        assertThat(Reading.of(CaptureFiles.open(copy.toString()), 10).frames())
                .isEqualTo(Reading.mapped(directory, capture, 10).frames());
        assertThat(Files.size(copy) % 4).isZero();
    }

    @Test
    void writesCommentsAsOptions() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapNgWriter writer = PcapNgWriter.to(Channels.newChannel(bytes))) {
            writer.write(segment(new byte[] {1, 2, 3}), 0, 3, 3, 5, LinkType.ETHERNET, "über");
        }
        PcapNgBytes expected = PcapNgBytes.plain();
        PcapNgBytes.Body body = expected.body()
                .u32(0)
                .u32(0)
                .u32(5)
                .u32(3)
                .u32(3)
                .put(new byte[] {1, 2, 3})
                .pad()
                .put(expected.option(1, "über".getBytes(StandardCharsets.UTF_8)))
                .put(expected.endOfOptions());
        byte[] block = new PcapNgBytes(ByteOrder.LITTLE_ENDIAN).block(6, body).toBytes();
        assertThat(HexFormat.of().formatHex(bytes.toByteArray()))
                .endsWith(HexFormat.of().formatHex(block));
    }

    @Test
    void cutsACommentBetweenCharacters() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapNgWriter writer = PcapNgWriter.to(Channels.newChannel(bytes))) {
            writer.write(segment(new byte[0]), 0, 0, 0, 5, LinkType.ETHERNET, "ü".repeat(40_000));
        }
        Reading reading = Reading.mapped(directory, bytes.toByteArray(), 10);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames()).hasSize(1);
        assertThat(bytes.size()).isBetween(65_534, 65_534 + 400);
    }

    @Test
    void boundsWhatTheFormatsCannotHold() {
        MemorySegment large = segment(new byte[300_000]);
        Path pcapNg = directory.resolve("a.pcapng");
        Path pcap = directory.resolve("a.pcap");
        try (PcapNgWriter ng = PcapNgWriter.create(pcapNg);
                PcapWriter classic = PcapWriter.create(pcap, LinkType.ETHERNET)) {
            ng.write(large, 0, 300_000, 300_000, -1, LinkType.ETHERNET);
            classic.write(large, 0, 300_000, 300_000, Long.MAX_VALUE, LinkType.ETHERNET);
            classic.write(large, 0, 1, 1, Long.MIN_VALUE, LinkType.ETHERNET);
            assertThat(ng.packetsCut()).isEqualTo(1);
            assertThat(ng.timestampsClamped()).isEqualTo(1);
            assertThat(classic.packetsCut()).isEqualTo(1);
            assertThat(classic.timestampsClamped()).isEqualTo(2);
        }
        ReadFrame frame =
                Reading.of(CaptureFiles.open(pcapNg.toString()), 10).frames().getFirst();
        assertThat(frame.capturedLength()).isEqualTo(262_144);
        assertThat(frame.wireLength()).isEqualTo(300_000);
        assertThat(frame.timestampNs()).isZero();
        List<ReadFrame> frames =
                Reading.of(CaptureFiles.open(pcap.toString()), 10).frames();
        assertThat(frames).extracting(ReadFrame::timestampNs).containsExactly(4_294_967_295_999_999_999L, 0L);
    }

    @Test
    void refusesALinkTypeThatTheFileDoesNotHave() {
        try (PcapWriter writer = PcapWriter.create(directory.resolve("a.pcap"), LinkType.ETHERNET)) {
            assertThatThrownBy(() -> writer.write(segment(new byte[4]), 0, 4, 4, 0, LinkType.RAW))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("linkType 101 (rawip) in a pcap file of link type 1 (ether): write pcapng, which takes"
                            + " several");
        }
        assertThatThrownBy(() -> PcapWriter.create(directory.resolve("b.pcap"), 65_536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("linkType 65536 is not within 0 to 65535");
        assertThat(directory.resolve("b.pcap")).doesNotExist();
    }

    @Test
    void reportsAFileThatCannotBeWritten() {
        assertThatThrownBy(() -> PcapNgWriter.create(directory.resolve("no/such/place")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot create ");
        WritableByteChannel full = new WritableByteChannel() {
            @Override
            public int write(ByteBuffer source) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        PcapNgWriter writer = PcapNgWriter.to(full);
        assertThatThrownBy(writer::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("writing a capture failed: No space left on device");
    }

    @Test
    void refusesToWriteAfterItWasClosed() {
        PcapNgWriter writer = PcapNgWriter.create(directory.resolve("a.pcapng"));
        writer.close();
        writer.close();
        assertThatThrownBy(() -> writer.write(segment(new byte[4]), 0, 4, 4, 0, LinkType.RAW))
                .isInstanceOf(IllegalStateException.class);
    }
}
