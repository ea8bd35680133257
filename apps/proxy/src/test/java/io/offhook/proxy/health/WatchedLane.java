package io.offhook.proxy.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.log.LogCategory;
import io.offhook.proxy.log.LogConfig;
import io.offhook.proxy.log.LogLevel;
import io.offhook.proxy.log.ProxyLog;
import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.proxy.ForkTarget;
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
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lane without threads and sockets on simulated time, between members that a test lets live and die. */
final class WatchedLane {
    static final long MS = 1_000_000;
    static final long SECOND = 1000 * MS;
    private static final IpAddress OWN = Objects.requireNonNull(IpAddress.parse("192.0.2.1"));

    final ProxyCore core;
    final GroupWatch watch;
    /** What each address answers; one that is missing is silent. */
    final Map<String, Integer> answers = new HashMap<>();
    /** The OPTIONS that were sent for the first time, each with its time in ms. */
    final List<Asked> asked = new ArrayList<>();

    /** One OPTIONS. */
    record Asked(String member, long atMs, String text) {}

    /** A policy that relays, and has an account everywhere. */
    private static final class Relaying implements ProxyPolicy {
        @Override
        public void decide(ResponseContext context, SipMessageView request, long nowNs) {
            context.relay(nowNs);
        }

        @Override
        public DigestClient account(ResponseContext context, @Nullable ForkTarget target, SipHop place) {
            return new DigestClient("office", "secret", null, new Random(1));
        }
    }

    private final List<Runnable> mail = new ArrayList<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final ProxyLog log;
    private final Set<String> branches = new java.util.HashSet<>();
    long nowNs = 100 * SECOND;

    WatchedLane(Supplier<List<NextHopGroup>> groups, int lane, int lanes) {
        List<ProxyListener> listeners =
                List.of(ProxyListener.of(SipTransport.UDP, OWN, 5060), ProxyListener.of(SipTransport.TCP, OWN, 5060));
        ProxySetup setup = new ProxySetup(
                new ProxyIdentity(listeners, Set.of(OWN), Set.of()),
                ProxySettings.standard(1),
                new TransactionSettings(TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, 1));
        core = new ProxyCore(
                lane, setup, new Relaying(), (_, atNs, result) -> result.resolved(List.of(), atNs), this::send, nowNs);
        log = new ProxyLog(LogConfig.of(LogLevel.INFO), LineOutput.of(written), () -> Instant.ofEpochMilli(nowNs / MS));
        watch = new GroupWatch(
                core, groups, lane, lanes, log.of(LogCategory.ROUTING), () -> Instant.ofEpochMilli(nowNs / MS));
    }

    private boolean send(SipHop to, byte[] octets, int offset, int length) {
        String text = new String(octets, offset, length, UTF_8);
        String member =
                (to.transport() == SipTransport.UDP ? "" : to.transport() + " ") + to.address() + ":" + to.port();
        if (branches.add(line(text, "Via: "))) {
            asked.add(new Asked(member, nowNs / MS, text));
        }
        Integer status = answers.get(member);
        if (status != null) {
            byte[] answer = ("SIP/2.0 " + status + " Answer\r\n" + line(text, "Via: ") + line(text, "From: ")
                            + line(text, "To: ").replace("\r\n", ";tag=1\r\n") + line(text, "Call-ID: ")
                            + line(text, "CSeq: ") + "Content-Length: 0\r\n\r\n")
                    .getBytes(UTF_8);
            SipHop from = new SipHop().set(to);
            mail.add(() -> core.transactions().receive(answer, 0, answer.length, from, nowNs));
        }
        return true;
    }

    /** A request from a phone to a URI. */
    void message(String uri) {
        byte[] octets = ("MESSAGE " + uri
                        + " SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1\r\nMax-Forwards: 70\r\n"
                        + "From: <sip:a@example.org>;tag=1\r\nTo: <sip:b@example.org>\r\nCall-ID: one\r\n"
                        + "CSeq: 1 MESSAGE\r\nContent-Length: 0\r\n\r\n")
                .getBytes(UTF_8);
        SipHop from = new SipHop().set(SipTransport.UDP, 0, OWN.high(), OWN.low() + 6, 5060);
        core.transactions().receive(octets, 0, octets.length, from, nowNs);
    }

    private static String line(String text, String name) {
        int from = text.indexOf(name);
        return text.substring(from, text.indexOf("\r\n", from) + 2);
    }

    /** Time goes on, timer by timer; what was sent is answered at once. */
    void pass(long ns) {
        long end = nowNs + ns;
        deliver();
        while (core.transactions().nextNs() <= end) {
            nowNs = Math.max(nowNs, core.transactions().nextNs());
            core.transactions().advance(nowNs);
            deliver();
        }
        nowNs = end;
        core.transactions().advance(nowNs);
        deliver();
    }

    private void deliver() {
        while (!mail.isEmpty()) {
            mail.removeFirst().run();
        }
    }

    /** The times at which a member was asked, in ms. */
    List<Long> times(String member) {
        return asked.stream()
                .filter(one -> one.member().equals(member))
                .map(Asked::atMs)
                .toList();
    }

    /** What was logged, without times; the log ends by this. */
    List<String> logged() {
        log.start();
        log.close();
        return written.toString(UTF_8)
                .lines()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }
}
