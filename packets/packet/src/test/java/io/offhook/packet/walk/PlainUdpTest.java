package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The shortcut must leave behind what the steps do, whatever the frame. */
class PlainUdpTest {
    private static final long SEED = 20_261_122;
    private static final HexFormat HEX = HexFormat.of();

    private final PacketWalker walker = new PacketWalker();
    private final PacketWalker steps = new PacketWalker();
    private final Walk plain = new Walk();

    @Test
    void takesAPlainFrame() {
        assertThat(isPlain(frame(20, 15004, 17078))).isTrue();
    }

    @Test
    void leavesWhatIsNotPlainToTheSteps() {
        assertThat(isPlain(changed(13, 0x06))).as("ARP").isFalse();
        assertThat(isPlain(changed(12, 0x86)))
                .as("another type that ends in 00")
                .isFalse();
        assertThat(isPlain(changed(14, 0x46))).as("options").isFalse();
        assertThat(isPlain(changed(14, 0x65))).as("version 6").isFalse();
        assertThat(isPlain(changed(20, 0x20))).as("more fragments").isFalse();
        assertThat(isPlain(changed(21, 0x01))).as("fragment offset").isFalse();
        assertThat(isPlain(changed(23, 6))).as("TCP").isFalse();
        assertThat(isPlain(changed(17, 27)))
                .as("total length below its headers")
                .isFalse();
        assertThat(isPlain(changed(39, 7))).as("UDP length below its header").isFalse();
        assertThat(isPlain(frame(20, 40000, 4789))).as("VXLAN").isFalse();
    }

    @Test
    void takesDontFragmentAndTheReservedBit() {
        assertThat(isPlain(changed(20, 0x40))).isTrue();
        assertThat(isPlain(changed(20, 0x80))).isTrue();
    }

    @Test
    void findsWhatTheStepsFindInWholeDamagedAndCutFrames() {
        Random random = new Random(SEED);
        int shortcuts = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = frame(random.nextInt(60), port(random), port(random));
            for (int i = random.nextInt(3); i > 0; i--) {
                bytes[12 + random.nextInt(30)] = (byte) random.nextInt(256);
            }
            int captured = random.nextInt(3) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            int padding = random.nextInt(4) == 0 ? random.nextInt(20) : 0;
            MemorySegment segment = Arena.ofAuto().allocate(bytes.length + padding);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
            int length = captured == bytes.length ? captured + padding : captured;
            PacketWalker.Stop stop = walker.walk(segment, 0, length, bytes.length + padding, LinkType.ETHERNET);
            steps.walkStepByStep(segment, 0, length, bytes.length + padding, LinkType.ETHERNET);
            assertThat(described(walker, stop))
                    .as("seed %d, round %d: %s, %d captured", SEED, round, HEX.formatHex(bytes), length)
                    .isEqualTo(described(steps, steps.stop()));
            shortcuts += PlainUdp.walk(plain, segment, 0, length) ? 1 : 0;
        }
        assertThat(shortcuts).isBetween(60_000, 180_000);
    }

    @Test
    void forgetsWhatAWalkBeforeItFound() {
        MemorySegment fragment = GoldenFrame.segment(changed(20, 0x20));
        MemorySegment broken = GoldenFrame.segment(changed(14, 0x41));
        MemorySegment whole = GoldenFrame.segment(frame(20, 15004, 17078));
        PacketWalker fresh = new PacketWalker();
        int length = (int) whole.byteSize();
        String expected = described(fresh, fresh.walk(whole, 0, length, length, LinkType.ETHERNET));
        walker.walk(fragment, 0, length, length, LinkType.ETHERNET);
        assertThat(described(walker, walker.walk(whole, 0, length, length, LinkType.ETHERNET)))
                .isEqualTo(expected);
        walker.walk(broken, 0, length, length, LinkType.ETHERNET);
        assertThat(described(walker, walker.walk(whole, 0, length, length, LinkType.ETHERNET)))
                .isEqualTo(expected);
    }

    private boolean isPlain(byte[] frame) {
        return PlainUdp.walk(plain, GoldenFrame.segment(frame), 0, frame.length);
    }

    private static int port(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> 4789;
            case 1 -> 8472 + random.nextInt(2);
            default -> 8473 + random.nextInt(50_000);
        };
    }

    private static byte[] changed(int at, int value) {
        byte[] frame = frame(20, 9004, 9078);
        frame[at] = (byte) value;
        return frame;
    }

    /** Ethernet, IPv4, UDP, and so many bytes. */
    private static byte[] frame(int payload, int sourcePort, int destinationPort) {
        String hex = "020000000001" + "020000000002" + "0800" + "4500" + HEX.toHexDigits((short) (28 + payload))
                + "1234" + "0000" + "4011" + "0000" + "c0000201" + "c0000202" + HEX.toHexDigits((short) sourcePort)
                + HEX.toHexDigits((short) destinationPort) + HEX.toHexDigits((short) (8 + payload)) + "0000"
                + "80".repeat(payload);
        return HEX.parseHex(hex);
    }

    private static String described(PacketWalker walker, PacketWalker.Stop stop) {
        List<Object> all = new ArrayList<>(List.of(
                stop,
                walker.stop(),
                walker.stopLayer(),
                walker.stopOffset(),
                walker.needed(),
                walker.had(),
                walker.network(),
                walker.transport(),
                walker.protocol(),
                walker.isFragment(),
                walker.outermostFragment()));
        for (int i = 0; i < walker.layerCount(); i++) {
            all.addAll(List.of(
                    walker.layerType(i), walker.layerOffset(i), walker.layerHeaderLength(i), walker.layerLength(i)));
        }
        all.addAll(List.of(
                walker.networkPayloadOffset(),
                walker.networkPayloadLength(),
                walker.payloadOffset(),
                walker.payloadLength(),
                walker.payloadWireLength(),
                walker.isSnapped(),
                walker.sourceHigh(),
                walker.sourceLow(),
                walker.destinationHigh(),
                walker.destinationLow(),
                walker.sourcePort(),
                walker.destinationPort()));
        return all.toString();
    }
}
