package io.offhook.testkit.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class MessagesTest {
    @Test
    void writesRtpWithEverythingThatAHeaderCanHave() {
        byte[] packet = new RtpPacket()
                .payloadType(8)
                .marker(true)
                .sequence(65_536 + 0x1234)
                .timestamp(0x1_0000_0000L + 0xabcdef01L)
                .ssrc(0xdeadbeefL)
                .contributors(1, 0xffff_ffffL)
                .extension(0xbede, (byte) 0x10, (byte) 0x2a)
                .padding(4)
                .bytes(new byte[] {9, 8});
        assertThat(HexFormat.of().formatHex(packet))
                .isEqualTo("b2881234abcdef01deadbeef" + "00000001ffffffff" + "bede0001102a0000" + "0908" + "00000004");
        assertThat(HexFormat.of().formatHex(RtpPacket.telephoneEvent(11, true, 1280)))
                .isEqualTo("0b8a0500");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RtpPacket.eventOf('x'))
                .withMessageContaining("'x'");
    }

    @Test
    void writesRtcpWhoseLengthsAddUp() {
        Rtcp.Report report = new Rtcp.Report(0x11223344L, 25, -2, 0x0001_0005L, 160, 0x5555_6666L, 65_536);
        byte[] compound = new Rtcp()
                .senderReport(7, 1_700_000_000_500_000_000L, 1000, 50, 8000, report)
                .sourceDescription(7, "alice@example.com")
                .extendedReport(7, new Rtcp.VoipMetrics(0x11223344L, 25, 2, 100, 45, 88, 41, 40))
                .bye(7, "call ended")
                .bytes();
        ByteBuffer bytes = ByteBuffer.wrap(compound);
        List<Integer> types = new java.util.ArrayList<>();
        int at = 0;
        while (at < compound.length) {
            types.add(bytes.get(at + 1) & 0xff);
            at += 4 * ((bytes.getShort(at + 2) & 0xffff) + 1);
        }
        assertThat(at).isEqualTo(compound.length);
        assertThat(types).containsExactly(200, 202, 207, 203);
        assertThat(bytes.getInt(8) & 0xffff_ffffL).as("NTP seconds").isEqualTo(1_700_000_000L + 2_208_988_800L);
        assertThat(bytes.getInt(12)).as("half a second").isEqualTo(0x8000_0000);
        assertThat(HexFormat.of().formatHex(compound, 28, 52))
                .isEqualTo("11223344" + "19fffffe" + "00010005" + "000000a0" + "55556666" + "00010000");
    }

    @Test
    void writesHeaderFieldsInEveryStyle() {
        String plain = "INVITE sip:bob@example.com SIP/2.0\r\n";
        assertThat(text(SipMessage.Style.PLAIN))
                .isEqualTo(plain + "Via: SIP/2.0/UDP a;branch=z\r\nVia: SIP/2.0/UDP b\r\nFrom: <sip:a@b>;tag=1\r\n"
                        + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi");
        assertThat(text(SipMessage.Style.COMPACT))
                .isEqualTo(plain + "v:SIP/2.0/UDP a;branch=z\r\nv:SIP/2.0/UDP b\r\nf:<sip:a@b>;tag=1\r\n"
                        + "c:text/plain\r\nl:2\r\n\r\nhi");
        assertThat(text(SipMessage.Style.FOLDED))
                .contains("Via: SIP/2.0/UDP a\r\n ;branch=z\r\n")
                .contains("From: <sip:a@b>\r\n ;tag=1\r\n");
        assertThat(text(SipMessage.Style.ODD))
                .startsWith(plain + "via \t:  SIP/2.0/UDP a;branch=z , SIP/2.0/UDP b \r\n");
        assertThat(message().withoutContentLength().toString()).doesNotContain("Content-Length");
        assertThat(message().contentLength(99).toString()).contains("Content-Length: 99\r\n");
    }

    private static String text(SipMessage.Style style) {
        return message().style(style).toString();
    }

    private static SipMessage message() {
        return SipMessage.request("INVITE", "sip:bob@example.com")
                .header("Via", "SIP/2.0/UDP b")
                .header("From", "<sip:a@b>;tag=1")
                .firstHeader("Via", "SIP/2.0/UDP a;branch=z")
                .body("text/plain", "hi".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void putsTheAddressOfAMediumBeforeItsAttributes() {
        String sdp = new Sdp(5, 2, Addresses.endpoint("2001:db8::9", 0))
                .media("audio", 4000, "RTP/AVP", List.of(SentCodec.OPUS, SentCodec.TELEPHONE_EVENT))
                .connection(Addresses.endpoint("192.0.2.7", 0))
                .attribute("sendrecv")
                .toString();
        assertThat(sdp)
                .isEqualTo("v=0\r\no=- 5 2 IN IP6 2001:db8::9\r\ns=offhook\r\nc=IN IP6 2001:db8::9\r\nt=0 0\r\n"
                        + "m=audio 4000 RTP/AVP 111 101\r\nc=IN IP4 192.0.2.7\r\na=rtpmap:111 opus/48000/2\r\n"
                        + "a=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\na=sendrecv\r\n");
    }

    @Test
    void signsStunMessages() throws Exception {
        byte[] transaction = new byte[12];
        Arrays.fill(transaction, (byte) 3);
        byte[] message = Stun.bindingResponse(transaction, Addresses.endpoint("192.0.2.1", 32_853), "secret");
        ByteBuffer bytes = ByteBuffer.wrap(message);
        assertThat(bytes.getShort(2) & 0xffff).isEqualTo(message.length - 20);
        assertThat(bytes.getShort(26) & 0xffff).as("XORed port").isEqualTo(32_853 ^ 0x2112);
        assertThat(bytes.getInt(28)).as("XORed address").isEqualTo(0xc0000201 ^ 0x2112a442);
        CRC32 crc = new CRC32();
        crc.update(message, 0, message.length - 8);
        assertThat(bytes.getInt(message.length - 4)).isEqualTo((int) crc.getValue() ^ 0x5354554e);
        byte[] signed = Arrays.copyOf(message, message.length - 8 - 24);
        ByteBuffer.wrap(signed).putShort(2, (short) (signed.length - 20 + 24));
        Mac mac = Mac.getInstance("HmacSHA1");
        mac.init(new SecretKeySpec("secret".getBytes(StandardCharsets.US_ASCII), "HmacSHA1"));
        assertThat(Arrays.copyOfRange(message, message.length - 28, message.length - 8))
                .isEqualTo(mac.doFinal(signed));
    }

    @Test
    void writesTheTruthAsJson() {
        String json = Scenarios.traffic("hold-and-resume", 1).capture().truth().toJson();
        assertThat(json)
                .startsWith("{\"calls\": [{\"call_id\": \"")
                .contains("\"outcome\": \"answered\"", "\"invite_us\": 1700000000000000", "\"hung_up_by\": \"caller\"")
                .contains("\"holds\": [{\"by\": \"callee\"", "\"src\": \"10.1.0.1:16388\"");
        assertThat(Scenarios.traffic("utf-8-names", 1).capture().truth().toJson())
                .contains("\"from\": \"zoë\"");
    }
}
