package io.offhook.sip.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The published examples. */
class DigestResponseTest {
    private static final byte[] NO_BODY = new byte[0];

    private static String response(String value, String password, String method, String body) {
        DigestCredentials credentials = Objects.requireNonNull(DigestCredentials.parse(value));
        DigestAlgorithm algorithm = Objects.requireNonNull(credentials.algorithm());
        return DigestResponse.compute(
                algorithm.ha1(credentials.username(), credentials.realm(), password),
                credentials,
                method,
                body.getBytes(StandardCharsets.UTF_8));
    }

    private static final String RFC_7616 = "Digest username=\"Mufasa\", realm=\"http-auth@example.org\","
            + " uri=\"/dir/index.html\", nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", nc=00000001,"
            + " cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", qop=auth, response=\"\", algorithm=";

    @Test
    void isThatOfRfc7616() {
        assertThat(response(RFC_7616 + "MD5", "Circle of Life", "GET", ""))
                .isEqualTo("8ca523f5e9506fed4657c9700eebdbec");
        assertThat(response(RFC_7616 + "SHA-256", "Circle of Life", "GET", ""))
                .isEqualTo("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1");
    }

    @Test
    void isThatOfRfc2617() {
        assertThat(response(
                        "Digest username=\"Mufasa\", realm=\"testrealm@host.com\","
                                + " nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\", qop=auth,"
                                + " nc=00000001, cnonce=\"0a4f113b\", response=\"\", opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"",
                        "Circle Of Life",
                        "GET",
                        ""))
                .isEqualTo("6629fae49393a05397450978507c4ef1");
    }

    @Test
    void isThatOfRfc2069WithoutQop() {
        // with the correction of erratum 749 of RFC 2069
        assertThat(response(
                        "Digest username=\"Mufasa\", realm=\"testrealm@host.com\","
                                + " nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\", response=\"\"",
                        "CircleOfLife",
                        "GET",
                        ""))
                .isEqualTo("1949323746fe6a43ef61f9606e7febea");
    }

    @Test
    void isThatOfTheExamplesOfDigestForSip() {
        // draft-smith-sipping-auth-examples-01, 3.1 (no qop), 3.3 (auth), 3.4 (auth-int with an SDP body is in 3.3 too)
        String head = "Digest username=\"bob\", realm=\"biloxi.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\","
                + " uri=\"sip:bob@biloxi.com\", response=\"\"";
        assertThat(response(head, "zanzibar", "INVITE", "")).isEqualTo("bf57e4e0d0bffc0fbaedce64d59add5e");
        assertThat(response(head + ", qop=auth, nc=00000001, cnonce=\"0a4f113b\"", "zanzibar", "INVITE", ""))
                .isEqualTo("89eb0059246c02b2f6ee02c7961d5ea3");
        String body =
                "v=0\r\no=bob 2890844526 2890844526 IN IP4 media.biloxi.com\r\ns=-\r\nc=IN IP4 media.biloxi.com\r\n"
                        + "t=0 0\r\nm=audio 49170 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\nm=video 51372 RTP/AVP 31\r\n"
                        + "a=rtpmap:31 H261/90000\r\nm=video 53000 RTP/AVP 32\r\na=rtpmap:32 MPV/90000\r\n";
        assertThat(response(
                        head + ", algorithm=MD5, qop=auth-int, nc=00000001, cnonce=\"0a4f113b\"",
                        "zanzibar",
                        "INVITE",
                        body))
                .isEqualTo("bdbeebb2da6adb6bca02599c2239e192");
        assertThat(response(
                        head + ", algorithm=MD5-sess, qop=auth, nc=00000001, cnonce=\"0a4f113b\"",
                        "zanzibar",
                        "INVITE",
                        body))
                .isEqualTo("e4e4ea61d186d07a92c9e1f6919902e9");
    }

    @Test
    void hashesOfSha512AreTheTruncatedOnes() {
        // FIPS 180-4, the example of SHA-512/256
        assertThat(HexFormat.of().formatHex(DigestAlgorithm.SHA_512_256.hash("abc")))
                .isEqualTo("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23");
        assertThat(DigestAlgorithm.SHA_512_256.hashBytes()).isEqualTo(32);
        assertThat(DigestResponse.compute(
                        DigestAlgorithm.SHA_512_256.ha1("Mufasa", "http-auth@example.org", "Circle of Life"),
                        Objects.requireNonNull(DigestCredentials.parse(RFC_7616 + "SHA-512-256")),
                        "GET",
                        NO_BODY))
                .hasSize(64);
    }
}
