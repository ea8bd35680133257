package io.offhook.packet.walk;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that nobody built: the walker must not throw, must end, and what it says must lie in the frame. */
class RandomFramesTest {
    private static final long SEED = 20_261_121;
    private final PacketWalker walker = new PacketWalker();
    private final WalkInvariants invariants = new WalkInvariants();

    @Test
    void walksRandomBytesOfAnyLinkType() {
        Random random = new Random(SEED);
        for (int round = 0; round < 30_000; round++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            walk(bytes, bytes.length + random.nextInt(2) * random.nextInt(2000), random.nextInt(300), round);
        }
    }

    @Test
    void walksDamagedFrames() {
        Random random = new Random(SEED);
        List<GoldenFrame> frames = GoldenFrame.all();
        for (int round = 0; round < 100_000; round++) {
            GoldenFrame frame = frames.get(random.nextInt(frames.size()));
            byte[] bytes = frame.bytes();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int linkType = random.nextInt(50) == 0 ? random.nextInt(300) : frame.linkType();
            walk(bytes, bytes.length, linkType, round);
        }
    }

    private void walk(byte[] bytes, int wire, int linkType, int round) {
        MemorySegment segment = GoldenFrame.segment(bytes);
        try {
            walker.walk(segment, 0, bytes.length, wire, linkType);
            invariants.check(walker, segment, bytes.length, wire);
        } catch (RuntimeException | AssertionError e) {
            String hex = HexFormat.of().formatHex(bytes);
            throw new AssertionError("seed " + SEED + ", round " + round + ", link type " + linkType + ": " + hex, e);
        }
    }
}
