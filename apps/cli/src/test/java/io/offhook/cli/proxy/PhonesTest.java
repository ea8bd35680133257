package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.calls.Baresip;
import io.offhook.proxy.users.UserFileEditor;
import io.offhook.testkit.peers.Certificates;
import io.offhook.testkit.peers.LoopbackPorts;
import io.offhook.testkit.peers.Rtpengine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three phones (baresip) that register at the proxy and call each other. The tests mostly wait for RTCP, so they run at once. */
@DisabledIf(value = "io.offhook.cli.calls.Baresip#isMissing", disabledReason = "baresip is not installed")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class PhonesTest {
    private static final String PASSWORD = "secret";

    private static Certificates.Pem certificate;

    @TempDir
    Path folder;

    private int port;
    private int tlsPort;

    /** What carries the messages of the phones. */
    enum Transport {
        UDP,
        TCP,
        TLS
    }

    @BeforeEach
    void choosePorts() throws IOException {
        port = LoopbackPorts.free();
        tlsPort = LoopbackPorts.free();
    }

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws IOException {
        certificate = Certificates.selfSigned(folder, "proxy", "EC", "ip:127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource
    void phonesWithoutPasswordsCallHoldAndTransfer(Transport transport) throws Exception {
        try (RunningProxy proxy = proxy("open: true\n");
                Baresip alice = phone(transport, "alice", "");
                Baresip bob = phone(transport, "bob", "");
                Baresip carol = phone(transport, "carol", "")) {
            calls(proxy, transport, alice, bob, carol);
        }
    }

    /** Challenged with MD5 alone: baresip 1.0 does not answer a challenge that comes with one of SHA-256. */
    @ParameterizedTest
    @EnumSource
    void phonesWithPasswordsCallHoldAndTransfer(Transport transport) throws Exception {
        Path users = folder.resolve("users");
        UserFileEditor editor = new UserFileEditor(users);
        for (String name : new String[] {"alice", "bob", "carol"}) {
            editor.add(name, "127.0.0.1", PASSWORD, true);
        }
        String password = ";auth_pass=" + PASSWORD;
        try (RunningProxy proxy = proxy("users: {file: %s}\n".formatted(users));
                Baresip alice = phone(transport, "alice", password);
                Baresip bob = phone(transport, "bob", password);
                Baresip carol = phone(transport, "carol", password)) {
            calls(proxy, transport, alice, bob, carol);
        }
    }

    /** Their sessions lead to the relay, and RTCP still arrives at both ends. */
    @ParameterizedTest
    @EnumSource
    @DisabledIf(value = "io.offhook.testkit.peers.Rtpengine#isMissing", disabledReason = "rtpengine is not installed")
    void phonesCallHoldAndTransferByAMediaRelay(Transport transport) throws Exception {
        try (Rtpengine engine = Rtpengine.start(folder);
                RunningProxy proxy =
                        proxy("open: true\nmedia: {engines: [{address: '127.0.0.1:" + engine.control() + "'}]}\n");
                Baresip alice = phone(transport, "alice", "");
                Baresip bob = phone(transport, "bob", "");
                Baresip carol = phone(transport, "carol", "")) {
            calls(proxy, transport, alice, bob, carol);
            Map<String, Long> media = proxy.causes("media");
            assertThat(media.get("calls")).isGreaterThanOrEqualTo(4);
            assertThat(media).containsEntry("passed_unchanged", 0L).containsEntry("requests_refused", 0L);
        }
    }

    /** All that a phone knows of the other one leads to the proxy, and from there to the other one. */
    @ParameterizedTest
    @EnumSource(names = {"TCP", "TLS"})
    void phonesThatDoNotSeeEachOtherCallHoldAndTransfer(Transport transport) throws Exception {
        try (RunningProxy proxy = proxy("open: true\nhide-topology: true\n");
                Baresip alice = phone(transport, "alice", "");
                Baresip bob = phone(transport, "bob", "");
                Baresip carol = phone(transport, "carol", "")) {
            calls(proxy, transport, alice, bob, carol);
        }
    }

    /** As {@code offhook proxy} without a file runs it, but on another port. */
    private RunningProxy proxy(String access) throws Exception {
        return RunningProxy.withConfiguration(
                """
                listeners:
                  - {name: udp, transport: udp, address: 127.0.0.1, port: %1$d}
                  - {name: tcp, transport: tcp, address: 127.0.0.1, port: %1$d}
                  - {name: tls, transport: tls, address: 127.0.0.1, port: %2$d, certificate: %3$s, key: %4$s}
                domains: [localhost]
                relay: {allow: [127.0.0.0/8]}
                """.formatted(port, tlsPort, certificate.certificate(), certificate.key()) + access);
    }

    private String host(Transport transport) {
        return "127.0.0.1:" + (transport == Transport.TLS ? tlsPort : port);
    }

    private Baresip phone(Transport transport, String user, String options) throws Exception {
        String account = "<sip:%s@%s;transport=%s>;regint=3600%s"
                .formatted(user, host(transport), transport.name().toLowerCase(Locale.ROOT), options);
        int media = LoopbackPorts.free(Baresip.MEDIA_PORTS);
        Baresip phone = new Baresip(
                folder.resolve(user),
                new Baresip.Setup(
                        account,
                        "127.0.0.1:" + LoopbackPorts.free(),
                        media,
                        LoopbackPorts.free(),
                        "net_interface 127.0.0.1\nsip_cafile " + certificate.certificate() + "\n"));
        try {
            phone.awaitRegistered();
        } catch (AssertionError e) {
            phone.close();
            throw e;
        }
        return phone;
    }

    private void calls(RunningProxy proxy, Transport transport, Baresip alice, Baresip bob, Baresip carol)
            throws Exception {
        String host = host(transport);
        answered(host, alice, "bob", bob);
        talk(alice, bob);
        alice.command("hold", "");
        assertThat(bob.await("CALL_REMOTE_SDP")).contains("offer");
        alice.command("resume", "");
        assertThat(bob.await("CALL_REMOTE_SDP")).contains("offer");
        bob.command("hangup", "");
        alice.await("CALL_CLOSED");

        answered(host, alice, "bob", bob);
        alice.command("hangup", "");
        bob.await("CALL_CLOSED");

        answered(host, alice, "bob", bob);
        // the phone that is transferred goes where this URI says, whatever carried the call
        bob.command(
                "transfer",
                "sip:carol@" + host + ";transport=" + transport.name().toLowerCase(Locale.ROOT));
        carol.await("CALL_INCOMING");
        carol.command("accept", "");
        carol.await("CALL_ESTABLISHED");
        bob.await("CALL_CLOSED");
        talk(carol, alice);
        carol.command("hangup", "");
        alice.await("CALL_CLOSED");

        // four calls, two re-INVITEs
        assertThat(proxy.sum(core -> core.counters().acksForwarded())).isGreaterThanOrEqualTo(6);
        assertThat(proxy.sum(core -> core.counters().refused())).isZero();
        assertThat(proxy.sum(core -> core.counters().badRequests())).isZero();
        assertThat(proxy.sum(core -> core.counters().unroutable())).isZero();
        assertThat(proxy.sum(core -> core.counters().undeliverable())).isZero();
        assertThat(proxy.sum(core -> core.transactions().counters().unacknowledged()))
                .isZero();
    }

    private static void answered(String host, Baresip from, String name, Baresip to) throws Exception {
        from.command("dial", "sip:" + name + "@" + host);
        to.await("CALL_INCOMING");
        from.await("CALL_RINGING");
        to.command("accept", "");
        to.await("CALL_ESTABLISHED");
        from.await("CALL_ESTABLISHED");
    }

    /** Waits until each side has the report of what the other one received, after about 5 s. */
    private static void talk(Baresip one, Baresip other) throws Exception {
        one.await("CALL_RTCP");
        other.await("CALL_RTCP");
    }
}
