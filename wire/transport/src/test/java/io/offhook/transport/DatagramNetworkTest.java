package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.network.Namespace;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes of two hosts, with a link between them that has a queue. */
@EnabledIf(value = "isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class DatagramNetworkTest {
    private static final int COUNT = 300;

    private Network network;

    static boolean isPossible() {
        return Network.isPossible();
    }

    @BeforeEach
    void open() throws IOException {
        network = Network.pair();
    }

    @AfterEach
    void close() throws IOException {
        network.close();
    }

    private static DatagramLane open(Namespace namespace, InetAddress address, int sendBuffer) throws Exception {
        List<DatagramListener> listeners =
                List.of(new DatagramListener(new InetSocketAddress(address, 0), 1_000_000, sendBuffer, 0));
        DatagramOptions options = DatagramOptions.standard().with(DatagramOptions.Backend.NATIVE);
        return namespace.on(() -> DatagramLane.open(listeners, options));
    }

    /**
     * A queue of the interface that is full, and a send buffer that is: both are reported by the kernel, and what they had no
     * room for is sent later, in its order.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 4_608})
    void sendsLaterWhatQueuesHadNoRoomFor(int sendBuffer) throws Exception {
        network.left().address(Network.LEFT, "192.0.2.1/24");
        network.right().address(Network.RIGHT, "192.0.2.2/24");
        network.leftQueue("tbf rate 4mbit burst 5000 limit 6000");
        try (DatagramLane sender = open(network.left(), InetAddress.ofLiteral("192.0.2.1"), sendBuffer);
                DatagramLane receiver = open(network.right(), InetAddress.ofLiteral("192.0.2.2"), 0)) {
            DatagramAddress to = DatagramAddress.of(receiver.localAddress(0));
            byte[] octets = new byte[500];
            int accepted = 0;
            while (sender.counters().sent() < COUNT) {
                ByteBuffer.wrap(octets).putInt(0, accepted);
                if (accepted < COUNT && sender.send(0, octets, 0, octets.length, to)) {
                    accepted++;
                } else {
                    sender.await(10_000_000_000L); // less, as something is left to send
                    sender.flush();
                }
            }
            List<Integer> received = new ArrayList<>();
            while (received.size() < COUNT && receiver.await(2_000_000_000L)) {
                receiver.receive((socket, bytes, length, from, local) ->
                        received.add(ByteBuffer.wrap(bytes).getInt(0)));
            }
            assertThat(received).isEqualTo(IntStream.range(0, COUNT).boxed().toList());
            assertThat(sender.counters().postponed()).isPositive();
            assertThat(sender.counters().refused()).isPositive();
            assertThat(sender.counters().sendErrors()).isEmpty();
            assertThat(sender.counters().sentOctets()).isEqualTo(COUNT * 500L);
        }
    }

    @Test
    void knowsTheInterfaceOfLinkLocalAddresses() throws Exception {
        InetAddress left = linkLocal(network.left(), Network.LEFT, "fe80::a");
        InetAddress right = linkLocal(network.right(), Network.RIGHT, "fe80::b");
        try (DatagramLane one = open(network.left(), left, 0);
                DatagramLane other = open(network.right(), right, 0)) {
            DatagramAddress to = new DatagramAddress();
            to.set(
                    DatagramAddress.of(other.localAddress(0)).high(),
                    0xb,
                    other.localAddress(0).getPort(),
                    ((Inet6Address) left).getScopeId());
            one.send(0, new byte[] {'q'}, 0, 1, to);
            assertThat(one.flush()).isEqualTo(1);
            assertThat(other.await(5_000_000_000L)).isTrue();
            // the answer goes where the question came from
            int count = other.receive((socket, octets, length, from, local) -> {
                assertThat(from.scope()).isEqualTo(((Inet6Address) right).getScopeId());
                assertThat(from.toString()).startsWith("[fe80::a%");
                assertThat(other.send(socket, octets, 0, length, from)).isTrue();
            });
            assertThat(count).isEqualTo(1);
            assertThat(other.flush()).isEqualTo(1);
            assertThat(one.await(5_000_000_000L)).isTrue();
            assertThat(one.receive((socket, octets, length, from, local) ->
                            assertThat(from).isEqualTo(to)))
                    .isEqualTo(1);
        }
    }

    private static InetAddress linkLocal(Namespace namespace, String device, String address) throws Exception {
        namespace.run("sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/" + device + "/disable_ipv6");
        namespace.address(device, address + "/64");
        int index = Integer.parseInt(
                namespace.run("cat", "/sys/class/net/" + device + "/ifindex").strip());
        return Inet6Address.getByAddress(null, InetAddress.ofLiteral(address).getAddress(), index);
    }
}
