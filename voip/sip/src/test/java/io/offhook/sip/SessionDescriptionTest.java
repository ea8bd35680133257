package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionDescriptionTest {
    /** What a desk phone sends. */
    private static final String PHONE = Native.lines(
            "v=0",
            "o=mhandley 2890844526 2890842807 IN IP4 192.0.2.3",
            "s=call",
            "c=IN IP4 192.0.2.4",
            "t=0 0",
            "m=audio 49170 RTP/AVP 9 8 0 18 101 13",
            "a=rtpmap:8 PCMA/8000",
            "a=rtpmap:0 PCMU/8000/1",
            "a=rtpmap:18 G729/8000",
            "a=fmtp:18 annexb=no",
            "a=rtpmap:101 telephone-event/8000",
            "a=fmtp:101 0-15",
            "a=ptime:20",
            "a=sendrecv");

    /** What a browser offers (RFC 8829, shortened). */
    private static final String BROWSER = Native.lines(
            "v=0",
            "o=- 4962303333179871722 1 IN IP4 0.0.0.0",
            "s=-",
            "t=0 0",
            "a=ice-options:trickle ice2",
            "a=group:BUNDLE a1 v1",
            "a=group:LS a1 v1",
            "m=audio 10100 UDP/TLS/RTP/SAVPF 96 0 8 97 98",
            "c=IN IP4 203.0.113.100",
            "a=mid:a1",
            "a=sendrecv",
            "a=rtpmap:96 opus/48000/2",
            "a=rtpmap:97 telephone-event/8000",
            "a=rtpmap:98 telephone-event/48000",
            "a=fmtp:97 0-15",
            "a=maxptime:120",
            "a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid",
            "a=msid:47017fee-b6c1-4162-929c-a25110252400 f83006c5-a0ff-4e0a-9ed9-d3e6747be7d9",
            "a=ice-ufrag:ETEn",
            "a=ice-pwd:OtSK0WpNtpUjkY4+86js7ZQl",
            "a=fingerprint:sha-256 19:E2:1C:3B:4B:9F",
            "a=setup:actpass",
            "a=dtls-id:1",
            "a=rtcp:10101 IN IP4 203.0.113.101",
            "a=rtcp-mux",
            "a=rtcp-rsize",
            "a=ssrc:3735928559 cname:user@example.com",
            "a=ssrc:3735928559 msid:x y",
            "a=ssrc:1 msid:x y",
            "a=candidate:1 1 udp 2113929471 203.0.113.100 10100 typ host",
            "a=candidate:2 2 UDP 1694498815 198.51.100.7 11101 typ srflx raddr 203.0.113.100 rport 10101",
            "a=candidate:3 1 udp 1 8f3a.local 10100 typ host",
            "a=candidate:bad",
            "m=video 0 UDP/TLS/RTP/SAVPF 100 101",
            "c=IN IP4 203.0.113.100",
            "a=bundle-only",
            "a=mid:v1",
            "a=sendonly",
            "a=rtpmap:100 VP8/90000",
            "a=fmtp:101 apt=100");

    @Test
    void readsPhone() {
        SessionDescription sdp = SessionDescription.parse(PHONE);

        assertThat(sdp.sessionId()).isEqualTo("2890844526");
        assertThat(sdp.sessionVersion()).isEqualTo("2890842807");
        assertThat(sdp.originAddress().text()).isEqualTo("192.0.2.3");
        assertThat(sdp.name()).isEqualTo("call");
        MediaDescription audio = sdp.media().getFirst();
        assertThat(audio.isAudio()).isTrue();
        assertThat(audio.isRtp()).isTrue();
        assertThat(audio.endpoint()).hasToString("192.0.2.4:49170");
        assertThat(audio.rtcpEndpoint()).hasToString("192.0.2.4:49171");
        assertThat(audio.formats()).containsExactly("9", "8", "0", "18", "101", "13");
        assertThat(audio.codecs())
                .containsExactly(
                        new SdpCodec(9, "", 0, 1, ""),
                        new SdpCodec(8, "PCMA", 8000, 1, ""),
                        new SdpCodec(0, "PCMU", 8000, 1, ""),
                        new SdpCodec(18, "G729", 8000, 1, "annexb=no"),
                        new SdpCodec(101, "telephone-event", 8000, 1, "0-15"),
                        new SdpCodec(13, "", 0, 1, ""));
        assertThat(audio.codec(101)).matches(SdpCodec::isTelephoneEvent);
        assertThat(audio.codec(13)).matches(SdpCodec::isComfortNoise);
        assertThat(audio.codec(8)).matches(codec -> !codec.isTelephoneEvent() && !codec.isComfortNoise());
        assertThat(audio.codec(77)).isNull();
        assertThat(audio.packetTimeMs()).isEqualTo(20);
        assertThat(audio.direction()).isEqualTo(MediaDirection.SENDRECV);
        assertThat(audio.isHold()).isFalse();
        assertThat(audio.isEncrypted()).isFalse();
        assertThat(audio.isRejected()).isFalse();
        assertThat(sdp.firstMedia("audio")).isSameAs(audio);
        assertThat(sdp.firstMedia("video")).isNull();
    }

    @Test
    void readsBrowser() {
        SessionDescription sdp = SessionDescription.parse(BROWSER);

        assertThat(sdp.groups()).hasSize(2);
        SdpGroup bundle = sdp.bundleOf("v1");
        assertThat(bundle).isEqualTo(new SdpGroup("BUNDLE", List.of("a1", "v1")));
        assertThat(sdp.bundleOf("")).isNull();
        assertThat(sdp.bundleOf("other")).isNull();
        MediaDescription audio = sdp.media().getFirst();
        assertThat(audio.isEncrypted()).isTrue();
        assertThat(audio.security().setup()).isEqualTo("actpass");
        assertThat(audio.security().fingerprint()).isEqualTo("sha-256 19:E2:1C:3B:4B:9F");
        assertThat(audio.security().hasKeys()).isTrue();
        assertThat(audio.rtcp().isMultiplexed()).isTrue();
        assertThat(audio.rtcp().port()).isEqualTo(10101);
        assertThat(audio.rtcpEndpoint()).hasToString("203.0.113.101:10100");
        assertThat(audio.ice().ufrag()).isEqualTo("ETEn");
        assertThat(audio.codecs().getFirst()).isEqualTo(new SdpCodec(96, "opus", 48000, 2, ""));
        assertThat(audio.sources())
                .containsExactly(new SdpSource(0xdeadbeefL, "user@example.com"), new SdpSource(1, ""));
        assertThat(audio.ice().candidates()).hasSize(3);
        IceCandidate reflexive = audio.ice().candidates().get(1);
        assertThat(reflexive.type()).isEqualTo("srflx");
        assertThat(reflexive.component()).isEqualTo(2);
        assertThat(reflexive.transport()).isEqualTo("udp");
        assertThat(reflexive.port()).isEqualTo(11101);
        assertThat(reflexive.address().ip()).isEqualTo(IpAddress.ofIpv4(0xc6336407));
        assertThat(audio.ice().candidates().get(2).address().ip()).isNull();
        assertThat(audio.ice().candidates().get(2).address().text()).isEqualTo("8f3a.local");
        MediaDescription video = sdp.media().get(1);
        assertThat(video.isVideo()).isTrue();
        assertThat(video.isRejected()).as("bundle-only").isFalse();
        assertThat(video.mid()).isEqualTo("v1");
        assertThat(video.direction()).isEqualTo(MediaDirection.SENDONLY);
        assertThat(video.codecs().get(1)).isEqualTo(new SdpCodec(101, "", 0, 1, "apt=100"));
    }

    @Test
    void mediaLevelOverridesSessionLevel() {
        SessionDescription sdp = SessionDescription.parse(Native.lines(
                "c=IN IP4 192.0.2.1",
                "a=recvonly",
                "a=ptime:30",
                "a=ice-ufrag:s",
                "a=fingerprint:sha-1 AA",
                "a=setup:Active",
                "m=audio 4000 RTP/AVP 0",
                "m=audio 4002 RTP/AVP 0",
                "c=IN IP6 2001:db8::7",
                "c=IN IP6 2001:db8::8",
                "a=inactive",
                "a=ptime:40",
                "a=ice-ufrag:m",
                "a=setup:passive"));

        assertThat(sdp.direction()).isEqualTo(MediaDirection.RECVONLY);
        MediaDescription first = sdp.media().get(0);
        MediaDescription second = sdp.media().get(1);
        assertThat(first.endpoint()).hasToString("192.0.2.1:4000");
        assertThat(first.direction()).isEqualTo(MediaDirection.RECVONLY);
        assertThat(first.packetTimeMs()).isEqualTo(30);
        assertThat(first.security()).isEqualTo(new MediaSecurity(List.of(), "sha-1 AA", "active"));
        assertThat(second.endpoint()).hasToString("[2001:db8::7]:4002");
        assertThat(second.rtcpEndpoint()).hasToString("[2001:db8::7]:4003");
        assertThat(second.direction()).isEqualTo(MediaDirection.INACTIVE);
        assertThat(second.packetTimeMs()).isEqualTo(40);
        assertThat(second.ice().ufrag()).isEqualTo("m");
        assertThat(second.security().setup()).isEqualTo("passive");
    }

    @Test
    void knowsHoldInAllItsForms() {
        assertThat(media("c=IN IP4 192.0.2.1", "m=audio 1 RTP/AVP 0", "a=sendonly")
                        .isHold())
                .isTrue();
        assertThat(media("c=IN IP4 192.0.2.1", "m=audio 1 RTP/AVP 0", "a=inactive")
                        .isHold())
                .isTrue();
        assertThat(media("a=sendonly", "c=IN IP4 192.0.2.1", "m=audio 1 RTP/AVP 0")
                        .isHold())
                .isTrue();
        assertThat(media("c=IN IP4 0.0.0.0", "m=audio 1 RTP/AVP 0").isHold()).isTrue();
        assertThat(media("c=IN IP6 ::", "m=audio 1 RTP/AVP 0").isHold()).isTrue();
        assertThat(media("c=IN IP4 192.0.2.1", "m=audio 1 RTP/AVP 0", "a=recvonly")
                        .isHold())
                .isFalse();
        assertThat(media("c=IN IP4 0.0.0.0", "m=audio 9 RTP/SAVPF 0", "a=candidate:1 1 udp 1 192.0.2.1 4 typ host")
                        .isHold())
                .as("trickle ICE writes 0.0.0.0 too")
                .isFalse();
    }

    @Test
    void readsFaxAndOtherMedia() {
        MediaDescription fax = media("c=IN IP4 192.0.2.1", "m=image 4500 udptl t38", "a=T38FaxVersion:0");
        assertThat(fax.isT38()).isTrue();
        assertThat(fax.isRtp()).isFalse();
        assertThat(fax.protocol()).isEqualTo("UDPTL");
        assertThat(fax.codecs()).isEmpty();
        assertThat(media("m=image 4500 tcp t38").isT38()).isTrue();

        MediaDescription screen = media("m=application 9 UDP/DTLS/SCTP webrtc-datachannel");
        assertThat(screen.isEncrypted()).isTrue();
        assertThat(screen.isRtp()).isFalse();
        assertThat(screen.formats()).containsExactly("webrtc-datachannel");

        MediaDescription rejected = media("c=IN IP4 192.0.2.1", "m=audio 0 RTP/AVP 0");
        assertThat(rejected.isRejected()).isTrue();
        assertThat(rejected.rtcpEndpoint()).isNull();

        MediaDescription layered = media("c=IN IP4 224.2.1.1/127/3", "m=video 49170/2 RTP/AVP 31");
        assertThat(layered.portCount()).isEqualTo(2);
        assertThat(layered.address().text()).isEqualTo("224.2.1.1");
        assertThat(layered.address().ip()).isNotNull();
    }

    @Test
    void readsSdesKeysWithoutKeepingThem() {
        MediaDescription audio = media(
                "c=IN IP4 192.0.2.1",
                "m=audio 4000 RTP/AVP 0",
                "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20|1:4",
                "a=crypto:2 F8_128_HMAC_SHA1_80 inline:MTIzNDU2Nzg5QUJDREUwMTIzNDU2Nzg5QUJjZGVm");

        assertThat(audio.security().cryptoSuites()).containsExactly("AES_CM_128_HMAC_SHA1_80", "F8_128_HMAC_SHA1_80");
        assertThat(audio.isEncrypted()).as("opportunistic: needs both sides").isFalse();
        assertThat(audio.security().hasKeys()).isTrue();
        assertThat(audio.toString()).doesNotContain("WVNf");
        assertThat(media("m=audio 4000 RTP/SAVP 0").isEncrypted()).isTrue();
    }

    @Test
    void keepsHostNamesAsText() {
        MediaDescription audio = media("c=IN IP4 media.example.com", "m=audio 4000 RTP/AVP 0");

        assertThat(audio.address().text()).isEqualTo("media.example.com");
        assertThat(audio.endpoint()).isNull();
        assertThat(audio.rtcpEndpoint()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "\n", "\r"})
    void takesAnyLineEnd(String end) {
        assertThat(SessionDescription.parse(PHONE.replace("\r\n", end))).isEqualTo(SessionDescription.parse(PHONE));
    }

    @Test
    void toleratesNonsense() {
        assertThat(SessionDescription.parse("").media()).isEmpty();
        SessionDescription sdp = SessionDescription.parse(Native.lines(
                "garbage",
                "m=",
                "m=audio",
                "m=audio x RTP/AVP 0",
                "m=audio 99999 RTP/AVP 0 128 -1 x",
                "a=rtpmap:0",
                "a=rtpmap:x y",
                "a=rtpmap:200 y/8000",
                "a=ptime:x",
                "a=rtcp:99999",
                "a=rtcp:",
                "a=ssrc:4294967296 cname:x",
                "a=ssrc:",
                "a=candidate:1 0 udp 1 192.0.2.1 1 typ host",
                "a=",
                "a=:x",
                "c=",
                "c=IN IP4",
                "o="));
        assertThat(sdp.media()).hasSize(4);
        MediaDescription last = sdp.media().get(3);
        assertThat(last.port()).isZero();
        assertThat(last.codecs()).containsExactly(new SdpCodec(0, "", 0, 1, ""));
        assertThat(last.ice().candidates()).isEmpty();
        assertThat(last.sources()).isEmpty();
        assertThat(last.rtcp().port()).isEqualTo(-1);
        assertThat(last.packetTimeMs()).isEqualTo(-1);
        assertThat(last.address()).isEqualTo(SdpAddress.NONE);
        assertThat(last.endpoint()).isNull();
        assertThat(media("a=rtpmap:9999999999999 x/1", "m=audio 1 RTP/AVP 5", "a=rtpmap:5 x/99999999999/9999")
                        .codecs())
                .containsExactly(new SdpCodec(5, "x", 0, 1, ""));
    }

    @Test
    void keepsNoMoreThanItsLimits() {
        StringBuilder text = new StringBuilder("v=0\r\n");
        for (int i = 0; i < 100; i++) {
            text.append("m=audio ").append(1000 + i).append(" RTP/AVP 0\r\n");
        }
        for (int i = 0; i < 100; i++) {
            text.append("a=candidate:1 1 udp 1 192.0.2.1 5 typ host\r\na=ssrc:")
                    .append(i)
                    .append(" x\r\n");
        }
        SessionDescription sdp = SessionDescription.parse(text.toString());

        assertThat(sdp.media()).hasSize(SdpParser.MEDIA_LIMIT);
        assertThat(sdp.media().getLast().ice().candidates())
                .as("belongs to a line that is not kept")
                .isEmpty();
        String one = text.substring(text.indexOf("a=candidate"));
        MediaDescription line = media("m=audio 1 RTP/AVP 0", one);
        assertThat(line.ice().candidates()).hasSize(SdpParser.LIST_LIMIT);
        assertThat(line.sources()).hasSize(SdpParser.LIST_LIMIT);
        assertThat(SessionDescription.parse("a=x\r\n".repeat(100_000)).media()).isEmpty();
    }

    @Test
    void everyTruncationAndMutationParses() {
        MemorySegment segment = Native.text(BROWSER);
        for (int length = 0; length <= BROWSER.length(); length++) {
            byte[] octets = Native.octets(BROWSER.substring(0, length));
            SessionDescription description = SessionDescription.parse(octets, 0, length);
            assertThat(description.media()).hasSizeLessThan(3);
            assertThat(SessionDescription.parse(segment, 0, length)).isEqualTo(description);
        }
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            StringBuilder text = new StringBuilder(i % 2 == 0 ? BROWSER : PHONE);
            for (int j = 0; j < 20; j++) {
                text.setCharAt(random.nextInt(text.length()), "\r\n:/ =0a9\u00e9".charAt(random.nextInt(10)));
            }
            for (MediaDescription media :
                    SessionDescription.parse(text.toString()).media()) {
                assertThat(media.port()).isBetween(0, 0xffff);
                media.rtcpEndpoint();
                media.isHold();
            }
        }
    }

    @Test
    void readsIpv6AddressesAsTheJdkDoes() throws UnknownHostException {
        Random random = new Random(8);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            for (int j = 0; j < 16; j += 2) {
                if (random.nextInt(3) > 0) {
                    bytes[j] = 0;
                    bytes[j + 1] = 0;
                }
            }
            bytes[0] = 0x20;
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            IpAddress expected = new IpAddress(buffer.getLong(), buffer.getLong());
            assertThat(SdpAddress.of(InetAddress.getByAddress(bytes).getHostAddress())
                            .ip())
                    .isEqualTo(expected);
            assertThat(SdpAddress.of(expected.toString()).ip()).isEqualTo(expected);
        }
        assertThat(SdpAddress.of("[::1]").ip()).isEqualTo(new IpAddress(0, 1));
        assertThat(SdpAddress.of("::ffff:192.0.2.1").ip()).isEqualTo(IpAddress.ofIpv4(0xc0000201));
        assertThat(SdpAddress.of("64:ff9b::192.0.2.33").ip()).isEqualTo(new IpAddress(0x64ff9b00000000L, 0xc0000221L));
        assertThat(SdpAddress.of("fe80::1%eth0").ip()).isEqualTo(new IpAddress(0xfe80L << 48, 1));
        assertThat(SdpAddress.of("1::").ip()).isEqualTo(new IpAddress(1L << 48, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1.2.3",
                "1.2.3.4.5",
                "256.1.1.1",
                "1.2.3.4x",
                "1..2.3",
                "0001.2.3.4",
                ":",
                ":::",
                "1:2",
                "1::2::3",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "12345::",
                "g::",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:",
                "host",
                "::1:",
            })
    void readsNoAddressFromOtherText(String text) {
        assertThat(SdpAddress.of(text).ip()).isNull();
    }

    private static MediaDescription media(String... lines) {
        return SessionDescription.parse(Native.lines(lines)).media().getFirst();
    }
}
