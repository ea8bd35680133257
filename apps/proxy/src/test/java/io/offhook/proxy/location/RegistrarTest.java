package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUri;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.digest.DigestSettings;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.digest.DigestVerdict.Finding;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.Gruus;
import io.offhook.sip.registrar.RegisterFinding;
import io.offhook.sip.registrar.RegisterOutcome;
import io.offhook.sip.registrar.RegisteredTarget;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The registrar as a lane uses it, with phones that know their passwords. */
class RegistrarTest {
    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final AddressOfRecord ALICE = new AddressOfRecord("alice", "example.com");
    private static final AddressOfRecord BOB = new AddressOfRecord("bob", "example.com");

    private final DigestVerifier verifier = new DigestVerifier(
            DigestSettings.DEFAULT,
            (name, realm, algorithm) -> name.equals("alice") || name.equals("alice@Example.com")
                    ? algorithm.ha1(name, realm, "wonderland")
                    : null,
            SECRET);
    private MemoryLocationStore store;
    private Registrar registrar;

    @BeforeEach
    void open() throws Exception {
        store = MemoryLocationStore.open(
                LocationConfig.DEFAULT, InstantSource.fixed(Instant.ofEpochMilli(Registrations.NOW)));
        registrar = registrar(store, verifier);
    }

    private static Registrar registrar(LocationStore store, @Nullable DigestVerifier verifier) {
        return new Registrar(RegistrarConfig.DEFAULT, store, "example.com"::equals, verifier, new Gruus(SECRET));
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** An answer. */
    private record Answer(int status, List<String> headers, List<Finding> findings) {
        SipMessageView view() {
            return Registrations.view("SIP/2.0 " + status + " X\r\n" + String.join("\r\n", headers) + "\r\n\r\n");
        }
    }

    private Answer register(Registrar at, String message) throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        List<Finding> findings = new CopyOnWriteArrayList<>();
        at.register(Registrations.view(message), Registrations.source(), Registrations.NOW, new RegistrarAnswer() {
            @Override
            public void credentials(DigestVerdict verdict) {
                findings.add(verdict.finding());
            }

            @Override
            public void answer(int status, String reason, List<String> headers) {
                answer.complete(new Answer(status, headers, List.copyOf(findings)));
            }
        });
        return answer.get(30, TimeUnit.SECONDS);
    }

    private static String with(String message, List<String> lines) {
        return message.replace("Content-Length", String.join("\r\n", lines) + "\r\nContent-Length");
    }

    private Answer registerAuthenticated(String username, AddressOfRecord user, long cseq, String extra)
            throws Exception {
        String message =
                Registrations.register(user, cseq, Registrations.contact(user)).replace("Contact:", extra + "Contact:");
        Answer challenge = register(registrar, message);
        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.findings()).containsExactly(Finding.ABSENT);
        DigestClient client = new DigestClient(username, "wonderland", null, new Random(1));
        assertThat(client.accept(challenge.view(), 0)).isTrue();
        return register(registrar, with(message, client.authorize("REGISTER", "sip:example.com", new byte[0])));
    }

    private List<RegisteredTarget> find(String uri) throws Exception {
        Registrations.Waited<List<RegisteredTarget>> waited = new Registrations.Waited<>();
        registrar.find(SipUri.parse(uri), Registrations.NOW, waited);
        return waited.get();
    }

    @Test
    void aPhoneIsChallengedRegistersAndIsFound() throws Exception {
        Answer answer = registerAuthenticated("alice", ALICE, 1, "");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).anyMatch(line -> line.startsWith("Contact: <sip:alice@192.0.2.17:5060;"));
        assertThat(find("sip:%61lice@EXAMPLE.com:5070;user=phone"))
                .singleElement()
                .satisfies(target -> {
                    assertThat(target.binding().contact()).isEqualTo("sip:alice@192.0.2.17:5060;transport=udp;ob");
                    assertThat(target.binding().flowToken()).hasSize(12);
                });
        assertThat(find("sip:bob@example.com")).isEmpty();
        assertThat(find("sip:alice@example.org")).isEmpty();
        assertThat(find("tel:+1")).isEmpty();
        assertThat(registrar.challenged()).isEqualTo(1);
        assertThat(verifier.count(DigestVerdict.Finding.AUTHENTIC)).isEqualTo(1);
        assertThat(registrar.count(RegisterFinding.UPDATED)).isEqualTo(1);
    }

    @Test
    void theChallengeOffersSha256First() throws Exception {
        Answer challenge = register(registrar, Registrations.register(ALICE, 1, Registrations.contact(ALICE)));

        assertThat(challenge.headers()).hasSize(2);
        assertThat(challenge.headers().get(0))
                .startsWith("WWW-Authenticate: Digest realm=\"example.com\"")
                .contains("algorithm=SHA-256");
        assertThat(challenge.headers().get(1)).contains("algorithm=MD5");
        int request =
                Registrations.register(ALICE, 1, Registrations.contact(ALICE)).length();
        assertThat(String.join("\r\n", challenge.headers()).length())
                .as("what an address that was forged would get")
                .isLessThan(request);
    }

    @Test
    void aUserRegistersItselfOnly() throws Exception {
        assertThat(registerAuthenticated("alice", BOB, 1, "").status()).isEqualTo(403);
        assertThat(registrar.forbidden()).isEqualTo(1);
        assertThat(find("sip:bob@example.com")).isEmpty();

        registrar.change(new RegistrarConfig(RegistrarConfig.DEFAULT.policy(), null, true, true));
        assertThat(registerAuthenticated("alice", BOB, 2, "").status()).isEqualTo(200);
    }

    @Test
    void aUserNameMayNameTheDomain() throws Exception {
        assertThat(registerAuthenticated("alice@Example.com", ALICE, 1, "").status())
                .isEqualTo(200);
    }

    @Test
    void aWrongPasswordIsChallengedAgainAndAReplayIsStale() throws Exception {
        String message = Registrations.register(ALICE, 1, Registrations.contact(ALICE));
        DigestClient client = new DigestClient("alice", "wrong", null, new Random(1));
        client.accept(register(registrar, message).view(), 0);
        Answer again = register(registrar, with(message, client.authorize("REGISTER", "sip:example.com", new byte[0])));
        assertThat(again.status()).isEqualTo(401);
        assertThat(again.headers()).noneMatch(line -> line.contains("stale"));

        DigestClient right = new DigestClient("alice", "wonderland", null, new Random(1));
        right.accept(register(registrar, message).view(), 0);
        List<String> lines = right.authorize("REGISTER", "sip:example.com", new byte[0]);
        assertThat(register(registrar, with(message, lines)).status()).isEqualTo(200);
        Answer replay = register(registrar, with(message, lines));
        assertThat(replay.status()).isEqualTo(401);
        assertThat(replay.headers()).allMatch(line -> line.endsWith("stale=true"));
    }

    @Test
    void credentialsThatCannotBeReadAreA400() throws Exception {
        assertThat(register(
                                registrar,
                                with(
                                        Registrations.register(ALICE, 1, Registrations.contact(ALICE)),
                                        List.of("Authorization: Digest nothing")))
                        .status())
                .isEqualTo(400);
        assertThat(registrar.count(RegisterFinding.MALFORMED)).isEqualTo(1);
    }

    @Test
    void whatTheRulesRefuseIsAnsweredSo() throws Exception {
        Registrar open = registrar(store, null);
        Answer brief = register(open, Registrations.register(ALICE, 1, "<sip:a@192.0.2.1>;expires=5"));
        assertThat(brief).isEqualTo(new Answer(423, List.of("Min-Expires: 60"), List.of()));
        Answer extension = register(
                open,
                Registrations.register(ALICE, 1, "<sip:a@192.0.2.1>").replace("Contact", "Require: x\r\nContact"));
        assertThat(extension).isEqualTo(new Answer(420, List.of("Unsupported: x"), List.of()));
        Answer elsewhere =
                register(open, Registrations.register(new AddressOfRecord("a", "example.org"), 1, "<sip:a@192.0.2.1>"));
        assertThat(elsewhere.status()).isEqualTo(404);
        assertThat(open.notFound()).isEqualTo(1);
        assertThat(open.count(RegisterFinding.TOO_BRIEF)).isEqualTo(1);
    }

    @Test
    void aGruuLeadsToItsPhone() throws Exception {
        Answer answer = registerAuthenticated("alice", ALICE, 1, "Supported: gruu\r\n");
        Matcher temporary = Pattern.compile("temp-gruu=\"([^\"]+)\"").matcher(String.join("\n", answer.headers()));
        assertThat(temporary.find()).isTrue();

        assertThat(find(temporary.group(1))).hasSize(1);
        assertThat(find("sip:alice@example.com;gr=urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"))
                .hasSize(1);
        assertThat(find("sip:alice@example.com;gr=urn:uuid:00000000-7dec-11d0-a765-00a0c91e6bf6"))
                .isEmpty();
    }

    @Test
    void aStoreThatFailsIsAnsweredAndCounted() throws Exception {
        for (StoreFailure failure : StoreFailure.values()) {
            Registrar failing = registrar(new FailingStore(failure), null);
            Answer answer = register(failing, Registrations.register(ALICE, 1, Registrations.contact(ALICE)));
            assertThat(answer.status()).as(failure.name()).isEqualTo(failure.status());
            assertThat(answer.headers()).isEqualTo(failure.status() == 503 ? List.of("Retry-After: 10") : List.of());
            assertThat(failing.count(failure)).isEqualTo(1);
        }
        assertThat(StoreFailure.UNWRITABLE.status()).isEqualTo(500);
    }

    private record FailingStore(StoreFailure failure) implements LocationStore {
        @Override
        public void find(AddressOfRecord addressOfRecord, long nowMs, StoreCallback<List<Binding>> callback) {
            callback.failed(failure);
        }

        @Override
        public void update(
                AddressOfRecord addressOfRecord, BindingChange change, StoreCallback<RegisterOutcome> callback) {
            callback.failed(failure);
        }

        @Override
        public void forEach(long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor) {}

        @Override
        public LocationFigures figures() {
            return new LocationFigures(0, 0, 0, 0, 0, 0, 0);
        }

        @Override
        public void close() {}
    }

    @Test
    void allThatIsRegisteredCanBeListed() throws Exception {
        registerAuthenticated("alice", ALICE, 1, "");
        List<String> listed = new ArrayList<>();
        store.forEach(Registrations.NOW, (user, bindings) -> listed.add(user + " " + bindings));
        assertThat(listed).containsExactly("sip:alice@example.com [sip:alice@192.0.2.17:5060;transport=udp;ob]");
        store.forEach(Registrations.NOW + 3_600_000, (user, bindings) -> listed.add("expired"));
        assertThat(listed).hasSize(1);
    }
}
