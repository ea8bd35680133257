package io.offhook.sip.proxy;

import io.offhook.packet.IpAddress;
import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipValueCursor;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.transaction.MessageFault;
import io.offhook.sip.transaction.TransactionLimits;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionTimers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A proxy core on simulated time, with user agents that a test plays by hand: what the proxy sends to an address is kept
 * until the test takes it. An address is "203.0.113.2:5070", or "TCP 203.0.113.2:5070".
 */
final class ProxyScene implements ProxyPolicy {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000 * MS;
    static final IpAddress PROXY = Objects.requireNonNull(IpAddress.parse("192.0.2.1"));
    /** UDP and TCP at 5060, UDP at 5080. */
    static final ProxyListener[] LISTENERS = {
        ProxyListener.of(SipTransport.UDP, PROXY, 5060),
        ProxyListener.of(SipTransport.TCP, PROXY, 5060),
        ProxyListener.of(SipTransport.UDP, PROXY, 5080)
    };

    final ProxyCore core;
    /** Who sent what could not be processed, and why. */
    final List<String> rejected = new ArrayList<>();

    final List<String> log = new ArrayList<>();
    long nowNs = SECOND;
    /** What the policy does; by default it relays. */
    BiConsumer<ResponseContext, SipMessageView> decision = (context, request) -> context.relay(nowNs);
    /** The Retry-After of new requests, in seconds; 0 takes them. */
    int retryAfterS;
    /** What identifies the transactions of requests that were asked about. */
    final List<Long> askedAbout = new ArrayList<>();
    /** The places of names; a name that is missing has none. */
    final Map<String, List<String>> names = new HashMap<>();
    /** What became of requests at the places of names, as the resolver hears it. */
    final List<String> placesHeard = new ArrayList<>();
    /** Addresses to which nothing can be sent. */
    final Set<String> broken = new HashSet<>();
    /** Sources that are behind NAT. */
    final Set<String> behindNat = new HashSet<>();
    /** The account at each address, made anew for each branch. */
    final Map<String, Supplier<DigestClient>> accounts = new HashMap<>();

    /** Whether an ACK, or a CANCEL of nothing, passes: whether it has a Route, and follows one of ours. */
    BiPredicate<Boolean, Boolean> acks = (hasRoute, followsOwnRoute) -> true;
    /** Requests to be answered by the resolver when the test says so; null to answer at once. */
    @Nullable
    Deque<Runnable> lookups;

    private final @org.jspecify.annotations.Nullable BodyRewriter bodies;
    private final Map<String, Deque<String>> inboxes = new LinkedHashMap<>();
    int ended;

    ProxyScene() {
        this(ProxySettings.standard(1));
    }

    ProxyScene(ProxySettings settings) {
        this(settings, TransactionLimits.DEFAULT, ProxyObserver.NONE, LISTENERS);
    }

    /** With a rewriter of bodies. */
    ProxyScene(BodyRewriter bodies) {
        this(bodies, ProxySettings.standard(1), TransactionLimits.DEFAULT, ProxyObserver.NONE, LISTENERS);
    }

    ProxyScene(ProxySettings settings, TransactionLimits limits, ProxyObserver observer, ProxyListener... listeners) {
        this(null, settings, limits, observer, listeners);
    }

    private ProxyScene(
            @org.jspecify.annotations.Nullable BodyRewriter bodies,
            ProxySettings settings,
            TransactionLimits limits,
            ProxyObserver observer,
            ProxyListener... listeners) {
        this.bodies = bodies;
        ProxyIdentity identity = new ProxyIdentity(
                List.of(listeners),
                Set.of(PROXY, Objects.requireNonNull(IpAddress.parse("2001:db8::1"))),
                Set.of("proxy.example.com"));
        ProxySetup setup = new ProxySetup(
                identity,
                settings,
                new TransactionSettings(TransactionTimers.DEFAULT, limits, settings.secret()),
                observer);
        core = new ProxyCore(0, setup, this, new Names(), this::output, nowNs);
    }

    private boolean output(SipHop to, byte[] octets, int offset, int length) {
        String address = at(to);
        if (broken.contains(address)) {
            return false;
        }
        String message = new String(octets, offset, length, StandardCharsets.UTF_8);
        log.add(address + " <- " + message.lines().findFirst().orElse(""));
        inboxes.computeIfAbsent(address, name -> new ArrayDeque<>()).add(message);
        return true;
    }

    private final class Names implements HopResolver {
        @Override
        public void resolve(String uri, long atNs, Result result) {
            String host = SipUri.parse(uri).host();
            List<SipHop> hops = names.getOrDefault(host, List.of()).stream()
                    .map(ProxyScene::hop)
                    .toList();
            if (lookups == null) {
                result.resolved(hops, atNs);
            } else {
                lookups.add(() -> result.resolved(hops, nowNs));
            }
        }

        @Override
        public void failed(SipHop place, int status, long retryAfterS) {
            placesHeard.add(at(place) + " failed " + status + " " + retryAfterS);
        }

        @Override
        public void answered(SipHop place) {
            placesHeard.add(at(place) + " answered");
        }
    }

    static String at(SipHop hop) {
        String host = hop.address().isIpv4() ? hop.address().toString() : "[" + hop.address() + "]";
        return (hop.transport() == SipTransport.UDP ? "" : hop.transport() + " ") + host + ":" + hop.port();
    }

    static SipHop hop(String address) {
        int space = address.indexOf(' ');
        int colon = address.lastIndexOf(':');
        SipTransport transport = space < 0 ? SipTransport.UDP : SipTransport.valueOf(address.substring(0, space));
        String host = address.substring(space + 1, colon).replace("[", "").replace("]", "");
        IpAddress ip = Objects.requireNonNull(IpAddress.parse(host));
        return new SipHop().set(transport, -1, ip.high(), ip.low(), Integer.parseInt(address.substring(colon + 1)));
    }

    @Override
    public void decide(ResponseContext context, SipMessageView request, long atNs) {
        decision.accept(context, request);
    }

    @Override
    public int retryAfterS(SipMessageView request, boolean isInDialog, long transaction, long atNs) {
        askedAbout.add(transaction);
        return isInDialog ? 0 : retryAfterS;
    }

    @Override
    public boolean isRefusing() {
        return retryAfterS > 0;
    }

    @Override
    public boolean needsFlowToken(SipMessageView request, SipHop source) {
        return source.transport().isReliable() || behindNat.contains(at(source));
    }

    @Override
    public @org.jspecify.annotations.Nullable BodyRewriter bodies() {
        return bodies;
    }

    @Override
    public void rejected(SipHop source, MessageFault fault) {
        rejected.add(at(source) + " " + fault);
    }

    @Override
    public @Nullable DigestClient account(ResponseContext context, @Nullable ForkTarget target, SipHop place) {
        Supplier<DigestClient> account = accounts.get(at(place));
        return account == null ? null : account.get();
    }

    @Override
    public boolean mayForward(SipMessageView request, SipHop source, boolean hasRoute, boolean followsOwnRoute) {
        return acks.test(hasRoute, followsOwnRoute);
    }

    @Override
    public void ended(ResponseContext context) {
        ended++;
    }

    /** A message reaches the proxy from an address, by its first listener with that transport. */
    void send(String from, String message) {
        send(from, hop(from).transport() == SipTransport.UDP ? 0 : 1, message);
    }

    void send(String from, int listener, String message) {
        receive(from, listener, message.getBytes(StandardCharsets.UTF_8));
    }

    void receive(String from, int listener, byte[] octets) {
        SipHop hop = hop(from).listener(listener);
        if (hop.transport().isReliable()) {
            hop.connection(hop.port());
        }
        core.receive(octets, 0, octets.length, hop, nowNs);
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

    void passMs(long ms) {
        pass(ms * MS);
    }

    /** Takes the oldest message to an address. */
    Received take(String address) {
        Deque<String> inbox = inboxes.get(address);
        if (inbox == null || inbox.isEmpty()) {
            throw new AssertionError("nothing was sent to " + address + ", but " + log);
        }
        return new Received(inbox.remove());
    }

    /** Takes all messages to an address, and returns their start lines without the version. */
    List<String> takeAll(String address) {
        List<String> lines = new ArrayList<>();
        while (!isQuiet(address)) {
            lines.add(take(address).brief());
        }
        return lines;
    }

    /** Whether no message to an address waits. */
    boolean isQuiet(String address) {
        Deque<String> inbox = inboxes.get(address);
        return inbox == null || inbox.isEmpty();
    }

    /** Whether nothing of any request is left: to be called when all timers have had their time. */
    boolean isEmpty() {
        return core.transactions().serverCount() == 0
                && core.transactions().clientCount() == 0
                && core.transactions().keptBytes() == 0
                && core.transactions().wheel().running() == 0
                && core.contextCount() == 0;
    }

    /** A message that the proxy sent. */
    record Received(String text) {
        String startLine() {
            return text.substring(0, text.indexOf("\r\n"));
        }

        /** "INVITE", or "180". */
        String brief() {
            String line = startLine();
            return line.startsWith("SIP/2.0 ") ? line.substring(8, 11) : line.substring(0, line.indexOf(' '));
        }

        String body() {
            return text.substring(text.indexOf("\r\n\r\n") + 4);
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
            SipValueCursor cursor = new SipValueCursor();
            cursor.start(view(), header);
            while (cursor.next()) {
                values.add(cursor.text());
            }
            return values;
        }

        /** The values of Record-Route without our signatures. */
        List<String> recorded() {
            return values(SipHeader.RECORD_ROUTE).stream()
                    .map(value -> value.replaceFirst(";k=[0-9a-f]{16}(?=>$)", ""))
                    .toList();
        }

        String value(SipHeader header) {
            return view().text(header);
        }

        String branch() {
            return view().topViaBranch();
        }

        /** A response of a user agent server to this request; a tag for To, and header lines to add. */
        String answer(int status, String toTag, String... headers) {
            return answerWithBody(status, toTag, "", headers);
        }

        /** As above, with a body. */
        String answerWithBody(int status, String toTag, String body, String... headers) {
            StringBuilder out = new StringBuilder("SIP/2.0 " + status + " Reason\r\n");
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
            return out.append("Content-Length: ")
                    .append(body.length())
                    .append("\r\n\r\n")
                    .append(body)
                    .toString();
        }
    }
}
