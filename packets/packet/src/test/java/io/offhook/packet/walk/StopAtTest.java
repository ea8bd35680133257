package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker.Stop;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A walk that stops at a layer finds what the whole walk finds, up to there. */
class StopAtTest {
    private static final long SEED = 20_261_123;

    private final PacketWalker whole = new PacketWalker();
    private final PacketWalker part = new PacketWalker();

    static List<GoldenFrame> frames() {
        return GoldenFrame.all();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void listsTheLayersUpToTheOneAskedFor(GoldenFrame frame) {
        MemorySegment segment = frame.segment();
        for (LayerType type : LayerType.values()) {
            for (int captured = 0; captured <= frame.length(); captured++) {
                compare(segment, captured, frame.length(), frame.linkType(), LayerSet.of(type), type);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("frames")
    void findsTransportByTheShortcutAsBySteps(GoldenFrame frame) {
        MemorySegment segment = frame.segment();
        for (int captured = 0; captured <= frame.length(); captured++) {
            shortcut(segment, captured, frame.length(), frame.linkType());
        }
    }

    @Test
    void findsTransportOfDamagedFramesByTheShortcutAsBySteps() {
        Random random = new Random(SEED);
        List<GoldenFrame> frames = GoldenFrame.all().stream()
                .filter(frame -> frame.name().startsWith("udp") || frame.name().startsWith("tcp"))
                .toList();
        int reached = 0;
        for (int round = 0; round < 30_000; round++) {
            byte[] bytes = frames.get(round % frames.size()).bytes();
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[12 + random.nextInt(bytes.length - 12)] = (byte) random.nextInt(256);
            }
            int captured = bytes.length - random.nextInt(2) * random.nextInt(bytes.length);
            if (shortcut(GoldenFrame.segment(bytes), captured, bytes.length, LinkType.ETHERNET)) {
                reached++;
            }
        }
        assertThat(reached).as("seed %d", SEED).isGreaterThan(10_000);
    }

    @Test
    void reportsTheOuterPacketWhenItStopsBelowAnInnerOne() {
        GoldenFrame frame = GoldenFrame.of("greBridging");
        whole.walk(frame.segment(), 0, frame.length(), frame.length(), frame.linkType());
        int gre = whole.indexOf(LayerType.GRE);
        MemorySegment fromIp = frame.segment().asSlice(14);
        int length = frame.length() - 14;

        assertThat(part.walk(fromIp, 0, length, length, LinkType.RAW, LayerSet.of(LayerType.ETHERNET)))
                .isEqualTo(Stop.REACHED);
        assertThat(part.network()).isZero();
        assertThat(part.protocol()).isEqualTo(IpProtocol.GRE);
        assertThat(part.transport()).isEqualTo(-1);
        assertThat(part.networkPayloadOffset()).isEqualTo(whole.layerOffset(gre) - 14);
        assertThat(part.sourceLow()).isNotEqualTo(whole.sourceLow());
    }

    @Test
    void walksToTheEndWithoutSuchALayer() {
        GoldenFrame frame = GoldenFrame.of("arp");
        Stop stop =
                part.walk(frame.segment(), 0, frame.length(), frame.length(), frame.linkType(), LayerSet.TCP_OR_UDP);

        assertThat(stop).isEqualTo(Stop.COMPLETE);
        assertThat(PacketWalkerTest.layers(part)).isEqualTo(frame.layers());
    }

    private void compare(MemorySegment segment, int captured, int wire, int linkType, LayerSet stopAt, LayerType type) {
        whole.walk(segment, 0, captured, wire, linkType);
        Stop stop = part.walk(segment, 0, captured, wire, linkType, stopAt);
        int i = whole.indexOf(type);
        if (i < 0 || type == LayerType.PAYLOAD) {
            assertThat(stop).isEqualTo(whole.stop());
            assertThat(part.layerCount()).isEqualTo(whole.layerCount());
            return;
        }
        assertThat(stop).isEqualTo(Stop.REACHED);
        assertThat(part.stopLayer()).isEqualTo(type);
        assertThat(part.stopOffset()).isEqualTo((int) whole.layerOffset(i));
        assertThat(part.needed() + part.had()).isZero();
        assertThat(part.layerCount()).isEqualTo(i + 1);
        for (int layer = 0; layer <= i; layer++) {
            assertThat(part.layerType(layer)).isEqualTo(whole.layerType(layer));
            assertThat(part.layerOffset(layer)).isEqualTo(whole.layerOffset(layer));
            assertThat(part.layerLength(layer)).isEqualTo(whole.layerLength(layer));
            assertThat(part.layerHeaderLength(layer)).isEqualTo(whole.layerHeaderLength(layer));
        }
        assertThat(part.network()).isEqualTo(lastIp(whole, i));
        assertThat(part.transport()).isLessThanOrEqualTo(i);
        assertThat(part.payloadOffset() + part.payloadLength()).isLessThanOrEqualTo(captured);
        assertThat(part.payloadWireLength()).isGreaterThanOrEqualTo(part.payloadLength());
        if (i == whole.transport() && isLast(whole, i)) {
            assertThat(part.payloadOffset()).isEqualTo(whole.payloadOffset());
            assertThat(part.payloadLength()).isEqualTo(whole.payloadLength());
            assertThat(part.payloadWireLength()).isEqualTo(whole.payloadWireLength());
            assertThat(part.sourcePort()).isEqualTo(whole.sourcePort());
            assertThat(part.protocol()).isEqualTo(whole.protocol());
        }
    }

    /** Whether no tunnel's header stands above. */
    private static boolean isLast(PacketWalker walker, int i) {
        return i + 1 == walker.layerCount() || walker.layerType(i + 1) == LayerType.PAYLOAD;
    }

    private static int lastIp(PacketWalker walker, int to) {
        int found = -1;
        for (int i = 0; i <= to; i++) {
            if (walker.layerType(i) == LayerType.IPV4 || walker.layerType(i) == LayerType.IPV6) {
                found = i;
            }
        }
        return found;
    }

    /** Whether the shortcut took it; then both ways say the same. */
    private boolean shortcut(MemorySegment segment, int captured, int wire, int linkType) {
        Stop fast = part.walk(segment, 0, captured, wire, linkType, LayerSet.TCP_OR_UDP);
        Stop slow = whole.walkStepByStep(segment, 0, captured, wire, linkType, LayerSet.TCP_OR_UDP);
        assertThat(fast).isEqualTo(slow);
        assertThat(state(part)).isEqualTo(state(whole));
        return fast == Stop.REACHED;
    }

    private static String state(PacketWalker walker) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < walker.layerCount(); i++) {
            text.append(walker.layerType(i)).append('@').append(walker.layerOffset(i));
            text.append('+').append(walker.layerHeaderLength(i)).append('+').append(walker.layerLength(i));
            text.append(' ');
        }
        text.append(walker.stop())
                .append(' ')
                .append(walker.stopLayer())
                .append('@')
                .append(walker.stopOffset());
        text.append(' ').append(walker.network()).append(' ').append(walker.transport());
        text.append(' ').append(walker.protocol()).append(' ').append(walker.isFragment());
        text.append(' ').append(walker.outermostFragment());
        text.append(' ').append(walker.sourcePort()).append(' ').append(walker.destinationPort());
        text.append(' ').append(walker.networkPayloadOffset()).append('+').append(walker.networkPayloadLength());
        text.append(' ').append(walker.payloadOffset()).append('+').append(walker.payloadLength());
        return text.append('+').append(walker.payloadWireLength()).toString();
    }
}
