package io.offhook.proxy.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import io.offhook.sip.stream.SipStreamFault;
import io.offhook.sip.stream.SipStreamLimits;
import io.offhook.transport.CloseCause;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ConnectionTimeouts;
import io.offhook.transport.Listener;
import io.offhook.transport.TlsContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections on loopback whose inbound side writes down what happens, and answers requests with 200 if asked to. */
final class TestProxy implements SipInbound, AutoCloseable {
    private static final int MOST_SECONDS = 20;

    final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    final BlockingQueue<StreamFlow> flows = new LinkedBlockingQueue<>();
    final ConnectionLoops loops;
    final SipConnections connections;
    private final AtomicLong ahead = new AtomicLong();

    TestProxy(ConnectionLimits limits, @Nullable TlsContext outgoing) throws IOException {
        loops = ConnectionLoops.start(
                "test", 2, limits, ConnectionTimeouts.DEFAULT, () -> System.nanoTime() + ahead.get());
        connections = new SipConnections(loops, this, SipStreamLimits.DEFAULT, outgoing);
    }

    TestProxy() throws IOException {
        this(ConnectionLimits.DEFAULT, null);
    }

    /** Listens and returns the address. */
    Endpoint listen(SipTransport transport, @Nullable TlsContext tls) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
        Listener listener = connections.listen(
                new StreamListener(transport + "-listener", transport, any, 0, tls, List.of("https://phone.example")));
        return listener.local();
    }

    static Socket client(Endpoint address) throws IOException {
        Socket socket = new Socket(address.toInetSocketAddress().getAddress(), address.port());
        socket.setSoTimeout(MOST_SECONDS * 1000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String request(String callId) {
        return "OPTIONS sip:a SIP/2.0\r\nVia: SIP/2.0/TCP b;branch=z9hG4bK" + callId
                + "\r\nFrom: <sip:b>;tag=1\r\nTo: <sip:a>\r\nCall-ID: " + callId + "\r\nCSeq: 1 OPTIONS\r\n"
                + "Content-Length: 0\r\n\r\n";
    }

    @Override
    public void opened(StreamFlow flow) {
        flows.add(flow);
        events.add("opened " + flow.transport());
    }

    @Override
    public void message(byte[] octets, int offset, int length, StreamFlow flow) {
        String message = new String(octets, offset, length, StandardCharsets.ISO_8859_1);
        events.add(message.lines()
                .filter(line -> line.startsWith("Call-ID"))
                .findFirst()
                .orElse(message));
        if (message.contains("sip:answer")) {
            byte[] answer = octets("SIP/2.0 200 OK\r\nl: 0\r\n\r\n");
            flow.send(answer, 0, answer.length);
        }
    }

    @Override
    public void pong(StreamFlow flow) {
        events.add("pong");
    }

    @Override
    public void fault(StreamFlow flow, SipStreamFault fault) {
        events.add("fault " + fault);
    }

    @Override
    public void unsent(StreamFlow flow, long token) {
        events.add("unsent " + token);
    }

    @Override
    public void closed(StreamFlow flow, CloseCause cause, @Nullable String detail) {
        events.add("closed " + cause);
    }

    void advance(long ns) {
        ahead.addAndGet(ns);
        loops.wakeUp();
    }

    StreamFlow flow() throws InterruptedException {
        StreamFlow flow = flows.poll(MOST_SECONDS, TimeUnit.SECONDS);
        assertThat(flow).as("a flow").isNotNull();
        return flow;
    }

    String event() throws InterruptedException {
        String event = events.poll(MOST_SECONDS, TimeUnit.SECONDS);
        return event == null ? "nothing happened" : event;
    }

    void expect(String... expected) throws InterruptedException {
        for (String one : expected) {
            assertThat(event()).isEqualTo(one);
        }
    }

    /** Waits until something holds. */
    static void until(Supplier<Boolean> condition) {
        long end = System.nanoTime() + MOST_SECONDS * 1_000_000_000L;
        while (!condition.get()) {
            assertThat(System.nanoTime()).as("it never came to hold").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        loops.close();
    }
}
