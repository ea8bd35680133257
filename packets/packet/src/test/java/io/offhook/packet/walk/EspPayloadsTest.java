package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ESP is walked on where it is not encrypted, over IP and over UDP, and never where it is. */
class EspPayloadsTest {
    private static final int ICMP = 1;
    private static final int IP_IN_IP = 4;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int IPV6_IN_IP = 41;
    private static final int GRE = 47;
    private static final int ESP = 50;
    private static final int IPSEC_PORT = 4500;

    private final PacketWalker walker = new PacketWalker();

    private static byte[] ipv4(int protocol, byte[] payload) {
        return ByteBuffer.allocate(20 + payload.length)
                .putInt(0x4500_0000 | 20 + payload.length)
                .putInt(0x1234_0000)
                .putInt(0x4000_0000 | protocol << 16)
                .putInt(0xc000_0201)
                .putInt(0xc633_6402)
                .put(payload)
                .array();
    }

    private static byte[] ipv6(int protocol, byte[] payload) {
        return ByteBuffer.allocate(40 + payload.length)
                .putInt(0x6000_0000)
                .putInt(payload.length << 16 | protocol << 8 | 64)
                .putLong(0x2001_0db8_0000_0000L)
                .putLong(1)
                .putLong(0x2001_0db8_0000_0000L)
                .putLong(2)
                .put(payload)
                .array();
    }

    private static byte[] udp(int source, int destination, byte[] payload) {
        return ByteBuffer.allocate(8 + payload.length)
                .putShort((short) source)
                .putShort((short) destination)
                .putInt(8 + payload.length << 16)
                .put(payload)
                .array();
    }

    private static byte[] tcp(int source, int destination, byte[] payload) {
        return ByteBuffer.allocate(20 + payload.length)
                .putShort((short) source)
                .putShort((short) destination)
                .putInt(1)
                .putInt(2)
                .putInt(0x5010_2000)
                .putInt(0)
                .put(payload)
                .array();
    }

    private static byte[] esp(byte[] inner, int next, int checkValue) {
        int padding = -(inner.length + 2) & 3;
        ByteBuffer out = ByteBuffer.allocate(8 + inner.length + padding + 2 + checkValue);
        out.putInt(0x12345678).putInt(7).put(inner);
        for (int i = 1; i <= padding; i++) {
            out.put((byte) i);
        }
        byte[] check = new byte[checkValue];
        new Random(inner.length).nextBytes(check);
        return out.put((byte) padding).put((byte) next).put(check).array();
    }

    private List<LayerType> walk(byte[] packet, int captured) {
        MemorySegment segment = GoldenFrame.segment(Arrays.copyOf(packet, captured));
        walker.walk(segment, 0, captured, packet.length, LinkType.RAW);
        new WalkInvariants().check(walker, segment, captured, packet.length);
        List<LayerType> layers = new ArrayList<>();
        for (int i = 0; i < walker.layerCount(); i++) {
            layers.add(walker.layerType(i));
        }
        return layers;
    }

    private List<LayerType> walk(byte[] packet) {
        return walk(packet, packet.length);
    }

    private static byte[] sip(int length) {
        byte[] text = "OPTIONS sip:b@b SIP/2.0\r\n".getBytes(StandardCharsets.US_ASCII);
        return Arrays.copyOf(text, length);
    }

    @ParameterizedTest
    @CsvSource({"0", "12", "16"})
    void transportModeIsWalkedWhateverTheCheckValue(int checkValue) {
        for (int length = 25; length < 40; length++) {
            byte[] udp = udp(5062, 5064, sip(length));
            assertThat(walk(ipv4(ESP, esp(udp, UDP, checkValue))))
                    .containsExactly(LayerType.IPV4, LayerType.ESP, LayerType.UDP, LayerType.PAYLOAD);
            assertThat(walker.sourcePort()).isEqualTo(5062);
            assertThat(walker.payloadLength()).isEqualTo(length);
            assertThat(walker.payloadWireLength()).isEqualTo(length);
            byte[] tcp = tcp(5062, 5064, sip(length));
            assertThat(walk(ipv6(ESP, esp(tcp, TCP, checkValue))))
                    .containsExactly(LayerType.IPV6, LayerType.ESP, LayerType.TCP, LayerType.PAYLOAD);
            assertThat(walker.payloadLength()).isEqualTo(length);
            assertThat(walker.stop()).isEqualTo(PacketWalker.Stop.COMPLETE);
        }
    }

    @Test
    void tunnelModeIsWalked() {
        byte[] inner = ipv6(UDP, udp(1, 2, sip(30)));
        assertThat(walk(ipv4(ESP, esp(inner, IPV6_IN_IP, 12))))
                .containsExactly(LayerType.IPV4, LayerType.ESP, LayerType.IPV6, LayerType.UDP, LayerType.PAYLOAD);
        assertThat(walker.sourceLow()).isEqualTo(1);
        byte[] other = ipv4(ICMP, HexFormat.of().parseHex("0800f7fd00000002" + "00".repeat(9)));
        assertThat(walk(ipv6(ESP, esp(other, IP_IN_IP, 16))))
                .containsExactly(LayerType.IPV6, LayerType.ESP, LayerType.IPV4, LayerType.ICMP, LayerType.PAYLOAD);
    }

    @Test
    void overUdpItIsWalkedBetweenAnyPorts() {
        byte[] inner = ipv4(UDP, udp(1, 2, sip(30)));
        for (int port : new int[] {4500, 30_000}) {
            byte[] datagram = udp(port, IPSEC_PORT, esp(inner, IP_IN_IP, 12));
            assertThat(walk(ipv4(UDP, datagram)))
                    .containsExactly(
                            LayerType.IPV4,
                            LayerType.UDP,
                            LayerType.ESP,
                            LayerType.IPV4,
                            LayerType.UDP,
                            LayerType.PAYLOAD);
            assertThat(walker.destinationPort()).isEqualTo(2);
        }
    }

    @Test
    void otherDatagramsOfThatPortStayWhatTheyAre() {
        byte[] ike = HexFormat.of().parseHex("00000000" + "4d".repeat(16) + "2120220800000000" + "0000001c");
        byte[] rtp = HexFormat.of().parseHex("80000001000000a000000009" + "00".repeat(160));
        byte[] encrypted = HexFormat.of().parseHex("9234567800000005" + "00".repeat(60) + "63");
        assertThat(walk(fromPort(4500, ike))).doesNotContain(LayerType.ESP);
        assertThat(walk(fromPort(4500, new byte[] {(byte) 0xff}))).doesNotContain(LayerType.ESP);
        assertThat(walk(fromPort(30_000, rtp))).doesNotContain(LayerType.ESP);
        assertThat(walk(fromPort(30_000, sip(60)))).doesNotContain(LayerType.ESP);
        assertThat(walk(fromPort(4500, sip(60)))).doesNotContain(LayerType.ESP);
        assertThat(walk(fromPort(4500, encrypted))).contains(LayerType.ESP);
    }

    private static byte[] fromPort(int port, byte[] payload) {
        return ipv4(UDP, udp(port, IPSEC_PORT, payload));
    }

    @Test
    void encryptedPacketsEndTheWalk() {
        Random random = new Random(5);
        int walked = 0;
        for (int i = 0; i < 300_000; i++) {
            byte[] esp = new byte[28 + 4 * random.nextInt(40)];
            random.nextBytes(esp);
            walked += walk(ipv4(ESP, esp)).size() > 3 ? 1 : 0;
            assertThat(walker.layerType(1)).isEqualTo(LayerType.ESP);
        }
        assertThat(walked).isLessThanOrEqualTo(10);
    }

    @Test
    void whatWasNotCapturedWholeEndsTheWalk() {
        byte[] udp = udp(5062, 5064, sip(40));
        byte[] packet = ipv4(ESP, esp(udp, UDP, 12));
        for (int captured = 28; captured < packet.length; captured++) {
            assertThat(walk(packet, captured)).doesNotContain(LayerType.UDP);
        }
    }

    private static byte[] gre(int protocol, byte[] payload) {
        return ByteBuffer.allocate(4 + payload.length)
                .putInt(protocol)
                .put(payload)
                .array();
    }

    @Test
    void arubaTunnelsCarry80211() {
        byte[] inner = ipv4(UDP, udp(1, 2, sip(30)));
        byte[] frame = ByteBuffer.allocate(32 + inner.length)
                .putInt(0x0802_0000) // data, from the access point
                .position(24)
                .putLong(0xaaaa_0300_0000_0800L)
                .put(inner)
                .array();
        for (int protocol : new int[] {0x8200, 0x8210, 0x8300, 0x83f0}) {
            byte[] gre = gre(protocol, frame);
            assertThat(walk(ipv4(GRE, gre)))
                    .containsExactly(
                            LayerType.IPV4,
                            LayerType.GRE,
                            LayerType.WLAN,
                            LayerType.LLC,
                            LayerType.IPV4,
                            LayerType.UDP,
                            LayerType.PAYLOAD);
        }
        byte[] gre = gre(0x8201, frame);
        assertThat(walk(ipv4(GRE, gre))).doesNotContain(LayerType.WLAN);
    }
}
