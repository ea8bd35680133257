package io.offhook.transport;

import static io.offhook.transport.TestServer.SECOND_NS;
import static io.offhook.transport.TestServer.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.testkit.peers.LoopbackPorts;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ConnectionLoopsTest {
    private static final ConnectionTimeouts TIMEOUTS = ConnectionTimeouts.DEFAULT;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String read(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void answersOverBothFamilies(String address) throws Exception {
        try (TestServer server = new TestServer()) {
            InetAddress local = InetAddress.ofLiteral(address);
            Listener listener = server.listen(
                    ListenSettings.tcp(new InetSocketAddress(local, 0)), () -> new TestServer.Echo(server.events));
            try (Socket client = new Socket(local, listener.port())) {
                client.getOutputStream().write(ascii("hello\n"));
                assertThat(read(client, 6)).isEqualTo("hello\n");
            }
            server.expect("opened", "peer finished", "closed FINISHED");
        }
    }

    @Test
    void knowsBothEndsOfAConnection() throws Exception {
        try (TestServer server = new TestServer();
                ServerSocket peer = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"))) {
            Connection connection = server.loops.connect(
                    ConnectSettings.tcp((InetSocketAddress) peer.getLocalSocketAddress()),
                    new TestServer.Lines(server.events));
            server.expect("opened");
            try (Socket accepted = peer.accept()) {
                assertThat(connection.local()).isEqualTo(Endpoint.of("127.0.0.1", accepted.getPort()));
                assertThat(connection.remote()).isEqualTo(Endpoint.of("127.0.0.1", peer.getLocalPort()));
                assertThat(connection.isOutgoing()).isTrue();
                assertThat(connection.receiveBufferBytes()).isPositive();
            }
        }
    }

    @Test
    void hasNoOwnEndBeforeItIsEstablished() throws Exception {
        try (TestServer server = new TestServer();
                ServerSocket full = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
                Socket second = new Socket(full.getInetAddress(), full.getLocalPort())) {
            assertThat(first.isConnected() && second.isConnected()).isTrue(); // its backlog is full now
            Connection connection = server.loops.connect(
                    ConnectSettings.tcp((InetSocketAddress) full.getLocalSocketAddress()),
                    new TestServer.Lines(server.events));
            assertThat(connection.local()).isEqualTo(Endpoint.of("0.0.0.0", 0));
            assertThat(connection.isOutgoing()).isTrue();
        }
    }

    @Test
    void passesWhatAHandlerLeftAgainTogetherWithWhatFollows() throws Exception {
        try (TestServer server = new TestServer()) {
            server.listenForLines();
            try (Socket client = server.client()) {
                client.setTcpNoDelay(true);
                for (char c : "split\nand joined\n".toCharArray()) {
                    client.getOutputStream().write(c);
                }
                server.expect("opened", "line split", "line and joined");
                client.getOutputStream().write(ascii("one\ntwo\nthr"));
                server.expect("line one", "line two");
                until(() -> server.loops.unreadBytes() == 3);
                client.getOutputStream().write(ascii("ee\n"));
                server.expect("line three");
                until(() -> server.loops.borrowedBytes() == 0);
            }
        }
    }

    /** Answers only when the peer has finished: the connection is half closed then. */
    private static final class AtTheEnd extends TestServer.Lines {
        private int lines;

        AtTheEnd(BlockingQueue<String> events) {
            super(events);
        }

        @Override
        void line(Connection connection, String line) {
            lines++;
        }

        @Override
        public void peerFinished(Connection connection) {
            connection.send(ascii(lines + " lines\n"));
            connection.closeAfterSending();
        }
    }

    @Test
    void sendsOnAHalfClosedConnection() throws Exception {
        try (TestServer server = new TestServer()) {
            server.listen(ListenSettings.tcp(TestServer.loopback()), () -> new AtTheEnd(server.events));
            try (Socket client = server.client()) {
                client.getOutputStream().write(ascii("a\nb\nc\n"));
                client.shutdownOutput();
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("3 lines\n");
            }
            server.expect("opened", "closed FINISHED");
        }
    }

    @Test
    void receivesAfterItHasFinishedSending() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                Connection connection = lines.connection();
                assertThat(connection.send(ascii("last"))).isTrue();
                connection.finishSending();
                assertThat(connection.send(ascii("too late"))).isFalse();
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("last");
                client.getOutputStream().write(ascii("still heard\n"));
                server.expect("line still heard");
            }
            server.expect("peer finished", "closed FINISHED");
            assertThat(server.loops.count(ConnectionCounter.SEND_AFTER_CLOSE)).isEqualTo(1);
        }
    }

    @Test
    void closeAfterSendingDeliversEverythingFirst() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                byte[] much = new byte[900_000];
                new Random(1).nextBytes(much);
                assertThat(lines.connection().send(much)).isTrue();
                lines.connection().closeAfterSending();
                client.getOutputStream().write(ascii("discarded, so that it does not reset the connection\n"));
                assertThat(client.getInputStream().readAllBytes()).isEqualTo(much);
            }
            server.expect("closed FINISHED");
            until(() -> server.loops.borrowedBytes() == 0);
            assertThat(server.loops.openConnections()).isZero();
        }
    }

    @Test
    void closesWhenThePeerDoesNotFinishInTime() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                lines.connection().closeAfterSending();
                assertThat(client.getInputStream().read()).isEqualTo(-1);
                server.advance(TIMEOUTS.finishNs() + SECOND_NS);
                server.expect("closed CLOSED_HERE");
            }
        }
    }

    @Test
    void boundsWhatWaitsForAPeerThatDoesNotRead() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withQueuedBytes(300_000, 1 << 30);
        try (TestServer server = new TestServer(limits, TIMEOUTS, 1)) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                Connection connection = lines.connection();
                byte[] piece = new byte[10_000];
                long taken = 0;
                // until the kernel's buffers and the queue are full
                while (connection.send(piece)) {
                    taken += piece.length;
                    assertThat(connection.queuedBytes()).isLessThanOrEqualTo(300_000);
                }
                assertThat(server.loops.count(ConnectionCounter.SEND_QUEUE_FULL))
                        .isEqualTo(1);
                assertThat(connection.takenBytes()).isEqualTo(taken);
                assertThat(connection.sentBytes()).isLessThan(taken);
                InputStream in = client.getInputStream();
                assertThat(in.readNBytes((int) taken)).hasSize((int) taken);
                server.expect("writable");
                until(() -> connection.sentBytes() == connection.takenBytes());
                assertThat(server.loops.queuedBytes()).isZero();
                assertThat(connection.send(piece)).isTrue();
            }
        }
    }

    private static class Quiet implements ConnectionHandler {
        @Override
        public int received(Connection connection, byte[] octets, int offset, int length) {
            return length;
        }

        @Override
        public void closed(Connection connection, CloseCause cause, @Nullable String detail) {}
    }

    @Test
    void boundsWhatWaitsOnAllConnections() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withQueuedBytes(1 << 20, 5_000);
        try (TestServer server = new TestServer(limits, TIMEOUTS, 1)) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                assertThat(lines.connection().send(new byte[5_001])).isFalse();
                assertThat(server.loops.count(ConnectionCounter.SEND_QUEUES_FULL))
                        .isEqualTo(1);
                assertThat(lines.connection().send(new byte[5_000])).isTrue();
                assertThat(client.getInputStream().readNBytes(5_000)).hasSize(5_000);
            }
        }
    }

    @Test
    void refusesConnectionsBeyondTheLimitAndTakesOthersWhenOneEnds() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withConnections(2, 2);
        try (TestServer server = new TestServer(limits, TIMEOUTS, 2)) {
            server.listen(ListenSettings.tcp(TestServer.loopback()), () -> new TestServer.Echo(server.events));
            try (Socket first = server.client();
                    Socket second = server.client()) {
                server.expect("opened", "opened");
                try (Socket third = server.client()) {
                    assertThat(third.getInputStream().read()).isEqualTo(-1);
                }
                assertThat(server.loops.count(ConnectionCounter.REFUSED_LIMIT)).isEqualTo(1);
                second.getOutputStream().write(ascii("still served\n"));
                assertThat(read(second, 13)).isEqualTo("still served\n");
                first.shutdownOutput();
                server.expect("peer finished", "closed FINISHED");
                until(() -> server.loops.openConnections() == 1);
                try (Socket fourth = server.client()) {
                    server.expect("opened");
                    fourth.getOutputStream().write(ascii("x\n"));
                    assertThat(read(fourth, 2)).isEqualTo("x\n");
                }
            }
        }
    }

    @Test
    void refusesASourceWithTooManyConnections() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withConnections(100, 3);
        try (TestServer server = new TestServer(limits, TIMEOUTS, 1)) {
            server.listen(ListenSettings.tcp(TestServer.loopback()), () -> new TestServer.Echo(server.events));
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sockets.add(server.client());
            }
            until(() -> server.loops.count(ConnectionCounter.REFUSED_SOURCE) == 7);
            // another source is another matter
            try (Socket other = new Socket()) {
                other.bind(new InetSocketAddress("127.0.0.2", 0));
                other.connect(server.address());
                other.getOutputStream().write(ascii("x\n"));
                assertThat(read(other, 2)).isEqualTo("x\n");
            }
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void countsAllAddressesOfAnIpv6NetworkAsOneSource() {
        ConnectionBudget budget = new ConnectionBudget(ConnectionLimits.DEFAULT.withConnections(10, 1));
        assertThat(budget.takeConnection(address("2001:db8:0:1::1"))).isTrue();
        assertThat(budget.takeConnection(address("2001:db8:0:1::2"))).isFalse();
        assertThat(budget.takeConnection(address("2001:db8:0:2::1"))).isTrue();
        assertThat(budget.takeConnection(address("192.0.2.1"))).isTrue();
        assertThat(budget.takeConnection(address("192.0.2.2"))).isTrue();
        budget.giveBackConnection(address("2001:db8:0:1::1"));
        assertThat(budget.takeConnection(address("2001:db8:0:1::3"))).isTrue();
        assertThat(budget.counted(ConnectionCounter.REFUSED_SOURCE)).isEqualTo(1);
        assertThat(budget.openConnections()).isEqualTo(4);
    }

    private static IpAddress address(String text) {
        return Endpoint.of(text, 0).address();
    }

    @Test
    void closesIdleConnections() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                server.advance(TIMEOUTS.idleNs() - 5 * SECOND_NS);
                client.getOutputStream().write(ascii("alive\n"));
                server.expect("line alive");
                server.advance(TIMEOUTS.idleNs() - 5 * SECOND_NS);
                client.getOutputStream().write(ascii("again\n"));
                server.expect("line again");
                lines.connection().idleNs(30 * SECOND_NS);
                server.advance(31 * SECOND_NS);
                server.expect("closed IDLE");
                assertThat(client.getInputStream().read()).isEqualTo(-1);
                assertThat(server.loops.closed(CloseCause.IDLE)).isEqualTo(1);
            }
        }
    }

    @Test
    void closesAPeerThatSendsAMessageByteByByte() throws Exception {
        try (TestServer server = new TestServer()) {
            server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                for (int i = 0; i < 5; i++) {
                    client.getOutputStream().write('x');
                    int sent = i + 1;
                    until(() -> server.loops.unreadBytes() == sent);
                    if (i < 4) {
                        server.advance(7 * SECOND_NS);
                    }
                }
                server.advance(3 * SECOND_NS);
                server.expect("closed PEER_SENDS_SLOWLY");
                assertThat(server.loops.borrowedBytes()).isZero();
                assertThat(server.loops.unreadBytes()).isZero();
            }
        }
    }

    @Test
    void closesAPeerThatReadsByteByByte() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = listenWithSmallBuffers(server);
            try (Socket client = smallClient(server)) {
                server.expect("opened");
                fill(lines.connection());
                until(() -> lines.connection().sentBytes() > 0);
                server.advance(TIMEOUTS.stallNs() - 2 * SECOND_NS);
                for (int i = 0; i < 100; i++) {
                    assertThat(client.getInputStream().read()).isZero();
                }
                server.advance(3 * SECOND_NS);
                server.expect("closed PEER_READS_SLOWLY");
                assertThat(server.loops.queuedBytes()).isZero();
                assertThat(server.loops.borrowedBytes()).isZero();
            }
        }
    }

    private static TestServer.Lines listenWithSmallBuffers(TestServer server) throws IOException {
        TestServer.Lines lines = new TestServer.Lines(server.events);
        TcpSettings small = new TcpSettings(true, false, 16_384, 16_384);
        server.listen(new ListenSettings(TestServer.loopback(), 16, false, small, null), () -> lines);
        return lines;
    }

    private static Socket smallClient(TestServer server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16_384);
        socket.connect(server.address());
        return socket;
    }

    /** Sends until the queue is full; small buffers of the kernel take little of it. */
    private static void fill(Connection connection) {
        byte[] piece = new byte[100_000];
        while (connection.send(piece)) {
            assertThat(connection.isOpen()).isTrue();
        }
    }

    @Test
    void closesAPeerWhoseUnitExceedsTheLimit() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withUnreadBytes(5_000, 1 << 20);
        try (TestServer server = new TestServer(limits, TIMEOUTS, 1)) {
            server.listenForLines();
            try (Socket client = server.client()) {
                client.getOutputStream().write(ascii("x".repeat(4_999) + "\n"));
                server.expect("opened", "line " + "x".repeat(4_999));
                client.getOutputStream().write(ascii("x".repeat(5_001)));
                server.expect("closed UNREAD_LIMIT");
            }
        }
    }

    @Test
    void boundsWhatIsUnreadOnAllConnections() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withUnreadBytes(5_000, 6_000);
        try (TestServer server = new TestServer(limits, TIMEOUTS, 1)) {
            server.listenForLines();
            try (Socket first = server.client();
                    Socket second = server.client()) {
                first.getOutputStream().write(ascii("x".repeat(4_000)));
                until(() -> server.loops.unreadBytes() == 4_000);
                second.getOutputStream().write(ascii("x".repeat(4_000)));
                server.expect("opened", "opened", "closed UNREAD_LIMIT");
                assertThat(server.loops.unreadBytes()).isEqualTo(4_000);
            }
        }
    }

    @Test
    void sendsWhatWasQueuedBeforeItWasEstablished() throws Exception {
        try (TestServer server = new TestServer()) {
            server.listenForLines();
            Connection connection = server.loops.connect(ConnectSettings.tcp(server.address()), new Quiet());
            assertThat(connection.send(ascii("early\n"))).isTrue();
            connection.closeAfterSending();
            server.expect("opened", "line early", "peer finished", "closed FINISHED");
        }
    }

    @Test
    void reportsAConnectionThatIsRefused() throws Exception {
        int port = LoopbackPorts.free();
        try (TestServer server = new TestServer()) {
            Connection connection = server.loops.connect(
                    ConnectSettings.tcp(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port)),
                    new TestServer.Lines(server.events));
            connection.send(ascii("lost"));
            server.expect("closed CONNECT_FAILED");
            assertThat(connection.isOpen()).isFalse();
            assertThat(connection.sentBytes()).isZero();
            assertThat(server.loops.openConnections()).isZero();
            assertThat(server.loops.queuedBytes()).isZero();
        }
    }

    @Test
    void givesUpAPeerThatDoesNotAnswer() throws Exception {
        List<SocketChannel> fillers = new ArrayList<>();
        try (TestServer server = new TestServer();
                ServerSocket full = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            // once its backlog is full, the kernel leaves the next unanswered
            for (int i = 0; i < 4; i++) {
                SocketChannel filler = SocketChannel.open();
                filler.configureBlocking(false);
                filler.connect(full.getLocalSocketAddress());
                fillers.add(filler);
            }
            server.loops.connect(
                    ConnectSettings.tcp((InetSocketAddress) full.getLocalSocketAddress()),
                    new TestServer.Lines(server.events));
            server.advance(TIMEOUTS.connectNs() - 2 * SECOND_NS);
            server.advance(3 * SECOND_NS);
            server.expect("closed CONNECT_TIMEOUT");
        } finally {
            for (SocketChannel filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void refusesAnOutgoingConnectionBeyondTheLimit() throws Exception {
        ConnectionLimits limits = ConnectionLimits.DEFAULT.withConnections(1, 1);
        try (TestServer server = new TestServer(limits, TIMEOUTS, 1);
                ServerSocket peer = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"))) {
            InetSocketAddress address = (InetSocketAddress) peer.getLocalSocketAddress();
            server.loops.connect(ConnectSettings.tcp(address), new TestServer.Lines(server.events));
            server.expect("opened");
            server.loops.connect(ConnectSettings.tcp(address), new TestServer.Lines(server.events));
            server.expect("closed REFUSED");
            assertThat(server.loops.openConnections()).isEqualTo(1);
            assertThat(server.loops.count(ConnectionCounter.REFUSED_LIMIT)).isEqualTo(1);
        }
    }

    @Test
    void anExceptionOfAHandlerCostsOnlyItsConnection() throws Exception {
        try (TestServer server = new TestServer()) {
            server.listen(ListenSettings.tcp(TestServer.loopback()), () -> new TestServer.Lines(server.events) {
                @Override
                void line(Connection connection, String line) {
                    if (line.equals("fail")) {
                        throw new IllegalStateException("on purpose");
                    }
                    super.line(connection, line);
                }
            });
            try (Socket first = server.client();
                    Socket second = server.client()) {
                server.expect("opened", "opened");
                first.getOutputStream().write(ascii("fail\n"));
                server.expect("closed HANDLER_FAILED");
                second.getOutputStream().write(ascii("goes on\n"));
                server.expect("line goes on");
                assertThat(server.loops.count(ConnectionCounter.HANDLER_FAILURES))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void aHandlerThatConsumesMoreThanThereIsFails() throws Exception {
        try (TestServer server = new TestServer()) {
            server.listen(ListenSettings.tcp(TestServer.loopback()), () -> new TestServer.Lines(server.events) {
                @Override
                public int received(Connection connection, byte[] octets, int offset, int length) {
                    return length + 1;
                }
            });
            try (Socket client = server.client()) {
                client.getOutputStream().write('x');
                server.expect("opened", "closed HANDLER_FAILED");
            }
        }
    }

    @Test
    void closeEndsAConnectionAtOnce() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                lines.connection().close();
                server.expect("closed CLOSED_HERE");
                assertThat(client.getInputStream().read()).isEqualTo(-1);
                assertThat(lines.connection().send(ascii("x"))).isFalse();
            }
        }
    }

    @Test
    void reportsAPeerThatResets() throws Exception {
        try (TestServer server = new TestServer()) {
            server.listenForLines();
            Socket client = server.client();
            server.expect("opened");
            client.setSoLinger(true, 0);
            client.close();
            server.expect("closed RESET");
        }
    }

    @Test
    void spreadsConnectionsOverItsLoops() throws Exception {
        try (TestServer server = new TestServer(ConnectionLimits.DEFAULT, TIMEOUTS, 3)) {
            var threads = ConcurrentHashMap.<String>newKeySet();
            server.listen(ListenSettings.tcp(TestServer.loopback()), () -> new TestServer.Lines(server.events) {
                @Override
                void line(Connection connection, String line) {
                    threads.add(Thread.currentThread().getName());
                    super.line(connection, line);
                }
            });
            for (int i = 0; i < 6; i++) {
                try (Socket client = server.client()) {
                    client.getOutputStream().write(ascii("x\n"));
                    server.expect("opened", "line x");
                }
                server.expect("peer finished", "closed FINISHED");
            }
            assertThat(threads).containsExactlyInAnyOrder("test-0", "test-1", "test-2");
        }
    }

    @Test
    void aListenerOfIpv6OnlyClosesConnectionsOverIpv4() throws Exception {
        try (TestServer server = new TestServer()) {
            Listener listener = server.listen(
                    ListenSettings.tcp(new InetSocketAddress(InetAddress.ofLiteral("::"), 0)),
                    () -> new TestServer.Echo(server.events));
            try (Socket ipv4 = new Socket(InetAddress.ofLiteral("127.0.0.1"), listener.port());
                    Socket ipv6 = new Socket(InetAddress.ofLiteral("::1"), listener.port())) {
                assertThat(ipv4.getInputStream().read()).isEqualTo(-1);
                ipv6.getOutputStream().write(ascii("x\n"));
                assertThat(read(ipv6, 2)).isEqualTo("x\n");
            }
            assertThat(server.loops.count(ConnectionCounter.REFUSED_FAMILY)).isEqualTo(1);
        }
    }

    @Test
    void saysWhichAddressCannotBeBound() throws Exception {
        try (TestServer server = new TestServer();
                ServerSocket taken = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"))) {
            ListenSettings settings = ListenSettings.tcp((InetSocketAddress) taken.getLocalSocketAddress());
            assertThatThrownBy(() -> server.loops.listen(settings, Quiet::new))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void reportsTheBuffersThatTheKernelGave() throws Exception {
        try (TestServer server = new TestServer()) {
            TcpSettings small = new TcpSettings(true, true, 8_192, 8_192);
            TestServer.Lines lines = new TestServer.Lines(server.events);
            Listener listener =
                    server.listen(new ListenSettings(TestServer.loopback(), 16, false, small, null), () -> lines);
            try (Socket client = server.client()) {
                assertThat(client.isConnected()).isTrue();
                server.expect("opened");
                // Linux gives twice what is asked for, for its own book-keeping; others give what was asked
                assertThat(lines.connection().receiveBufferBytes()).isBetween(8_192, 65_536);
                assertThat(lines.connection().sendBufferBytes()).isBetween(8_192, 65_536);
                assertThat(listener.receiveBufferBytes()).isBetween(8_192, 65_536);
            }
        }
    }

    /** What remains is the selector's, which boxes the descriptor, and the JDK's wrapping of a read. */
    @Test
    void allocatesNextToNothingForAMessage() throws Exception {
        try (TestServer server = new TestServer()) {
            byte[] line = ascii("x".repeat(500) + "\n");
            long[] thread = new long[1];
            server.listen(ListenSettings.tcp(TestServer.loopback()), () -> new Quiet() {
                @Override
                public int received(Connection connection, byte[] octets, int offset, int length) {
                    thread[0] = Thread.currentThread().threadId();
                    if (length < line.length) {
                        return 0;
                    }
                    connection.send(octets, offset, line.length);
                    return line.length;
                }
            });
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            try (Socket client = server.client()) {
                echo(client, line, 5_000);
                long before = threads.getThreadAllocatedBytes(thread[0]);
                echo(client, line, 5_000);
                assertThat((threads.getThreadAllocatedBytes(thread[0]) - before) / 5_000)
                        .isLessThan(100);
            }
        }
    }

    private static void echo(Socket client, byte[] line, int rounds) throws IOException {
        byte[] back = new byte[line.length];
        for (int i = 0; i < rounds; i++) {
            client.getOutputStream().write(line);
            assertThat(client.getInputStream().readNBytes(back, 0, back.length)).isEqualTo(back.length);
        }
    }

    @Test
    void drainSendsWhatIsQueuedAndFinishes() throws Exception {
        try (TestServer server = new TestServer(ConnectionLimits.DEFAULT, TIMEOUTS, 2)) {
            TestServer.Lines lines = server.listenForLines();
            try (Socket client = server.client()) {
                server.expect("opened");
                byte[] much = new byte[1_000_000];
                new Random(2).nextBytes(much);
                assertThat(lines.connection().send(much)).isTrue();
                Thread reader = Thread.ofPlatform().start(() -> {
                    try {
                        assertThat(client.getInputStream().readAllBytes()).isEqualTo(much);
                        server.events.add("all read");
                        client.shutdownOutput();
                    } catch (IOException e) {
                        server.events.add(e.toString());
                    }
                });
                assertThat(server.loops.drain(20 * SECOND_NS)).isTrue();
                reader.join();
                assertThat(server.events).containsExactlyInAnyOrder("all read", "closed FINISHED");
                assertThatThrownBy(server::client).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void drainEndsInTimeWithPeersThatDoNotRead() throws Exception {
        try (TestServer server = new TestServer()) {
            TestServer.Lines lines = listenWithSmallBuffers(server);
            try (Socket client = smallClient(server)) {
                server.expect("opened");
                fill(lines.connection());
                assertThat(server.loops.drain(SECOND_NS / 10)).isFalse();
                server.events.removeIf("writable"::equals);
                server.expect("closed SHUTDOWN");
                assertThat(client.isClosed()).isFalse();
            }
        }
    }

    @Test
    void takesNoConnectionsAfterItIsClosed() throws Exception {
        TestServer server = new TestServer();
        server.listenForLines();
        InetSocketAddress address = server.address();
        server.close();
        assertThatThrownBy(() -> server.loops.connect(ConnectSettings.tcp(address), new Quiet()))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(server::client).isInstanceOf(IOException.class);
    }
}
