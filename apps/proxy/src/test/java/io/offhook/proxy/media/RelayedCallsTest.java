package io.offhook.proxy.media;

import static io.offhook.proxy.media.MediaPhone.audio;
import static io.offhook.proxy.media.MediaPhone.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.proxy.Proxy;
import io.offhook.proxy.ProxyConfig;
import io.offhook.testkit.peers.Rtpengine;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls through a proxy that has their media relayed by a real rtpengine, all on the loopback interface. */
@Timeout(60)
class RelayedCallsTest {
    private static final String LISTEN =
            "listeners: [{name: udp, transport: udp, address: 127.0.0.1, port: 0}]\nlanes: 2\n"
                    + "relay: {allow: [127.0.0.0/8]}\nshutdown-grace: 0s\n";

    @TempDir
    private Path folder;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private RelayEngine engine;

    @BeforeEach
    void start() throws Exception {
        assumeFalse(Rtpengine.isMissing(), "rtpengine is not installed");
        engine = keep(RelayEngine.start(folder));
    }

    @AfterEach
    void end() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        assertThat(failures).isEmpty();
    }

    private <T extends AutoCloseable> T keep(T part) {
        opened.push(part);
        return part;
    }

    private Proxy proxy(String media, String more) throws IOException {
        return proxy(new int[] {engine.control()}, media, more);
    }

    private Proxy proxy(int[] controls, String media, String more) throws IOException {
        StringBuilder engines = new StringBuilder();
        for (int control : controls) {
            engines.append("{address: '127.0.0.1:").append(control).append("'},");
        }
        String yaml = LISTEN + more + "media:\n  engines: [" + engines + "]\n  ping-every: 100ms\n" + media;
        return keep(Proxy.open(ProxyConfig.reader().read(yaml, "test.yaml"), failures::add));
    }

    private MediaPhone phone(Proxy proxy, String tag) throws IOException {
        return keep(new MediaPhone(tag)).by(proxy);
    }

    private static long counted(Proxy proxy, MediaCounter counter) {
        return proxy.statistics().snapshot().causes().stream()
                .filter(each -> each.group().equals("media") && each.cause().equalsIgnoreCase(counter.name()))
                .findFirst()
                .orElseThrow()
                .count();
    }

    @Test
    void relaysTheMediaOfACallFromItsOfferToItsBye() throws Exception {
        Proxy proxy = proxy("", "");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");

        alice.send(alice.invite(bob.uri(), "usual", alice.sdp()));
        String invite = bob.receive("INVITE");
        int forBob = audio(invite);
        assertThat(forBob).isNotEqualTo(alice.rtpPort());
        bob.send(bob.response(invite, 183, bob.sdp()));
        int forAlice = audio(alice.receive("SIP/2.0 183"));
        assertThat(forAlice).isNotEqualTo(bob.rtpPort());
        bob.send(bob.response(invite, 200, bob.sdp()));
        String ok = alice.receive("SIP/2.0 200");
        assertThat(audio(ok)).isEqualTo(forAlice);
        alice.joins(ok);
        bob.joins(invite);
        alice.send(alice.request("ACK", 1, "usual", ""));
        bob.receive("ACK");
        alice.assertHeard(forAlice, bob, forBob);
        bob.assertHeard(forBob, alice, forAlice);

        bob.send(bob.request("INVITE", 7, "usual", bob.sdp()));
        String again = alice.receive("INVITE");
        assertThat(audio(again)).isEqualTo(forAlice);
        alice.send(alice.response(again, 200, alice.sdp()));
        assertThat(audio(bob.receive("SIP/2.0 200"))).isEqualTo(forBob);
        bob.send(bob.request("ACK", 7, "usual", ""));
        alice.receive("ACK");
        alice.assertHeard(forAlice, bob, forBob);

        assertThat(engine.knows("usual")).isTrue();
        alice.send(alice.request("BYE", 2, "usual", ""));
        bob.send(bob.response(bob.receive("BYE"), 200, ""));
        alice.receive("SIP/2.0 200");
        engine.awaitEnd("usual");
        assertThat(counted(proxy, MediaCounter.CALLS)).isEqualTo(1);
        assertThat(counted(proxy, MediaCounter.ERRORS)).isZero();
    }

    @Test
    void relaysACallWhoseOfferIsInItsResponse() throws Exception {
        Proxy proxy = proxy("", "");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");

        alice.send(alice.invite(bob.uri(), "delayed", ""));
        String invite = bob.receive("INVITE");
        bob.send(bob.response(invite, 200, bob.sdp()));
        String ok = alice.receive("SIP/2.0 200");
        int forAlice = audio(ok);
        assertThat(forAlice).isNotEqualTo(bob.rtpPort());
        alice.joins(ok);
        alice.send(alice.request("ACK", 1, "delayed", alice.sdp()));
        int forBob = audio(bob.receive("ACK"));
        assertThat(forBob).isNotEqualTo(alice.rtpPort());
        alice.assertHeard(forAlice, bob, forBob);
        bob.assertHeard(forBob, alice, forAlice);
    }

    @Test
    void endsTheMediaOfCallsThatFail() throws Exception {
        Proxy proxy = proxy("", "");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");

        alice.send(alice.invite(bob.uri(), "busy", alice.sdp()));
        String busy = bob.receive("INVITE");
        assertThat(engine.knows("busy")).isTrue();
        bob.send(bob.response(busy, 486, ""));
        alice.receive("SIP/2.0 486");
        engine.awaitEnd("busy");

        String invite = alice.invite(bob.uri(), "cancelled", alice.sdp());
        alice.send(invite);
        String rings = bob.receive("INVITE");
        bob.send(bob.response(rings, 180, ""));
        alice.receive("SIP/2.0 180");
        alice.send(MediaPhone.cancel(invite));
        bob.send(bob.response(bob.receive("CANCEL"), 200, ""));
        bob.send(bob.response(rings, 487, ""));
        alice.receive("SIP/2.0 487");
        engine.awaitEnd("cancelled");
    }

    @Test
    void relaysTheCallsOfItsRulesOnly() throws Exception {
        Proxy proxy = proxy(
                "  calls: [{behind-nat: true}, {to-groups: [carrier], profile: untouched}]\n"
                        + "  profiles: {untouched: {to-callee: {replace-origin: false}}}\n",
                "routes: [{match: {prefix: '00'}, then: {group: {name: carrier}}}, {then: relay}]\n"
                        + "groups: {carrier: {members: [{uri: 'sip:127.0.0.1:9'}]}}\n");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");

        alice.send(alice.invite(bob.uri(), "direct", alice.sdp()));
        String direct = bob.receive("INVITE");
        assertThat(audio(direct)).isEqualTo(alice.rtpPort());
        bob.send(bob.response(direct, 200, bob.sdp()));
        assertThat(audio(alice.receive("SIP/2.0 200"))).isEqualTo(bob.rtpPort());

        alice.send(alice.inviteFrom("10.1.2.3:5060", bob.uri(), "nat", alice.sdp()));
        assertThat(audio(bob.receive("INVITE"))).isNotEqualTo(alice.rtpPort());
        assertThat(counted(proxy, MediaCounter.CALLS)).isEqualTo(1);
    }

    @Test
    void givesEachBranchPortsOfItsOwn() throws Exception {
        MediaPhone bob = keep(new MediaPhone("bob"));
        MediaPhone carol = keep(new MediaPhone("carol"));
        Proxy proxy = proxy(
                "  by-branch: true\n",
                "routes: [{then: {targets: {sets: [['" + bob.uri() + "', '" + carol.uri() + "']]}}}]\n");
        bob.by(proxy);
        carol.by(proxy);
        MediaPhone dave = phone(proxy, "dave");

        dave.send(dave.invite("sip:all@example.com", "forked", dave.sdp()));
        String one = bob.receive("INVITE");
        String two = carol.receive("INVITE");
        int forCarol = audio(two);
        assertThat(audio(one)).isNotEqualTo(forCarol);
        bob.send(bob.response(one, 183, bob.sdp()));
        assertThat(audio(dave.receive("SIP/2.0 183"))).isNotEqualTo(bob.rtpPort());
        carol.send(carol.response(two, 200, carol.sdp()));
        String ok = dave.receive("SIP/2.0 200");
        int forDave = audio(ok);
        dave.assertHeard(forDave, carol, forCarol);
        carol.assertHeard(forCarol, dave, forDave);

        dave.joins(ok);
        dave.send(dave.request("BYE", 2, "forked", ""));
        carol.receive("BYE");
        engine.awaitEnd("forked");
    }

    @Test
    void refusesNewCallsWithoutAnEngine() throws Exception {
        Proxy proxy = proxy("", "");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");
        alice.send(alice.invite(bob.uri(), "before", alice.sdp()));
        String invite = bob.receive("INVITE");
        bob.send(bob.response(invite, 200, bob.sdp()));
        String ok = alice.receive("SIP/2.0 200");
        alice.joins(ok);

        engine.kill();
        alice.send(alice.invite(bob.uri(), "after", alice.sdp()));
        assertThat(alice.receive("SIP/2.0 5")).startsWith("SIP/2.0 503 Media Relay Unavailable");
        assertThat(counted(proxy, MediaCounter.REQUESTS_REFUSED)).isEqualTo(1);

        alice.send(alice.request("BYE", 2, "before", ""));
        bob.send(bob.response(bob.receive("BYE"), 200, ""));
        alice.receive("SIP/2.0 200");
        assertThat(bob.others).isEmpty();

        RelayEngine back = keep(RelayEngine.start(folder, engine.control()));
        String last;
        int attempt = 0;
        do { // until it has answered a ping
            alice.send(alice.invite(bob.uri(), "again" + attempt++, alice.sdp()));
            last = alice.receive("SIP/2.0 ");
        } while (last.startsWith("SIP/2.0 503"));
        assertThat(back.client().enginesUp()).isEqualTo(1);
    }

    @Test
    void passesSessionDescriptionsAsTheyCameWithoutAnEngine() throws Exception {
        Proxy proxy = proxy("  on-failure: pass\n", "");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");
        engine.kill();

        alice.send(alice.invite(bob.uri(), "passed", alice.sdp()));
        String invite = bob.receive("INVITE");
        assertThat(body(invite)).isEqualTo(alice.sdp());
        bob.send(bob.response(invite, 200, bob.sdp()));
        assertThat(body(alice.receive("SIP/2.0 200"))).isEqualTo(bob.sdp());
        assertThat(counted(proxy, MediaCounter.PASSED_UNCHANGED)).isEqualTo(1);
    }

    @Test
    void passesAnAnswerAsItCameWhenItsEngineHasGone() throws Exception {
        Proxy proxy = proxy("", "");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");
        alice.send(alice.invite(bob.uri(), "half", alice.sdp()));
        String invite = bob.receive("INVITE");
        engine.kill();
        bob.send(bob.response(invite, 200, bob.sdp()));
        assertThat(body(alice.receive("SIP/2.0 200"))).isEqualTo(bob.sdp());
        assertThat(counted(proxy, MediaCounter.PASSED_UNCHANGED)).isEqualTo(1);
    }

    @Test
    void usesAnotherEngineInThePlaceOfOneThatHasGone() throws Exception {
        RelayEngine second = keep(RelayEngine.start(folder));
        Proxy proxy = proxy(new int[] {engine.control(), second.control()}, "", "");
        MediaPhone alice = phone(proxy, "alice");
        MediaPhone bob = phone(proxy, "bob");
        engine.kill();
        for (int i = 0; i < 10; i++) {
            alice.send(alice.invite(bob.uri(), "other" + i, alice.sdp()));
            assertThat(audio(bob.receive("INVITE"))).isNotEqualTo(alice.rtpPort());
            assertThat(second.knows("other" + i)).isTrue();
        }
    }

    @Test
    void holdsACallWhoseEngineIsSilentForAsLongAsConfigured() throws Exception {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Proxy proxy = proxy(new int[] {silent.getLocalPort()}, "  retry-after: 300ms\n  tries: 3\n", "");
            MediaPhone alice = phone(proxy, "alice");
            MediaPhone bob = phone(proxy, "bob");
            alice.send(alice.invite(bob.uri(), "silent", alice.sdp()));
            alice.receive("SIP/2.0 503");
            assertThat(alice.others).as("while it was held").containsExactly("SIP/2.0 100 Trying");
            DatagramPacket offer = new DatagramPacket(new byte[4096], 4096);
            for (int i = 0; i < 3; i++) {
                silent.receive(offer);
                assertThat(new String(offer.getData(), 0, offer.getLength(), StandardCharsets.ISO_8859_1))
                        .contains("7:call-id6:silent", "7:command5:offer");
            }
        }
    }
}
