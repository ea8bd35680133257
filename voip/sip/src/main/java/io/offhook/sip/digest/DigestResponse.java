package io.offhook.sip.digest;

import java.util.HexFormat;

/**
 * Computes the response of RFC 7616, 3.4.1 to 3.4.3.
 *
 * <pre>
 * KD(H(A1), nonce ":" nc ":" cnonce ":" qop ":" H(A2))      qop is auth or auth-int
 * KD(H(A1), nonce ":" H(A2))                                 without qop
 * A2 = method ":" uri [ ":" H(body) ]                        the body with auth-int
 * </pre>
 */
final class DigestResponse {
    private DigestResponse() {}

    /**
     * The response in lower-case hex.
     *
     * @param ha1 the key of the user for the algorithm's {@link DigestAlgorithm#base()}
     * @param credentials all but the response
     * @param method as in the request line
     * @param body looked at with auth-int only
     */
    static String compute(byte[] ha1, DigestCredentials credentials, String method, byte[] body) {
        DigestAlgorithm algorithm = credentials.algorithm();
        if (algorithm == null) {
            throw new IllegalArgumentException("credentials of an unknown algorithm have no response");
        }
        String key = HexFormat.of().formatHex(ha1);
        if (algorithm.isSession()) {
            key = algorithm.hex(key + ":" + credentials.nonce() + ":" + credentials.cnonce());
        }
        String a2 = method + ":" + credentials.uri();
        if (credentials.qop() == DigestQop.AUTH_INT) {
            a2 += ":" + HexFormat.of().formatHex(algorithm.hash(body));
        }
        String counted = credentials.qop() == DigestQop.NONE
                ? ""
                : ":" + credentials.ncText() + ":" + credentials.cnonce() + ":" + credentials.qopText();
        return algorithm.hex(key + ":" + credentials.nonce() + counted + ":" + algorithm.hex(a2));
    }
}
