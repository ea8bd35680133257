package io.offhook.sip.digest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Fuzz targets; in ordinary runs they take the seeds in resources. */
class DigestFuzzTest {
    @FuzzTest(maxDuration = "60s")
    void credentials(byte[] bytes) {
        String value = new String(bytes, StandardCharsets.UTF_8);
        DigestCredentials credentials = DigestCredentials.parse(value);
        if (credentials != null) {
            assertThat(DigestCredentials.isDigest(value)).isTrue();
            assertThat(credentials.qop() == DigestQop.NONE || credentials.nc() >= 1)
                    .isTrue();
            DigestAlgorithm algorithm = credentials.algorithm();
            if (algorithm != null) {
                byte[] ha1 = algorithm.ha1(credentials.username(), credentials.realm(), "password");
                assertThat(DigestResponse.compute(ha1, credentials, "REGISTER", bytes))
                        .hasSize(2 * algorithm.hashBytes());
            }
        }
    }

    @FuzzTest(maxDuration = "60s")
    void challenge(byte[] bytes) {
        DigestChallenge challenge = DigestChallenge.parse(new String(bytes, StandardCharsets.UTF_8));
        if (challenge != null && isPrintable(challenge.realm() + challenge.nonce() + challenge.opaque())) {
            assertThat(DigestChallenge.parse(challenge.text())).isEqualTo(challenge);
        }
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c != 127);
    }
}
