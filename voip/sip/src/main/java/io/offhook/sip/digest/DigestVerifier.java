package io.offhook.sip.digest;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUri;
import io.offhook.sip.digest.DigestVerdict.Finding;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The server side of digest authentication: makes challenges and verifies credentials (RFC 3261, 22; RFC 7616).
 *
 * <p>Not for ACK and CANCEL, which cannot be challenged (RFC 3261, 22.1), nor for a retransmission, which a transaction
 * absorbs: its credentials were counted. A proxy removes credentials of its realm from what it forwards; a request that
 * comes back to it with them would be refused as replayed. Thread-safe.
 */
public final class DigestVerifier {
    /** The headers of one request that are looked at; more are ignored. */
    private static final int MOST_HEADERS = 8;

    private static final byte[] NO_BODY = new byte[0];

    private final DigestSettings settings;
    private final DigestUsers users;
    private final DigestNonces nonces;
    private final NonceCounts counts;
    private final Map<Finding, LongAdder> findings = new EnumMap<>(Finding.class);

    /**
     * Creates a verifier.
     *
     * @param settings what it offers and accepts
     * @param users the users
     * @param secret the key of the nonces, at least 16 random bytes. Processes that share it accept each other's nonces,
     *     and each counts uses for itself
     */
    public DigestVerifier(DigestSettings settings, DigestUsers users, byte[] secret) {
        if (secret.length < 16) {
            throw new IllegalArgumentException("a secret of " + secret.length + " bytes is too short; 16 are needed");
        }
        this.settings = settings;
        this.users = users;
        nonces = new DigestNonces(secret.clone(), new SecureRandom().nextLong());
        counts = new NonceCounts(settings.nonceLimit());
        for (Finding finding : Finding.values()) {
            findings.put(finding, new LongAdder());
        }
    }

    /**
     * The values of the WWW-Authenticate or Proxy-Authenticate headers of a 401 or 407, one for each algorithm that is
     * offered to the sender's User-Agent.
     *
     * @param request the request that is answered
     * @param realm the realm
     * @param source the address of the request
     * @param stale whether only the nonce was refused: {@link DigestVerdict#isStale()}
     * @param nowMs the time in ms since the epoch
     */
    public List<String> challenges(SipMessageView request, String realm, IpAddress source, boolean stale, long nowMs) {
        int line = request.find(SipHeader.USER_AGENT, 0);
        String userAgent = line < 0 ? "" : request.value(line);
        return challenges(settings.algorithmsFor(userAgent), realm, source, stale, nowMs);
    }

    /**
     * As the other, for a sender of whom nothing is known.
     *
     * @param realm the realm
     * @param source the address of the request
     * @param stale whether only the nonce was refused: {@link DigestVerdict#isStale()}
     * @param nowMs the time in ms since the epoch
     */
    public List<String> challenges(String realm, IpAddress source, boolean stale, long nowMs) {
        return challenges(settings.algorithms(), realm, source, stale, nowMs);
    }

    private List<String> challenges(
            List<DigestAlgorithm> algorithms, String realm, IpAddress source, boolean stale, long nowMs) {
        String nonce = nonces.make(realm, bound(source), nowMs);
        List<String> values = new ArrayList<>(algorithms.size());
        for (DigestAlgorithm algorithm : algorithms) {
            values.add(new DigestChallenge(realm, nonce, "", algorithm, stale, true, settings.offersAuthInt()).text());
        }
        return values;
    }

    /**
     * Verifies the credentials of a request, and counts the finding.
     *
     * @param request the request, with its whole body
     * @param header AUTHORIZATION for a registrar, PROXY_AUTHORIZATION for a proxy
     * @param realm the realm; credentials of others are passed over
     * @param source the address of the request
     * @param nowMs the time in ms since the epoch
     */
    public DigestVerdict verify(SipMessageView request, SipHeader header, String realm, IpAddress source, long nowMs) {
        DigestVerdict verdict = find(request, header, realm, source, nowMs);
        adder(verdict.finding()).increment();
        return verdict;
    }

    private DigestVerdict find(SipMessageView request, SipHeader header, String realm, IpAddress source, long nowMs) {
        DigestVerdict otherwise = new DigestVerdict(Finding.ABSENT, "");
        int line = request.find(header, 0);
        for (int i = 0; i < MOST_HEADERS && line >= 0; i++) {
            String value = request.value(line);
            DigestCredentials credentials = DigestCredentials.parse(value);
            if (credentials == null && DigestCredentials.isDigest(value)) {
                otherwise = new DigestVerdict(Finding.MALFORMED, "");
            } else if (credentials != null && credentials.realm().equals(realm)) {
                Finding finding = judge(request, credentials, bound(source), nowMs);
                if (finding != Finding.NOT_OFFERED) {
                    return new DigestVerdict(finding, credentials.username());
                }
                otherwise = new DigestVerdict(finding, credentials.username());
            }
            line = request.find(header, line + 1);
        }
        return otherwise;
    }

    private Finding judge(
            SipMessageView request, DigestCredentials credentials, @Nullable IpAddress source, long nowMs) {
        DigestAlgorithm algorithm = credentials.algorithm();
        if (algorithm == null || !settings.algorithms().contains(algorithm) || !isAccepted(credentials.qop())) {
            return Finding.NOT_OFFERED;
        }
        if (settings.comparesUri() && !isSameUri(credentials.uri(), request.requestUri())) {
            return Finding.OTHER_URI;
        }
        byte[] ha1 = users.ha1(credentials.username(), credentials.realm(), algorithm.base());
        boolean isUser = ha1 != null && ha1.length == algorithm.hashBytes();
        // computed for a user who does not exist too, so that the time does not say who does
        byte[] key = isUser && ha1 != null ? ha1 : new byte[algorithm.hashBytes()];
        String expected = DigestResponse.compute(key, credentials, request.methodText(), body(request, credentials));
        boolean isRight = DigestNonces.isSameHex(expected, credentials.response());
        if (!isUser) {
            return Finding.UNKNOWN_USER;
        }
        return isRight ? use(credentials, source, nowMs) : Finding.WRONG_RESPONSE;
    }

    /** Of a right response only: others must not fill the memory of nonces. */
    private Finding use(DigestCredentials credentials, @Nullable IpAddress source, long nowMs) {
        DigestNonces.Made nonce = nonces.read(credentials.nonce(), credentials.realm(), source);
        long oldestMs = nowMs - settings.nonceLifetimeMs();
        if (nonce == null || nonce.timeMs() < oldestMs) {
            return Finding.STALE;
        }
        // without qop nothing is counted, so that the nonce is good for one request
        long nc = credentials.qop() == DigestQop.NONE ? 1 : credentials.nc();
        return switch (counts.use(nonce, nc, oldestMs)) {
            case NEW -> Finding.AUTHENTIC;
            case REPLAYED -> Finding.REPLAYED;
            case FORGOTTEN -> Finding.STALE;
        };
    }

    private boolean isAccepted(DigestQop qop) {
        return switch (qop) {
            case NONE -> settings.acceptsNoQop();
            case AUTH -> true;
            case AUTH_INT -> settings.offersAuthInt();
        };
    }

    private static boolean isSameUri(String one, String other) {
        return one.equals(other) || SipUri.parse(one).isEquivalentTo(SipUri.parse(other));
    }

    private static byte[] body(SipMessageView request, DigestCredentials credentials) {
        if (credentials.qop() != DigestQop.AUTH_INT) {
            return NO_BODY;
        }
        int offset = request.bodyOffset();
        return Arrays.copyOfRange(request.octets(), offset, offset + request.bodyLength());
    }

    private @Nullable IpAddress bound(IpAddress source) {
        return settings.bindsToSource() ? source : null;
    }

    /** How often a finding was made. */
    public long count(Finding finding) {
        return adder(finding).sum();
    }

    private LongAdder adder(Finding finding) {
        return Objects.requireNonNull(findings.get(finding));
    }

    /** The nonces whose counts are remembered. */
    public int rememberedNonces() {
        return counts.size();
    }
}
