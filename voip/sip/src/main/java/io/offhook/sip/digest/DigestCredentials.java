package io.offhook.sip.digest;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of one Authorization or Proxy-Authorization header (RFC 3261, 20.7 and 20.28; RFC 7616, 3.4). Owned.
 *
 * <pre>
 * Digest username="bob", realm="biloxi.com", nonce="...", uri="sip:bob@biloxi.com", response="...",
 *        algorithm=SHA-256, qop=auth, nc=00000001, cnonce="...", opaque="..."
 * </pre>
 */
public final class DigestCredentials {
    private final AuthParameters parameters;
    private final DigestQop qop;
    private final long nc;

    private DigestCredentials(AuthParameters parameters, DigestQop qop, long nc) {
        this.parameters = parameters;
        this.qop = qop;
        this.nc = nc;
    }

    /** Whether the value of a header is of the scheme Digest, whatever follows. */
    public static boolean isDigest(String value) {
        return AuthParameters.isDigest(value);
    }

    /**
     * Reads the value of a header.
     *
     * @return null if it is not Digest, breaks the grammar, or lacks a parameter that is required: username, realm, nonce,
     *     uri and response; with qop also cnonce and nc
     */
    public static @Nullable DigestCredentials parse(String value) {
        AuthParameters parameters = AuthParameters.parse(value);
        if (parameters == null) {
            return null;
        }
        DigestQop qop = DigestQop.of(parameters.get("qop"));
        boolean isComplete = (parameters.has("username") || parameters.has("username*"))
                && parameters.has("realm")
                && parameters.has("nonce")
                && parameters.has("uri")
                && parameters.has("response");
        long nc = hex(parameters.get("nc"));
        boolean isCounted = parameters.has("cnonce") && nc > 0;
        if (!isComplete || qop == null || qop != DigestQop.NONE && !isCounted) {
            return null;
        }
        DigestAlgorithm algorithm = DigestAlgorithm.of(parameters.get("algorithm"));
        if (algorithm != null && algorithm.isSession() && !parameters.has("cnonce")) {
            return null;
        }
        return new DigestCredentials(parameters, qop, nc);
    }

    /** The user name, decoded if it is in the form of RFC 8187 ({@code username*}). */
    public String username() {
        return parameters.has("username") ? parameters.get("username") : extended(parameters.get("username*"));
    }

    /** The realm. */
    public String realm() {
        return parameters.get("realm");
    }

    /** The nonce of the challenge. */
    public String nonce() {
        return parameters.get("nonce");
    }

    /** The URI that the response protects. */
    public String uri() {
        return parameters.get("uri");
    }

    /** The response, as written: hex. */
    public String response() {
        return parameters.get("response");
    }

    /** The algorithm, MD5 if none is named; null if it is unknown. */
    public @Nullable DigestAlgorithm algorithm() {
        return DigestAlgorithm.of(parameters.get("algorithm"));
    }

    /** What the response protects. */
    public DigestQop qop() {
        return qop;
    }

    /** The nonce of the client; "" if absent. */
    public String cnonce() {
        return parameters.get("cnonce");
    }

    /** How often the client has used the nonce, this time included: 1 to 2^32 - 1; -1 if absent. */
    public long nc() {
        return nc;
    }

    /** What the server wants to see again; "" if absent. */
    public String opaque() {
        return parameters.get("opaque");
    }

    /** The count as it is hashed: as written. */
    String ncText() {
        return parameters.get("nc");
    }

    /** The quality of protection as it is hashed: as written. */
    String qopText() {
        return parameters.get("qop");
    }

    /** One to eight hex digits; -1 for other text. */
    private static long hex(String text) {
        if (text.isEmpty() || text.length() > 8) {
            return -1;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!HexFormat.isHexDigit(text.charAt(i))) {
                return -1;
            }
        }
        return HexFormat.fromHexDigitsToLong(text);
    }

    /** {@code UTF-8''J%C3%A4s}: the text; other forms as they are. */
    private static String extended(String text) {
        int language = text.indexOf('\'');
        int value = language < 0 ? -1 : text.indexOf('\'', language + 1);
        if (value < 0 || !text.substring(0, language).equalsIgnoreCase("UTF-8")) {
            return text;
        }
        byte[] out = new byte[text.length()];
        int length = 0;
        for (int i = value + 1; i < text.length(); i++) {
            boolean isEscape = text.charAt(i) == '%'
                    && i + 2 < text.length()
                    && HexFormat.isHexDigit(text.charAt(i + 1))
                    && HexFormat.isHexDigit(text.charAt(i + 2));
            if (!isEscape && text.charAt(i) > 126) {
                return text;
            }
            out[length++] = isEscape ? (byte) HexFormat.fromHexDigits(text, i + 1, i + 3) : (byte) text.charAt(i);
            i += isEscape ? 2 : 0;
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    /** User and realm, for logs; nothing that helps to guess a password. */
    @Override
    public String toString() {
        return username() + " in " + realm();
    }
}
