package io.offhook.proxy.media;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.lane.LaneTask;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.proxy.BodyRewriter;
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
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls of one lane, on simulated time, with an engine that is a socket of the test. */
@Timeout(60)
class MediaCallsTest implements ProxyPolicy {
    private static final IpAddress PROXY = Objects.requireNonNull(IpAddress.parse("192.0.2.1"));
    private static final IpAddress CALLER = Objects.requireNonNull(IpAddress.parse("198.51.100.1"));
    private static final String BOB = "203.0.113.2";
    private static final String CAROL = "203.0.113.3";

    private final BlockingQueue<LaneTask> mailbox = new LinkedBlockingQueue<>();
    /** What the proxy has sent, oldest first. */
    private final Deque<String> sent = new ArrayDeque<>();

    private DatagramSocket engine;
    private MediaRelay relay;
    private MediaCalls calls;
    private ProxyCore core;
    private List<List<ForkTarget>> targets = List.of(List.of(target(BOB)));
    private long nowNs = 1_000_000_000;
    private String lastCookie = "";
    private @Nullable DatagramPacket last;

    @BeforeEach
    void start() throws Exception {
        engine = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        open("");
    }

    private void open(String yaml) throws Exception {
        if (relay != null) {
            relay.close();
        }
        relay = new MediaRelay(ConfigReader.of(MediaConfig.schema())
                .read(
                        "engines: [{address: '127.0.0.1:" + engine.getLocalPort()
                                + "'}]\nretry-after: 30s\ntries: 1\non-failure: pass\n" + yaml,
                        "proxy.yaml"));
        calls = new MediaCalls(relay, this::profile, mailbox::add);
        ProxySettings settings = ProxySettings.standard(1);
        core = new ProxyCore(
                0,
                new ProxySetup(
                        new ProxyIdentity(
                                List.of(ProxyListener.of(SipTransport.UDP, PROXY, 5060)), Set.of(PROXY), Set.of()),
                        settings,
                        new TransactionSettings(
                                TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, settings.secret())),
                this,
                (uri, atNs, result) -> result.resolved(List.of(), atNs),
                this::output,
                nowNs);
    }

    @AfterEach
    void end() {
        relay.close();
        engine.close();
    }

    private static ForkTarget target(String host) {
        return new ForkTarget("sip:user@" + host, List.of(), null, "");
    }

    /** Calls to Carol are not relayed. */
    private MediaConfig.@Nullable Profile profile(
            ResponseContext context, @Nullable ForkTarget target, SipMessageView invite) {
        return target != null && target.uri().contains(CAROL)
                ? null
                : relay.config().profile();
    }

    @Override
    public void decide(ResponseContext context, SipMessageView request, long atNs) {
        if (context.isInDialog()) {
            context.relay(atNs);
        } else {
            context.fork(targets, atNs);
        }
    }

    @Override
    public BodyRewriter bodies() {
        return calls;
    }

    private boolean output(SipHop to, byte[] octets, int offset, int length) {
        sent.add(new String(octets, offset, length, ISO_8859_1));
        return true;
    }

    private void receive(String message, IpAddress from) {
        byte[] octets = message.getBytes(ISO_8859_1);
        SipHop hop = new SipHop().set(SipTransport.UDP, 0, from.high(), from.low(), 5060);
        core.transactions().receive(octets, 0, octets.length, hop, nowNs);
    }

    private void request(String method, int cseq, String toTag, String body) {
        receive(
                method + " sip:user@" + BOB + " SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK"
                        + (method.equals("CANCEL") ? "INVITE" : method) + cseq
                        + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@example.com>;tag=a\r\nTo: <sip:b@example.com>"
                        + toTag + "\r\nCall-ID: call\r\nCSeq: " + cseq + " " + method + "\r\n" + end(body),
                CALLER);
    }

    private void answer(String request, int status, String tag, String body) {
        StringBuilder out = new StringBuilder("SIP/2.0 " + status + " Reason\r\n");
        request.lines()
                .filter(line -> line.matches("(Via|Record-Route|From|Call-ID|CSeq): .*"))
                .forEach(line -> out.append(line).append("\r\n"));
        out.append("To: <sip:b@example.com>;tag=").append(tag).append("\r\n").append(end(body));
        receive(out.toString(), Objects.requireNonNull(IpAddress.parse(BOB)));
    }

    private static String end(String body) {
        return "Content-Type: application/sdp\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private void pass(long ns) {
        nowNs += ns;
        core.transactions().advance(nowNs);
    }

    /** The next command at the engine, without its cookie. */
    private String command() throws Exception {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        engine.receive(packet);
        last = packet;
        String text = new String(packet.getData(), 0, packet.getLength(), ISO_8859_1);
        lastCookie = text.substring(0, text.indexOf(' '));
        return text.substring(lastCookie.length() + 1);
    }

    /** The engine answers its last command, and the lane does what follows. */
    private void reply(String sdp) throws Exception {
        String text = lastCookie + " d6:result2:ok3:sdp" + sdp.length() + ":" + sdp + "e";
        byte[] octets = text.getBytes(ISO_8859_1);
        engine.send(new DatagramPacket(
                octets, octets.length, Objects.requireNonNull(last).getSocketAddress()));
        mailbox.take().run(nowNs);
    }

    private String sentBody() {
        String message = sent.remove();
        return message.substring(message.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void freesWhatAnEngineHasPreparedTooLate() throws Exception {
        request("INVITE", 1, "", "v=0 caller");
        assertThat(command()).contains("5:offer");
        pass(calls.patienceNs() + 10_000_000);
        assertThat(sent.removeLast()).as("beside the 100").endsWith("v=0 caller");
        assertThat(relay.counts().get(MediaCounter.LATE)).isEqualTo(1);
        assertThat(relay.counts().get(MediaCounter.PASSED_UNCHANGED)).isEqualTo(1);

        reply("v=0 relay");
        assertThat(command()).contains("6:delete", "7:call-id4:call");
    }

    @Test
    void asksNothingMoreAboutACallThatGoesWithoutRelay() throws Exception {
        request("INVITE", 1, "", "v=0 caller");
        command();
        pass(calls.patienceNs() + 10_000_000);
        answer(sent.removeLast(), 200, "b", "v=0 callee");
        assertThat(sent.removeLast()).endsWith("v=0 callee");
        assertThat(relay.counts().get(MediaCounter.COMMANDS)).isEqualTo(1);
    }

    @Test
    void freesWhatACancelledCallWasPreparedFor() throws Exception {
        request("INVITE", 1, "", "v=0 caller");
        command();
        request("CANCEL", 1, "", "");
        assertThat(sent.stream().map(each -> each.substring(8, 11))).containsExactly("200", "487");
        reply("v=0 relay");
        assertThat(sent).as("nothing is sent on").hasSize(2);
        assertThat(command()).contains("6:delete");
    }

    @Test
    void endsTheMediaWhenSomebodyAnswersWithoutRelay() throws Exception {
        targets = List.of(List.of(target(BOB), target(CAROL)));
        request("INVITE", 1, "", "v=0 caller");
        String toCarol = sent.remove();
        assertThat(toCarol).startsWith("INVITE sip:user@" + CAROL).endsWith("v=0 caller");
        assertThat(command()).contains("5:offer");
        reply("v=0 relay");
        assertThat(sentBody()).isEqualTo("v=0 relay");

        answer(toCarol, 200, "c", "v=0 carol");
        assertThat(sent.remove()).as("the 2xx").endsWith("v=0 carol");
        assertThat(command()).contains("6:delete");
    }

    @Test
    void endsEachDialogOfAForkedCallByItsOwnBye() throws Exception {
        request("INVITE", 1, "", "v=0 caller");
        command();
        reply("v=0 relay");
        String invite = sent.remove();
        for (String tag : List.of("b1", "b2")) { // a proxy further on has forked
            answer(invite, 200, tag, "v=0 " + tag);
            assertThat(command()).contains("6:answer", "6:to-tag2:" + tag);
            reply("v=0 relay");
            assertThat(sentBody()).isEqualTo("v=0 relay");
        }
        request("BYE", 2, ";tag=b1", "");
        assertThat(command()).contains("6:delete", "6:to-tag2:b1");
        request("UPDATE", 3, ";tag=b2", "v=0 again");
        assertThat(command()).contains("5:offer", "6:to-tag2:b2");
        reply("v=0 relay");
        request("BYE", 4, ";tag=b2", "");
        assertThat(command()).contains("6:delete", "6:to-tag2:b2");
        request("UPDATE", 5, ";tag=b2", "v=0 late");
        assertThat(sent.removeLast()).as("of a call that is over").endsWith("v=0 late");
    }

    @Test
    void leavesBodiesInAnEncodingAlone() {
        receive(
                "INVITE sip:user@" + BOB + " SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bKe\r\n"
                        + "Max-Forwards: 70\r\nFrom: <sip:a@example.com>;tag=a\r\nTo: <sip:b@example.com>\r\n"
                        + "Call-ID: encoded\r\nCSeq: 1 INVITE\r\nContent-Encoding: gzip\r\n" + end("abc"),
                CALLER);
        assertThat(sentBody()).isEqualTo("abc");
    }

    @Test
    void remembersAsManyCallsAsConfigured() throws Exception {
        open("max-calls: 1\n");
        for (String id : Arrays.asList("one", "two")) {
            receive(
                    "INVITE sip:user@" + BOB + " SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK" + id
                            + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@example.com>;tag=a\r\nTo: <sip:b@example.com>\r\n"
                            + "Call-ID: " + id + "\r\nCSeq: 1 INVITE\r\n" + end("v=0"),
                    CALLER);
            command();
            reply("v=0 relay");
        }
        answer(sent.remove(), 200, "b", "v=0 first");
        sent.remove();
        assertThat(sentBody()).as("of the call that was forgotten").isEqualTo("v=0 first");
        assertThat(relay.counts().get(MediaCounter.CALLS_FORGOTTEN)).isPositive();
    }
}
