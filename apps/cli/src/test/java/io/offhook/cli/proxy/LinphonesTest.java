package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.users.UserFileEditor;
import io.offhook.testkit.peers.LoopbackPorts;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two phones of another make than those of {@link PhonesTest}: Linphone. */
@DisabledIf(value = "io.offhook.cli.proxy.Linphone#isMissing", disabledReason = "linphonec is not installed")
@Timeout(300)
class LinphonesTest {
    private static final String PASSWORD = "secret";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void phonesWithPasswordsCallHoldAndHangUp(String transport) throws Exception {
        Path users = folder.resolve("users");
        UserFileEditor editor = new UserFileEditor(users);
        for (String name : new String[] {"alice", "bob"}) {
            editor.add(name, "localhost", PASSWORD, true);
        }
        int port = LoopbackPorts.free();
        String registrar = "<sip:127.0.0.1:%d;transport=%s>".formatted(port, transport);
        try (RunningProxy proxy = RunningProxy.withConfiguration("""
                        listeners:
                          - {name: udp, transport: udp, address: 127.0.0.1, port: %1$d}
                          - {name: tcp, transport: tcp, address: 127.0.0.1, port: %1$d}
                        domains: [localhost]
                        users: {file: %2$s}
                        """.formatted(port, users));
                Linphone alice = phone(registrar, "alice");
                Linphone bob = phone(registrar, "bob")) {
            alice.awaitRegistered();
            bob.awaitRegistered();

            alice.type("call sip:bob@localhost");
            bob.await("Receiving new incoming call from sip:alice@localhost");
            alice.await("ringing");
            bob.type("answer");
            alice.await("Media streams established");
            bob.await("Media streams established");

            alice.type("pause");
            bob.await("has been paused");
            alice.await("is now paused");
            alice.type("resume 1");
            bob.await("Media streams established");
            alice.await("Media streams established");

            bob.type("terminate");
            alice.await("ended");
            bob.await("ended");

            // an INVITE, two more in the dialog
            assertThat(proxy.sum(core -> core.counters().acksForwarded())).isEqualTo(3);
            assertThat(proxy.sum(core -> core.counters().badRequests())).isZero();
            assertThat(proxy.sum(core -> core.counters().unroutable())).isZero();
            assertThat(proxy.sum(core -> core.counters().undeliverable())).isZero();
        }
    }

    private Linphone phone(String registrar, String user) throws Exception {
        return new Linphone(folder.resolve(user), registrar, user, "localhost", PASSWORD);
    }
}
