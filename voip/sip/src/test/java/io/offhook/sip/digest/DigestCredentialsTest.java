package io.offhook.sip.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestCredentialsTest {
    private static final String REQUIRED =
            "Digest username=\"a\",realm=\"r\",nonce=\"n\",uri=\"sip:r\",response=\"00\"";

    @Test
    void readsAllParametersInAnyOrderAndCase() {
        DigestCredentials credentials = Objects.requireNonNull(
                DigestCredentials.parse(
                        "digest  NC=0000000a , Cnonce=\"c,\\\"x\\\\\", qop=\"auth-int\", algorithm=sha-256 ,\tusername = \"alice\","
                                + "realm=\"ex,am\\\"ple\", nonce=n0nce==, uri=\"sip:b@c;x=\\\"1\\\"\", opaque=\"\", response=\"AB\", auth-param=1,"));

        assertThat(credentials.username()).isEqualTo("alice");
        assertThat(credentials.realm()).isEqualTo("ex,am\"ple");
        assertThat(credentials.nonce()).isEqualTo("n0nce==");
        assertThat(credentials.uri()).isEqualTo("sip:b@c;x=\"1\"");
        assertThat(credentials.response()).isEqualTo("AB");
        assertThat(credentials.algorithm()).isEqualTo(DigestAlgorithm.SHA_256);
        assertThat(credentials.qop()).isEqualTo(DigestQop.AUTH_INT);
        assertThat(credentials.cnonce()).isEqualTo("c,\"x\\");
        assertThat(credentials.nc()).isEqualTo(10);
        assertThat(credentials.opaque()).isEmpty();
        assertThat(credentials).hasToString("alice in ex,am\"ple");
    }

    @Test
    void withoutAlgorithmItIsMd5AndAnUnknownOneIsNone() {
        assertThat(Objects.requireNonNull(DigestCredentials.parse(REQUIRED)).algorithm())
                .isEqualTo(DigestAlgorithm.MD5);
        assertThat(Objects.requireNonNull(DigestCredentials.parse(REQUIRED + ",algorithm=AKAv1-MD5"))
                        .algorithm())
                .isNull();
    }

    @Test
    void decodesExtendedUserNames() {
        String rest = ",realm=\"r\",nonce=\"n\",uri=\"sip:r\",response=\"00\"";
        assertThat(Objects.requireNonNull(
                                DigestCredentials.parse("Digest username*=UTF-8''J%C3%A4s%c3%B8n%20Doe" + rest))
                        .username())
                .isEqualTo("Jäsøn Doe");
        assertThat(Objects.requireNonNull(DigestCredentials.parse("Digest username*=UTF-8''%zz" + rest))
                        .username())
                .isEqualTo("%zz");
        assertThat(Objects.requireNonNull(DigestCredentials.parse("Digest username*=odd" + rest))
                        .username())
                .isEqualTo("odd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Basic YWxpY2U6c2VjcmV0",
                "Digest",
                "Digestusername=a",
                "Digest username=\"a\",nonce=\"n\",uri=\"u\",response=\"00\"",
                REQUIRED + ",realm=\"twice\"",
                REQUIRED + ",qop=auth",
                REQUIRED + ",qop=auth,cnonce=\"c\",nc=0",
                REQUIRED + ",qop=auth,cnonce=\"c\",nc=123456789",
                REQUIRED + ",qop=auth,cnonce=\"c\",nc=-1",
                REQUIRED + ",qop=other,cnonce=\"c\",nc=1",
                REQUIRED + ",algorithm=MD5-sess",
                REQUIRED + ",x=\"open",
                REQUIRED + ",x=\"a\"b",
                REQUIRED + ",=1",
                REQUIRED + " nc=1",
            })
    void refusesWhatBreaksTheGrammarOrLacksAParameter(String value) {
        assertThat(DigestCredentials.parse(value)).isNull();
    }

    @Test
    void refusesMoreParametersThanAnyClientSends() {
        StringBuilder value = new StringBuilder(REQUIRED);
        for (int i = 5; i < 32; i++) {
            value.append(",x").append(i).append("=1");
        }
        assertThat(DigestCredentials.parse(value.toString())).isNotNull();
        assertThat(DigestCredentials.parse(value + ",more=1")).isNull();
    }
}
