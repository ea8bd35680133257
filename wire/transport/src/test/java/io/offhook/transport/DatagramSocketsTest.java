package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.transport.DatagramOptions.Backend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatagramSocketsTest {
    private static final List<DatagramListener> TWO = List.of(
            DatagramListener.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            DatagramListener.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));

    private static DatagramOptions options(Backend backend) {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "SO_REUSEPORT differs between systems");
        return DatagramOptions.standard().with(backend);
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void allLanesShareTheAddressOfAListener(Backend backend) throws IOException {
        try (DatagramSockets sockets = DatagramSockets.open(3, TWO, options(backend));
                DatagramChannel sender = DatagramChannel.open()) {
            List<DatagramLane> lanes = sockets.lanes();
            assertThat(lanes).hasSize(3);
            InetSocketAddress first = lanes.getFirst().localAddress(0);
            InetSocketAddress second = lanes.getFirst().localAddress(1);
            assertThat(first.getPort()).isPositive().isNotEqualTo(second.getPort());
            for (DatagramLane lane : lanes) {
                assertThat(lane.localAddress(0)).isEqualTo(first);
                assertThat(lane.localAddress(1)).isEqualTo(second);
            }
            for (int i = 0; i < 10; i++) {
                sender.send(ByteBuffer.wrap(new byte[] {(byte) i}), i % 2 == 0 ? first : second);
            }
            List<Integer> received = new ArrayList<>();
            List<Integer> at = new ArrayList<>();
            for (DatagramLane lane : lanes) {
                lane.receive((socket, octets, length, from, to) -> {
                    received.add((int) octets[0]);
                    at.add(octets[0] % 2 - socket);
                });
            }
            assertThat(received).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            assertThat(at).containsOnly(0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void doesNotShareTheAddressOfAnotherServer(Backend backend) throws IOException {
        try (DatagramSockets other = DatagramSockets.open(2, TWO, options(backend))) {
            InetSocketAddress taken = other.lanes().getFirst().localAddress(1);
            List<DatagramListener> same = List.of(TWO.getFirst(), DatagramListener.at(taken));
            for (int lanes : new int[] {1, 2}) {
                assertThatThrownBy(() -> DatagramSockets.open(lanes, same, options(backend)))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("cannot listen on UDP 127.0.0.1:" + taken.getPort() + ": ")
                        .hasMessageContaining("ddress already in use");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void reportsAnAddressOfAnotherMachine(Backend backend) throws IOException {
        List<DatagramListener> foreign = List.of(
                TWO.getFirst(), DatagramListener.at(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0)));
        assertThatThrownBy(() -> DatagramSockets.open(1, foreign, options(backend)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot listen on UDP 192.0.2.1:0: ");
    }

    /** As a server has them that listens on all addresses of a machine. */
    @Test
    void wildcardsOfBothFamiliesShareAPort() throws IOException {
        DatagramOptions options = options(Backend.NATIVE);
        int port;
        try (DatagramSockets first = DatagramSockets.open(1, List.of(wildcard("0.0.0.0", 0)), options)) {
            port = first.lanes().getFirst().localAddress(0).getPort();
        }
        List<DatagramListener> both = List.of(wildcard("0.0.0.0", port), wildcard("::", port));
        try (DatagramSockets sockets = DatagramSockets.open(2, both, options);
                DatagramChannel four = DatagramChannel.open(StandardProtocolFamily.INET);
                DatagramChannel six = DatagramChannel.open(StandardProtocolFamily.INET6)) {
            four.send(ByteBuffer.wrap(new byte[] {0}), new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            six.send(ByteBuffer.wrap(new byte[] {1}), new InetSocketAddress(InetAddress.ofLiteral("::1"), port));
            List<Integer> received = new ArrayList<>();
            for (DatagramLane lane : sockets.lanes()) {
                lane.receive((socket, octets, length, from, to) -> {
                    assertThat(socket).isEqualTo(octets[0]);
                    received.add(socket);
                });
            }
            assertThat(received).containsExactlyInAnyOrder(0, 1);
        }
    }

    private static DatagramListener wildcard(String address, int port) {
        return DatagramListener.at(new InetSocketAddress(InetAddress.ofLiteral(address), port));
    }
}
