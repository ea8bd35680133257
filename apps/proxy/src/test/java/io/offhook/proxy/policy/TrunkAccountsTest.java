package io.offhook.proxy.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.ProxyConfig;
import io.offhook.proxy.routing.Accounts;
import io.offhook.proxy.routing.RoutingConfig;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeaderChanges;
import io.offhook.sip.proxy.ProxyCore;
import io.offhook.sip.proxy.ProxyIdentity;
import io.offhook.sip.proxy.ProxyListener;
import io.offhook.sip.proxy.ProxyPolicy;
import io.offhook.sip.proxy.ProxySettings;
import io.offhook.sip.proxy.ProxySetup;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.transaction.TransactionLimits;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionTimers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which requests are given the credentials of a trunk, in a core on simulated time. */
class TrunkAccountsTest {
    private static final IpAddress OWN = Objects.requireNonNull(IpAddress.parse("192.0.2.1"));
    private static final SipHop PHONE = hop("10.0.0.7", 5060);
    private static final String TRUNK = "192.0.2.140:5060";
    private static final String ELSEWHERE = "203.0.113.66:5060";
    private static final String CHALLENGE =
            "Proxy-Authenticate: Digest realm=\"carrier.example\", nonce=\"n\", qop=\"auth\"\r\n";

    @TempDir
    private Path folder;

    private final TrunkAccounts accounts = new TrunkAccounts();
    private final List<String> sent = new ArrayList<>();
    private final ProxyCore core = new ProxyCore(0, setup(), new Policy(), (_, _, _) -> {}, this::send, 1);
    private @Nullable String credentials = "carrier";
    private int requests;

    /** Requests outside of dialogs go to where their URI leads, as the target of a rule. */
    private final class Policy implements ProxyPolicy {
        @Override
        public void decide(ResponseContext context, SipMessageView request, long nowNs) {
            if (context.isInDialog() || credentials == null) {
                context.relay(nowNs);
                return;
            }
            ForkTarget target = new ForkTarget(
                    request.requestUri(),
                    List.of(),
                    "",
                    null,
                    HeaderChanges.NONE,
                    new TrunkAccounts.Single(credentials));
            context.fork(List.of(List.of(target)), nowNs);
        }

        @Override
        public @Nullable DigestClient account(ResponseContext context, @Nullable ForkTarget target, SipHop place) {
            return accounts.find(context, target, place);
        }
    }

    private static ProxySetup setup() {
        return new ProxySetup(
                new ProxyIdentity(List.of(ProxyListener.of(SipTransport.UDP, OWN, 5060)), Set.of(OWN), Set.of()),
                ProxySettings.standard(1),
                new TransactionSettings(TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, 1));
    }

    private static SipHop hop(String address, int port) {
        IpAddress ip = Objects.requireNonNull(IpAddress.parse(address));
        return new SipHop().set(SipTransport.UDP, 0, ip.high(), ip.low(), port);
    }

    private boolean send(SipHop to, byte[] octets, int offset, int length) {
        String text = new String(octets, offset, length, UTF_8);
        if (!text.startsWith("ACK ")) {
            sent.add(to.address() + ":" + to.port() + " " + text);
        }
        return true;
    }

    private RoutingConfig config(String yaml) {
        return ProxyConfig.reader()
                .read("listeners: [{name: a, address: 127.0.0.1, port: 0}]\n" + yaml, "c")
                .routing();
    }

    @BeforeEach
    void configure() throws IOException {
        Path password = Files.writeString(folder.resolve("password"), "secret\nnot this\n");
        accounts.configure(Accounts.read(config("""
                credentials:
                  carrier: {realm: carrier.example, user: office, password-file: %s}
                groups:
                  carrier: {members: [{uri: "sip:192.0.2.140"}, {uri: "sip:gateway.example"}], credentials: carrier}
                """.formatted(password))));
    }

    /** Whether a request that is challenged at a place is sent again with credentials. */
    private boolean isAnswered(String method, String callId, String toTag, String place) {
        sent.clear();
        requests++;
        String route = toTag.isEmpty() ? "" : "Route: <sip:192.0.2.1:5060;lr>\r\n";
        byte[] request = (method + " sip:358@" + place + " SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.7;branch=z9hG4bK"
                        + requests
                        + "\r\n" + route
                        + "Max-Forwards: 70\r\nFrom: <sip:a@example.org>;tag=a\r\nTo: <sip:358@example.org>"
                        + (toTag.isEmpty() ? "" : ";tag=" + toTag) + "\r\nCall-ID: " + callId + "\r\nCSeq: " + requests
                        + " " + method + "\r\nContent-Length: 0\r\n\r\n")
                .getBytes(UTF_8);
        core.transactions().receive(request, 0, request.length, PHONE, requests);
        String forwarded = sent.removeLast();
        assertThat(forwarded).startsWith(place + " " + method);
        StringBuilder answer = new StringBuilder("SIP/2.0 407 Prove It\r\n" + CHALLENGE);
        forwarded
                .lines()
                .filter(line -> line.matches("(Via|From|Call-ID|CSeq): .*"))
                .forEach(line -> answer.append(line).append("\r\n"));
        answer.append("To: <sip:358@example.org>;tag=b\r\nContent-Length: 0\r\n\r\n");
        byte[] octets = answer.toString().getBytes(UTF_8);
        core.transactions().receive(octets, 0, octets.length, hop("192.0.2.140", 5060), requests);
        String last = sent.getLast();
        if (last.startsWith("10.0.0.7:5060 SIP/2.0 407")) {
            return false;
        }
        assertThat(last).startsWith(place + " " + method).contains("Proxy-Authorization: Digest username=\"office\"");
        return true;
    }

    @Test
    void answersForTheCredentialsThatTheRulesName() {
        assertThat(isAnswered("INVITE", "one", "", TRUNK)).isTrue();
        credentials = "other";
        assertThat(isAnswered("INVITE", "two", "", TRUNK))
                .as("which do not exist")
                .isFalse();
        credentials = "";
        assertThat(isAnswered("INVITE", "three", "", TRUNK)).isFalse();
    }

    @Test
    void answersInTheDialogsThatBeganSo() {
        assertThat(isAnswered("INVITE", "one", "", ELSEWHERE))
                .as("a named member")
                .isTrue();
        for (String method : List.of("INVITE", "UPDATE", "BYE")) {
            assertThat(isAnswered(method, "one", "b", ELSEWHERE)).as(method).isTrue();
            assertThat(isAnswered(method, "one", "b", TRUNK))
                    .as("another member")
                    .isTrue();
        }
    }

    /** A caller may write any Request-URI into a request of a dialog, and learn from an answer to a nonce of its choice. */
    @Test
    void answersNobodyElseInADialog() {
        assertThat(isAnswered("INVITE", "one", "", TRUNK)).isTrue();
        assertThat(isAnswered("INVITE", "one", "b", ELSEWHERE)).isFalse();
        assertThat(isAnswered("BYE", "one", "b", ELSEWHERE)).isFalse();
    }

    /** Neither To tag nor Route are signed: with them alone, nobody calls on the account of the proxy. */
    @Test
    void answersNoInviteOfADialogThatNeverBegan() {
        assertThat(isAnswered("INVITE", "made-up", "b", TRUNK)).isFalse();
        assertThat(isAnswered("REFER", "made-up", "b", TRUNK)).isFalse();
        assertThat(isAnswered("BYE", "made-up", "b", TRUNK))
                .as("of before a restart")
                .isTrue();
    }

    @Test
    void answersNothingThatIsRelayedByItsUri() {
        credentials = null;
        assertThat(isAnswered("INVITE", "one", "", TRUNK)).isFalse();
    }

    @Test
    void forgetsDialogsWhoseCredentialsWent() {
        assertThat(isAnswered("INVITE", "one", "", TRUNK)).isTrue();
        assertThat(accounts.dialogs()).isEqualTo(1);
        accounts.configure(Accounts.NONE);
        assertThat(accounts.dialogs()).isZero();
        assertThat(isAnswered("BYE", "one", "b", TRUNK)).isFalse();
    }

    @Test
    void reportsAPasswordThatIsMissing() throws IOException {
        String yaml = "credentials: {carrier: {user: office, password-file: %s}}\n";
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> Accounts.read(config(yaml.formatted(none))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("credentials carrier cannot be read from " + none);
        Path empty = Files.writeString(folder.resolve("empty"), "\nsecret\n");
        assertThatThrownBy(() -> Accounts.read(config(yaml.formatted(empty))))
                .hasMessage("credentials carrier have no password: the first line of " + empty + " is empty");
    }
}
