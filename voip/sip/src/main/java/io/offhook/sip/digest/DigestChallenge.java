package io.offhook.sip.digest;

import org.jspecify.annotations.Nullable;

/**
 * One challenge: the value of a WWW-Authenticate or Proxy-Authenticate header (RFC 3261, 20.27 and 20.44; RFC 7616, 3.3).
 *
 * @param realm the realm, as shown to users
 * @param nonce the nonce
 * @param opaque what the client has to return; "" if absent
 * @param algorithm the algorithm
 * @param stale whether only the nonce was refused, so that the client need not ask its user again
 * @param auth whether qop=auth is offered
 * @param authInt whether qop=auth-int is offered; with neither, the client answers as in RFC 2069
 */
public record DigestChallenge(
        String realm,
        String nonce,
        String opaque,
        DigestAlgorithm algorithm,
        boolean stale,
        boolean auth,
        boolean authInt) {
    /** Reads the value of a header; null if it is not Digest, is malformed, or its algorithm or every qop is unknown. */
    public static @Nullable DigestChallenge parse(String value) {
        AuthParameters parameters = AuthParameters.parse(value);
        if (parameters == null || !parameters.has("realm") || !parameters.has("nonce")) {
            return null;
        }
        DigestAlgorithm algorithm = DigestAlgorithm.of(parameters.get("algorithm"));
        boolean auth = false;
        boolean authInt = false;
        for (String qop : parameters.get("qop").split(",", -1)) {
            auth |= qop.strip().equalsIgnoreCase("auth");
            authInt |= qop.strip().equalsIgnoreCase("auth-int");
        }
        boolean isUnknown = !parameters.get("qop").isBlank() && !auth && !authInt;
        if (algorithm == null || isUnknown) {
            return null;
        }
        return new DigestChallenge(
                parameters.get("realm"),
                parameters.get("nonce"),
                parameters.get("opaque"),
                algorithm,
                parameters.get("stale").equalsIgnoreCase("true"),
                auth,
                authInt);
    }

    /** The value of the header. */
    public String text() {
        StringBuilder text = new StringBuilder("Digest realm=")
                .append(AuthParameters.quote(realm))
                .append(", nonce=")
                .append(AuthParameters.quote(nonce));
        if (!opaque.isEmpty()) {
            text.append(", opaque=").append(AuthParameters.quote(opaque));
        }
        text.append(", algorithm=").append(algorithm.token());
        if (auth || authInt) {
            text.append(", qop=\"")
                    .append(auth ? "auth" : "")
                    .append(auth && authInt ? "," : "")
                    .append(authInt ? "auth-int" : "")
                    .append('"');
        }
        return stale ? text.append(", stale=true").toString() : text.toString();
    }
}
