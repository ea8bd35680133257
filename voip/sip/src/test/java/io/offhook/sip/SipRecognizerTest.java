package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SipRecognizerTest {
    private static final SipText COPY = new SipText();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INVITE sip:bob@biloxi.example.com SIP/2.0\r\n",
                "OPTIONS sip:192.0.2.1 SIP/2.0\r\nVia: x\r\n",
                "REGISTER sips:[2001:db8::1]:5061;transport=tls SIP/2.0\r\n",
                "INVITE tel:+358-555-1234567 SIP/2.0\r\n",
                "INVITE urn:service:sos SIP/2.0\r\n",
                "INVITE1 sip:4321@192.168.1.87;user=phone SIP/2.0\r\n",
                "DO sip:a@b SIP/2.0\r\n",
                "SERVICE sip:a@b SIP/2.0\r\n",
                "!interesting-Method0123456789_*+`.%indeed'~ sip:a@b SIP/2.0\r\n",
                "\r\n\r\nINVITE sip:a@b SIP/2.0\r\n",
                "INVITE sip:a@b SIP/2.0\n",
                "INVITE sip:a@b SIP/2.0\r",
                "INVITE sip:a@b sip/2.0\r\n",
                "INVITE  sip:a@b  SIP/2.0  \r\n",
                "INVITE sip:a@b; lr SIP/2.0\r\n",
                "INVITE <sip:a@b> SIP/2.0\r\n",
                "SIP/2.0 200 OK\r\n",
                "SIP/2.0 200 ",
                "SIP/2.0 180\r\n",
                "sip/2.0 603 no\r\n",
            })
    void takesStartLinesForMessages(String text) {
        assertThat(isMessageStart(text)).isTrue();
        assertThat(match(text)).isEqualTo(SipMatch.YES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://a/b HTTP/1.1\r\n",
                "CONNECT host:443 HTTP/1.1\r\n",
                "HTTP/1.1 200 OK\r\n",
                "OPTIONS rtsp://192.0.2.1/stream RTSP/1.0\r\n",
                "OPTIONS * RTSP/1.0\r\n",
                "RTSP/1.0 200 OK\r\n",
                "M-SEARCH * HTTP/1.1\r\n",
                "NOTIFY * HTTP/1.1\r\n",
                "MSRP a786hjs2 SEND\r\n",
                "INVITE sip:a@b SIP/3.0\r\n",
                "INVITE sip:a@b\r\nSIP/2.0\r\n",
                "INVITE SIP/2.0\r\n",
                "INVITE a SIP/2.0\r\n",
                "INVITE sip:a\0@b SIP/2.0\r\n",
                "SIP/2.0 403 Wrong\0 password or domain\r\n",
                "we speak SIP/2.0\r\n",
                "I love SIP/2.0 200 OK\r\n",
                " INVITE sip:a@b SIP/2.0\r\n",
                "INVITE\tsip:a@b SIP/2.0\r\n",
                "SIP/2.0 2000 OK\r\n",
                "SIP/2.0 99 OK\r\n",
                "SIP/2.0 099 OK\r\n",
                "SIP/2.0 700 OK\r\n",
                "SIP/2.0/UDP 192.0.2.1\r\n",
                "SIP/2.1 200 OK\r\n",
                "<134>Nov 21 sip: INVITE sip:a@b SIP/2.0\r\n",
            })
    void takesNothingElse(String text) {
        assertThat(isMessageStart(text)).isFalse();
        assertThat(match(text)).isNotEqualTo(SipMatch.YES);
    }

    @Test
    void takesCutRequestLineOnlyWithKnownMethodAndScheme() {
        assertThat(isMessageStart("INVITE sip:bob")).isTrue();
        assertThat(isMessageStart("SUBSCRIBE tel:+1")).isTrue();
        assertThat(isMessageStart("INVITE si")).isFalse();
        assertThat(isMessageStart("hello sip:bob")).isFalse();
        assertThat(isMessageStart("INVITE http:bob")).isFalse();
        assertThat(match("hello sip:bob")).isEqualTo(SipMatch.POSSIBLE);
    }

    @Test
    void everyPrefixOfAStartLineIsPossible() {
        for (String line : new String[] {"\r\nINVITE sip:bob@host SIP/2.0\r\n", "SIP/2.0 183 Session Progress\r\n"}) {
            boolean whole = false;
            for (int length = 0; length <= line.length(); length++) {
                SipMatch match = match(line.substring(0, length));
                assertThat(match).as("of %d bytes", length).isNotEqualTo(SipMatch.NO);
                assertThat(whole && match != SipMatch.YES).isFalse();
                whole = match == SipMatch.YES;
            }
            assertThat(whole).isTrue();
        }
    }

    @Test
    void neverTakesRtpOrRandomBytes() {
        Random random = new Random(4);
        byte[] bytes = new byte[200];
        for (int i = 0; i < 200_000; i++) {
            random.nextBytes(bytes);
            if ((i & 1) == 0) {
                bytes[0] = (byte) (0x80 | bytes[0] & 0x3f);
            }
            assertThat(SipRecognizer.isMessageStart(bytes, 0, bytes.length)).isFalse();
        }
    }

    @Test
    void neverTakesRandomPrintableText() {
        Random random = new Random(5);
        String alphabet = "INVTESPOR aceis:@/20.\r\n<>";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < 60; j++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertThat(isMessageStart(text.toString())).as("%s", text).isFalse();
        }
    }

    @Test
    void knowsKeepAlives() {
        for (String keepAlive : new String[] {"\r\n\r\n", "\r\n", "\n", "\0\0\0\0", "\0"}) {
            assertThat(isKeepAlive(keepAlive)).isTrue();
        }
        for (String other : new String[] {"", "\0\0\0\0\0", "\0\r\n", "\r\nA", "\r\n\r\n\r\n\r\n\r\n", "hello"}) {
            assertThat(isKeepAlive(other)).isFalse();
        }
    }

    @Test
    void reportsTextByItsFirstBytes() {
        assertThat(looksLikeText("a=sendrecv\r\nm=")).isTrue();
        assertThat(looksLikeText("0123456789abcdef\0\0")).isTrue();
        assertThat(looksLikeText("0123456789abcde\0")).isFalse();
        assertThat(looksLikeText("\u0016\u0003\u0001")).isFalse();
        assertThat(looksLikeText("")).isFalse();
    }

    @Test
    void saysOfSegmentsWhatItSaysOfArrays() {
        long seed = 6;
        Random random = new Random(seed);
        String[] starts = {
            "INVITE sip:bob@host SIP/2.0\r\n", "SIP/2.0 183 Progress\r\n", "A b:c SIP/2.0\r\n", "\r\nBYE a:b"
        };
        String spice = "\0\t\r\n /:AIPSa~{\u007f\u00e9\u0080";
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder(starts[i % starts.length]);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                text.setCharAt(random.nextInt(12) % text.length(), spice.charAt(random.nextInt(spice.length())));
            }
            text.setLength(random.nextInt(text.length() + 1));
            byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
            MemorySegment segment = Native.bytes(bytes);
            assertThat(SipRecognizer.match(segment, 0, bytes.length, COPY))
                    .as("seed %d, %s", seed, text)
                    .isEqualTo(SipRecognizer.match(bytes, 0, bytes.length));
            assertThat(SipRecognizer.isMessageStart(segment, 0, bytes.length, COPY))
                    .isEqualTo(SipRecognizer.isMessageStart(bytes, 0, bytes.length));
            assertThat(SipRecognizer.looksLikeText(segment, 0, bytes.length, COPY))
                    .isEqualTo(SipRecognizer.looksLikeText(bytes, 0, bytes.length));
        }
    }

    private static boolean isMessageStart(String text) {
        byte[] octets = Native.octets(text);
        return SipRecognizer.isMessageStart(octets, 0, octets.length);
    }

    private static SipMatch match(String text) {
        byte[] octets = Native.octets(text);
        return SipRecognizer.match(octets, 0, octets.length);
    }

    private static boolean isKeepAlive(String text) {
        return SipRecognizer.isKeepAlive(Native.octets(text), 0, text.length());
    }

    private static boolean looksLikeText(String text) {
        return SipRecognizer.looksLikeText(Native.octets(text), 0, text.length());
    }
}
