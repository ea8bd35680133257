package io.offhook.proxy.limit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A proxy core behind its gate, on simulated time, as one server: a message takes the time of its kind, and whatever arrives
 * meanwhile waits in a queue. A caller sends an INVITE that is not answered again after 500 ms, as often as RFC 3261 has it,
 * acknowledges whatever final response it gets, and hangs up at once. A whole call takes 1 ms.
 */
final class OverloadedProxy implements ProxyPolicy {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private static final long T1 = 500 * MS;
    /** How long a message is under way. */
    private static final long WAY = MS;

    /** What a refusal costs, as a share of a call. */
    static final double REFUSAL = 0.22;

    private static final int QUEUE = 8_000;
    private static final int CALLER = 5061;
    private static final int CALLEE = 5062;
    private static final IpAddress HOST = Objects.requireNonNull(IpAddress.parse("192.0.2.1"));

    /** Something that happens at a time: a message arrives at the proxy, or a caller looks whether it was answered. */
    private record Event(long atNs, String message, int fromPort, long order, int attempt) {}

    /** What a caller knows of its call. */
    private static final class Call {
        boolean isHeard;
        boolean isRepeated;
        boolean isRefused;
    }

    /** What was counted in a stretch of time. */
    record Counts(int good, int refused, int refusedAndForwarded, int lost) {}

    private final SplittableRandom random;
    private final OverloadGate gate;
    private final ProxyCore core;
    private final SipHop from = new SipHop();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNs).thenComparingLong(Event::order));
    private final java.util.ArrayDeque<Event> queue = new java.util.ArrayDeque<>();
    private final Map<String, Call> calls = new HashMap<>();
    private long nowNs = S;
    private long workNs;
    private long standNs;
    private long order;
    private int begun;
    private int good;
    private int refused;
    private int refusedAndForwarded;
    private int lost;

    OverloadedProxy(long seed, OverloadConfig config, LaneStatistics statistics) {
        random = new SplittableRandom(seed);
        gate = new OverloadGate(config, statistics, seed);
        ProxyIdentity identity =
                new ProxyIdentity(List.of(ProxyListener.of(SipTransport.UDP, HOST, 5060)), Set.of(), Set.of());
        TransactionSettings transactions =
                new TransactionSettings(TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, seed);
        core = new ProxyCore(
                0,
                new ProxySetup(identity, ProxySettings.standard(seed), transactions),
                this,
                (uri, atNs, result) -> result.resolved(List.of(), atNs),
                this::output,
                nowNs);
    }

    @Override
    public int retryAfterS(SipMessageView request, boolean isInDialog, long transaction, long atNs) {
        return gate.retryAfterS(request.method(), isInDialog, transaction);
    }

    @Override
    public boolean isRefusing() {
        return gate.isRefusing();
    }

    @Override
    public void decide(ResponseContext context, SipMessageView request, long atNs) {
        context.relay(atNs);
    }

    /** Runs for a time with calls at a rate. */
    Counts run(double seconds, double callsPerSecond) {
        good = 0;
        refused = 0;
        refusedAndForwarded = 0;
        lost = 0;
        long endNs = nowNs + (long) (seconds * S);
        for (double at = nowNs; at < endNs; at -= Math.log(1 - random.nextDouble()) / callsPerSecond * S) {
            String call = "call-" + begun++;
            calls.put(call, new Call());
            events.add(new Event((long) at, request("INVITE", call, ""), CALLER, order++, 0));
        }
        nowNs += standNs;
        standNs = 0;
        while (nowNs < endNs) {
            arrive();
            core.transactions().advance(nowNs);
            Event next = queue.poll();
            if (next == null) {
                Event first = events.peek();
                long nextNs = Math.min(
                        first == null ? endNs : first.atNs(),
                        core.transactions().nextNs());
                nowNs = Math.max(nowNs, Math.min(nextNs, endNs));
            } else {
                serve(next);
            }
        }
        return new Counts(good, refused, refusedAndForwarded, lost);
    }

    /** The next run begins with a time in which nothing is served, whatever arrives. */
    void standStill(long forNs) {
        standNs = forNs;
    }

    private void arrive() {
        while (!events.isEmpty() && events.peek().atNs() <= nowNs) {
            Event event = events.poll();
            if (event.message().startsWith("INVITE")) {
                if (!isWanted(event)) {
                    continue;
                }
                events.add(new Event(
                        event.atNs() + (T1 << event.attempt()), event.message(), CALLER, order++, event.attempt() + 1));
            }
            if (queue.size() < QUEUE) {
                queue.add(event);
            } else {
                lost++;
            }
        }
    }

    /** Whether the caller sends its INVITE again, or for the first time. */
    private boolean isWanted(Event event) {
        Call call = calls.get(callId(event.message()));
        if (call == null || call.isHeard || event.attempt() > 6) {
            return false;
        }
        call.isRepeated |= event.attempt() > 0;
        return true;
    }

    private void serve(Event event) {
        byte[] octets = event.message().getBytes(ISO_8859_1);
        from.set(SipTransport.UDP, 0, HOST.high(), HOST.low(), event.fromPort());
        workNs = workNs(event);
        gate.turn(event.atNs(), nowNs);
        core.transactions().receive(octets, 0, octets.length, from, nowNs);
        nowNs += workNs;
    }

    /** Shares of the time of a call, as measurements of the relay path have them; {@link #REFUSAL} for its 503 and the ACK. */
    private long workNs(Event event) {
        String message = event.message();
        if (message.startsWith("INVITE")) {
            return event.attempt() == 0 ? 320_000 : 50_000;
        } else if (message.startsWith("ACK")) {
            return message.contains("z9hG4bKINVITE") ? 55_000 : 100_000;
        } else if (message.startsWith("BYE")) {
            return 200_000;
        } else if (message.startsWith("SIP/2.0 180")) {
            return 120_000;
        }
        return message.contains(" INVITE\r\n") ? 140_000 : 120_000;
    }

    private boolean output(SipHop to, byte[] octets, int offset, int length) {
        String message = new String(octets, offset, length, ISO_8859_1);
        String callId = callId(message);
        Call call = calls.get(callId);
        if (call == null) {
            return true;
        }
        if (to.port() == CALLEE) {
            callee(message);
        } else {
            caller(message, callId, call);
        }
        return true;
    }

    private void callee(String message) {
        if (message.startsWith("INVITE")) {
            send(answer(message, "180 Ringing"), CALLEE, WAY);
            send(answer(message, "200 OK"), CALLEE, 2 * WAY);
        } else if (message.startsWith("BYE")) {
            send(answer(message, "200 OK"), CALLEE, WAY);
        }
    }

    private void caller(String message, String callId, Call call) {
        call.isHeard = true;
        if (message.startsWith("SIP/2.0 503")) {
            workNs = 165_000;
            refused += call.isRefused ? 0 : 1;
            call.isRefused = true;
            send(request("ACK", callId, to(message)).replace("z9hG4bKACK", "z9hG4bKINVITE"), CALLER, WAY);
        } else if (message.startsWith("SIP/2.0 200") && message.contains(" INVITE\r\n")) {
            refusedAndForwarded += call.isRefused ? 1 : 0;
            send(request("ACK", callId, ";tag=b"), CALLER, WAY);
            send(request("BYE", callId, ";tag=b"), CALLER, 2 * WAY);
        } else if (message.startsWith("SIP/2.0 200")) {
            good += call.isRepeated || call.isRefused ? 0 : 1;
            calls.remove(callId);
        }
    }

    private void send(String message, int fromPort, long wayNs) {
        events.add(new Event(nowNs + workNs + wayNs, message, fromPort, order++, 0));
    }

    private static String request(String method, String callId, String toTag) {
        return method + " sip:bob@192.0.2.1:" + CALLEE + " SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:" + CALLER
                + ";branch=z9hG4bK" + method + callId + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@example.com>;tag=a\r\n"
                + "To: <sip:b@example.com>" + toTag + "\r\nCall-ID: " + callId + "\r\nCSeq: "
                + (method.equals("BYE") ? 2 : 1) + " " + method + "\r\nContent-Length: 0\r\n\r\n";
    }

    private static String answer(String request, String status) {
        StringBuilder out = new StringBuilder("SIP/2.0 ").append(status).append("\r\n");
        request.lines()
                .filter(line -> line.matches("(Via|From|To|Call-ID|CSeq): .*"))
                .forEach(line -> out.append(line)
                        .append(line.startsWith("To: ") && !line.contains(";tag=") ? ";tag=b" : "")
                        .append("\r\n"));
        return out.append("Content-Length: 0\r\n\r\n").toString();
    }

    private static String callId(String message) {
        int at = message.indexOf("Call-ID: ") + "Call-ID: ".length();
        return message.substring(at, message.indexOf('\r', at));
    }

    private static String to(String message) {
        int at = message.indexOf(";tag=", message.indexOf("\r\nTo: "));
        return message.substring(at, message.indexOf('\r', at));
    }
}
