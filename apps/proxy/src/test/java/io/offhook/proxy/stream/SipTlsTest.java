package io.offhook.proxy.stream;

import static io.offhook.proxy.stream.TestProxy.octets;
import static io.offhook.proxy.stream.TestProxy.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import io.offhook.testkit.peers.Certificates;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.TlsContext;
import io.offhook.transport.TlsContext.ClientCertificates;
import io.offhook.transport.TlsIdentity;
import io.offhook.transport.TlsTrust;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SipTlsTest {
    @TempDir
    static Path folder;

    private static TlsIdentity alice;
    private static TlsIdentity bob;

    @BeforeAll
    static void makeCertificates() throws IOException {
        alice = identity("alice", "uri:sip:Alice.example,dns:other.example");
        bob = identity("bob", "dns:bob.example,ip:127.0.0.1");
    }

    private static TlsIdentity identity(String name, String names) throws IOException {
        Certificates.Pem pem = Certificates.selfSigned(folder, name, "EC", names);
        return TlsIdentity.read(pem.certificate(), pem.key());
    }

    private static TlsTrust both() {
        return TlsTrust.of(List.of(alice.chain().getFirst(), bob.chain().getFirst()));
    }

    private static TlsContext server(TlsIdentity own) {
        return TlsContext.server(List.of(own), both(), ClientCertificates.WANTED);
    }

    private static TestProxy client(TlsIdentity... own) throws IOException {
        return new TestProxy(ConnectionLimits.DEFAULT, TlsContext.client(List.of(own), both()));
    }

    private static @Nullable StreamFlow send(TestProxy proxy, Endpoint remote, String name, String callId) {
        byte[] message = octets(request(callId));
        return proxy.connections.send(new StreamTarget(SipTransport.TLS, remote, name), message, 0, message.length, 5);
    }

    @ParameterizedTest
    @CsvSource({"bob.example, opened TLS", "BOB.example, opened TLS", "127.0.0.1, opened TLS", "alice.example, unsent 5"
    })
    void sendsOnlyToAPeerThatIsCertifiedForTheName(String name, String first) throws Exception {
        try (TestProxy proxy = client();
                TestProxy peer = new TestProxy()) {
            Endpoint address = peer.listen(SipTransport.TLS, server(bob));
            // a machine that is slow enough has refused the peer before it sends: then nobody took the message
            boolean isTaken = send(proxy, address, name, "1") != null;
            if (isTaken) {
                proxy.expect(first);
            }
            if (first.startsWith("opened")) {
                assertThat(isTaken).isTrue();
                peer.expect("opened TLS", "Call-ID: 1");
                assertThat(proxy.flow().certifiedNames()).containsExactlyInAnyOrder("bob.example", "127.0.0.1");
            } else {
                proxy.expect("closed PEER_REFUSED");
                assertThat(peer.events).doesNotContain("Call-ID: 1");
            }
        }
    }

    @Test
    void reusesAFlowOnlyForNamesThatItsPeerIsCertifiedFor() throws Exception {
        try (TestProxy proxy = client();
                TestProxy peer = new TestProxy()) {
            Endpoint address = peer.listen(SipTransport.TLS, server(bob));
            StreamFlow first = Objects.requireNonNull(send(proxy, address, "bob.example", "1"));
            // while it is being established, and afterwards
            assertThat(send(proxy, address, "bob.example", "2")).isSameAs(first);
            peer.expect("opened TLS", "Call-ID: 1", "Call-ID: 2");
            assertThat(send(proxy, address, "127.0.0.1", "3")).isSameAs(first);
            StreamFlow other = send(proxy, address, "mallory.example", "4");
            assertThat(other).isNotSameAs(first);
            proxy.expect("opened TLS");
            if (other != null) {
                proxy.expect("unsent 5");
            }
            proxy.expect("closed PEER_REFUSED");
            assertThat(first.isOpen()).isTrue();
        }
    }

    @Test
    void anAliasNeedsACertificate() throws Exception {
        try (TestProxy peer = new TestProxy(ConnectionLimits.DEFAULT, TlsContext.client(List.of(), both()));
                TestProxy named = client(alice);
                TestProxy nameless = client()) {
            Endpoint address = peer.listen(SipTransport.TLS, server(bob));
            send(named, address, "bob.example", "1");
            peer.expect("opened TLS", "Call-ID: 1");
            StreamFlow flow = peer.flow();
            assertThat(flow.certifiedNames()).containsExactly("alice.example");
            StreamTarget alias = new StreamTarget(SipTransport.TLS, Endpoint.of("127.0.0.1", 5061), "alice.example");
            assertThat(peer.connections.find(alias)).isNull();
            assertThat(peer.connections.alias(flow, 5061)).isTrue();
            assertThat(peer.connections.find(alias)).isSameAs(flow);
            assertThat(peer.connections.find(new StreamTarget(SipTransport.TLS, alias.remote(), "other.example")))
                    .as("a URI in the certificate excludes its DNS names")
                    .isNull();
            assertThat(peer.connections.alias(flow, 5071)).isTrue();
            assertThat(peer.connections.find(alias)).isNull();
            send(nameless, address, "bob.example", "2");
            peer.expect("opened TLS", "Call-ID: 2");
            assertThat(peer.connections.alias(peer.flow(), 5061)).isFalse();
            assertThat(peer.connections.count(StreamCounter.ALIASES_REFUSED)).isEqualTo(1);
            flow.close();
            peer.expect("closed CLOSED_HERE");
            assertThat(peer.connections.find(
                            new StreamTarget(SipTransport.TLS, Endpoint.of("127.0.0.1", 5071), "alice.example")))
                    .isNull();
        }
    }

    @Test
    void withoutVerificationNothingIsProven() throws Exception {
        TlsContext anyone = TlsContext.server(List.of(bob), TlsTrust.anyone(), ClientCertificates.REQUIRED);
        try (TestProxy peer = new TestProxy();
                TestProxy named = client(alice)) {
            Endpoint address = peer.listen(SipTransport.TLS, anyone);
            send(named, address, "bob.example", "1");
            peer.expect("opened TLS", "Call-ID: 1");
            StreamFlow flow = peer.flow();
            assertThat(flow.certifiedNames()).isEmpty();
            assertThat(peer.connections.alias(flow, 5061)).isFalse();
        }
    }

    @Test
    void withoutTlsOfItsOwnItBeginsNone() throws Exception {
        try (TestProxy proxy = new TestProxy()) {
            assertThat(send(proxy, Endpoint.of("127.0.0.1", 9), "bob.example", "1"))
                    .isNull();
        }
    }

    /** The JDK's client, which trusts bob's certificate. */
    private static SSLContext trustingBob() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("bob", bob.chain().getFirst());
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), new SecureRandom());
        return context;
    }

    @Test
    void carriesSipOverSecureWebSocket() throws Exception {
        try (TestProxy proxy = new TestProxy();
                HttpClient http =
                        HttpClient.newBuilder().sslContext(trustingBob()).build()) {
            Endpoint address = proxy.listen(SipTransport.WSS, TlsContext.server(bob));
            WebSocket client = http.newWebSocketBuilder()
                    .subprotocols("sip")
                    .buildAsync(URI.create("wss://127.0.0.1:" + address.port() + "/"), new WebSocket.Listener() {})
                    .get(20, TimeUnit.SECONDS);
            proxy.expect("opened WSS");
            assertThat(proxy.flow().certifiedNames()).isEmpty();
            client.sendText(request("secure"), true).get(20, TimeUnit.SECONDS);
            proxy.expect("Call-ID: secure");
            client.sendClose(1000, "").get(20, TimeUnit.SECONDS);
            assertThat(proxy.event()).startsWith("closed ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'uri:sip:a.example,uri:sips:b.example,dns:c.example', 'a.example b.example'",
        "'uri:sip:user@a.example,dns:c.example', 'c.example'",
        "'uri:https://a.example,dns:c.example,dns:d.example', 'c.example d.example'",
        "'dns:*.c.example', '*.c.example'",
        "'ip:2001:db8::1,email:x@y.example', '2001:db8::1'"
    })
    void readsTheDomainsOfACertificate(String alternatives, String expected) throws IOException {
        TlsIdentity identity = identity("names", alternatives);
        assertThat(CertifiedNames.of(identity.chain().getFirst())).containsExactlyInAnyOrder(expected.split(" "));
        Files.delete(folder.resolve("names.p12"));
    }
}
