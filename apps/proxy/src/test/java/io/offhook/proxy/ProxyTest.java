package io.offhook.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.control.LiveState;
import io.offhook.proxy.statistics.CallOutcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
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
        return ProxyConfig.reader().read(LISTEN + yaml, "test.yaml");
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

    /** The call that is being answered is finished, a new one is refused. */
    @Test
    void endsInOrder() throws Exception {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = open("relay: {allow: [127.0.0.0/8]}\n")) {
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
        while (calls == 0) { // a slow machine takes more than one turn
            calls = ProxyRehearsal.run(config(""), 200_000_000);
        }
        assertThat(calls).isPositive();
    }

    @Test
    void listensAtThePortsThatItReports() throws IOException {
        try (Proxy proxy = open("")) {
            List<InetSocketAddress> addresses = proxy.addresses();
            assertThat(addresses).hasSize(1);
            assertThat(addresses.getFirst().getPort()).isPositive();
        }
    }
}
