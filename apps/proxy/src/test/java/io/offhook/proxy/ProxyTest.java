package io.offhook.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.offhook.proxy.control.LiveState;
import io.offhook.proxy.dns.LoopbackDns;
import io.offhook.proxy.statistics.CallOutcome;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.users.UserFileEditor;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestClient;
import io.offhook.testkit.peers.Certificates;
import io.offhook.testkit.peers.LoopbackPorts;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The proxy put together, between sockets that a test plays by hand. */
@Timeout(60)
class ProxyTest {
    private static final String LISTEN =
            "listeners: [{name: udp, transport: udp, address: 127.0.0.1, port: 0}]\nlanes: 2\n";

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void nothingFailed() {
        assertThat(failures).isEmpty();
    }

    private Proxy open(String yaml) throws IOException {
        return Proxy.open(config(yaml), failures::add);
    }

    private static ProxyConfig config(String yaml) {
        return ProxyConfig.reader().read(LISTEN + "shutdown-grace: 0s\n" + yaml, "test.yaml");
    }

    @Test
    void goesToTheNextMemberOfAGroupWhenOneIsUnavailable() throws IOException {
        try (Phone alice = new Phone();
                Phone first = new Phone();
                Phone second = new Phone();
                Proxy proxy = open("""
                        routes: [{match: {prefix: "00"}, then: {group: {name: carrier}}}]
                        groups:
                          carrier:
                            members:
                              - {uri: "sip:127.0.0.1:%d"}
                              - {uri: "sip:127.0.0.1:%d", priority: 1}
                        """.formatted(first.port(), second.port()))) {
            alice.send(proxy, alice.invite("sip:00358@example.com", "one"));
            first.answer(proxy, first.receive("INVITE"), 503);
            String invite = second.receive("INVITE");
            assertThat(invite)
                    .startsWith("INVITE sip:00358@example.com SIP/2.0")
                    .doesNotContain("\r\nRoute:");
            second.answer(proxy, invite, 200);
            assertThat(alice.receive("SIP/2.0 2")).startsWith("SIP/2.0 200");
            first.receive("ACK");
        }
    }

    @Test
    void hidesOneSideFromTheOther() throws IOException {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = open("relay: {allow: [127.0.0.0/8]}\nhide-topology: true\n")) {
            alice.send(proxy, alice.invite("sip:bob@127.0.0.1:" + bob.port(), "hidden"));
            String invite = bob.receive("INVITE");
            assertThat(invite.lines().filter(line -> line.startsWith("Via: "))).hasSize(1);
            assertThat(invite).containsPattern("Via: [^\r]*;th=[\\w-]{30,}");
            bob.answer(proxy, invite, 200);
            String ok = alice.receive("SIP/2.0 200");
            assertThat(ok).contains("z9hG4bKhidden").doesNotContain(";th=");
        }
    }

    /** A call with its route, its BYE by the callee's choice, and the record of it. */
    @Test
    void writesARecordOfACall(@TempDir Path folder) throws Exception {
        Path records = folder.resolve("calls.jsonl");
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = open("relay: {allow: [127.0.0.0/8]}\nstatistics: {call-records: " + records + "}\n")) {
            String uri = "sip:bob@127.0.0.1:" + bob.port();
            alice.send(proxy, alice.invite(uri, "recorded"));
            String invite = bob.receive("INVITE");
            bob.answer(proxy, invite, 180);
            bob.answer(proxy, invite, 200);
            String ok = alice.receive("SIP/2.0 200");
            String route = ok.lines()
                    .filter(line -> line.startsWith("Record-Route: "))
                    .map(line -> line.replace("Record-Route", "Route") + "\r\n")
                    .findFirst()
                    .orElseThrow();
            String bye = alice.invite(uri, "recorded")
                    .replace("INVITE", "BYE")
                    .replace("z9hG4bKrecorded", "z9hG4bKbye")
                    .replace("CSeq: 1", "CSeq: 2")
                    .replace("To: <" + uri + ">", "To: <" + uri + ">;tag=" + bob.port())
                    .replace("Max-Forwards", route + "Max-Forwards");
            alice.send(proxy, bye);
            bob.answer(proxy, bob.receive("BYE"), 200);
            alice.receive("SIP/2.0 200");
        }
        assertThat(Files.readAllLines(records))
                .singleElement()
                .asString()
                .contains("\"callId\":\"recorded\"", "completed", "\"status\":200", "caller");
    }

    @Test
    void countsWhatBecomesOfCalls() throws IOException {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = open("relay: {allow: [127.0.0.0/8]}\n")) {
            alice.send(proxy, alice.invite("sip:bob@127.0.0.1:" + bob.port(), "busy"));
            bob.answer(proxy, bob.receive("INVITE"), 486);
            alice.receive("SIP/2.0 486");
            alice.send(proxy, alice.invite("sip:bob@192.0.2.1", "elsewhere"));
            alice.receive("SIP/2.0 403");
            assertThat(proxy.statistics().snapshot().calls().outcomes())
                    .containsEntry(CallOutcome.REFUSED, 1L)
                    .containsEntry(CallOutcome.REJECTED, 1L);
        }
    }

    @Test
    void relaysNowhereElseThanAllowed() throws IOException {
        try (Phone alice = new Phone();
                Proxy proxy = open("relay: {allow: [192.0.2.0/24]}\n")) {
            alice.send(proxy, alice.invite("sip:bob@127.0.0.1:9", "two"));
            assertThat(alice.receive("SIP/2.0 4")).startsWith("SIP/2.0 403");
        }
    }

    @Test
    void takesOtherRulesWhileItRuns() throws IOException {
        try (Phone alice = new Phone();
                Proxy proxy = open("routes: [{then: {reply: {status: 404}}}]\n")) {
            alice.send(proxy, alice.invite("sip:bob@example.com", "three"));
            assertThat(alice.receive("SIP/2.0 4")).startsWith("SIP/2.0 404");
            LiveState.Reload reload = proxy.reload(config("routes: [{then: {reply: {status: 486}}}]\n"));
            assertThat(reload.isApplied()).isTrue();
            assertThat(reload.lines()).hasSize(1);
            assertThat(reload.lines().getFirst()).contains("486", "404");
            alice.send(proxy, alice.invite("sip:bob@example.com", "four"));
            assertThat(alice.receive("SIP/2.0 486")).contains("Call-ID: four");
        }
    }

    @Test
    void leavesEverythingAsItIsWhenAChangeNeedsANewStart() throws IOException {
        try (Proxy proxy = open("")) {
            LiveState.Reload reload = proxy.reload(ProxyConfig.reader()
                    .read(
                            LISTEN.replace("lanes: 2", "lanes: 1") + "routes: [{then: {reply: {status: 486}}}]",
                            "other.yaml"));
            assertThat(reload.isApplied()).isFalse();
            assertThat(reload.lines()).anyMatch(line -> line.contains("lanes: 1; it was 2"));
            assertThat(proxy.config().lanes()).isEqualTo(2);
        }
    }

    private static final Pattern PUBLIC_GRUU = Pattern.compile("pub-gruu=\"([^\"]+)\"");

    private static String value(String message, String header) {
        return message.lines()
                .filter(line -> line.startsWith(header + ": "))
                .findFirst()
                .orElseThrow()
                .substring(header.length() + 2);
    }

    /** A phone that has its GRUU as Contact is reached by it within the dialog (RFC 5627, 5.1), as linphone does. */
    @Test
    void findsThePhoneOfAGruuWithinADialog() throws IOException {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = open("open: true\ndomains: [example.com]\n")) {
            String contact = "sip:bob@127.0.0.1:" + bob.port();
            bob.send(
                    proxy,
                    "REGISTER sip:example.com SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:" + bob.port()
                            + ";branch=z9hG4bKr\r\nMax-Forwards: 70\r\nFrom: <sip:bob@example.com>;tag=r\r\n"
                            + "To: <sip:bob@example.com>\r\nCall-ID: r\r\nCSeq: 1 REGISTER\r\nSupported: gruu\r\n"
                            + "Contact: <" + contact
                            + ">;+sip.instance=\"<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>\""
                            + "\r\nContent-Length: 0\r\n\r\n");
            Matcher gruu = PUBLIC_GRUU.matcher(bob.receive("SIP/2.0 200"));
            assertThat(gruu.find()).isTrue();
            alice.send(proxy, alice.invite("sip:bob@example.com", "gruu"));
            String invite = bob.receive("INVITE " + contact);
            bob.answer(proxy, invite, 200);
            String ok = alice.receive("SIP/2.0 200");
            for (String method : List.of("ACK", "BYE")) {
                alice.send(proxy, inDialog(method, gruu.group(1), alice, ok, "gruu"));
                String received = bob.receive(method);
                assertThat(received).startsWith(method + " " + contact + " SIP/2.0\r\n");
                assertThat(received.lines().filter(line -> line.startsWith("Via:")))
                        .as("at once, not by way of ourselves")
                        .hasSize(2);
            }
        }
    }

    /** Whoever gets the response to a challenge can try passwords against it. */
    @Test
    void keepsCredentialsForItselfWithinADialog(@TempDir Path folder) throws Exception {
        Path users = folder.resolve("users");
        new UserFileEditor(users).add("alice", "example.com", "wonderland", true);
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy =
                        open("domains: [example.com]\nrelay: {allow: [127.0.0.0/8]}\nroutes: [{then: {relay: {}}}]\n"
                                + "users: {file: \"" + users + "\"}\n")) {
            String uri = "sip:bob@127.0.0.1:" + bob.port();
            DigestClient client = new DigestClient("alice", "wonderland", null, new Random(1));
            String invite = alice.invite(uri, "secret");
            alice.send(proxy, invite);
            byte[] challenge = alice.receive("SIP/2.0 407").getBytes(UTF_8);
            SipMessageView view = new SipMessageView();
            view.wrap(challenge, 0, challenge.length);
            assertThat(client.accept(view, 0)).isTrue();
            String proof = String.join("\r\n", client.authorize("INVITE", uri, new byte[0])) + "\r\nContent-Length";
            alice.send(
                    proxy,
                    invite.replace("Content-Length", proof)
                            .replace("CSeq: 1", "CSeq: 2")
                            .replace("branch=z9hG4bKsecret", "branch=z9hG4bKsecond"));
            String received = bob.receive("INVITE");
            assertThat(received).doesNotContain("Proxy-Authorization");
            bob.answer(proxy, received, 200);
            String ok = alice.receive("SIP/2.0 200");
            for (String method : List.of("ACK", "BYE")) {
                alice.send(proxy, inDialog(method, uri, alice, ok, "secret").replace("Content-Length", proof));
                assertThat(bob.receive(method)).doesNotContain("Proxy-Authorization", "wonderland");
            }
            alice.send(
                    proxy,
                    inDialog("INFO", uri, alice, ok, "secret")
                            .replace("Content-Length", proof.replace("example.com", "other.example")));
            assertThat(bob.receive("INFO")).as("for a proxy behind us").contains("Proxy-Authorization");
        }
    }

    /** A request along the route that a 200 has recorded. */
    private static String inDialog(String method, String uri, Phone from, String ok, String callId) {
        return method + " " + uri + " SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:" + from.port() + ";branch=z9hG4bK" + method
                + "\r\nMax-Forwards: 70\r\nFrom: " + value(ok, "From") + "\r\nTo: " + value(ok, "To") + "\r\nCall-ID: "
                + callId + "\r\nCSeq: "
                + (method.equals("ACK") ? value(ok, "CSeq").replace("INVITE", "ACK") : "3 " + method)
                + "\r\nRoute: " + value(ok, "Record-Route") + "\r\nContent-Length: 0\r\n\r\n";
    }

    /** ENUM (RFC 6116), and a change of it. */
    @Test
    void findsTheUriOfANumber() throws IOException {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                LoopbackDns dns = new LoopbackDns(
                        "1.1.1.9.4.e164.example. 60 NAPTR 10 10 \"u\" \"E2U+sip\" \"!^.*$!sip:bob@127.0.0.1:"
                                + bob.port() + "!\" .",
                        "2.1.1.9.4.e164.example. 60 NAPTR 10 10 \"u\" \"E2U+sip\" \"!^.*$!sip:eve@192.0.2.1!\" .")) {
            String rules = "domains: [example.com]\nrelay: {allow: [127.0.0.0/8]}\n"
                    + "routes: [{match: {prefix: \"+\"}, then: {relay: {}}}]\n"
                    + "dns: {servers: [\"" + dns.endpoint() + "\"], enum: {enabled: %s, suffix: e164.example}}\n";
            try (Proxy proxy = open(rules.formatted(true))) {
                alice.send(proxy, alice.invite("sip:+49111@example.com", "enum1"));
                assertThat(bob.receive("INVITE")).startsWith("INVITE sip:bob@127.0.0.1:" + bob.port() + " SIP/2.0\r\n");
                alice.send(proxy, alice.invite("tel:+49-111", "enum2"));
                assertThat(bob.receive("INVITE sip:bob@127.0.0.1")).contains("Call-ID: enum2");
                alice.send(proxy, alice.invite("sip:+49112@example.com", "enum3"));
                assertThat(alice.receive("SIP/2.0 403")).contains("Call-ID: enum3");
                alice.send(proxy, alice.invite("sip:+49113@example.com", "enum4"));
                assertThat(alice.receive("SIP/2.0 404")).contains("Call-ID: enum4");
                assertThat(proxy.reload(config(rules.formatted(false))).isApplied())
                        .isTrue();
                alice.send(proxy, alice.invite("tel:+49111", "enum5"));
                assertThat(alice.receive("SIP/2.0 403")).contains("Call-ID: enum5");
            }
        }
    }

    /** RFC 3263, 4.3: the first place of a name answers 503, and is the last one for the next call. */
    @Test
    void triesAPlaceThatFailedLastFromThenOn() throws IOException {
        String name = "sip:x@carrier.example";
        try (Phone alice = new Phone();
                Phone first = new Phone();
                Phone second = new Phone();
                LoopbackDns dns = new LoopbackDns(
                        "_sip._udp.carrier.example 60 SRV 1 0 " + first.port() + " a.example",
                        "_sip._udp.carrier.example 60 SRV 2 0 " + second.port() + " a.example",
                        "a.example 60 A 127.0.0.1");
                Proxy proxy = open("relay: {allow: [127.0.0.0/8]}\ndns: {servers: ['127.0.0.1:"
                        + dns.endpoint().port() + "']}\n")) {
            alice.send(proxy, alice.invite(name, "one"));
            first.answer(proxy, first.receive("INVITE"), 503);
            second.answer(proxy, second.receive("INVITE"), 486);
            assertThat(alice.receive("SIP/2.0 486")).contains("Call-ID: one");
            assertThat(proxy.statistics().snapshot().causes())
                    .contains(new CauseFigure("destination", "unavailable", 1));

            alice.send(proxy, alice.invite(name, "two"));
            second.answer(proxy, second.receive("INVITE"), 503);
            assertThat(first.receive("INVITE")).contains("Call-ID: two");
        }
    }

    @Test
    void countsByCauseWhatItDoesNotPassOn() throws IOException {
        try (Phone alice = new Phone();
                Proxy proxy = open("")) {
            alice.send(proxy, alice.invite("sip:bob@192.0.2.1", "cause").replace("CSeq: 1 INVITE", "CSeq: one INVITE"));
            assertThat(alice.receive("SIP/2.0 400")).contains("Call-ID: cause");
            assertThat(proxy.statistics().snapshot().causes())
                    .contains(new CauseFigure("message", "bad", 1), new CauseFigure("bad_event", "malformed", 1))
                    .extracting(CauseFigure::group)
                    .contains("overload", "transaction", "lane", "stream", "stream_fault", "dns", "ban", "held");
        }
    }

    @Test
    void hasNoMoreConnectionsThanItsConfigurationAllows() throws Exception {
        ProxyConfig config = ProxyConfig.reader()
                .read(
                        "listeners: [{name: tcp, transport: tcp, address: 127.0.0.1, port: 0}]\nlanes: 1\n"
                                + "limits: {connections: 2}\n",
                        "test.yaml");
        try (Proxy proxy = Proxy.open(config, failures::add)) {
            InetSocketAddress address = proxy.addresses().getFirst();
            List<Socket> sockets = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    sockets.add(new Socket(address.getAddress(), address.getPort()));
                }
                assertThat(sockets.getLast().getInputStream().read())
                        .as("closed")
                        .isEqualTo(-1);
                sockets.getFirst().getOutputStream().write("\r\n\r\n".getBytes(UTF_8));
                assertThat(sockets.getFirst().getInputStream().readNBytes(2))
                        .as("a pong")
                        .isEqualTo("\r\n".getBytes(UTF_8));
            } finally {
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
    }

    /** A listener with TLS in the place of the other. */
    private static String listenWithTls(Certificates.Pem files) {
        return "listeners: [{name: tls, transport: tls, address: 127.0.0.1, port: 0, certificate: \""
                + files.certificate() + "\", key: \"" + files.key() + "\"}]\nlanes: 1\n";
    }

    private static String certifiedName(Proxy proxy) throws Exception {
        X509ExtendedTrustManager anyone = new TrustAnyone();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {anyone}, null);
        InetSocketAddress address = proxy.addresses().getFirst();
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(address.getAddress(), address.getPort())) {
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    @Test
    void takesTheCertificatesOfTheNewConfiguration(@TempDir Path folder) throws Exception {
        Certificates.Pem first = Certificates.selfSigned(folder, "first", "EC", "dns:first.example");
        Certificates.Pem second = Certificates.selfSigned(folder, "second", "EC", "dns:second.example");
        ProxyConfig before = ProxyConfig.reader().read(listenWithTls(first), "first.yaml");
        ProxyConfig after = ProxyConfig.reader().read(listenWithTls(second), "second.yaml");
        try (Proxy proxy = Proxy.open(before, failures::add)) {
            assertThat(certifiedName(proxy)).isEqualTo("CN=first");
            Files.writeString(second.key(), "no key any more");
            assertThat(proxy.reload(after).isApplied()).isFalse();
            assertThat(certifiedName(proxy)).isEqualTo("CN=first");
            Files.copy(first.key(), second.key(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(first.certificate(), second.certificate(), StandardCopyOption.REPLACE_EXISTING);
            Certificates.Pem third = Certificates.selfSigned(folder, "third", "EC", "dns:third.example");
            LiveState.Reload reload = proxy.reload(ProxyConfig.reader().read(listenWithTls(third), "third.yaml"));
            assertThat(reload.isApplied()).as(reload.lines().toString()).isTrue();
            assertThat(certifiedName(proxy)).isEqualTo("CN=third");
        }
    }

    @Test
    void leavesNothingOpenWhenItCannotStart() throws IOException {
        int port = LoopbackPorts.free();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ProxyConfig config = ProxyConfig.reader()
                    .read(
                            LISTEN.replace("port: 0", "port: " + port) + "statistics: {metrics: \"127.0.0.1:"
                                    + other.getLocalPort() + "\"}\n",
                            "test.yaml");
            assertThatIOException().isThrownBy(() -> Proxy.open(config, failures::add));
        }
        try (DatagramSocket again = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
            assertThat(again.getLocalPort()).isEqualTo(port);
        }
    }

    /** The call that is being answered is finished, a new one is refused. */
    @Test
    void endsInOrder() throws Exception {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = Proxy.open(
                        ProxyConfig.reader().read(LISTEN + "relay: {allow: [127.0.0.0/8]}\n", "test.yaml"),
                        failures::add)) {
            alice.send(proxy, alice.invite("sip:bob@127.0.0.1:" + bob.port(), "five"));
            String invite = bob.receive("INVITE");
            CompletableFuture<Void> end = CompletableFuture.runAsync(proxy::close);
            String refused;
            int attempt = 0;
            do {
                // until the proxy has begun to end, new calls go through
                alice.send(proxy, alice.invite("sip:carol@127.0.0.1:" + bob.port(), "late" + attempt++));
                refused = alice.receive("SIP/2.0 ");
            } while (!refused.startsWith("SIP/2.0 503"));
            assertThat(refused).contains("Retry-After: ").contains("Call-ID: late");
            assertThat(end).isNotDone();
            bob.answer(proxy, invite, 200);
            assertThat(alice.receive("SIP/2.0 200")).contains("Call-ID: five");
            end.get();
        }
    }

    @Test
    void tellsAPhoneItsAddressByStun() throws IOException {
        try (Phone alice = new Phone();
                Proxy proxy = open("")) {
            byte[] request = new byte[20];
            System.arraycopy(new byte[] {0, 1, 0, 0, 0x21, 0x12, (byte) 0xa4, 0x42}, 0, request, 0, 8);
            alice.send(proxy, request);
            byte[] answer = alice.receive();
            assertThat(answer).hasSizeLessThanOrEqualTo(60).startsWith(1, 1);
            assertThat((answer[26] & 0xff) << 8 | answer[27] & 0xff).isEqualTo(alice.port() ^ 0x2112);
        }
    }

    @Test
    void rehearsesWholeCalls() {
        int calls = 0;
        for (long forNs = 2_000_000_000; calls <= 250; forNs *= 2) { // a slow machine takes longer
            calls = ProxyRehearsal.run(config(""), forNs);
        }
        assertThat(calls).as("more than the first ones, which are refused").isGreaterThan(250);
        assertThat(ProxyRehearsal.run(config("overload: {enabled: false}\n"), 2_000_000_000))
                .isPositive();
    }

    @Test
    void listensAtThePortsThatItReports() throws IOException {
        try (Proxy proxy = open("")) {
            List<InetSocketAddress> addresses = proxy.addresses();
            assertThat(addresses).hasSize(1);
            assertThat(addresses.getFirst().getPort()).isPositive();
        }
    }

    /** The test compares the certificate itself. */
    private static final class TrustAnyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
