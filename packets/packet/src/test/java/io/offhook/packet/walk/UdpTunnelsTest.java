package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is a tunnel over UDP, and what only has its port. */
class UdpTunnelsTest {
    private static final String IPV4 = "45000028123400004011" + "0000" + "c0000201c6336402";
    private static final String IPV6 =
            "6000000000141140" + "20010db8000000000000000000000001" + "20010db8000000000000000000000002";
    private static final String UDP = "13c413c600140000" + "68656c6c6f20776f726c6421";
    private static final String ETHERNET = "020000000001020000000002";

    private final PacketWalker walker = new PacketWalker();

    private List<String> layers(int port, String payload) {
        byte[] carried = HexFormat.of().parseHex(payload.replace(" ", ""));
        String header = "9c40" + HexFormat.of().toHexDigits((short) port)
                + HexFormat.of().toHexDigits((short) (8 + carried.length)) + "0000";
        byte[] bytes = HexFormat.of()
                .parseHex("45000000123400004011" + "0000" + "c0000201c6336402" + header + payload.replace(" ", ""));
        MemorySegment segment = GoldenFrame.segment(bytes);
        walker.walk(segment, 0, bytes.length, bytes.length, LinkType.RAW);
        new WalkInvariants().check(walker, segment, bytes.length, bytes.length);
        List<String> all = PacketWalkerTest.layers(walker);
        return all.subList(2, all.size());
    }

    @Test
    void followsMplsToWhatFits() {
        assertThat(layers(6635, "00111140" + IPV4 + UDP)).containsExactly("mpls", "ipv4", "udp", "payload");
        assertThat(layers(6635, "aaaaa040 00111140" + IPV6 + UDP)) // a label that begins with the bits 10
                .containsExactly("mpls", "mpls", "ipv6", "udp", "payload");
        assertThat(layers(6635, "00111140" + ETHERNET + "0800" + IPV4 + UDP))
                .containsExactly("mpls", "ethernet", "ipv4", "udp", "payload");
        assertThat(layers(6635, "00111140 00000000" + ETHERNET + "86dd" + IPV6 + UDP))
                .containsExactly("mpls", "pseudowire", "ethernet", "ipv6", "udp", "payload");
    }

    /** By its bits each of these would be a stack: that of RTP ends on the first entry whose third byte is odd. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "80000101 00000141 45454545 ffffffff ffffffff ffffffff ffffffff ffffffff", // RTP, an IPv4 header at
                // first sight
                "80120001 00000140 12345678 00000000 00000000 00000000 00000000 00000000",
                "80c80101 60606060 12345678 60000000 00000000 00000000 00000000 00000000" // RTCP
            })
    void leavesMediaOnThePortOfMpls(String payload) {
        assertThat(layers(6635, payload)).containsExactly("payload");
        assertThat(walker.stop()).isEqualTo(PacketWalker.Stop.COMPLETE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INVITE sip:bob@example.com SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:6635;branch=z9hG4bK1\r\n\r\n",
                "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 192.0.2.1:6635;branch=z9hG4bK1\r\nCall-ID: 1@a\r\n\r\n",
                "PRACK sip:bob@example.com SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:1701;branch=z9hG4bK1\r\n\r\n",
                "REGISTER sip:example.com SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:1701;branch=z9hG4bK1\r\n\r\n"
            })
    void leavesSignallingOnThePortOfAnyTunnel(String message) {
        String payload = HexFormat.of().formatHex(message.getBytes(StandardCharsets.UTF_8));
        for (int port : new int[] {1701, 2152, 3544, 4754, 4789, 4790, 5247, 6081, 6635, 8472}) {
            assertThat(layers(port, payload)).as("port %d", port).containsExactly("payload");
        }
    }

    @Test
    void leavesMediaOnThePortOfAnyTunnel() {
        String header = "1234 00000140 12345678" + "00".repeat(40);
        for (int port : new int[] {1701, 2152, 3544, 4754, 4789, 4790, 5247, 6081, 6635, 8472}) {
            for (int type = 0; type < 256; type++) {
                for (String first : List.of("80", "88", "90", "a0", "b0")) {
                    String payload = first + HexFormat.of().toHexDigits((byte) type) + header;
                    assertThat(layers(port, payload))
                            .as("port %d: %s", port, payload)
                            .containsExactly("payload");
                }
            }
        }
    }

    @Test
    void readsGreWithAChecksum() {
        assertThat(layers(4754, "80000800 12340000" + IPV4 + UDP)).containsExactly("gre", "ipv4", "udp", "payload");
        assertThat(layers(4754, "a00086dd 12340000 00000007" + IPV6 + UDP))
                .containsExactly("gre", "ipv6", "udp", "payload");
    }

    /** The sequence number is an EtherType: now and then that happens to any stream. */
    @Test
    void leavesPcmuWhoseSequenceNumberIsAnEtherType() {
        assertThat(layers(4754, "80000800 00000140 45000000" + "ff".repeat(40))).containsExactly("payload");
        assertThat(layers(4754, "80000800 00010000 12345678" + "ff".repeat(40))).containsExactly("payload");
        assertThat(layers(4754, "800086dd 00010000 45678912" + "ff".repeat(40))).containsExactly("payload");
        assertThat(layers(4754, "80001234 00010000 45678912" + "ff".repeat(40))).containsExactly("payload");
    }

    @Test
    void readsControlMessagesOfL2tp() {
        assertThat(layers(1701, "c802000c 00010000 00000001")).containsExactly("l2tp");
        assertThat(layers(1701, "8002000c 00010000 00000001")).containsExactly("payload");
        assertThat(layers(1701, "4002002e 00020001 ff03 0021" + IPV4 + UDP))
                .containsExactly("l2tp", "ppp", "ipv4", "udp", "payload");
    }

    @Test
    void readsVxlanWithAPolicy() {
        assertThat(layers(4789, "88000001 00000100" + ETHERNET + "0800" + IPV4 + UDP))
                .containsExactly("vxlan", "ethernet", "ipv4", "udp", "payload");
        // PCMU with eight contributing sources
        assertThat(layers(4789, "88000001 00000100" + "12345678".repeat(9) + "ff".repeat(20)))
                .containsExactly("payload");
    }
}
