package io.offhook.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.statistics.DelayFigures;
import io.offhook.proxy.statistics.MessageKind;
import io.offhook.proxy.statistics.StatisticsSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How long messages wait for the proxy and stay in it, and what it refuses for that. */
@Timeout(60)
class OverloadTest {
    private static final String LISTEN =
            "listeners: [{name: udp, transport: udp, address: 127.0.0.1, port: 0}]\nlanes: 2\n";
    private static final String RELAY = "relay: {allow: [127.0.0.0/8]}\noverload: {target: %s}\n";

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void nothingFailed() {
        assertThat(failures).isEmpty();
    }

    private Proxy open(String yaml) throws IOException {
        return Proxy.open(config("shutdown-grace: 0s\n" + yaml), failures::add);
    }

    private static ProxyConfig config(String yaml) {
        return ProxyConfig.reader().read(LISTEN + yaml, "test.yaml");
    }

    /** Sets up a call, and returns its BYE by the caller. */
    private static String establish(Proxy proxy, Phone alice, Phone bob, String callId) throws IOException {
        String uri = "sip:bob@127.0.0.1:" + bob.port();
        alice.send(proxy, alice.invite(uri, callId));
        String invite = bob.receive("INVITE");
        bob.answer(proxy, invite, 180);
        bob.answer(proxy, invite, 200);
        String ok = alice.receive("SIP/2.0 200");
        String route = ok.lines()
                .filter(line -> line.startsWith("Record-Route: "))
                .map(line -> line.replace("Record-Route", "Route") + "\r\n")
                .findFirst()
                .orElseThrow();
        String ack = alice.invite(uri, callId)
                .replace("INVITE", "ACK")
                .replace("z9hG4bK", "z9hG4bKack")
                .replace("To: <" + uri + ">", "To: <" + uri + ">;tag=" + bob.port())
                .replace("Max-Forwards", route + "Max-Forwards");
        alice.send(proxy, ack);
        bob.receive("ACK");
        return ack.replace("ACK", "BYE").replace("z9hG4bKack", "z9hG4bKbye").replace("CSeq: 1", "CSeq: 2");
    }

    /** All lanes stand still while messages are sent, and for longer than any may wait. */
    private static void whileLanesStandStill(Proxy proxy, Callable<Void> sending) throws Exception {
        List<ProxyLane> lanes = proxy.lanes().lanes();
        CountDownLatch standing = new CountDownLatch(lanes.size());
        CountDownLatch end = new CountDownLatch(1);
        for (ProxyLane lane : lanes) {
            lane.execute(_ -> {
                standing.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        standing.await();
        sending.call();
        long endNs = System.nanoTime() + 50_000_000;
        while (System.nanoTime() < endNs) {
            Thread.onSpinWait();
        }
        end.countDown();
    }

    @Test
    @EnabledOnOs(OS.LINUX) // elsewhere, it is not known how long a datagram has waited
    void refusesNewCallsAndTakesWhatBelongsToOthersWhenMessagesWaitTooLong() throws Exception {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = open(RELAY.formatted("1s"))) {
            String uri = "sip:bob@127.0.0.1:" + bob.port();
            String bye = establish(proxy, alice, bob, "first");
            assertThat(proxy.reload(config(RELAY.formatted("1ms"))).isApplied()).isTrue();
            whileLanesStandStill(proxy, () -> {
                alice.send(proxy, alice.invite(uri, "late"));
                alice.send(proxy, bye);
                return null;
            });
            String refused = alice.receive("SIP/2.0 503");
            assertThat(refused).contains("Call-ID: late\r\n").containsPattern("Retry-After: (\\d|1\\d|20)\r\n");
            bob.answer(proxy, bob.receive("BYE"), 200);
            assertThat(alice.receive("SIP/2.0 200")).contains("CSeq: 2 BYE");
            // it stays refused, though nothing waits any more: alice may have her 503 by now
            alice.send(proxy, alice.invite(uri, "late"));
            assertThat(alice.receive("SIP/2.0 ")).startsWith("SIP/2.0 503");
            assertThat(proxy.statistics().snapshot().causes())
                    .contains(new CauseFigure("overload", "call", 1), new CauseFigure("overload", "repeated", 1));

            assertThat(proxy.reload(config(RELAY.formatted("1s"))).isApplied()).isTrue();
            whileLanesStandStill(proxy, () -> {
                alice.send(proxy, alice.invite(uri, "patient"));
                return null;
            });
            assertThat(bob.receive("INVITE")).contains("Call-ID: patient");
        }
    }

    private static DelayFigures timeInProxy(Proxy proxy, MessageKind kind) {
        return Objects.requireNonNull(
                proxy.statistics().snapshot().timeInProxy().get(kind));
    }

    @Test
    void measuresWhatItAddsToTheWayOfEachMessage() throws IOException {
        try (Phone alice = new Phone();
                Phone bob = new Phone();
                Proxy proxy = open(RELAY.formatted("1s"))) {
            String bye = establish(proxy, alice, bob, "measured");
            alice.send(proxy, bye);
            bob.answer(proxy, bob.receive("BYE"), 200);
            alice.receive("SIP/2.0 200");
            while (timeInProxy(proxy, MessageKind.SUCCESS).count() < 2) { // the last is recorded after it was sent
                Thread.onSpinWait();
            }
            StatisticsSnapshot snapshot = proxy.statistics().snapshot();
            assertThat(snapshot.queueDelay().count()).isEqualTo(6);
            for (MessageKind kind :
                    List.of(MessageKind.INVITE, MessageKind.PROVISIONAL, MessageKind.ACK, MessageKind.BYE)) {
                DelayFigures figures = timeInProxy(proxy, kind);
                assertThat(figures.count()).as(kind.word()).isEqualTo(1);
                assertThat(figures.mostNs()).as(kind.word()).isPositive();
            }
            assertThat(snapshot.hops()).singleElement().satisfies(hop -> {
                assertThat(hop.hop().port()).isEqualTo(bob.port());
                assertThat(hop.provisional().count()).isEqualTo(1);
                assertThat(hop.answer().count()).isEqualTo(1);
            });
        }
    }

    /** A registration is answered later, by the thread of the journal. */
    @Test
    void measuresRequestsThatWaitForSomethingElse(@TempDir Path folder) throws IOException {
        try (Phone alice = new Phone();
                Proxy proxy = open("open: true\ndomains: [example.com]\nlocation: {directory: " + folder + "}\n")) {
            alice.send(proxy, alice.invite("sip:example.com", "here").replace("INVITE", "REGISTER"));
            alice.receive("SIP/2.0 200");
            while (timeInProxy(proxy, MessageKind.REGISTER).count() == 0) {
                Thread.onSpinWait();
            }
        }
    }
}
