package io.offhook.transport;

import static io.offhook.transport.TestServer.SECOND_NS;
import static io.offhook.transport.TestServer.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.testkit.peers.Certificates;
import io.offhook.testkit.peers.Program;
import io.offhook.transport.TlsContext.ClientCertificates;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TlsTest {
    @TempDir
    static Path folder;

    private static Certificates.Pem first;
    private static Certificates.Pem second;

    @BeforeAll
    static void makeCertificates() throws IOException {
        first = Certificates.selfSigned(folder, "first", "EC", "dns:first.example,ip:127.0.0.1");
        second = Certificates.selfSigned(folder, "second", "RSA", "dns:*.second.example");
    }

    private static TlsIdentity identity(Certificates.Pem pem) throws IOException {
        return TlsIdentity.read(pem.certificate(), pem.key());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A client of the JDK that trusts both certificates. */
    private static SSLSocket client(TestServer server, TlsIdentity... own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        TlsTrust trust = TlsTrust.of(List.of(
                identity(first).chain().getFirst(), identity(second).chain().getFirst()));
        KeyManager[] keys = {new SocketIdentity(own)};
        context.init(own.length == 0 ? null : keys, trust.managers(), new SecureRandom());
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.connect(server.address());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** {@link TlsIdentities} for a socket. */
    private static final class SocketIdentity extends javax.net.ssl.X509ExtendedKeyManager {
        private final TlsIdentity[] own;

        SocketIdentity(TlsIdentity[] own) {
            this.own = own;
        }

        @Override
        public String[] getClientAliases(String keyType, java.security.Principal[] issuers) {
            return new String[] {"own"};
        }

        @Override
        public @Nullable String chooseClientAlias(String[] keyType, java.security.Principal[] issuers, Socket socket) {
            return List.of(keyType).contains(own[0].key().getAlgorithm()) ? "own" : null;
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, java.security.Principal[] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(String keyType, java.security.Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return own[0].chain().toArray(X509Certificate[]::new);
        }

        @Override
        public java.security.PrivateKey getPrivateKey(String alias) {
            return own[0].key();
        }
    }

    private static TestServer echo(TlsContext context) throws IOException {
        TestServer server = new TestServer();
        server.listen(ListenSettings.tls(TestServer.loopback(), context), () -> new TestServer.Echo(server.events));
        return server;
    }

    private static String askName(SSLSocket socket) throws IOException {
        socket.startHandshake();
        return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void answersBothVersions(String version) throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)))) {
            try (SSLSocket client = client(server)) {
                client.setEnabledProtocols(new String[] {version});
                client.getOutputStream().write(ascii("hello\n"));
                assertThat(client.getInputStream().readNBytes(6)).isEqualTo(ascii("hello\n"));
                assertThat(client.getSession().getProtocol()).isEqualTo(version);
                until(() -> server.loops.borrowedBytes() == 0);
            }
            server.expect("opened", "peer finished", "closed FINISHED");
            assertThat(server.loops.count(ConnectionCounter.TLS_TRUNCATED)).isZero();
            assertThat(server.loops.count(ConnectionCounter.HANDSHAKES)).isEqualTo(1);
        }
    }

    @Test
    void refusesOlderVersions() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)))) {
            // a ClientHello of TLS 1.0 that offers one suite
            byte[] hello = HexFormat.of().parseHex("160301002d010000290301" + "00".repeat(32) + "000002002f0100");
            try (Socket client = server.client()) {
                client.getOutputStream().write(hello);
                assertThat(client.getInputStream().read()).isIn(-1, 0x15); // an alert
            }
            server.expect("closed HANDSHAKE_FAILED");
        }
    }

    @Test
    void carriesManyRecordsBothWays() throws Exception {
        try (TestServer server = new TestServer()) {
            byte[] much = new byte[1_000_000];
            new Random(6).nextBytes(much);
            TestServer.Lines lines = new TestServer.Lines(server.events) {
                private int count;

                @Override
                public int received(Connection connection, byte[] octets, int offset, int length) {
                    count += length;
                    if (count == much.length) {
                        events.add("all");
                    }
                    return length;
                }
            };
            server.listen(ListenSettings.tls(TestServer.loopback(), TlsContext.server(identity(first))), () -> lines);
            try (SSLSocket client = client(server)) {
                Thread writer = Thread.ofPlatform().start(() -> {
                    try {
                        OutputStream out = client.getOutputStream();
                        out.write(much);
                    } catch (IOException e) {
                        server.events.add(e.toString());
                    }
                });
                server.expect("opened");
                assertThat(lines.connection().send(much)).isTrue();
                lines.connection().finishSending();
                assertThat(client.getInputStream().readAllBytes()).isEqualTo(much);
                writer.join();
                server.events.removeIf("writable"::equals);
                server.expect("all");
                until(() -> lines.connection().sentBytes() == much.length);
                assertThat(lines.connection().security()).startsWith("TLSv1.3 TLS_");
            }
        }
    }

    @Test
    void oneDirectionFinishesWhileTheOtherGoesOn() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = new TestServer.Lines(server.events) {
                @Override
                public void peerFinished(Connection connection) {
                    connection.send(ascii("after the end"));
                    connection.closeAfterSending();
                }
            };
            server.listen(ListenSettings.tls(TestServer.loopback(), TlsContext.server(identity(first))), () -> lines);
            try (SSLSocket client = client(server)) {
                client.getOutputStream().write(ascii("line\n"));
                client.shutdownOutput();
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("after the end");
            }
            server.expect("opened", "line line", "closed FINISHED");
        }
    }

    @Test
    void showsTheCertificateOfTheNameThatIsAskedFor() throws Exception {
        TlsContext context = TlsContext.server(
                List.of(identity(first), identity(second)), TlsTrust.of(List.of()), ClientCertificates.NONE);
        try (TestServer server = echo(context)) {
            for (String[] expected : new String[][] {
                {"first.example", "CN=first"}, {"sip.second.example", "CN=second"}, {"x", "CN=first"}
            }) {
                try (SSLSocket client = client(server)) {
                    SSLParameters parameters = client.getSSLParameters();
                    parameters.setServerNames(List.of(new SNIHostName(expected[0])));
                    client.setSSLParameters(parameters);
                    assertThat(askName(client)).isEqualTo(expected[1]);
                }
            }
        }
    }

    @Test
    void certificatesAreReplacedWithoutClosingConnections() throws Exception {
        TlsContext context = TlsContext.server(identity(first));
        try (TestServer server = echo(context);
                SSLSocket before = client(server)) {
            assertThat(askName(before)).isEqualTo("CN=first");
            context.replace(List.of(identity(second)), TlsTrust.of(List.of()));
            try (SSLSocket after = client(server)) {
                assertThat(askName(after)).isEqualTo("CN=second");
            }
            before.getOutputStream().write(ascii("still here\n"));
            assertThat(before.getInputStream().readNBytes(11)).isEqualTo(ascii("still here\n"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void asksClientsForCertificates(String version) throws Exception {
        TlsTrust trust = TlsTrust.read(first.certificate());
        TlsContext context = TlsContext.server(List.of(identity(first)), trust, ClientCertificates.REQUIRED);
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = new TestServer.Lines(server.events) {
                @Override
                public boolean acceptsPeer(Connection connection, List<X509Certificate> chain) {
                    events.add(chain.getFirst().getSubjectX500Principal().getName());
                    return true;
                }
            };
            server.listen(ListenSettings.tls(TestServer.loopback(), context), () -> lines);
            try (SSLSocket known = client(server, identity(first))) {
                known.setEnabledProtocols(new String[] {version});
                known.getOutputStream().write(ascii("x\n"));
                server.expect("CN=first", "opened", "line x");
                assertThat(lines.connection().peerCertificates()).hasSize(1);
            }
            server.expect("peer finished", "closed FINISHED");
            try (SSLSocket unknown = client(server, identity(second))) {
                unknown.setEnabledProtocols(new String[] {version});
                assertThatThrownBy(() -> {
                            unknown.startHandshake();
                            assertThat(unknown.getInputStream().read()).isPositive();
                        })
                        .isInstanceOf(IOException.class);
            }
            server.expect("closed HANDSHAKE_FAILED");
            try (SSLSocket without = client(server)) {
                without.setEnabledProtocols(new String[] {version});
                assertThatThrownBy(() -> {
                            without.startHandshake();
                            assertThat(without.getInputStream().read()).isPositive();
                        })
                        .isInstanceOf(IOException.class);
            }
            server.expect("closed HANDSHAKE_FAILED");
        }
    }

    /** The end arrives while the loop still computes what the certificate is worth. */
    @Test
    void hearsAClientThatSendsAndEndsAtOnce() throws Exception {
        TlsTrust trust = TlsTrust.read(first.certificate());
        TlsContext context = TlsContext.server(List.of(identity(first)), trust, ClientCertificates.REQUIRED);
        try (TestServer server = new TestServer()) {
            server.listen(
                    ListenSettings.tls(TestServer.loopback(), context), () -> new TestServer.Lines(server.events));
            for (int i = 0; i < 30; i++) {
                try (SSLSocket client = client(server, identity(first))) {
                    client.getOutputStream().write(ascii("line " + i + "\n"));
                }
                server.expect("opened", "line line " + i);
                String last = server.event();
                while (!last.startsWith("closed ")) {
                    assertThat(last).isEqualTo("peer finished");
                    last = server.event();
                }
            }
        }
    }

    @Test
    void anOutgoingConnectionVerifiesWhoVouchesForItsPeer() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)));
                TestServer clients = new TestServer()) {
            TlsContext trusting = TlsContext.client(List.of(), TlsTrust.read(first.certificate()));
            Connection connection = clients.loops.connect(
                    ConnectSettings.tls(server.address(), trusting, "first.example"),
                    new TestServer.Lines(clients.events));
            connection.send(ascii("before the handshake\n"));
            clients.expect("opened", "line before the handshake");
            connection.closeAfterSending();
            clients.expect("closed FINISHED");
            server.expect("opened", "peer finished", "closed FINISHED");
            TlsContext other = TlsContext.client(List.of(), TlsTrust.read(second.certificate()));
            clients.loops.connect(
                    ConnectSettings.tls(server.address(), other, null), new TestServer.Lines(clients.events));
            clients.expect("closed HANDSHAKE_FAILED");
        }
    }

    @Test
    void aHandlerMayRefuseThePeer() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)));
                TestServer clients = new TestServer()) {
            TlsContext trusting = TlsContext.client(List.of(), TlsTrust.anyone());
            Connection connection = clients.loops.connect(
                    ConnectSettings.tls(server.address(), trusting, "first.example"),
                    new TestServer.Lines(clients.events) {
                        @Override
                        public boolean acceptsPeer(Connection peer, List<X509Certificate> chain) {
                            return !chain.getFirst()
                                    .getSubjectX500Principal()
                                    .getName()
                                    .equals("CN=first");
                        }
                    });
            connection.send(ascii("a secret\n"));
            clients.expect("closed PEER_REFUSED");
            // the server may not even have got the end of the handshake
            List<String> events = new ArrayList<>();
            for (String event = server.event(); !event.startsWith("closed"); event = server.event()) {
                events.add(event);
            }
            assertThat(events).isSubsetOf("opened", "peer finished");
        }
    }

    @Test
    void aPeerWithoutTlsFailsTheHandshake() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)));
                Socket client = server.client()) {
            client.getOutputStream().write(ascii("OPTIONS sip:example.com SIP/2.0\r\n\r\n"));
            server.expect("closed HANDSHAKE_FAILED");
            assertThat(server.loops.openConnections()).isZero();
        }
    }

    @Test
    void aPeerThatDoesNotBeginTheHandshakeIsClosed() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)));
                Socket client = server.client()) {
            client.getOutputStream().write(new byte[] {0x16, 3, 1, 0, 50}); // half of a record
            until(() -> server.loops.borrowedBytes() > 0);
            server.advance(ConnectionTimeouts.DEFAULT.handshakeNs() + SECOND_NS);
            server.expect("closed HANDSHAKE_TIMEOUT");
            assertThat(server.loops.borrowedBytes()).isZero();
        }
    }

    @Test
    void countsAnEndWithoutNotification() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)))) {
            Socket plain = server.client();
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, TlsTrust.anyone().managers(), new SecureRandom());
            SSLSocket client = (SSLSocket) context.getSocketFactory().createSocket(plain, "first.example", 1, false);
            client.startHandshake();
            client.getOutputStream().write(ascii("x\n"));
            assertThat(client.getInputStream().readNBytes(2)).isEqualTo(ascii("x\n"));
            plain.shutdownOutput();
            server.expect("opened", "peer finished");
            until(() -> server.loops.count(ConnectionCounter.TLS_TRUNCATED) == 1);
            plain.close();
        }
    }

    @Test
    void aDamagedRecordClosesTheConnection() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)))) {
            Socket plain = server.client();
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, TlsTrust.anyone().managers(), new SecureRandom());
            SSLSocket client = (SSLSocket) context.getSocketFactory().createSocket(plain, "first.example", 1, false);
            client.startHandshake();
            server.expect("opened");
            byte[] record = new byte[5 + 40];
            record[0] = 0x17;
            record[1] = 3;
            record[2] = 3;
            record[4] = 40;
            plain.getOutputStream().write(record);
            server.expect("closed TLS_FAILED");
            plain.close();
        }
    }

    @Test
    void refusesRenegotiation() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)));
                SSLSocket client = client(server)) {
            client.setEnabledProtocols(new String[] {"TLSv1.2"});
            client.startHandshake();
            server.expect("opened");
            assertThatThrownBy(() -> {
                        client.startHandshake();
                        client.getOutputStream().write(ascii("x\n"));
                        assertThat(client.getInputStream().read()).isPositive();
                    })
                    .isInstanceOfAny(SSLException.class, java.net.SocketException.class);
            server.expect("closed TLS_FAILED");
        }
    }

    @Test
    void drainEndsTlsInOrder() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = new TestServer.Lines(server.events);
            server.listen(ListenSettings.tls(TestServer.loopback(), TlsContext.server(identity(first))), () -> lines);
            try (SSLSocket client = client(server)) {
                client.startHandshake();
                server.expect("opened");
                byte[] much = new byte[500_000];
                lines.connection().send(much);
                Thread reader = Thread.ofPlatform().start(() -> {
                    try {
                        // the JDK's stream fails if TLS is not closed before TCP
                        server.events.add("read " + client.getInputStream().readAllBytes().length);
                        client.shutdownOutput();
                    } catch (IOException e) {
                        server.events.add(e.toString());
                    }
                });
                assertThat(server.loops.drain(20 * SECOND_NS)).isTrue();
                reader.join();
                assertThat(server.events).contains("read 500000", "closed FINISHED");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ecparam -genkey -name prime256v1 -noout -out KEY",
                "ecparam -genkey -name secp384r1 -out KEY",
                "genrsa -traditional -out KEY 2048",
                "genpkey -algorithm ed25519 -out KEY"
            })
    void readsKeysInTheFormsThatOpensslWrites(String form) throws Exception {
        assumeFalse(Program.isMissing("openssl", "version"), "openssl is not installed");
        Path key = folder.resolve("openssl-key.pem");
        Path certificate = folder.resolve("openssl-certificate.pem");
        Program.run(("openssl " + form.replace("KEY", key.toString())).split(" "));
        Program.run(
                ("openssl req -x509 -new -key " + key + " -subj /CN=openssl -days 2 -out " + certificate).split(" "));
        TlsIdentity identity = TlsIdentity.read(certificate, key);
        assertThat(identity.chain().getFirst().getSubjectX500Principal().getName())
                .isEqualTo("CN=openssl");
    }

    @Test
    void saysWhatIsWrongWithFiles() throws IOException {
        Path text = Files.writeString(folder.resolve("text.pem"), "nothing of that kind\n");
        assertThatThrownBy(() -> TlsIdentity.read(text, first.key()))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("no certificate", text.toString());
        assertThatThrownBy(() -> TlsIdentity.read(first.certificate(), text))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("no private key", text.toString());
        assertThatThrownBy(() -> TlsIdentity.read(first.certificate(), second.key()))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("is not that of", second.key().toString());
        Path encrypted = Files.writeString(
                folder.resolve("encrypted.pem"),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n");
        assertThatThrownBy(() -> TlsIdentity.read(first.certificate(), encrypted))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("is encrypted", "openssl pkey");
        assertThatThrownBy(() -> TlsIdentity.read(folder.resolve("missing.pem"), encrypted))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("missing.pem");
        Path damaged = Files.writeString(
                folder.resolve("damaged.pem"), "-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n");
        assertThatThrownBy(() -> TlsIdentity.read(first.certificate(), damaged))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not name its curve");
    }

    @Test
    void anAddressIsNoServerName() throws Exception {
        try (TestServer server = echo(TlsContext.server(identity(first)));
                TestServer clients = new TestServer()) {
            TlsContext trusting = TlsContext.client(List.of(), TlsTrust.read(first.certificate()));
            InetSocketAddress address = server.address();
            clients.loops.connect(
                    ConnectSettings.tls(address, trusting, "127.0.0.1"), new TestServer.Lines(clients.events));
            clients.expect("opened");
        }
    }
}
