package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SipMultipartTest {

    @Test
    void findsSdpInMultipartBodies() {
        String sdp = "v=0\r\nm=audio 1 RTP/AVP 0";
        String plain = "--b1\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b1\r\nContent-Type: application/sdp\r\n\r\n"
                + sdp + "\r\n--b1--\r\n";
        String nested = "preamble\r\n--o\r\nContent-Type: multipart/alternative;\r\n boundary=b1\r\n\r\n" + plain
                + "\r\n--o\r\nContent-Type: application/pidf+xml\r\n\r\n<x/>\r\n--o--\r\n";

        assertThat(sdp("application/sdp", sdp)).isEqualTo(sdp);
        assertThat(sdp("", sdp)).isEqualTo(sdp);
        assertThat(sdp("multipart/mixed; boundary=b1", plain)).isEqualTo(sdp);
        assertThat(sdp("Multipart/Mixed;boundary=\"b1\";x=y", plain)).isEqualTo(sdp);
        assertThat(sdp("multipart/mixed", plain)).isEqualTo(sdp);
        assertThat(sdp("multipart/mixed; boundary=b1", plain.replace("\r\n--b1--\r\n", "")))
                .isEqualTo(sdp);
        assertThat(sdp("multipart/mixed;boundary=o", nested)).isEqualTo(sdp);
        assertThat(sdp("multipart/mixed; boundary=other", plain)).isEmpty();
        assertThat(sdp("text/plain", sdp)).isEmpty();
        assertThat(sdp("application/sdp", "")).isEmpty();
    }

    private static String sdp(String contentType, String body) {
        byte[] message = Native.octets("INVITE sip:a@b SIP/2.0\r\n"
                + (contentType.isEmpty() ? "" : "Content-Type: " + contentType + "\r\n") + "\r\n" + body);
        SipMultipart part = new SipMultipart();
        return Native.view(message).findSdp(part) ? Native.string(message, part.offset(), part.length()) : "";
    }
}
