package io.offhook.linux.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class TcpSocketTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static int port(ServerSocketChannel server) throws Exception {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    @Test
    void reportsConnectionsThatWaitToBeAcceptedAndThoseThatHadNoRoom() throws Exception {
        List<SocketChannel> clients = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(LOOPBACK, 2);
            for (int i = 0; i < 6; i++) {
                SocketChannel client = SocketChannel.open();
                client.configureBlocking(false);
                client.connect(server.getLocalAddress());
                clients.add(client);
            }
            TcpSocket listener = TcpSocket.onPort(port(server)).stream()
                    .filter(TcpSocket::isListening)
                    .findFirst()
                    .orElseThrow();
            assertThat(listener.remote()).isEmpty();
            assertThat(listener.local()).endsWith(":" + port(server));
            assertThat(listener.sendQueue()).isEqualTo(2);
            // one more than the limit fits, as in any kernel
            assertThat(listener.receiveQueue()).isEqualTo(3);
            assertThat(listener.drops()).isPositive();
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    @Test
    void reportsWhatWaitsInBothEndsOfAConnection() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(LOOPBACK);
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            int port = port(server);
            client.configureBlocking(false);
            long written = 0;
            for (int idle = 0; idle < 3; ) {
                int more = client.write(ByteBuffer.allocate(100_000));
                written += more;
                idle = more == 0 ? idle + 1 : 0;
            }
            List<TcpSocket> sockets = TcpSocket.onPort(port);

            // the listening socket, and both ends
            assertThat(sockets)
                    .hasSize(3)
                    .allSatisfy(socket -> assertThat(socket.owner().inode()).isPositive());
            TcpSocket reader = only(sockets, ":" + port, true);
            TcpSocket writer = only(sockets, ":" + port, false);
            assertThat(reader.state()).isEqualTo(TcpSocket.State.ESTABLISHED);
            assertThat(reader.receiveQueue()).isPositive();
            assertThat(writer.sendQueue()).isPositive();
            // what has arrived may not be acknowledged yet
            assertThat(reader.receiveQueue() + writer.sendQueue()).isGreaterThanOrEqualTo(written);
            assertThat(writer.roundTripUs()).isPositive();
            assertThat(writer.memory().sendLimit()).isPositive();
            assertThat(accepted.isConnected()).isTrue();
        }
    }

    private static TcpSocket only(List<TcpSocket> sockets, String port, boolean isLocal) {
        return sockets.stream()
                .filter(socket -> !socket.isListening())
                .filter(socket -> (isLocal ? socket.local() : socket.remote()).endsWith(port))
                .findFirst()
                .orElseThrow();
    }
}
