package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.file.BlocksByHand.Block;
import io.offhook.pcap.file.BlocksByHand.Option;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every block and option of every pcapng file, edited, split and turned to the other byte order, read by hand. */
class CaptureRewriteBlocksTest {
    private static final int HEADER = 0x0a0d0d0a;
    private static final int CUSTOM_NOT_COPIED = 0x4000_0bad;
    private static final Set<Integer> NOT_COPIED = Set.of(19372, 19373);
    private static final Set<Integer> OF_KNOWN_FORM = Set.of(1, 2, 4, 5, 6, 10);

    @TempDir
    private Path folder;

    private static byte[] rewrite(@Nullable PacketEdit edit, Path... files) {
        List<String> paths = new ArrayList<>();
        for (Path file : files) {
            paths.add(file.toString());
        }
        try (CaptureRewrite rewrite = CaptureRewrite.open(paths, InputStream.nullInputStream())) {
            if (edit != null) {
                rewrite.edit(edit);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            rewrite.to(Channels.newChannel(bytes));
            return bytes.toByteArray();
        }
    }

    /** All that can be read to its end, plain ones. */
    private static List<Path> sound() {
        List<Path> sound = new ArrayList<>();
        for (Path file : SharedCaptures.pcapNg()) {
            try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
                ReadFrame.readAll(source, 1000);
                CaptureFile of = source.files().getFirst();
                if (source.faults().isEmpty()
                        && of.packetsLeftOut() == 0
                        && of.compression() == CaptureCompression.NONE) {
                    sound.add(file);
                }
            }
        }
        return sound;
    }

    /** A block of an edited file: without what must not be copied. */
    private static Block edited(Block block) {
        List<Option> kept = block.options().stream()
                .filter(option -> !NOT_COPIED.contains(option.code()))
                .toList();
        String fields = block.type() == HEADER ? block.fields().replaceFirst(" .*", " -1") : block.fields();
        return new Block(block.type(), fields, kept);
    }

    @Test
    void editedFilesKeepEveryBlockThatMayBeCopied() throws IOException {
        int files = 0;
        for (Path file : sound()) {
            List<String> expected = BlocksByHand.of(Files.readAllBytes(file)).stream()
                    .filter(block -> block.type() != CUSTOM_NOT_COPIED)
                    .map(block -> edited(block).toString())
                    .toList();
            List<String> written = BlocksByHand.of(rewrite(_ -> true, file)).stream()
                    .map(Block::toString)
                    .toList();
            assertThat(written).as(file.toString()).isEqualTo(expected);
            files++;
        }
        assertThat(files).isGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
    void filesTurnedToEitherByteOrderKeepEveryBlockOfKnownForm(String name) throws IOException {
        ByteOrder order = name.startsWith("L") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        // the first file gives the byte order, and nothing else
        Path first = Files.write(folder.resolve("first"), PcapNgBytes.of(order).toBytes());
        int files = 0;
        for (Path file : sound()) {
            List<Block> read = BlocksByHand.of(Files.readAllBytes(file));
            // several sections, and packets without a time of their own, are tested elsewhere
            if (read.stream().filter(block -> block.type() == HEADER).count() > 1
                    || read.stream().anyMatch(block -> block.type() == 3)) {
                continue;
            }
            boolean isTurned = isBig(file) != (order == ByteOrder.BIG_ENDIAN);
            List<String> expected = read.stream()
                    .filter(block -> block.type() != HEADER && block.type() != CUSTOM_NOT_COPIED)
                    .filter(block -> !isTurned || OF_KNOWN_FORM.contains(block.type()))
                    .map(block -> merged(block, isTurned).toString())
                    .toList();
            List<String> written = BlocksByHand.of(rewrite(null, first, file)).stream()
                    .filter(block -> block.type() != HEADER)
                    .map(block -> withoutNameOfFile(block).toString())
                    .toList();
            assertThat(written).as(file.toString()).isEqualTo(expected);
            files++;
        }
        assertThat(files).isGreaterThan(90);
    }

    private static boolean isBig(Path file) throws IOException {
        return Files.readAllBytes(file)[8] == 0x1a;
    }

    /** As one section of several files has it: packets are enhanced ones. */
    private static Block merged(Block block, boolean isTurned) {
        List<Option> options = new ArrayList<>(edited(block).options());
        if (isTurned) {
            options.removeIf(option -> !isOfKnownForm(block.type(), option.code()));
        }
        if (block.type() != 2) {
            return new Block(block.type(), block.fields(), options);
        }
        String[] words = block.fields().split(" ", -1);
        if (!words[2].equals("65535")) {
            options.addFirst(new Option(4, "u64 " + words[2]));
        }
        return new Block(6, block.fields().replaceFirst("drops [0-9]+", "drops 65535"), options);
    }

    /** By the tables of the draft. */
    private static boolean isOfKnownForm(int type, int code) {
        int last = switch (type) {
            case 1 -> 18;
            case 2, 5, 6 -> 8;
            case 4 -> 4;
            default -> 1;
        };
        return code <= last || code == 2988 || code == 2989;
    }

    private static Block withoutNameOfFile(Block block) {
        return block.type() == 1
                ? new Block(
                        1,
                        block.fields(),
                        block.options().subList(1, block.options().size()))
                : block;
    }
}
