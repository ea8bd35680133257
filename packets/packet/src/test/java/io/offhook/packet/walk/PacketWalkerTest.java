package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.Endpoint;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker.Stop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PacketWalkerTest {
    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private final PacketWalker walker = new PacketWalker();

    static List<GoldenFrame> frames() {
        return GoldenFrame.all();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void findsTheLayersOfAFrame(GoldenFrame frame) {
        MemorySegment segment = frame.segment();
        Stop stop = walker.walk(segment, 0, frame.length(), frame.length(), frame.linkType());

        assertThat(layers(walker)).isEqualTo(frame.layers());
        assertThat(stop).isEqualTo(frame.stop());
        assertThat(walker.payloadLength()).isEqualTo(frame.payloadLength());
        assertThat(walker.payloadWireLength()).isEqualTo(frame.payloadLength());
        assertThat(ends(walker)).isEqualTo(frame.ends());
        new WalkInvariants().check(walker, segment, frame.length(), frame.length());
    }

    @ParameterizedTest
    @MethodSource("frames")
    void findsTheSameAtAnyOffset(GoldenFrame frame) {
        MemorySegment larger = Arena.ofAuto().allocate(frame.length() + 9);
        MemorySegment.copy(frame.segment(), 0, larger, 7, frame.length());
        walker.walk(larger, 7, frame.length(), frame.length(), frame.linkType());

        assertThat(layers(walker)).isEqualTo(frame.layers());
        assertThat(walker.frameOffset()).isEqualTo(7);
        assertThat(walker.payloadLength()).isEqualTo(frame.payloadLength());
    }

    @ParameterizedTest
    @MethodSource("frames")
    void keepsLowerLayersWhenCutOffAnywhere(GoldenFrame frame) {
        PacketWalker whole = frame.walk();
        int outermostIp = outermostIp(whole);
        for (int captured = 0; captured < frame.length(); captured++) {
            MemorySegment part = GoldenFrame.segment(Arrays.copyOf(frame.bytes(), captured));
            Stop stop = walker.walk(part, 0, captured, frame.length(), frame.linkType());

            new WalkInvariants().check(walker, part, captured, frame.length());
            for (int i = 0; i < whole.layerCount(); i++) {
                LayerType type = whole.layerType(i);
                long headerEnd = whole.layerOffset(i) + whole.layerHeaderLength(i);
                // what a tunnel over UDP or MPLS carries is told by its first bytes too, and those may be cut off
                boolean isPlain = i <= outermostIp && type != LayerType.PAYLOAD && type != LayerType.PSEUDOWIRE;
                if (isPlain && headerEnd <= captured) {
                    assertThat(walker.layerType(i))
                            .as("%s cut to %d, layer %d", frame, captured, i)
                            .isEqualTo(type);
                    assertThat(walker.layerOffset(i)).isEqualTo(whole.layerOffset(i));
                }
            }
            if (stop == Stop.COMPLETE && whole.transport() >= 0 && walker.transport() == whole.transport()) {
                assertThat(walker.payloadWireLength())
                        .as("%s cut to %d", frame, captured)
                        .isEqualTo(frame.payloadLength());
            }
        }
    }

    private static int outermostIp(PacketWalker walker) {
        for (int i = 0; i < walker.layerCount(); i++) {
            if (walker.layerType(i) == LayerType.IPV4 || walker.layerType(i) == LayerType.IPV6) {
                return i;
            }
        }
        return walker.layerCount();
    }

    @Test
    void reportsWhereAndWhyAHeaderIsCutOff() {
        GoldenFrame frame = GoldenFrame.of("udp");
        Stop stop = walker.walk(frame.segment(), 0, ETHERNET + IPV4 + 5, frame.length(), LinkType.ETHERNET);

        assertThat(stop).isEqualTo(Stop.TRUNCATED);
        assertThat(walker.stopLayer()).isEqualTo(LayerType.UDP);
        assertThat(walker.stopOffset()).isEqualTo(ETHERNET + IPV4);
        assertThat(walker.needed()).isEqualTo(8);
        assertThat(walker.had()).isEqualTo(5);
        assertThat(layers(walker)).containsExactly("ethernet", "ipv4");
        assertThat(walker.transport()).isEqualTo(-1);
        assertThat(walker.payloadLength()).isEqualTo(5);
        assertThat(walker.payloadWireLength()).isEqualTo(20);
        assertThat(ends(walker)).isEqualTo("192.0.2.1 -> 198.51.100.2");
    }

    @Test
    void reportsAddressesAndPortsOfTheInnermostPacket() {
        PacketWalker inner = GoldenFrame.of("ipInIp").walk();

        assertThat(inner.network()).isEqualTo(2);
        assertThat(inner.transport()).isEqualTo(3);
        assertThat(new Endpoint(inner.sourceHigh(), inner.sourceLow(), inner.sourcePort()))
                .hasToString("192.0.2.1:5060");
        assertThat(new Endpoint(inner.destinationHigh(), inner.destinationLow(), inner.destinationPort()))
                .hasToString("198.51.100.2:5062");
        assertThat(inner.protocol()).isEqualTo(17);
        assertThat(inner.count(LayerType.IPV4)).isEqualTo(2);
        assertThat(inner.indexOf(LayerType.IPV4)).isEqualTo(1);
        assertThat(inner.lastIndexOf(LayerType.IPV4)).isEqualTo(2);
        assertThat(inner.indexOf(LayerType.TCP)).isEqualTo(-1);
        assertThat(inner.lastIndexOf(LayerType.TCP)).isEqualTo(-1);
    }

    @Test
    void countsBytesThatTheSnapLengthLeftOut() {
        GoldenFrame frame = GoldenFrame.of("udp");
        walker.walk(frame.segment(), 0, frame.length() - 5, frame.length(), LinkType.ETHERNET);

        assertThat(walker.payloadLength()).isEqualTo(7);
        assertThat(walker.payloadWireLength()).isEqualTo(12);
        assertThat(walker.isSnapped()).isTrue();
    }

    @Test
    void takesAFrameForSnappedWhenItsHeadersSayMoreThanItsWireLength() {
        GoldenFrame frame = GoldenFrame.of("udp");
        int length = frame.length() - 5;
        walker.walk(frame.segment(), 0, length, length, LinkType.ETHERNET);

        assertThat(walker.isSnapped()).isTrue();
        assertThat(walker.payloadWireLength()).isEqualTo(12);
    }

    @Test
    void seesFragments() {
        PacketWalker first = GoldenFrame.of("firstFragment").walk();
        assertThat(first.isFragment()).isTrue();
        assertThat(first.outermostFragment()).isEqualTo(first.network());
        assertThat(first.sourcePort()).isEqualTo(5060);
        assertThat(first.networkPayloadLength()).isEqualTo(24);

        PacketWalker later = GoldenFrame.of("laterFragment6").walk();
        assertThat(later.isFragment()).isTrue();
        assertThat(later.transport()).isEqualTo(-1);
        assertThat(later.sourcePort()).isZero();
        assertThat(later.networkPayloadLength()).isEqualTo(24);
        assertThat(later.networkPayloadOffset()).isEqualTo(ETHERNET + 40 + 8);

        PacketWalker atomic = GoldenFrame.of("ipv6Extensions").walk();
        assertThat(atomic.count(LayerType.IPV6_FRAGMENT)).isEqualTo(1);
        assertThat(atomic.isFragment()).isFalse();
        assertThat(atomic.outermostFragment()).isEqualTo(-1);
    }

    @Test
    void reportsATunnelThatIsInPieces() {
        GoldenFrame frame = GoldenFrame.of("ipInIp");
        byte[] bytes = frame.bytes();
        bytes[ETHERNET + 6] = 0x20; // more fragments of the outer packet
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.ETHERNET);

        assertThat(walker.isFragment()).isFalse();
        assertThat(walker.network()).isEqualTo(2);
        assertThat(walker.outermostFragment()).isEqualTo(1);
    }

    @Test
    void forgetsTheLastFrame() {
        GoldenFrame udp = GoldenFrame.of("firstFragment");
        walker.walk(udp.segment(), 0, udp.length(), udp.length(), LinkType.ETHERNET);
        GoldenFrame arp = GoldenFrame.of("arp");
        walker.walk(arp.segment(), 0, arp.length(), arp.length(), LinkType.ETHERNET);

        assertThat(walker.network()).isEqualTo(-1);
        assertThat(walker.transport()).isEqualTo(-1);
        assertThat(walker.sourcePort()).isZero();
        assertThat(walker.isFragment()).isFalse();
        assertThat(walker.outermostFragment()).isEqualTo(-1);
        assertThat(walker.protocol()).isEqualTo(-1);
    }

    @Test
    void stopsAtLengthsThatCannotBe() {
        assertMalformed("udp", ETHERNET, 0x44, LayerType.IPV4); // header of 16 bytes
        assertMalformed("udp", ETHERNET, 0x35, LayerType.IPV4); // version 3
        assertMalformed("udp", ETHERNET + 3, 19, LayerType.IPV4); // total length below the header's
        assertMalformed("udp", ETHERNET + IPV4 + 5, 7, LayerType.UDP);
        assertMalformed("udp", ETHERNET + IPV4 + 5, 0, LayerType.UDP);
        assertMalformed("tcpSyn", ETHERNET + IPV4 + 12, 0x40, LayerType.TCP);
        assertMalformed("vlanUdp6", ETHERNET + 4, 0x50, LayerType.IPV6); // version 5
        assertMalformed("gtpu", ETHERNET + IPV4 + 8 + 12, 0, LayerType.GTP_U); // extension without length
        assertMalformed("gre", ETHERNET + IPV4 + 1, 2, LayerType.GRE); // version 2
        assertMalformed("nsh", ETHERNET + IPV4 + 8 + 8 + 1, 0, LayerType.NSH);
        assertMalformed("radiotap", 2, 7, LayerType.RADIOTAP);
        assertMalformed("nflog", 4, 3, LayerType.NFLOG);
    }

    private void assertMalformed(String name, int at, int value, LayerType layer) {
        GoldenFrame frame = GoldenFrame.of(name);
        byte[] bytes = frame.bytes();
        bytes[at] = (byte) value;
        MemorySegment segment = GoldenFrame.segment(bytes);
        Stop stop = walker.walk(segment, 0, bytes.length, bytes.length, frame.linkType());

        assertThat(stop).as(name).isEqualTo(Stop.MALFORMED);
        assertThat(walker.stopLayer()).as(name).isEqualTo(layer);
        new WalkInvariants().check(walker, segment, bytes.length, bytes.length);
    }

    @Test
    void clipsAUdpLengthThatGoesBeyondItsPacket() {
        GoldenFrame frame = GoldenFrame.of("udp");
        byte[] bytes = frame.bytes();
        bytes[ETHERNET + IPV4 + 4] = (byte) 0xff;
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.ETHERNET);

        assertThat(walker.payloadLength()).isEqualTo(12);
        assertThat(walker.payloadWireLength()).isEqualTo(12);
    }

    @Test
    void takesUdpLengthZeroOverIpv6ForAJumbogram() {
        GoldenFrame frame = GoldenFrame.of("raw6");
        byte[] bytes = frame.bytes();
        bytes[44] = 0;
        bytes[45] = 0;
        Stop stop = walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.RAW);

        assertThat(stop).isEqualTo(Stop.COMPLETE);
        assertThat(walker.payloadLength()).isEqualTo(12);
    }

    @Test
    void readsTheLengthOfAJumbogramFromItsOption() {
        String hex = "60000000 0000 00 40" + "20010db8000000000000000000000001".repeat(2) + "11 00 c2 04 00012345"
                + "13c4 13c6 0000 0000" + "aabbccdd";
        MemorySegment segment = GoldenFrame.segment(hex);
        int length = (int) segment.byteSize();
        Stop stop = walker.walk(segment, 0, length, 100_000, LinkType.RAW);

        assertThat(stop).isEqualTo(Stop.COMPLETE);
        assertThat(walker.payloadLength()).isEqualTo(4);
        assertThat(walker.payloadWireLength()).isEqualTo(0x12345 - 8 - 8);
    }

    @Test
    void stopsWhenThereAreTooManyLayers() {
        byte[] labels = new byte[14 + 4 * 100];
        labels[12] = (byte) 0x88;
        labels[13] = 0x47;
        assertTooDeep(labels, LinkType.ETHERNET);

        byte[] tags = new byte[14 + 4 * 100];
        for (int i = 12; i < tags.length; i += 4) {
            tags[i] = (byte) 0x81;
        }
        assertTooDeep(tags, LinkType.ETHERNET);

        byte[] extensions = new byte[40 + 8 * 100];
        extensions[0] = 0x60;
        extensions[6] = 60;
        for (int i = 40; i < extensions.length; i += 8) {
            extensions[i] = 60;
        }
        assertTooDeep(extensions, LinkType.RAW);

        byte[] tunnels = new byte[20 * 100];
        for (int i = 0; i < tunnels.length; i += 20) {
            tunnels[i] = 0x45;
            tunnels[i + 9] = 4;
        }
        assertTooDeep(tunnels, LinkType.RAW);
    }

    /** 24 tags, then a tunnel whose frame has five layers more: one step once listed them all, behind the table's end. */
    @Test
    void stopsBeforeATunnelWithMoreLayersThanThereIsRoomFor() {
        String wireless = "0010030000000000" + "0008" + "00".repeat(22) + "060603";
        String datagram = "45000000123400004011" + "0000" + "c0000201c6336402";
        byte[] bytes = HexFormat.of()
                .parseHex("00".repeat(12) + "81000001".repeat(24) + "0800" + datagram + "9c40147f" + "ffff0000"
                        + wireless + datagram + "9c409c42ffff0000" + "00");
        assertTooDeep(bytes, LinkType.ETHERNET);
        assertThat(walker.lastIndexOf(LayerType.LLC)).isEqualTo(walker.layerCount() - 1);
    }

    @Test
    void looksIntoCapwapThatIsWholeAndNotEncrypted() {
        String ethernet = "020000000001020000000002" + "0800" + "45000000123400004011" + "0000" + "c0000201c6336402"
                + "13c413c6ffff0000" + "00";
        assertThat(capwap("0010000000000000" + ethernet))
                .containsExactly("ipv4", "udp", "capwap", "ethernet", "ipv4", "udp", "payload");
        assertThat(walker.destinationPort()).isEqualTo(5062);
        // with a wireless header of 8 bytes, that the length tells
        assertThat(capwap("0020000000000000" + "0600000000000100" + ethernet))
                .containsExactly("ipv4", "udp", "capwap", "ethernet", "ipv4", "udp", "payload");
        assertThat(capwap("0010008000000000" + ethernet)) // a fragment
                .containsExactly("ipv4", "udp", "capwap", "payload");
        assertThat(capwap("0010000800000000")).containsExactly("ipv4", "udp", "capwap"); // keep-alive
        assertThat(capwap("0010010000000000" + ethernet)) // native, of no binding that is known
                .containsExactly("ipv4", "udp", "capwap", "payload");
        assertThat(walker.stop()).isEqualTo(Stop.UNSUPPORTED);
    }

    @Test
    void takesForCapwapOnlyWhatCanBe() {
        String later = "00".repeat(20);
        assertThat(capwap("01000000" + later)).containsExactly("ipv4", "udp", "payload"); // DTLS
        assertThat(capwap("00080000" + later)).containsExactly("ipv4", "udp", "payload"); // header of 4 bytes
        assertThat(capwap("00f80000" + later)).containsExactly("ipv4", "udp", "payload"); // of 124
        assertThat(capwap("00100300")).containsExactly("ipv4", "udp", "payload"); // cut off
        assertThat(walker.stop()).isEqualTo(Stop.COMPLETE);
    }

    private List<String> capwap(String payload) {
        MemorySegment segment = GoldenFrame.segment(
                "45000000123400004011" + "0000" + "c0000201c6336402" + "9c40147fffff0000" + payload);
        int length = (int) segment.byteSize();
        walker.walk(segment, 0, length, length, LinkType.RAW);
        new WalkInvariants().check(walker, segment, length, length);
        return layers(walker);
    }

    private void assertTooDeep(byte[] bytes, int linkType) {
        MemorySegment segment = GoldenFrame.segment(bytes);
        assertThat(walker.walk(segment, 0, bytes.length, bytes.length, linkType))
                .isEqualTo(Stop.TOO_DEEP);
        new WalkInvariants().check(walker, segment, bytes.length, bytes.length);
    }

    @Test
    void refusesAFrameOutsideOfItsSegment() {
        MemorySegment segment = Arena.ofAuto().allocate(10);
        assertThatThrownBy(() -> walker.walk(segment, 5, 6, 6, LinkType.ETHERNET))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> walker.walk(segment, 0, -1, 6, LinkType.ETHERNET))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesALayerThatIsNotThere() {
        walker.walk(Arena.ofAuto().allocate(1), 0, 0, 0, LinkType.ETHERNET);
        assertThat(walker.layerCount()).isZero();
        assertThatThrownBy(() -> walker.layerType(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static String ends(PacketWalker walker) {
        Endpoint source = new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort());
        Endpoint destination =
                new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort());
        if (walker.network() < 0) {
            return "";
        }
        return walker.sourcePort() == 0
                ? source.addressText() + " -> " + destination.addressText()
                : source + " -> " + destination;
    }

    static List<String> layers(PacketWalker walker) {
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < walker.layerCount(); i++) {
            labels.add(walker.layerType(i).label());
        }
        return labels;
    }
}
