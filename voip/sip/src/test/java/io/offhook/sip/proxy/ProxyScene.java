package io.offhook.sip.proxy;

import io.offhook.packet.IpAddress;
import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.transaction.TransactionLimits;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionTimers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A proxy core on simulated time, with user agents that a test plays by hand: what the proxy sends to an address is kept
 * until the test takes it.
 */
final class ProxyScene implements ProxyPolicy {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000 * MS;
    static final IpAddress PROXY = Objects.requireNonNull(IpAddress.parse("192.0.2.1"));

    final ProxyCore core;
    final List<String> log = new ArrayList<>();
    long nowNs = SECOND;
    BiConsumer<ResponseContext, SipMessageView> decision = (context, request) -> context.relay(nowNs);
    Map<String, List<String>> names = new HashMap<>();
    Set<String> broken = new java.util.HashSet<>();
    private final Map<String, Deque<String>> inboxes = new LinkedHashMap<>();
    private int sent;

    ProxyScene() {
        this(ProxySettings.standard(1));
    }

    ProxyScene(ProxySettings settings) {
        this(
                settings,
                ProxyListener.of(SipTransport.UDP, PROXY, 5060),
                ProxyListener.of(SipTransport.TCP, PROXY, 5060),
                ProxyListener.of(SipTransport.UDP, PROXY, 5080));
    }

    ProxyScene(ProxySettings settings, ProxyListener... listeners) {
        ProxyIdentity identity = new ProxyIdentity(List.of(listeners), Set.of(PROXY), Set.of("proxy.example.com"));
        ProxySetup setup = new ProxySetup(
                identity,
                settings,
                new TransactionSettings(TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, settings.secret()));
        core = new ProxyCore(0, setup, this, this::resolve, this::output, nowNs);
    }

    private boolean output(SipHop to, byte[] octets, int offset, int length) {
        String address = to.address() + ":" + to.port();
        if (broken.contains(address)) {
            return false;
        }
        String message = new String(octets, offset, length, StandardCharsets.UTF_8);
        log.add(address + " <- " + message.lines().findFirst().orElse(""));
        inboxes.computeIfAbsent(address, name -> new ArrayDeque<>()).add(message);
        sent++;
        return true;
    }

    private void resolve(String uri, long atNs, HopResolver.Result result) {
        String host = io.offhook.sip.SipUri.parse(uri).host();
        result.resolved(
                names.getOrDefault(host, List.of()).stream()
                        .map(ProxyScene::hop)
                        .toList(),
                atNs);
    }

    static SipHop hop(String address) {
        int colon = address.lastIndexOf(':');
        IpAddress ip = Objects.requireNonNull(IpAddress.parse(address.substring(0, colon)));
        return new SipHop()
                .set(SipTransport.UDP, -1, ip.high(), ip.low(), Integer.parseInt(address.substring(colon + 1)));
    }

    @Override
    public void decide(ResponseContext context, SipMessageView request, long atNs) {
        decision.accept(context, request);
    }

    /** A message reaches the proxy from an address, by its first listener. */
    void send(String from, String message) {
        send(from, SipTransport.UDP, 0, message);
    }

    void send(String from, SipTransport transport, int listener, String message) {
        SipHop hop = hop(from);
        hop.set(transport, listener, hop.high(), hop.low(), hop.port());
        if (transport.isReliable()) {
            hop.connection(hop.port());
        }
        byte[] octets = message.getBytes(StandardCharsets.UTF_8);
        core.transactions().receive(octets, 0, octets.length, hop, nowNs);
    }

    /** Time goes on, timer by timer. */
    void pass(long ns) {
        long end = nowNs + ns;
        while (core.transactions().nextNs() <= end) {
            nowNs = Math.max(nowNs, core.transactions().nextNs());
            core.transactions().advance(nowNs);
        }
        nowNs = end;
        core.transactions().advance(nowNs);
    }

    /** Takes the oldest message to an address. */
    Received take(String address) {
        Deque<String> inbox = inboxes.get(address);
        if (inbox == null || inbox.isEmpty()) {
            throw new AssertionError("nothing was sent to " + address + ", but " + log);
        }
        return new Received(inbox.remove());
    }

    boolean hasNothingFor(String address) {
        Deque<String> inbox = inboxes.get(address);
        return inbox == null || inbox.isEmpty();
    }

    int waitingFor(String address) {
        Deque<String> inbox = inboxes.get(address);
        return inbox == null ? 0 : inbox.size();
    }

    int sent() {
        return sent;
    }

    /** A message that the proxy sent. */
    record Received(String text) {
        String startLine() {
            return text.substring(0, text.indexOf("\r\n"));
        }

        SipMessageView view() {
            SipMessageView view = new SipMessageView();
            byte[] octets = text.getBytes(StandardCharsets.UTF_8);
            if (view.wrap(octets, 0, octets.length) != WrapStatus.OK) {
                throw new AssertionError("no complete message: " + text);
            }
            return view;
        }

        List<String> values(SipHeader header) {
            List<String> values = new ArrayList<>();
            io.offhook.sip.SipValueCursor cursor = new io.offhook.sip.SipValueCursor();
            cursor.start(view(), header);
            while (cursor.next()) {
                values.add(cursor.text());
            }
            return values;
        }

        String value(SipHeader header) {
            return view().text(header);
        }

        /** A response of a user agent server to this request; a tag for To, and header lines to add. */
        String answer(int status, String reason, String toTag, String... headers) {
            StringBuilder out = new StringBuilder("SIP/2.0 " + status + " " + reason + "\r\n");
            for (SipHeader header : List.of(
                    SipHeader.VIA,
                    SipHeader.RECORD_ROUTE,
                    SipHeader.FROM,
                    SipHeader.TO,
                    SipHeader.CALL_ID,
                    SipHeader.CSEQ)) {
                for (String value : values(header)) {
                    out.append(header.text()).append(": ").append(value);
                    boolean needsTag = header == SipHeader.TO && !value.contains(";tag=") && status > 100;
                    out.append(needsTag ? ";tag=" + toTag : "").append("\r\n");
                }
            }
            for (String header : headers) {
                out.append(header).append("\r\n");
            }
            return out.append("Content-Length: 0\r\n\r\n").toString();
        }
    }
}
