package io.offhook.sip.digest;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The client side of digest authentication: an account at a peer that challenges (RFC 3261, 22.2 and 22.3).
 *
 * <p>{@link #accept} takes the challenges of a 401 or 407; {@link #authorize} makes the credentials of the repeated
 * request, and of later ones until the nonce is refused. Of several challenges for one realm the strongest algorithm is
 * answered; each realm gets its own credentials. Thread-safe.
 */
public final class DigestClient {
    private static final int MOST_REALMS = 8;

    private final String username;
    private final String password;
    private final @Nullable String onlyRealm;
    private final RandomGenerator random;
    private final Map<String, Answer> answers = new LinkedHashMap<>();

    private static final class Answer {
        final SipHeader header;
        final DigestChallenge challenge;
        final String cnonce;
        final byte[] ha1;
        long nc;

        Answer(SipHeader header, DigestChallenge challenge, String cnonce, byte[] ha1) {
            this.header = header;
            this.challenge = challenge;
            this.cnonce = cnonce;
            this.ha1 = ha1;
        }
    }

    /**
     * Creates an account.
     *
     * @param username the user name
     * @param password the password
     * @param realm the realm that is answered; null for every realm, which lets whoever sees a request have it answered
     * @param random makes the cnonce; must not be predictable
     */
    public DigestClient(String username, String password, @Nullable String realm, RandomGenerator random) {
        this.username = username;
        this.password = password;
        onlyRealm = realm;
        this.random = random;
    }

    /**
     * Takes the challenges of a response.
     *
     * @param response a 401 or 407, which may hold challenges of several servers (RFC 3261, 16.7 step 7)
     * @param refusals how often the same request was answered so before; from the first time on, only a challenge that
     *     says that the nonce was stale is worth another attempt
     * @return whether the request should be repeated with {@link #authorize}
     */
    public synchronized boolean accept(SipMessageView response, int refusals) {
        boolean isAnswered = take(response, SipHeader.WWW_AUTHENTICATE, SipHeader.AUTHORIZATION, refusals);
        return take(response, SipHeader.PROXY_AUTHENTICATE, SipHeader.PROXY_AUTHORIZATION, refusals) || isAnswered;
    }

    private boolean take(SipMessageView response, SipHeader from, SipHeader to, int refusals) {
        Map<String, DigestChallenge> strongest = new LinkedHashMap<>();
        for (int line = response.find(from, 0); line >= 0; line = response.find(from, line + 1)) {
            DigestChallenge challenge = DigestChallenge.parse(response.value(line));
            if (challenge == null || onlyRealm != null && !onlyRealm.equals(challenge.realm())) {
                continue;
            }
            DigestChallenge known = strongest.get(challenge.realm());
            boolean isStronger = known == null
                    || challenge.algorithm().base().compareTo(known.algorithm().base()) > 0;
            if (isStronger && (known != null || strongest.size() < MOST_REALMS)) {
                strongest.put(challenge.realm(), challenge);
            }
        }
        boolean isAnswered = false;
        for (DigestChallenge challenge : strongest.values()) {
            String key = to + " " + challenge.realm();
            if (refusals > 0 && answers.containsKey(key) && !challenge.stale()) {
                answers.remove(key);
                continue;
            }
            if (answers.size() >= MOST_REALMS && !answers.containsKey(key)) {
                answers.remove(answers.keySet().iterator().next());
            }
            answers.put(key, answer(to, challenge));
            isAnswered = true;
        }
        return isAnswered;
    }

    private Answer answer(SipHeader header, DigestChallenge challenge) {
        byte[] cnonce = new byte[16];
        random.nextBytes(cnonce);
        byte[] ha1 = challenge.algorithm().ha1(username, challenge.realm(), password);
        return new Answer(header, challenge, HexFormat.of().formatHex(cnonce), ha1);
    }

    /**
     * The header lines of credentials for a request, without line ends: {@code Proxy-Authorization: Digest ...}. Empty
     * before the first challenge. Each call counts one use of the nonces, so it is made once for each request.
     *
     * @param method the method
     * @param uri the Request-URI as it is sent
     * @param body the body as it is sent; empty if there is none
     */
    public synchronized List<String> authorize(String method, String uri, byte[] body) {
        List<String> lines = new ArrayList<>(answers.size());
        for (Answer answer : answers.values()) {
            answer.nc++;
            lines.add(answer.header.text() + ": " + credentials(answer, method, uri, body));
        }
        return lines;
    }

    private String credentials(Answer answer, String method, String uri, byte[] body) {
        DigestChallenge challenge = answer.challenge;
        StringBuilder text = new StringBuilder("Digest username=")
                .append(AuthParameters.quote(username))
                .append(", realm=")
                .append(AuthParameters.quote(challenge.realm()))
                .append(", nonce=")
                .append(AuthParameters.quote(challenge.nonce()))
                .append(", uri=")
                .append(AuthParameters.quote(uri))
                .append(", algorithm=")
                .append(challenge.algorithm().token());
        if (!challenge.opaque().isEmpty()) {
            text.append(", opaque=").append(AuthParameters.quote(challenge.opaque()));
        }
        boolean isCounted = challenge.auth() || challenge.authInt();
        if (isCounted || challenge.algorithm().isSession()) {
            text.append(", cnonce=\"").append(answer.cnonce).append('"');
        }
        if (isCounted) {
            text.append(", qop=").append(challenge.auth() ? "auth" : "auth-int");
            text.append(", nc=").append(HexFormat.of().toHexDigits(answer.nc, 8));
        }
        DigestCredentials unsigned = DigestCredentials.parse(text + ", response=\"\"");
        if (unsigned == null) {
            throw new IllegalStateException("credentials that cannot be read: " + text);
        }
        String response = DigestResponse.compute(answer.ha1, unsigned, method, body);
        return text.append(", response=\"").append(response).append('"').toString();
    }
}
