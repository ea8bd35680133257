package io.offhook.proxy.stream;

import static io.offhook.proxy.stream.TestProxy.client;
import static io.offhook.proxy.stream.TestProxy.octets;
import static io.offhook.proxy.stream.TestProxy.request;
import static io.offhook.proxy.stream.TestProxy.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import io.offhook.sip.stream.SipStreamFault;
import io.offhook.testkit.peers.LoopbackPorts;
import io.offhook.transport.ConnectionCounter;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionTimeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SipConnectionsTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private static StreamTarget tcp(Endpoint remote) {
        return new StreamTarget(SipTransport.TCP, remote, "");
    }

    private static @Nullable StreamFlow send(TestProxy proxy, StreamTarget target, String callId, long token) {
        byte[] message = octets(request(callId));
        return proxy.connections.send(target, message, 0, message.length, token);
    }

    @Test
    void deliversMessagesInPiecesAndAnswersKeepAlives() throws Exception {
        try (TestProxy proxy = new TestProxy()) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            try (Socket client = client(address)) {
                for (byte octet : octets("\r\n" + request("1") + request("2"))) {
                    client.getOutputStream().write(octet);
                }
                proxy.expect("opened TCP", "pong", "Call-ID: 1", "Call-ID: 2");
                client.getOutputStream().write(octets("\r\n\r\n"));
                assertThat(client.getInputStream().readNBytes(2)).isEqualTo(octets("\r\n"));
                client.getOutputStream().write(octets("OPTIONS sip:answer SIP/2.0\r\nl: 0\r\n\r\n"));
                assertThat(client.getInputStream().readNBytes(14)).asString().isEqualTo("SIP/2.0 200 OK");
                StreamFlow flow = proxy.flow();
                assertThat(flow.remote()).isEqualTo(Endpoint.of("127.0.0.1", client.getLocalPort()));
                assertThat(flow.local()).isEqualTo(address);
                assertThat(flow.listener()).isEqualTo("TCP-listener");
                assertThat(flow.isOutgoing()).isFalse();
                assertThat(proxy.connections.count(StreamCounter.PINGS)).isEqualTo(1);
                assertThat(proxy.connections.count(StreamCounter.RECEIVED)).isEqualTo(3);
            }
        }
    }

    @Test
    void aFlowIsFoundByItsNumberAndItsPeerUntilItEnds() throws Exception {
        try (TestProxy proxy = new TestProxy()) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            StreamFlow flow;
            Endpoint peer;
            try (Socket client = client(address)) {
                flow = proxy.flow();
                peer = Endpoint.of("127.0.0.1", client.getLocalPort());
                assertThat(proxy.connections.find(flow.id())).isSameAs(flow);
                assertThat(send(proxy, tcp(peer), "back", 1)).isSameAs(flow);
                assertThat(client.getInputStream().readNBytes(request("back").length()))
                        .isEqualTo(octets(request("back")));
                assertThat(proxy.connections.count(StreamCounter.REUSED)).isEqualTo(1);
                assertThat(proxy.connections.find(new StreamTarget(SipTransport.TLS, peer, "")))
                        .isNull();
                assertThat(proxy.connections.find(flow.id() + 1)).isNull();
            }
            proxy.expect("opened TCP", "closed FINISHED");
            assertThat(proxy.connections.find(flow.id())).isNull();
            assertThat(proxy.connections.find(tcp(peer))).isNull();
            assertThat(proxy.connections.openFlows()).isZero();
        }
    }

    @Test
    void beginsOneFlowForMessagesToTheSameTarget() throws Exception {
        try (TestProxy proxy = new TestProxy();
                TestProxy other = new TestProxy()) {
            StreamTarget target = tcp(other.listen(SipTransport.TCP, null));
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                senders.add(Thread.ofPlatform().start(() -> send(proxy, target, "c" + number, number)));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            List<String> received = new ArrayList<>();
            other.expect("opened TCP");
            for (int i = 0; i < 8; i++) {
                received.add(other.event());
            }
            assertThat(received)
                    .containsExactlyInAnyOrder(
                            "Call-ID: c0",
                            "Call-ID: c1",
                            "Call-ID: c2",
                            "Call-ID: c3",
                            "Call-ID: c4",
                            "Call-ID: c5",
                            "Call-ID: c6",
                            "Call-ID: c7");
            assertThat(proxy.connections.count(StreamCounter.BEGUN)).isEqualTo(1);
            assertThat(proxy.connections.count(StreamCounter.REUSED)).isEqualTo(7);
            // and the other way round over the same connection
            StreamFlow there = other.flow();
            byte[] request = octets(request("reverse"));
            assertThat(there.send(request, 0, request.length)).isTrue();
            proxy.expect("opened TCP", "Call-ID: reverse");
            assertThat(there.ping()).isTrue();
            other.expect("pong");
        }
    }

    @Test
    void accountsForEachMessageThatAPeerRefusesWithItsConnection() throws Exception {
        int port = LoopbackPorts.free();
        try (TestProxy proxy = new TestProxy()) {
            StreamTarget target = tcp(Endpoint.of("127.0.0.1", port));
            int taken = 0;
            for (int i = 0; i < 40; i++) {
                // on loopback the refusal may come before the message has been queued: then nobody took it
                if (send(proxy, target, "n" + i, i) != null) {
                    proxy.expect("unsent " + i);
                    taken++;
                }
                proxy.expect("closed CONNECT_FAILED");
            }
            assertThat(proxy.connections.count(StreamCounter.UNSENT)).isEqualTo(taken);
            assertThat(proxy.connections.count(StreamCounter.REFUSED)).isEqualTo(40 - taken);
            assertThat(proxy.connections.openFlows()).isZero();
        }
    }

    @Test
    void boundsMessagesForAPeerThatDoesNotAnswer() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withQueuedBytes(10_000, 1 << 20);
        try (TestProxy proxy = new TestProxy(limits, null);
                ServerSocket full = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
                Socket second = new Socket(full.getInetAddress(), full.getLocalPort())) {
            assertThat(first.isConnected() && second.isConnected()).isTrue(); // its backlog is full now
            StreamTarget target = tcp(Endpoint.of("127.0.0.1", full.getLocalPort()));
            int taken = 0;
            int bytes = 0;
            while (send(proxy, target, "n" + taken, taken) != null) {
                bytes += request("n" + taken).length();
                taken++;
            }
            assertThat(bytes).isBetween(9_800, 10_000);
            assertThat(proxy.connections.count(StreamCounter.REFUSED)).isEqualTo(1);
            proxy.advance(ConnectionTimeouts.DEFAULT.connectNs() + SECOND_NS);
            for (int i = 0; i < taken; i++) {
                proxy.expect("unsent " + i);
            }
            proxy.expect("closed CONNECT_TIMEOUT");
        }
    }

    @Test
    void doesNotReportWhatHasLeft() throws Exception {
        try (TestProxy proxy = new TestProxy();
                ServerSocket peer = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            StreamTarget target = tcp(Endpoint.of("127.0.0.1", peer.getLocalPort()));
            StreamFlow flow = Objects.requireNonNull(send(proxy, target, "1", 1));
            try (Socket accepted = peer.accept()) {
                accepted.getInputStream().readNBytes(request("1").length());
                until(() -> flow.queuedBytes() == 0);
                assertThat(send(proxy, target, "2", 2)).isSameAs(flow);
                accepted.getInputStream().readNBytes(request("2").length());
            }
            proxy.expect("opened TCP", "closed FINISHED");
        }
    }

    @Test
    void answersARequestWhoseEndCannotBeKnownAndCloses() throws Exception {
        try (TestProxy proxy = new TestProxy()) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            String request = request("1")
                    .replace("Content-Length: 0\r\n", "Subject: x\r\n")
                    .replace("Via: ", "V : first\r\n ,folded\r\nVia: ");
            try (Socket client = client(address)) {
                client.getOutputStream().write(octets(request + "body of unknown length\r\n\r\n"));
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("SIP/2.0 400 Missing Content-Length\r\nV : first\r\n ,folded\r\n"
                                + "Via: SIP/2.0/TCP b;branch=z9hG4bK1\r\nFrom: <sip:b>;tag=1\r\nTo: <sip:a>\r\n"
                                + "Call-ID: 1\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n");
            }
            proxy.expect("opened TCP", "fault CONTENT_LENGTH_MISSING", "closed FINISHED");
            assertThat(proxy.connections.count(SipStreamFault.CONTENT_LENGTH_MISSING))
                    .isEqualTo(1);
            assertThat(proxy.connections.count(StreamCounter.FAULTS_ANSWERED)).isEqualTo(1);
        }
    }

    @Test
    void answersABodyThatIsTooLongBeforeItArrives() throws Exception {
        try (TestProxy proxy = new TestProxy()) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            try (Socket client = client(address)) {
                client.getOutputStream().write(octets(request("1").replace("Length: 0", "Length: 999999999")));
                assertThat(client.getInputStream().readAllBytes()).asString().startsWith("SIP/2.0 413 ");
            }
        }
    }

    @Test
    void answersNeitherAcksNorResponsesNorGarbage() throws Exception {
        String[] streams = {
            request("1").replace("OPTIONS sip", "ACK sip").replace("Content-Length: 0\r\n", ""),
            request("1").replace("OPTIONS sip:a SIP/2.0", "SIP/2.0 200 OK").replace("Content-Length: 0\r\n", ""),
            request("1").replace("Via", "Vio").replace("Content-Length: 0\r\n", ""),
            "GET / HTTP/1.1\r\n\r\n"
        };
        try (TestProxy proxy = new TestProxy()) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            for (String stream : streams) {
                try (Socket client = client(address)) {
                    client.getOutputStream().write(octets(stream));
                    assertThat(client.getInputStream().readAllBytes()).isEmpty();
                }
            }
            until(() -> proxy.connections.openFlows() == 0);
            assertThat(proxy.connections.count(StreamCounter.FAULTS_ANSWERED)).isZero();
            assertThat(proxy.connections.count(SipStreamFault.GARBAGE)).isEqualTo(1);
        }
    }

    @Test
    void aSlowSenderIsClosed() throws Exception {
        try (TestProxy proxy = new TestProxy()) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            try (Socket client = client(address)) {
                proxy.expect("opened TCP");
                byte[] request = octets(request("slow"));
                for (int i = 0; i < 4; i++) {
                    client.getOutputStream().write(request[i]);
                    int sent = i + 1;
                    until(() -> proxy.loops.unreadBytes() == sent);
                    proxy.advance(8 * SECOND_NS);
                }
                proxy.expect("closed PEER_SENDS_SLOWLY");
            }
        }
    }

    @Test
    void aFloodOfConnectionsIsBoundedAndOthersAreServed() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withConnections(60, 20);
        try (TestProxy proxy = new TestProxy(limits, null)) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            List<Socket> flood = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Socket socket = client(address);
                flood.add(socket);
                try {
                    socket.getOutputStream().write(octets("INVITE sip:a SIP/2.0\r\nX: "));
                } catch (IOException e) {
                    // refused already
                }
            }
            until(() -> proxy.loops.count(ConnectionCounter.REFUSED_SOURCE) == 80);
            assertThat(proxy.connections.openFlows()).isLessThanOrEqualTo(20);
            try (Socket other = new Socket()) {
                other.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
                other.connect(address.toInetSocketAddress());
                other.getOutputStream().write(octets("OPTIONS sip:answer SIP/2.0\r\nl: 0\r\n\r\n"));
                assertThat(other.getInputStream().readNBytes(14)).asString().isEqualTo("SIP/2.0 200 OK");
            }
            for (Socket socket : flood) {
                socket.close();
            }
            until(() -> proxy.loops.openConnections() == 0);
            assertThat(proxy.loops.borrowedBytes()).isZero();
        }
    }

    @Test
    void drainingSendsAnswersFirst() throws Exception {
        try (TestProxy proxy = new TestProxy()) {
            Endpoint address = proxy.listen(SipTransport.TCP, null);
            try (Socket client = client(address)) {
                StreamFlow flow = proxy.flow();
                byte[] answer = octets("x".repeat(500_000));
                assertThat(flow.send(answer, 0, answer.length, 7)).isTrue();
                Thread reader = Thread.ofPlatform().start(() -> {
                    try {
                        proxy.events.add("read " + client.getInputStream().readAllBytes().length);
                        client.shutdownOutput();
                    } catch (IOException e) {
                        proxy.events.add(e.toString());
                    }
                });
                assertThat(proxy.loops.drain(20 * SECOND_NS)).isTrue();
                reader.join();
                assertThat(proxy.events).containsExactlyInAnyOrder("opened TCP", "read 500000", "closed FINISHED");
            }
        }
    }

    /** Collects what the JDK's WebSocket client receives. */
    private record Received(BlockingQueue<String> messages) implements WebSocket.Listener {
        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
            messages.add("text " + data);
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean isLast) {
            messages.add("binary " + data.remaining());
            socket.request(1);
            return null;
        }
    }

    @Test
    void carriesSipOverWebSocket() throws Exception {
        try (TestProxy proxy = new TestProxy();
                HttpClient http = HttpClient.newHttpClient()) {
            Endpoint address = proxy.listen(SipTransport.WS, null);
            Received received = new Received(new LinkedBlockingQueue<>());
            WebSocket client = http.newWebSocketBuilder()
                    .subprotocols("sip")
                    .header("Origin", "https://phone.example")
                    .buildAsync(URI.create("ws://127.0.0.1:" + address.port() + "/"), received)
                    .get(20, TimeUnit.SECONDS);
            proxy.expect("opened WS");
            StreamFlow flow = proxy.flow();
            assertThat(flow.origin()).isEqualTo("https://phone.example");
            // one message a frame: no Content-Length is needed (RFC 7118, 5)
            client.sendText(request("ws").replace("Content-Length: 0\r\n", ""), true)
                    .get(20, TimeUnit.SECONDS);
            proxy.expect("Call-ID: ws");
            client.sendText("\r\n\r\n", true).get(20, TimeUnit.SECONDS);
            assertThat(received.messages.poll(20, TimeUnit.SECONDS)).isEqualTo("text \r\n");
            byte[] message = octets(request("back"));
            assertThat(proxy.connections.send(
                            new StreamTarget(SipTransport.WS, flow.remote(), ""), message, 0, message.length, 1))
                    .isSameAs(flow);
            assertThat(received.messages.poll(20, TimeUnit.SECONDS)).isEqualTo("text " + request("back"));
            byte[] binary = octets("MESSAGE sip:a SIP/2.0\r\n\r\n\u00ff\u00fe");
            assertThat(flow.send(binary, 0, binary.length)).isTrue();
            assertThat(received.messages.poll(20, TimeUnit.SECONDS)).isEqualTo("binary 27");
            assertThat(flow.ping()).isTrue();
            proxy.expect("pong");
            client.sendClose(1000, "").get(20, TimeUnit.SECONDS);
            assertThat(proxy.event()).startsWith("closed ");
        }
    }

    @Test
    void refusesPagesThatAreNotAllowedAndNeverConnectsToABrowser() throws Exception {
        try (TestProxy proxy = new TestProxy();
                HttpClient http = HttpClient.newHttpClient()) {
            Endpoint address = proxy.listen(SipTransport.WS, null);
            assertThatThrownBy(() -> http.newWebSocketBuilder()
                            .subprotocols("sip")
                            .header("Origin", "https://evil.example")
                            .buildAsync(
                                    URI.create("ws://127.0.0.1:" + address.port() + "/"),
                                    new Received(new LinkedBlockingQueue<>()))
                            .get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("WebSocketHandshakeException");
            proxy.expect("closed FINISHED");
            assertThat(send(proxy, new StreamTarget(SipTransport.WS, address, ""), "1", 1))
                    .isNull();
        }
    }
}
