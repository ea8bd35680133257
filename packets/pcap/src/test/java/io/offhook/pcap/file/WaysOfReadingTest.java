package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.pcap.reader.RecordReader;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a capture comes, mapped, through a pipe in pieces, or compressed, it gives the same frames and faults. */
class WaysOfReadingTest {
    private static final int CAPTURES = 50;

    @TempDir
    private Path directory;

    @Test
    void giveTheSameFrames() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < CAPTURES; i++) {
            byte[] capture = random.nextBoolean() ? pcap(random) : pcapNg(random);
            if (random.nextInt(3) == 0) {
                damage(capture, random);
            }
            if (random.nextInt(3) == 0) {
                capture = Arrays.copyOf(capture, 4 + random.nextInt(capture.length - 3));
            }
            int capacity = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1 + random.nextInt(3000);
            Reading mapped =
                    Reading.mapped(directory, capture, 1 + random.nextInt(3000)).nameless();
            String what = "seed " + seed + ", capture " + i;
            assertThat(Reading.streamed(Reading.dribbling(capture, random, 1 + random.nextInt(20_000)), capacity)
                            .nameless())
                    .as(what)
                    .isEqualTo(mapped);
            assertThat(Reading.mapped(directory, members(capture, random), capacity)
                            .nameless())
                    .as(what + ", gzip")
                    .isEqualTo(mapped);
            assertThat(Reading.streamed(Reading.zstd(capture), capacity).nameless())
                    .as(what + ", zstd")
                    .isEqualTo(mapped);
        }
    }

    @Test
    void giveTheSameFramesOfPacketsLargerThanABuffer() {
        Random random = new Random(7);
        PcapBytes capture = new PcapBytes(ByteOrder.BIG_ENDIAN, PcapBytes.NANOSECONDS)
                .header(2, 4, RecordReader.MOST_PACKET_BYTES, 1);
        for (int i = 0; i < 12; i++) {
            capture.record(i, 0, random.nextInt(i % 3 == 0 ? 7_000_000 : 300));
        }
        Reading mapped = Reading.mapped(directory, capture.toBytes(), 5).nameless();
        assertThat(mapped.frames()).hasSize(12);
        for (int capacity : new int[] {1, 5, 20_000}) {
            assertThat(Reading.streamed(capture.toBytes(), capacity)
                            .nameless()
                            .frames()
                            .equals(mapped.frames()))
                    .isTrue();
        }
    }

    private static byte[] pcap(Random random) {
        int[] magics = {PcapBytes.MICROSECONDS, PcapBytes.NANOSECONDS, PcapBytes.MODIFIED, PcapBytes.IXIA_SOFTWARE};
        ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        PcapBytes capture = PcapBytes.of(order, magics[random.nextInt(magics.length)]);
        int packets = random.nextInt(2000);
        int longest = 1 << random.nextInt(4, 11);
        for (int i = 0; i < packets; i++) {
            capture.record(random.nextInt(), random.nextInt(1_000_000), random.nextInt(longest));
        }
        return capture.toBytes();
    }

    private static byte[] pcapNg(Random random) {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0);
        int blocks = random.nextInt(1500);
        int longest = 1 << random.nextInt(4, 11);
        int interfaces = 1;
        for (int i = 0; i < blocks; i++) {
            switch (random.nextInt(30)) {
                case 0 -> {
                    capture.section(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
                    interfaces = 0;
                }
                case 1 -> {
                    capture.describe(random.nextInt(300), 0, capture.resolution(random.nextInt(256)));
                    interfaces++;
                }
                case 2 -> capture.block(5, capture.body().put(new byte[4 * random.nextInt(30_000)]));
                case 3 -> capture.simple(PcapBytes.packet(9), 9);
                case 4 -> capture.obsolete(random.nextInt(interfaces + 1), i, PcapBytes.packet(i % 50), 60);
                case 5 ->
                    capture.enhancedWith(random.nextInt(interfaces + 1), i, capture.counter(4, random.nextInt(3)));
                case 6 -> capture.statistics(random.nextInt(interfaces + 1), capture.counter(5, random.nextInt(i + 1)));
                default ->
                    capture.enhanced(
                            random.nextInt(50) == 0 ? interfaces : random.nextInt(interfaces + 1),
                            random.nextLong() >>> 10,
                            random.nextInt(longest));
            }
        }
        return capture.toBytes();
    }

    private static void damage(byte[] capture, Random random) {
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = 8 + random.nextInt(capture.length - 8);
            capture[at] = (byte) (random.nextBoolean() ? 0xff : capture[at] ^ 1 << random.nextInt(8));
        }
    }

    /** As gzip members, cut at places of their own. */
    private static byte[] members(byte[] capture, Random random) {
        byte[] members = {};
        int at = 0;
        while (at < capture.length) {
            int end = Math.min(capture.length, at + 1 + random.nextInt(capture.length));
            members = Reading.join(members, Reading.gzip(Arrays.copyOfRange(capture, at, end)));
            at = end;
        }
        return members;
    }
}
