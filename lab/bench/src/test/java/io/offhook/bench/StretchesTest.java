package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.file.PcapWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However wrong its guesses are, several places at once must find what one after the other does. */
class StretchesTest {
    private static final Path SAMPLE = Path.of("../../samples/calls.pcap");

    @TempDir
    private Path folder;

    private record Found(long packets, long sum, int redone, long fewest) {}

    private static Found walk(byte[] bytes, int count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = arena.allocate(Math.max(bytes.length, 1)).asSlice(0, bytes.length);
            MemorySegment.copy(bytes, 0, file, ValueLayout.JAVA_BYTE, 0, bytes.length);
            Stretches stretches = new Stretches(file, count);
            stretches.walk();
            long fewest = IntStream.range(0, count)
                    .mapToLong(stretches::packetsOf)
                    .min()
                    .orElse(0);
            return new Found(stretches.packets(), stretches.sum(), stretches.redone(), fewest);
        }
    }

    private static void assertSame(byte[] bytes) {
        Found one = walk(bytes, 1);
        for (int count : new int[] {2, 3, 4, 8, 17}) {
            Found several = walk(bytes, count);
            assertThat(several.packets).as("%d stretches", count).isEqualTo(one.packets);
            assertThat(several.sum).as("%d stretches", count).isEqualTo(one.sum);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void findsWhatTheLibraryDoes(int count) throws IOException {
        WalkBenchmark library = new WalkBenchmark();
        library.file = SAMPLE.toString();
        StretchBenchmark benchmark = new StretchBenchmark();
        benchmark.file = SAMPLE.toString();
        benchmark.stretches = count;
        assertThat(benchmark.find()).isEqualTo(library.find());
        Found found = walk(Files.readAllBytes(SAMPLE), count);
        assertThat(found.packets).isEqualTo(4501);
        assertThat(found.redone).as("places guessed wrong").isZero();
        assertThat(found.fewest).as("packets of the shortest stretch").isGreaterThan(4501 / count * 9 / 10);
    }

    @Test
    void findsTheSameInAFileThatIsCutAnywhere() throws IOException {
        byte[] bytes = Files.readAllBytes(SAMPLE);
        Random random = new Random(1);
        for (int i = 0; i < 40; i++) {
            assertSame(Arrays.copyOf(bytes, random.nextInt(bytes.length)));
        }
        for (int length = 0; length < 400; length++) {
            assertSame(Arrays.copyOf(bytes, length));
        }
    }

    @Test
    void findsTheSameInADamagedFile() throws IOException {
        byte[] bytes = Files.readAllBytes(SAMPLE);
        Random random = new Random(2);
        for (int i = 0; i < 60; i++) {
            byte[] damaged = bytes.clone();
            for (int j = 0; j < 200; j++) {
                damaged[24 + random.nextInt(bytes.length - 24)] = (byte) random.nextInt();
            }
            assertSame(damaged);
        }
        byte[] noise = new byte[100_000];
        random.nextBytes(noise);
        assertSame(noise);
        assertSame(new byte[100_000]);
    }

    /** Captures sent as payload: where a stretch would begin, records follow that are none of this file. */
    @Test
    void findsTheSameWherePayloadsAreFullOfRecords() throws IOException {
        byte[] bytes = nested();
        assertSame(bytes);
        assertThat(walk(bytes, 8).redone).as("places guessed wrong").isPositive();
        assertThat(walk(bytes, 1).packets).isEqualTo(40);
    }

    private byte[] nested() throws IOException {
        byte[] headers = HexFormat.of()
                .parseHex("020000000002020000000001" + "0800" + "45000000123440004011000" + "0c0000201c6336402"
                        + "13c413c600000000");
        byte[] sample = Files.readAllBytes(SAMPLE);
        Path file = folder.resolve("nested.pcap");
        try (PcapWriter writer = PcapWriter.create(file, CaptureFormat.PCAP, LinkType.ETHERNET);
                Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 40; i++) {
                ByteArrayOutputStream packet = new ByteArrayOutputStream();
                packet.write(headers);
                packet.write(sample, 24 + 1_000 * i, 50_000 + 137 * i); // no stretch begins at a packet by chance
                byte[] all = packet.toByteArray();
                MemorySegment room = arena.allocateFrom(ValueLayout.JAVA_BYTE, all);
                writer.write(room, 0, all.length, all.length, 1_000_000_000L * i, LinkType.ETHERNET);
            }
        }
        return Files.readAllBytes(file);
    }
}
