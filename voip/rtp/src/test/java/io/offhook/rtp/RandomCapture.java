package io.offhook.rtp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Captures of RTP streams with all that can go wrong: loss, duplicates, disorder, wraps, timestamps that jump, odd
 * types.
 */
final class RandomCapture {
    /** Where all streams go to. */
    static final int PORT = 40_000;

    private static final int[] PAYLOAD_TYPES = {
        0, 0, 0, 8, 8, 18, 9, 3, 4, 5, 6, 10, 11, 13, 14, 16, 17, 19, 26, 34, 1, 2, 96, 97, 101
    };
    private static final long START_NS = 1_700_000_000_000_000_000L;

    private record Packet(long timeNs, ByteBuffer frame) {}

    private RandomCapture() {}

    /** Writes a nanosecond capture of {@code streams} streams with the SSRCs 1 to {@code streams}. */
    static void write(Path file, Random random, int streams) throws IOException {
        List<Packet> packets = new ArrayList<>();
        for (int ssrc = 1; ssrc <= streams; ssrc++) {
            stream(packets, random, ssrc);
        }
        packets.sort(Comparator.comparingLong(Packet::timeNs));
        int size = 24 + packets.stream().mapToInt(p -> 16 + p.frame().limit()).sum();
        ByteBuffer out = ByteBuffer.allocate(size);
        out.putInt(0xa1b23c4d)
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(0)
                .putInt(0)
                .putInt(262_144)
                .putInt(1);
        for (Packet packet : packets) {
            out.putInt((int) (packet.timeNs() / 1_000_000_000)).putInt((int) (packet.timeNs() % 1_000_000_000));
            out.putInt(packet.frame().limit())
                    .putInt(packet.frame().limit())
                    .put(packet.frame().duplicate());
        }
        Files.write(file, out.array());
    }

    private static void stream(List<Packet> packets, Random random, int ssrc) {
        int count = 1 + random.nextInt(120);
        int main = PAYLOAD_TYPES[random.nextInt(PAYLOAD_TYPES.length)];
        int other = PAYLOAD_TYPES[random.nextInt(PAYLOAD_TYPES.length)];
        double otherShare = random.nextInt(3) == 0 ? 0.2 : 0;
        double loss = random.nextInt(3) * 0.05;
        double duplicates = random.nextInt(3) == 0 ? 0.1 : 0;
        double disorder = random.nextInt(3) == 0 ? 0.1 : 0;
        double jumps = random.nextInt(4) == 0 ? 0.02 : 0;
        double markers = random.nextInt(3) * 0.1;
        int sequence = random.nextInt(4) == 0 ? 65_536 - random.nextInt(60) : random.nextInt(65_536);
        int timestamp = random.nextInt(4) == 0 ? -random.nextInt(20_000) : random.nextInt();
        int step = random.nextBoolean() ? 160 : random.nextInt(3000);
        long time = START_NS + random.nextLong(5_000_000_000L);
        for (int i = 0; i < count; i++) {
            if (random.nextDouble() < jumps) {
                timestamp = random.nextInt();
            }
            if (random.nextDouble() < jumps) {
                sequence = random.nextInt(65_536);
            }
            time += 15_000_000 + random.nextInt(10_000_000);
            sequence++;
            timestamp += step;
            if (random.nextDouble() < loss) {
                continue;
            }
            int type = random.nextDouble() < otherShare ? other : main;
            ByteBuffer frame =
                    frame(ssrc, sequence, timestamp, type, random.nextDouble() < markers, 20 + random.nextInt(200));
            long at = random.nextDouble() < disorder ? time + random.nextInt(100_000_000) : time;
            packets.add(new Packet(at, frame));
            if (random.nextDouble() < duplicates) {
                packets.add(new Packet(at + random.nextInt(3_000_000), frame));
            }
        }
        packets.add(
                new Packet(time + 200_000_000, frame(ssrc, sequence + random.nextInt(2), timestamp, main, false, 20)));
    }

    private static ByteBuffer frame(int ssrc, int sequence, int timestamp, int type, boolean marker, int payload) {
        ByteBuffer frame = ByteBuffer.allocate(14 + 20 + 8 + 12 + payload);
        frame.putLong(0x0200_0000_0001_0200L).putInt(2).putShort((short) 0x0800);
        frame.putShort((short) 0x4500)
                .putShort((short) (40 + payload))
                .putInt(0x1234_0000)
                .putInt(0x4011_0000);
        frame.putInt(0x0a00_0001).putInt(0x0a00_0002);
        frame.putShort((short) (10_000 + ssrc))
                .putShort((short) PORT)
                .putShort((short) (20 + payload))
                .putShort((short) 0);
        frame.put((byte) 0x80).put((byte) (type | (marker ? 0x80 : 0))).putShort((short) sequence);
        frame.putInt(timestamp).putInt(ssrc);
        return frame.flip();
    }
}
