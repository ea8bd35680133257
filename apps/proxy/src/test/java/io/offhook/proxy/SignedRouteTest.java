package io.offhook.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nobody uses the proxy as a relay by what looks like a dialog. */
@Timeout(60)
class SignedRouteTest {
    private static final String LISTEN =
            "listeners: [{name: udp, transport: udp, address: 127.0.0.1, port: 0}]\nlanes: 2\n";

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void nothingFailed() {
        assertThat(failures).isEmpty();
    }

    private Proxy open(String yaml) throws IOException {
        return Proxy.open(
                ProxyConfig.reader().read(LISTEN + "shutdown-grace: 0s\n" + yaml, "test.yaml"), failures::add);
    }

    /** Calls to anybody go to one phone, and nothing is relayed. */
    private Proxy openFor(Phone callee, String more) throws IOException {
        return open(
                "routes: [{then: {targets: {sets: [[\"sip:bob@127.0.0.1:%d\"]]}}}]\n".formatted(callee.port()) + more);
    }

    /** Calls, and returns the Route of the dialog. */
    private static String call(Proxy proxy, Phone alice, Phone bob) throws IOException {
        alice.send(proxy, alice.invite("sip:bob@example.com", "one"));
        bob.answer(proxy, bob.receive("INVITE"), 200);
        return alice.receive("SIP/2.0 200")
                .lines()
                .filter(line -> line.startsWith("Record-Route: "))
                .map(line -> line.substring("Record-Route: ".length()))
                .findFirst()
                .orElseThrow();
    }

    private static String inDialog(String method, Phone alice, String uri, String callId, String route, String branch) {
        return alice.invite(uri, callId)
                .replace("INVITE", method)
                .replace("z9hG4bK" + callId, "z9hG4bK" + branch)
                .replace("To: <" + uri + ">", "To: <sip:bob@example.com>;tag=b")
                .replace("Max-Forwards", "Route: " + route + "\r\nMax-Forwards");
    }

    private static String own(Proxy proxy) {
        return "<sip:127.0.0.1:" + proxy.addresses().getFirst().getPort() + ";lr>";
    }

    @Test
    void passesWhatBelongsToADialogAndRefusesWhatDoesNot() throws IOException {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Phone victim = new Phone();
                Proxy proxy = openFor(bob, "")) {
            String route = call(proxy, alice, bob);
            String elsewhere = "sip:victim@127.0.0.1:" + victim.port();

            // a Route of ours that anybody can write; the rules send it to Bob, not to its Request-URI
            alice.send(proxy, inDialog("INFO", alice, elsewhere, "one", own(proxy), "forged"));
            assertThat(bob.receive("INFO")).startsWith("INFO sip:bob@127.0.0.1");
            // and one of others, or both
            for (String further : new String[] {"", own(proxy) + ","}) {
                String to = further + "<sip:127.0.0.1:" + victim.port() + ";lr>";
                alice.send(proxy, inDialog("BYE", alice, elsewhere, "one", to, "led" + further.length()));
                assertThat(alice.receive("SIP/2.0 4")).startsWith("SIP/2.0 403");
            }
            // another dialog's
            String to = route + ",<sip:127.0.0.1:" + victim.port() + ";lr>";
            alice.send(proxy, inDialog("BYE", alice, elsewhere, "two", to, "other"));
            assertThat(alice.receive("SIP/2.0 4")).startsWith("SIP/2.0 403");

            // ACKs cannot be answered: the one that passes is the first that arrives
            alice.send(proxy, inDialog("ACK", alice, elsewhere, "one", own(proxy), "forgedack"));
            alice.send(proxy, inDialog("ACK", alice, elsewhere, "one", route, "ack"));
            assertThat(victim.receive("ACK")).contains("branch=z9hG4bKack");
            alice.send(proxy, inDialog("BYE", alice, elsewhere, "one", route, "bye"));
            assertThat(victim.receive("BYE")).startsWith("BYE " + elsewhere).doesNotContain("\r\nRoute:");
        }
    }

    /** The URI that is checked is the one that decides where a request goes. */
    @Test
    void relaysNowhereElseByAnotherPartOfARequest() throws IOException {
        try (Phone alice = new Phone();
                Proxy relaying = open("relay: {allow: [127.0.0.0/8]}\n");
                Proxy ruled = open("relay: {allow: [127.0.0.0/8]}\nroutes: [{then: relay}]\n")) {
            for (Proxy proxy : new Proxy[] {relaying, ruled}) {
                String name = proxy == relaying ? "a" : "b";
                alice.send(proxy, alice.invite("sip:x@127.0.0.9;maddr=192.0.2.1", "maddr" + name));
                assertThat(alice.receive("SIP/2.0 4")).startsWith("SIP/2.0 403");
                alice.send(
                        proxy,
                        alice.invite("sip:x@127.0.0.9", "route" + name)
                                .replace("Max-Forwards", "Route: <sip:192.0.2.1;lr>\r\nMax-Forwards"));
                assertThat(alice.receive("SIP/2.0 4")).startsWith("SIP/2.0 403");
                // as from a strict router
                String uri = own(proxy).replaceAll("[<>]", "");
                alice.send(
                        proxy,
                        alice.invite(uri, "strict" + name)
                                .replace("Max-Forwards", "Route: <sip:x@192.0.2.1>\r\nMax-Forwards"));
                assertThat(alice.receive("SIP/2.0 4")).startsWith("SIP/2.0 403");
            }
        }
    }

    private void survives(String before, String after, int status) throws IOException {
        try (Phone alice = new Phone();
                Phone bob = new Phone()) {
            String route;
            try (Proxy proxy = openFor(bob, before)) {
                route = call(proxy, alice, bob);
            }
            try (Proxy proxy = openFor(bob, after)) {
                int port = proxy.addresses().getFirst().getPort();
                String target = "sip:bob@127.0.0.1:" + bob.port() + ";other";
                String moved = route.replaceFirst("127.0.0.1:\\d+", "127.0.0.1:" + port) + ",<sip:127.0.0.1:"
                        + bob.port() + ";lr>";
                alice.send(proxy, inDialog("BYE", alice, target, "one", moved, "bye" + port));
                if (status == 200) {
                    bob.answer(proxy, bob.receive("BYE " + target), 200);
                    alice.receive("SIP/2.0 200");
                } else {
                    alice.receive("SIP/2.0 " + status);
                }
            }
        }
    }

    @Test
    void goesOnWithDialogsAfterARestart(@TempDir Path folder) throws IOException {
        String location = "location: {directory: " + folder.resolve("state") + "}\n";
        survives(location, location, 200);
        Path secret = folder.resolve("state/route.secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                .isEqualTo("rw-------");
        Files.write(secret, new byte[3]);
        assertThatThrownBy(() -> open(location))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("route.secret has 3 bytes rather than 32");
        // nothing stays open
        Files.delete(secret);
        open(location).close();
    }

    @Test
    void sharesDialogsWithProxiesOfTheSameSecret(@TempDir Path folder) throws IOException {
        Path secret = folder.resolve("secret");
        Files.write(secret, "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        String users = "users: {secret-file: " + secret + "}\n";
        survives(users, users, 200);
    }

    @Test
    void refusesDialogsOfAnotherProcessWithoutASharedSecret() throws IOException {
        survives("", "", 403);
    }
}
