package io.offhook.sip.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestVerdict.Finding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A client of this package against a server of this package, and credentials written by hand. */
class DigestVerifierTest {
    private static final String REALM = "example.com";
    private static final IpAddress PHONE = IpAddress.ofIpv4(0xc0000201);
    private static final IpAddress OTHER = IpAddress.ofIpv4(0xc0000202);
    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final DigestUsers USERS = (username, realm, algorithm) ->
            username.equals("alice") ? algorithm.ha1(username, realm, "wonderland") : null;
    private static final byte[] NO_BODY = new byte[0];

    private static final long NOW = 1_800_000_000_000L;

    private static DigestVerifier verifier(DigestSettings settings) {
        return new DigestVerifier(settings, USERS, SECRET);
    }

    private static DigestSettings settings(DigestAlgorithm algorithm, boolean bindsToSource, boolean authInt) {
        return new DigestSettings(DigestOffer.of(algorithm), 60_000, 16, bindsToSource, authInt, true, true);
    }

    private static SipMessageView view(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        SipMessageView view = new SipMessageView();
        view.wrap(bytes, 0, bytes.length);
        return view;
    }

    private static SipMessageView request(List<String> lines, String body) {
        return view("REGISTER sip:example.com SIP/2.0\r\n" + String.join("\r\n", lines)
                + (lines.isEmpty() ? "" : "\r\n") + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static SipMessageView unauthorized(List<String> challenges) {
        return view("SIP/2.0 401 Unauthorized\r\nWWW-Authenticate: " + String.join("\r\nWWW-Authenticate: ", challenges)
                + "\r\n\r\n");
    }

    private static DigestClient client(String username, String password) {
        return new DigestClient(username, password, REALM, new Random(1));
    }

    /** A client that has taken a challenge made at a time. */
    private static DigestClient challenged(DigestVerifier verifier, String password, long nowMs) {
        DigestClient client = client("alice", password);
        assertThat(client.accept(unauthorized(verifier.challenges(REALM, PHONE, false, nowMs)), 0))
                .isTrue();
        return client;
    }

    private static DigestChallenge offered(DigestVerifier verifier) {
        return Objects.requireNonNull(DigestChallenge.parse(
                verifier.challenges(REALM, PHONE, false, NOW).getFirst()));
    }

    private static DigestVerdict verify(DigestVerifier verifier, List<String> lines, long nowMs) {
        return verifier.verify(request(lines, ""), SipHeader.AUTHORIZATION, REALM, PHONE, nowMs);
    }

    private static List<String> authorized(DigestClient client) {
        return client.authorize("REGISTER", "sip:example.com", NO_BODY);
    }

    @Test
    void acceptsTheUserWithEachAlgorithmAndCountsOnWithTheSameNonce() {
        for (DigestAlgorithm algorithm :
                List.of(DigestAlgorithm.MD5, DigestAlgorithm.SHA_256, DigestAlgorithm.SHA_512_256)) {
            DigestVerifier verifier = verifier(settings(algorithm, false, false));
            DigestClient client = challenged(verifier, "wonderland", NOW);

            assertThat(verify(verifier, authorized(client), NOW))
                    .isEqualTo(new DigestVerdict(Finding.AUTHENTIC, "alice"));
            assertThat(verify(verifier, authorized(client), NOW + 1000).isAuthentic())
                    .isTrue();
            assertThat(verifier.count(Finding.AUTHENTIC)).isEqualTo(2);
            assertThat(verifier.rememberedNonces()).isEqualTo(1);
        }
    }

    @Test
    void offersMd5AloneToPhonesThatGiveUpAtSha256() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);
        for (String agent : List.of("baresip v1.0.0 (x86_64/linux)", "Baresip v3.10.1 (x86_64/Linux)")) {
            assertThat(verifier.challenges(request(List.of("User-Agent: " + agent), ""), REALM, PHONE, false, NOW))
                    .as(agent)
                    .singleElement()
                    .asString()
                    .contains("algorithm=MD5");
        }
        for (String agent : List.of("baresip v3.11.0 (x86_64/Linux)", "baresip v3.1", "Linphone/5.0", "")) {
            assertThat(verifier.challenges(request(List.of("User-Agent: " + agent), ""), REALM, PHONE, false, NOW))
                    .as(agent)
                    .hasSize(2);
        }
        assertThat(verifier.challenges(request(List.of(), ""), REALM, PHONE, false, NOW))
                .hasSize(2);
        DigestSettings without = new DigestSettings(
                new DigestOffer(List.of(DigestAlgorithm.SHA_256), List.of("baresip")),
                60_000,
                16,
                false,
                false,
                true,
                true);
        assertThat(verifier(without)
                        .challenges(request(List.of("User-Agent: baresip v1"), ""), REALM, PHONE, false, NOW))
                .as("where MD5 is not offered at all")
                .singleElement()
                .asString()
                .contains("algorithm=SHA-256");
    }

    @Test
    void offersSha256FirstAndMd5Next() {
        List<String> challenges = verifier(DigestSettings.DEFAULT).challenges(REALM, PHONE, false, NOW);

        assertThat(challenges).hasSize(2);
        assertThat(challenges.get(0))
                .contains("algorithm=SHA-256", "qop=\"auth\"")
                .doesNotContain("stale");
        assertThat(challenges.get(1)).contains("algorithm=MD5");
        assertThat(verifier(DigestSettings.DEFAULT).challenges(REALM, PHONE, true, NOW))
                .allMatch(challenge -> challenge.endsWith(", stale=true"));
    }

    @Test
    void theClientTakesTheStrongestOfSeveralChallenges() {
        DigestVerifier verifier = verifier(new DigestSettings(
                DigestOffer.of(DigestAlgorithm.MD5, DigestAlgorithm.SHA_256), 60_000, 16, false, false, true, true));

        List<String> lines = authorized(challenged(verifier, "wonderland", NOW));

        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst())
                .startsWith("Authorization: Digest username=\"alice\"")
                .contains("algorithm=SHA-256");
    }

    @Test
    void refusesAnotherPasswordUserMethodUriAndRealm() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);

        assertThat(verify(verifier, authorized(challenged(verifier, "looking-glass", NOW)), NOW)
                        .finding())
                .isEqualTo(Finding.WRONG_RESPONSE);
        DigestClient nobody = client("nobody", "wonderland");
        nobody.accept(unauthorized(verifier.challenges(REALM, PHONE, false, NOW)), 0);
        assertThat(verify(verifier, authorized(nobody), NOW))
                .isEqualTo(new DigestVerdict(Finding.UNKNOWN_USER, "nobody"));
        DigestClient client = challenged(verifier, "wonderland", NOW);
        assertThat(verify(verifier, client.authorize("INVITE", "sip:example.com", NO_BODY), NOW)
                        .finding())
                .isEqualTo(Finding.WRONG_RESPONSE);
        DigestVerdict otherUri = verify(verifier, client.authorize("REGISTER", "sip:example.org", NO_BODY), NOW);
        assertThat(otherUri.finding()).isEqualTo(Finding.OTHER_URI);
        assertThat(otherUri.isBadRequest()).isTrue();
        assertThat(verifier.verify(request(authorized(client), ""), SipHeader.AUTHORIZATION, "example.org", PHONE, NOW)
                        .finding())
                .isEqualTo(Finding.ABSENT);
        assertThat(verify(verifier, List.of(), NOW).finding()).isEqualTo(Finding.ABSENT);
        assertThat(verify(verifier, List.of("Authorization: Digest realm=\"example.com\""), NOW)
                        .finding())
                .isEqualTo(Finding.MALFORMED);
        assertThat(verify(verifier, List.of("Authorization: Basic YTpi"), NOW).finding())
                .isEqualTo(Finding.ABSENT);
        assertThat(verifier.rememberedNonces()).isZero();
    }

    @Test
    void anEquivalentUriIsTheSame() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);
        DigestClient client = challenged(verifier, "wonderland", NOW);

        assertThat(verify(verifier, client.authorize("REGISTER", "sip:EXAMPLE.com", NO_BODY), NOW)
                        .isAuthentic())
                .isTrue();
    }

    @Test
    void aReplayIsRefusedAndMayTryWithAnotherNonce() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);
        List<String> lines = authorized(challenged(verifier, "wonderland", NOW));

        assertThat(verify(verifier, lines, NOW).isAuthentic()).isTrue();
        DigestVerdict replay = verify(verifier, lines, NOW);

        assertThat(replay.finding()).isEqualTo(Finding.REPLAYED);
        assertThat(replay.isStale()).isTrue();
        assertThat(verifier.count(Finding.REPLAYED)).isEqualTo(1);
    }

    @Test
    void countsMayArriveInAnotherOrderButOnceEach() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);
        DigestClient client = challenged(verifier, "wonderland", NOW);
        List<List<String>> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            requests.add(authorized(client));
        }

        for (int i : new int[] {3, 1, 2, 0, 70, 40, 7}) {
            assertThat(verify(verifier, requests.get(i), NOW).isAuthentic())
                    .as("nc " + (i + 1))
                    .isTrue();
        }
        for (int i : new int[] {3, 1, 2, 0, 70, 40, 7, 6}) {
            assertThat(verify(verifier, requests.get(i), NOW).finding())
                    .as("nc %d, seen or 64 behind", i + 1)
                    .isEqualTo(Finding.REPLAYED);
        }
        assertThat(verify(verifier, requests.get(99), NOW).isAuthentic()).isTrue();
    }

    @Test
    void anExpiredNonceWithARightResponseIsStaleAndWithAWrongOneIsNot() {
        DigestVerifier verifier = verifier(settings(DigestAlgorithm.SHA_256, false, false));
        DigestClient client = challenged(verifier, "wonderland", NOW);

        assertThat(verify(verifier, authorized(client), NOW + 60_000).isAuthentic())
                .isTrue();
        assertThat(verify(verifier, authorized(client), NOW + 60_001).finding()).isEqualTo(Finding.STALE);
        assertThat(verify(verifier, authorized(challenged(verifier, "wrong", NOW)), NOW + 60_001)
                        .finding())
                .isEqualTo(Finding.WRONG_RESPONSE);
        assertThat(client.accept(unauthorized(verifier.challenges(REALM, PHONE, true, NOW + 60_002)), 1))
                .isTrue();
        assertThat(verify(verifier, authorized(client), NOW + 60_003).isAuthentic())
                .isTrue();
    }

    @Test
    void aNonceOfAnotherProcessIsStaleSoThatARestartAsksNobodyForThePassword() {
        DigestClient client = challenged(
                new DigestVerifier(
                        DigestSettings.DEFAULT, USERS, "fedcba9876543210".getBytes(StandardCharsets.US_ASCII)),
                "wonderland",
                NOW);

        assertThat(verify(verifier(DigestSettings.DEFAULT), authorized(client), NOW)
                        .finding())
                .isEqualTo(Finding.STALE);
    }

    @Test
    void aNonceIsForItsRealmAndWhereAskedForItsAddress() {
        DigestVerifier bound = verifier(settings(DigestAlgorithm.SHA_256, true, false));
        List<String> lines = authorized(challenged(bound, "wonderland", NOW));

        assertThat(bound.verify(request(lines, ""), SipHeader.AUTHORIZATION, REALM, OTHER, NOW)
                        .finding())
                .isEqualTo(Finding.STALE);
        assertThat(verify(bound, lines, NOW).isAuthentic()).isTrue();

        DigestVerifier free = verifier(settings(DigestAlgorithm.SHA_256, false, false));
        assertThat(free.verify(
                                request(authorized(challenged(free, "wonderland", NOW)), ""),
                                SipHeader.AUTHORIZATION,
                                REALM,
                                OTHER,
                                NOW)
                        .isAuthentic())
                .isTrue();
        String otherRealm = String.valueOf(DigestChallenge.parse(
                        free.challenges("example.org", PHONE, false, NOW).getFirst()))
                .replaceAll(".*nonce=([^,]*),.*", "$1");
        DigestChallenge moved = new DigestChallenge(REALM, otherRealm, "", DigestAlgorithm.SHA_256, false, true, false);
        DigestClient client = client("alice", "wonderland");
        client.accept(unauthorized(List.of(moved.text())), 0);
        assertThat(verify(free, authorized(client), NOW).finding()).isEqualTo(Finding.STALE);
    }

    @Test
    void noncesOfTheSameMillisecondDiffer() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);

        assertThat(verifier.challenges(REALM, PHONE, false, NOW))
                .doesNotContainAnyElementsOf(verifier.challenges(REALM, PHONE, false, NOW));
    }

    @Test
    void withoutQopANonceIsGoodForOneRequest() {
        DigestVerifier verifier = verifier(settings(DigestAlgorithm.MD5, false, false));
        DigestChallenge offered = offered(verifier);
        DigestClient old = client("alice", "wonderland");
        old.accept(unauthorized(List.of("Digest realm=\"" + REALM + "\", nonce=\"" + offered.nonce() + "\"")), 0);

        assertThat(authorized(old).getFirst()).doesNotContain("qop", "cnonce");
        assertThat(verify(verifier, authorized(old), NOW).isAuthentic()).isTrue();
        assertThat(verify(verifier, authorized(old), NOW).finding()).isEqualTo(Finding.REPLAYED);
        DigestVerifier strict = verifier(
                new DigestSettings(DigestOffer.of(DigestAlgorithm.MD5), 60_000, 16, false, false, false, true));
        assertThat(verify(strict, authorized(old), NOW).finding()).isEqualTo(Finding.NOT_OFFERED);
    }

    @Test
    void authIntProtectsTheBody() {
        DigestVerifier verifier = verifier(settings(DigestAlgorithm.SHA_256, false, true));
        DigestChallenge offered = offered(verifier);
        assertThat(offered.authInt()).isTrue();
        DigestClient client = client("alice", "wonderland");
        client.accept(
                unauthorized(List.of("Digest realm=\"" + REALM + "\", nonce=\"" + offered.nonce()
                        + "\", algorithm=SHA-256, qop=\"auth-int\"")),
                0);
        byte[] body = "body".getBytes(StandardCharsets.US_ASCII);

        assertThat(verifier.verify(
                                request(client.authorize("REGISTER", "sip:example.com", body), "body"),
                                SipHeader.AUTHORIZATION,
                                REALM,
                                PHONE,
                                NOW)
                        .isAuthentic())
                .isTrue();
        assertThat(verifier.verify(
                                request(client.authorize("REGISTER", "sip:example.com", body), "Body"),
                                SipHeader.AUTHORIZATION,
                                REALM,
                                PHONE,
                                NOW)
                        .finding())
                .isEqualTo(Finding.WRONG_RESPONSE);
    }

    @Test
    void findsItsRealmAmongSeveralCredentials() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);
        List<String> lines = new ArrayList<>(List.of(
                "Authorization: Digest username=\"x\",realm=\"other\",nonce=\"n\",uri=\"sip:y\",response=\"00\"",
                "Authorization: Digest username=\"alice\",realm=\"example.com\",nonce=\"n\",uri=\"sip:example.com\",response=\"00\",algorithm=odd",
                "Authorization: Digest broken"));
        assertThat(verify(verifier, lines, NOW).finding()).isEqualTo(Finding.MALFORMED);
        lines.addAll(authorized(challenged(verifier, "wonderland", NOW)));

        assertThat(verify(verifier, lines, NOW).isAuthentic()).isTrue();
    }

    @Test
    void aFullMemoryOfNoncesNeverAcceptsAReplay() {
        DigestVerifier verifier = verifier(settings(DigestAlgorithm.SHA_256, false, false));
        List<List<String>> used = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            List<String> lines = authorized(challenged(verifier, "wonderland", NOW + i));
            assertThat(verify(verifier, lines, NOW + i).isAuthentic()).isTrue();
            used.add(lines);
        }

        assertThat(verifier.rememberedNonces()).isLessThanOrEqualTo(16);
        for (List<String> lines : used) {
            assertThat(verify(verifier, lines, NOW + 200).isStale()).isTrue();
        }
        assertThat(verify(verifier, authorized(challenged(verifier, "wonderland", NOW + 200)), NOW + 200)
                        .isAuthentic())
                .as("a client with a new nonce gets in")
                .isTrue();
    }

    @Test
    void expiredNoncesAreForgotten() {
        DigestVerifier verifier = verifier(
                new DigestSettings(DigestOffer.of(DigestAlgorithm.MD5), 60_000, 1600, false, false, true, true));
        for (int i = 0; i < 300; i++) {
            long now = NOW + i * 1_000L;
            assertThat(verify(verifier, authorized(challenged(verifier, "wonderland", now)), now)
                            .isAuthentic())
                    .isTrue();
        }

        // each of 16 shards forgets when a nonce enters it
        assertThat(verifier.rememberedNonces()).isBetween(60, 160);
    }

    @Test
    void aClockThatIsSetBackAcceptsNoReplay() {
        // room for many in each shard, so that nothing is forgotten for want of it
        DigestVerifier verifier = verifier(
                new DigestSettings(DigestOffer.of(DigestAlgorithm.MD5), 60_000, 16_000, false, false, true, true));
        List<List<String>> used = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            List<String> lines = authorized(challenged(verifier, "wonderland", NOW));
            assertThat(verify(verifier, lines, NOW).isAuthentic()).isTrue();
            used.add(lines);
        }
        for (int i = 0; i < 200; i++) {
            long later = NOW + 100_000;
            verify(verifier, authorized(challenged(verifier, "wonderland", later)), later);
        }

        assertThat(used).allMatch(lines -> verify(verifier, lines, NOW + 1).isStale());
    }

    @Test
    void ofOneRequestOnManyThreadsOneIsAccepted() throws Exception {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);
        DigestClient client = challenged(verifier, "wonderland", NOW);
        List<List<String>> requests = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            requests.add(authorized(client));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> accepted = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                accepted.add(threads.submit(() -> {
                    int count = 0;
                    for (List<String> lines : requests) {
                        count += verify(verifier, lines, NOW).isAuthentic() ? 1 : 0;
                    }
                    return count;
                }));
            }
            int sum = 0;
            for (Future<Integer> count : accepted) {
                sum += count.get();
            }
            assertThat(sum).isEqualTo(50);
        }
    }

    @Test
    void theClientGivesUpAWrongPasswordAndAnswersOnlyItsRealm() {
        DigestVerifier verifier = verifier(DigestSettings.DEFAULT);
        DigestClient client = challenged(verifier, "wrong", NOW);

        assertThat(client.accept(unauthorized(verifier.challenges(REALM, PHONE, false, NOW)), 1))
                .isFalse();
        assertThat(authorized(client)).isEmpty();
        assertThat(client.accept(unauthorized(verifier.challenges("example.org", PHONE, false, NOW)), 0))
                .isFalse();
    }

    @Test
    void theClientAnswersEachRealmOfAForkedRequest() {
        DigestClient client = new DigestClient("alice", "wonderland", null, new Random(2));
        client.accept(
                view(
                        "SIP/2.0 407 Proxy Authentication Required\r\n"
                                + "Proxy-Authenticate: Digest realm=\"one\",nonce=\"1\",qop=\"auth\"\r\n"
                                + "Proxy-Authenticate: Digest realm=\"two\",nonce=\"2\",opaque=\"o\"\r\n"
                                + "WWW-Authenticate: Digest realm=\"three\",nonce=\"3\",algorithm=AKAv1-MD5\r\n"
                                + "WWW-Authenticate: Digest realm=\"four\",nonce=\"4\",algorithm=SHA-256-sess,qop=\"auth\"\r\n\r\n"),
                0);

        assertThat(client.authorize("INVITE", "sip:b@c", NO_BODY))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith("Proxy-Authorization: ")
                                .contains("\"one\"", "nc=00000001"),
                        line -> assertThat(line)
                                .startsWith("Proxy-Authorization: ")
                                .contains("\"two\"", "opaque=\"o\"")
                                .doesNotContain("nc="),
                        line -> assertThat(line).startsWith("Authorization: ").contains("\"four\"", "cnonce="));
    }

    @Test
    void refusesASecretThatCanBeGuessed() {
        assertThatThrownBy(() -> new DigestVerifier(DigestSettings.DEFAULT, USERS, new byte[8]))
                .hasMessageContaining("16 are needed");
    }
}
