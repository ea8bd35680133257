package io.offhook.sip.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The algorithms of digest authentication (RFC 7616, 6.1; for SIP: RFC 8760), from the weakest to the strongest. */
public enum DigestAlgorithm {
    /** MD5, which every phone has. */
    MD5("MD5", "MD5", false),
    /** MD5 with a session key. */
    MD5_SESS("MD5-sess", "MD5", true),
    /** SHA-256. */
    SHA_256("SHA-256", "SHA-256", false),
    /** SHA-256 with a session key. */
    SHA_256_SESS("SHA-256-sess", "SHA-256", true),
    /** SHA-512/256 (FIPS 180-4, 5.3.6). */
    SHA_512_256("SHA-512-256", "SHA-512/256", false),
    /** SHA-512/256 with a session key. */
    SHA_512_256_SESS("SHA-512-256-sess", "SHA-512/256", true);

    private final String token;
    private final String hashName;
    private final boolean session;

    DigestAlgorithm(String token, String hashName, boolean session) {
        this.token = token;
        this.hashName = hashName;
        this.session = session;
    }

    /** The algorithm of a token, in any case; MD5 for "", the default of RFC 7616; null if it is unknown. */
    public static @Nullable DigestAlgorithm of(String token) {
        if (token.isEmpty()) {
            return MD5;
        }
        for (DigestAlgorithm algorithm : values()) {
            if (algorithm.token.equalsIgnoreCase(token)) {
                return algorithm;
            }
        }
        return null;
    }

    /** The name in headers. */
    public String token() {
        return token;
    }

    /** Whether the first nonce and cnonce are mixed into the key ("-sess"; RFC 7616, 3.4.2). */
    public boolean isSession() {
        return session;
    }

    /** The algorithm with the same hash and without a session key; what users are stored for. */
    public DigestAlgorithm base() {
        return switch (this) {
            case MD5, MD5_SESS -> MD5;
            case SHA_256, SHA_256_SESS -> SHA_256;
            case SHA_512_256, SHA_512_256_SESS -> SHA_512_256;
        };
    }

    /** The length of a hash in bytes: 16 or 32. */
    public int hashBytes() {
        return base() == MD5 ? 16 : 32;
    }

    /** The hash of {@code username:realm:password} (HA1), which is stored in the place of the password. */
    public byte[] ha1(String username, String realm, String password) {
        return hash(username + ":" + realm + ":" + password);
    }

    byte[] hash(String text) {
        return hash(text.getBytes(StandardCharsets.UTF_8));
    }

    byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance(hashName).digest(bytes);
        } catch (NoSuchAlgorithmException e) { // the three are in every JDK
            throw new IllegalStateException("this Java has no " + hashName, e);
        }
    }

    String hex(String text) {
        return HexFormat.of().formatHex(hash(text));
    }

    /** The token in lower case. */
    @Override
    public String toString() {
        return token.toLowerCase(Locale.ROOT);
    }
}
