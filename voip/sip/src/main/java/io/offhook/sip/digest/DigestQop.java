package io.offhook.sip.digest;

import org.jspecify.annotations.Nullable;

/** What a digest response protects (RFC 7616, 3.4). */
public enum DigestQop {
    /** Method and URI, without counting: RFC 2069, before RFC 2617. */
    NONE(""),
    /** Method and URI. */
    AUTH("auth"),
    /** Method, URI and body. */
    AUTH_INT("auth-int");

    private final String token;

    DigestQop(String token) {
        this.token = token;
    }

    /** The name in headers; "" for NONE. */
    public String token() {
        return token;
    }

    static @Nullable DigestQop of(String token) {
        for (DigestQop qop : values()) {
            if (qop.token.equalsIgnoreCase(token)) {
                return qop;
            }
        }
        return null;
    }
}
