package io.offhook.linux.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SocketQueuesTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void seesDatagramsUntilTheyAreRead() throws Exception {
        try (SocketQueues queues = new SocketQueues();
                DatagramChannel reader = DatagramChannel.open().bind(LOOPBACK);
                DatagramChannel writer = DatagramChannel.open()) {
            int port = ((InetSocketAddress) reader.getLocalAddress()).getPort();
            long inode = KernelSocket.udp(port).getFirst().owner().inode();
            assertThat(udp(queues)).containsEntry(inode, 0L);
            writer.send(ByteBuffer.allocate(500), reader.getLocalAddress());
            long one = udp(queues).getOrDefault(inode, -1L);
            writer.send(ByteBuffer.allocate(500), reader.getLocalAddress());
            assertThat(one).isGreaterThanOrEqualTo(500);
            assertThat(udp(queues)).containsEntry(inode, 2 * one);
            for (int i = 0; i < 2; i++) {
                assertThat(reader.receive(ByteBuffer.allocate(1000))).isNotNull();
            }
            assertThat(udp(queues)).containsEntry(inode, 0L);
        }
    }

    private static Map<Long, Long> udp(SocketQueues queues) {
        Map<Long, Long> all = new HashMap<>();
        queues.udp(all::put);
        return all;
    }

    @Test
    void looksUpAConnectionByItsEnds() throws Exception {
        try (SocketQueues queues = new SocketQueues();
                ServerSocketChannel server = ServerSocketChannel.open().bind(LOOPBACK);
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            client.write(ByteBuffer.allocate(321));
            InetSocketAddress local = (InetSocketAddress) accepted.getLocalAddress();
            InetSocketAddress remote = (InetSocketAddress) accepted.getRemoteAddress();
            long inode = TcpSocket.onPort(local.getPort()).stream()
                    .filter(socket -> socket.remote().endsWith(":" + remote.getPort()))
                    .findFirst()
                    .orElseThrow()
                    .owner()
                    .inode();
            Map<Long, Long> found = new HashMap<>();
            queues.tcp(local, remote, found::put);
            assertThat(found).isEqualTo(Map.of(inode, 321L));

            found.clear();
            queues.tcp(local, new InetSocketAddress(remote.getAddress(), 1), found::put);
            assertThat(found).isEmpty();
            assertThat(udp(queues)).as("the next question has its own answer").doesNotContainKey(inode);
        }
    }

    @Test
    void refusesEndsOfTwoFamilies() {
        try (SocketQueues queues = new SocketQueues()) {
            InetSocketAddress six = new InetSocketAddress(InetAddress.ofLiteral("::1"), 1);
            InetSocketAddress four = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1);
            assertThatThrownBy(() -> queues.tcp(six, four, (_, _) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one family");
        }
    }
}
