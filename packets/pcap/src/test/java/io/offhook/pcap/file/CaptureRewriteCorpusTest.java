package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.PcapNgBlock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All captures beside the project, written anew, read again and looked at with Wireshark's tools. */
class CaptureRewriteCorpusTest {
    @TempDir
    private Path folder;

    private static CaptureRewriteReport rewrite(List<Path> from, Path to, CaptureFormat format) {
        List<String> paths = from.stream().map(Path::toString).toList();
        try (CaptureRewrite rewrite = CaptureRewrite.open(paths, InputStream.nullInputStream())) {
            rewrite.format(format);
            return rewrite.to(CaptureOutput.channel(to, CaptureCompression.ofName(to.toString())));
        }
    }

    /** Frames without the numbers of their interfaces. */
    private static List<ReadFrame> frames(Path file) {
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            return ReadFrame.readAll(source, 1000).stream()
                    .map(ReadFrame::onOneInterface)
                    .toList();
        }
    }

    private static boolean isSound(Path file) {
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            ReadFrame.readAll(source, 1000);
            return source.faults().isEmpty();
        }
    }

    @Test
    void pcapNgFilesAreCopiedByteForByte() throws IOException {
        int same = 0;
        for (Path file : SharedCaptures.pcapNg()) {
            Path copy = folder.resolve("copy.pcapng");
            rewrite(List.of(file), copy, CaptureFormat.PCAPNG);
            byte[] read = Files.readAllBytes(file);
            byte[] written = Files.readAllBytes(copy);
            if (isSound(file)) {
                assertThat(Arrays.equals(read, written)).as(file.toString()).isTrue();
                same++;
            } else {
                // what came before the damage, and no more
                assertThat(frames(copy)).as(file.toString()).isEqualTo(frames(file));
                assertThat(isSound(copy)).as(file.toString()).isTrue();
            }
        }
        assertThat(same).isGreaterThan(110);
    }

    @Test
    void theSuiteReadsTheSameInBothByteOrders() {
        int pairs = 0;
        for (Path file : SharedCaptures.pcapNg()) {
            String name = file.getFileName().toString();
            if (file.startsWith(SharedCaptures.FOLDER.resolve("pcapng-suite")) && name.endsWith("-be.pcapng")) {
                PcapNgContent big = PcapNgContent.of(file.toString());
                PcapNgContent little = PcapNgContent.of(
                        file.resolveSibling(name.replace("-be.", "-le.")).toString());
                assertThat(withoutCustomData(big)).as(name).isEqualTo(withoutCustomData(little));
                assertThat(big.faults()).isEmpty();
                pairs++;
            }
        }
        assertThat(pairs).isEqualTo(14);
    }

    /** Their options cannot be told from their data, and are in the byte order of the section. */
    private static List<String> withoutCustomData(PcapNgContent content) {
        return content.blocks().stream()
                .map(block -> block.replaceFirst("^(4?0*bad:[0-9]+ ).*", "$1"))
                .toList();
    }

    @Test
    void packetsOfBlocksAreThoseOfFrames() {
        for (Path file : SharedCaptures.pcapNg()) {
            List<String> packets = new ArrayList<>();
            try (PcapNgBlocks blocks = PcapNgBlocks.open(file.toString())) {
                while (blocks.next()) {
                    if (blocks.block().isPacket()) {
                        packets.add(blocks.timestampNs() + " " + blocks.block().capturedLength());
                    }
                }
            }
            assertThat(packets)
                    .as(file.toString())
                    .isEqualTo(frames(file).stream()
                            .map(frame -> frame.timestampNs() + " " + frame.capturedLength())
                            .toList());
        }
    }

    @Test
    void everyCaptureGoesToPcapNgAndToPcapAndBack() {
        int classic = 0;
        int severalLinkTypes = 0;
        for (Path file : SharedCaptures.all()) {
            List<ReadFrame> frames = frames(file);
            Path ng = folder.resolve("a.pcapng");
            rewrite(List.of(file), ng, CaptureFormat.PCAPNG);
            assertThat(frames(ng)).as(file.toString()).isEqualTo(frames);
            Path pcap = folder.resolve("a.pcap");
            try {
                rewrite(List.of(ng), pcap, CaptureFormat.PCAP);
            } catch (LinkTypeException e) {
                severalLinkTypes++;
                assertThat(frames.stream().map(ReadFrame::linkType).distinct()).hasSizeGreaterThan(1);
                continue;
            }
            List<ReadFrame> expected = frames.stream().map(ReadFrame::inPcap).toList();
            assertThat(frames(pcap)).as(file.toString()).isEqualTo(expected);
            assertThat(isSound(pcap)).as(file.toString()).isTrue();
            classic++;
        }
        assertThat(classic).isGreaterThan(1400);
        assertThat(severalLinkTypes).isBetween(1, 20);
    }

    @Test
    void mergedFilesHoldThePacketsOfAll() {
        List<Path> all = SharedCaptures.all();
        for (int i = 0; i + 7 <= all.size(); i += 7) {
            List<Path> some = all.subList(i, i + 7);
            Path merged = folder.resolve("merged.pcapng");
            rewrite(some, merged, CaptureFormat.PCAPNG);
            List<ReadFrame> expected;
            try (CaptureFileSource source =
                    CaptureFiles.open(some.stream().map(Path::toString).toList())) {
                expected = ReadFrame.readAll(source, 500);
            }
            assertThat(frames(merged))
                    .as(some.toString())
                    .extracting(ReadFrame::bytes, ReadFrame::timestampNs, ReadFrame::linkType)
                    .isEqualTo(expected.stream()
                            .map(frame -> tuple(frame.bytes(), frame.timestampNs(), frame.linkType()))
                            .toList());
            assertThat(isSound(merged)).as(some.toString()).isTrue();
        }
    }

    /** Packets, length of data, first and last time and encapsulation, by file, as capinfos tells them. */
    private Map<String, String> capinfos(List<Path> files) {
        Map<String, String> reported = new TreeMap<>();
        List<String> command =
                new ArrayList<>(List.of("capinfos", "-T", "-r", "-M", "-c", "-d", "-a", "-e", "-S", "-E"));
        files.forEach(file -> command.add(file.toString()));
        for (String line : WiresharkTools.run(folder, command).out().split("\n", -1)) {
            String[] cells = line.split("\t", -1);
            if (cells.length > 4) {
                reported.put(
                        cells[0], Arrays.asList(cells).subList(1, cells.length).toString());
            }
        }
        return reported;
    }

    @Test
    void capinfosReportsTheSameOfWhatIsWritten() {
        assertThat(differences(CaptureFormat.PCAPNG, String::equals)).isEqualTo(KNOWN_TO_DIFFER);
    }

    @Test
    void capinfosReportsTheSameOfClassicPcap() {
        // simple packets have no time there; and where one interface has nanoseconds, pcap has them for all
        assertThat(differences(
                        CaptureFormat.PCAP,
                        (was, is) -> was.contains("n/a") || microseconds(was).equals(microseconds(is))))
                .isEqualTo(KNOWN_TO_DIFFER);
    }

    /** Rewrites all sound captures and lists those of which capinfos reports something else afterwards. */
    private List<String> differences(CaptureFormat format, BiPredicate<String, @Nullable String> isSame) {
        WiresharkTools.assume("capinfos");
        List<Path> read = new ArrayList<>();
        List<Path> written = new ArrayList<>();
        for (Path file : SharedCaptures.all()) {
            if (isSound(file) && !frames(file).isEmpty()) {
                Path copy = folder.resolve(String.format(Locale.ROOT, "%04d.%s", read.size(), format.label()));
                try {
                    rewrite(List.of(file), copy, format);
                } catch (LinkTypeException e) {
                    assertThat(format).as(file.toString()).isEqualTo(CaptureFormat.PCAP);
                    continue;
                }
                read.add(file);
                written.add(copy);
            }
        }
        Map<String, String> before = capinfos(read);
        Map<String, String> after = capinfos(written);
        assertThat(before).hasSizeGreaterThan(1300);
        List<String> different = new ArrayList<>();
        for (int i = 0; i < read.size(); i++) {
            String was = before.get(read.get(i).toString());
            String is = after.get(written.get(i).toString());
            if (was != null && !isSame.test(was, is)) {
                different.add(SharedCaptures.FOLDER.relativize(read.get(i)) + ": " + was + " became " + is);
            }
        }
        return different;
    }

    private static String microseconds(@Nullable String reported) {
        return reported == null ? "" : reported.replaceAll("(\\.[0-9]{6})000\\b", "$1");
    }

    private static boolean hasSimplePackets(Path file) {
        boolean isFound = false;
        try (PcapNgBlocks blocks = PcapNgBlocks.open(file.toString())) {
            while (blocks.next()) {
                isFound |= blocks.block().type() == PcapNgBlock.SIMPLE_PACKET;
            }
        }
        return isFound;
    }

    @Test
    void mergesInTheOrderOfMergecap() {
        WiresharkTools.assume("mergecap");
        // fractions beyond a second have another place there, and packets without a time come first
        List<Path> sound = SharedCaptures.all().stream()
                .filter(file -> isSound(file) && frames(file).size() > 1 && !hasSimplePackets(file))
                .filter(file -> KNOWN_TO_DIFFER.stream()
                        .noneMatch(known -> known.startsWith(SharedCaptures.FOLDER.relativize(file) + ":")))
                .toList();
        int merges = 0;
        for (int i = 0; i + 4 <= sound.size(); i += 20) {
            // from places far apart, and one twice: equal times
            List<Path> some =
                    List.of(sound.get(i), sound.get((i * 7 + 3) % sound.size()), sound.get(i + 1), sound.get(i));
            Path ours = folder.resolve("ours.pcapng");
            Path theirs = folder.resolve("theirs.pcapng");
            rewrite(some, ours, CaptureFormat.PCAPNG);
            List<String> command = new ArrayList<>(List.of("mergecap", "-w", theirs.toString()));
            some.forEach(file -> command.add(file.toString()));
            WiresharkTools.Output output = WiresharkTools.run(folder, command);
            if (output.code() != 0) {
                continue; // something in it that mergecap does not take
            }
            assertThat(frames(ours))
                    .as(some.toString())
                    .extracting(ReadFrame::timestampNs, ReadFrame::wireLength, ReadFrame::linkType, ReadFrame::bytes)
                    .isEqualTo(frames(theirs).stream()
                            .map(frame ->
                                    tuple(frame.timestampNs(), frame.wireLength(), frame.linkType(), frame.bytes()))
                            .toList());
            merges++;
        }
        assertThat(merges).isGreaterThan(25);
    }

    /** Differences on purpose, each looked at in the bytes. */
    private static final List<String> KNOWN_TO_DIFFER = List.of(
            // fractions of a second beyond a second, which are carried over; and 4,093,509,168 bytes on the wire
            "ndpi/fuzz-2021-06-07-c6c72a0a56.pcap: [ether, 1, 4093509168, 1953631157.-1404616, 1953631157.-1404616]"
                    + " became [ether, 1, 2147483647, 1953635450.562680, 1953635450.562680]",
            "tcpdump/atm-oam-loopback-print-overrun.pcap: [atm-pdus, 1, 65618, 1544488577.179996, 1544488577.179996]"
                    + " became [atm-pdus, 1, 65618, 1544489736.821166, 1544489736.821166]",
            "tcpdump/rx_serviceid_oobr.pcap: [ether, 3, 524288, 0.-2078753, 2145916800.000000]"
                    + " became [ether, 3, 524288, 3841.916976, 2145916800.000000]",
            "tcpdump/timestamp_invalid_micro.pcap: [linux-sll, 3, 220, 1418145369.999999, 1418145370.1000000]"
                    + " became [linux-sll, 3, 220, 1418145369.999999, 1418147517.483648]",
            "tcpdump/timestamp_invalid_nano.pcap: [linux-sll, 3, 220, 1418145369.999999999, 1418145370.-2147483648]"
                    + " became [linux-sll, 3, 220, 1418145369.999999999, 1418145372.147483648]");

    @Test
    void tsharkReadsTheSuiteAsItWasAndMerged() {
        WiresharkTools.assume("tshark");
        List<Path> suite = SharedCaptures.pcapNg().stream()
                .filter(file -> file.startsWith(SharedCaptures.FOLDER.resolve("pcapng-suite")))
                .toList();
        Path merged = folder.resolve("merged.pcapng");
        rewrite(suite, merged, CaptureFormat.PCAPNG);
        WiresharkTools.Output read =
                WiresharkTools.run(folder, List.of("tshark", "-r", merged.toString(), "-Y", "_ws.malformed"));
        assertThat(read.code()).as(read.err()).isZero();
        assertThat(read.out() + read.err()).isEmpty();
        assertThat(WiresharkTools.run(folder, List.of("capinfos", merged.toString()))
                        .code())
                .isZero();
    }
}
