package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.transport.DatagramOptions.Backend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same behaviour of both backends, on sockets of the loopback interface. */
@Timeout(30)
class DatagramLaneTest {
    private static final long SECOND_NS = 1_000_000_000;

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static InetSocketAddress address(String ip) {
        return new InetSocketAddress(InetAddress.ofLiteral(ip), 0);
    }

    private static DatagramOptions options(Backend backend) {
        assumeTrue(
                backend == Backend.NIO || System.getProperty("os.name").equals("Linux"),
                "the native backend is Linux's");
        return DatagramOptions.standard().with(backend);
    }

    private static DatagramLane open(Backend backend, InetSocketAddress... addresses) throws IOException {
        return DatagramLane.open(Stream.of(addresses).map(DatagramListener::at).toList(), options(backend));
    }

    /** Keeps what a lane receives, as text. */
    private static final class Received implements DatagramHandler {
        final List<String> texts = new ArrayList<>();
        final List<DatagramAddress> sources = new ArrayList<>();
        final List<DatagramAddress> destinations = new ArrayList<>();
        final List<Integer> sockets = new ArrayList<>();
        final List<String> failures = new ArrayList<>();

        @Override
        public void datagram(int socket, byte[] octets, int length, DatagramAddress from, DatagramAddress to) {
            texts.add(new String(octets, 0, length, StandardCharsets.ISO_8859_1));
            sources.add(DatagramAddress.copyOf(from));
            destinations.add(DatagramAddress.copyOf(to));
            sockets.add(socket);
        }

        @Override
        public void failed(int socket, DatagramAddress to, int errno) {
            failures.add(to + " " + errno);
        }

        Received await(DatagramLane lane, int count) {
            while (texts.size() < count) {
                lane.await(SECOND_NS);
                lane.receive(this);
            }
            return this;
        }
    }

    private static boolean send(DatagramLane lane, int socket, String text, InetSocketAddress to) {
        byte[] octets = ("xx" + text).getBytes(StandardCharsets.ISO_8859_1);
        boolean accepted = lane.send(socket, octets, 2, octets.length - 2, DatagramAddress.of(to));
        Arrays.fill(octets, (byte) '?'); // the array is the caller's again
        return accepted;
    }

    /** Two datagrams that wait in the socket, for different times. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void reportsWhenTheKernelReceivedADatagram() throws IOException {
        try (DatagramLane a = open(Backend.NATIVE, loopback(0));
                DatagramLane b = open(Backend.NATIVE, loopback(0))) {
            assertThat(b.stampsArrivals()).isTrue();
            long beforeFirstNs = System.nanoTime();
            send(a, 0, "first", b.localAddress(0));
            a.flush();
            long betweenNs = System.nanoTime();
            while (System.nanoTime() - betweenNs < 50_000_000) {
                Thread.onSpinWait();
            }
            long beforeSecondNs = System.nanoTime();
            send(a, 0, "second", b.localAddress(0));
            a.flush();
            long afterNs = System.nanoTime();
            List<Long> arrivals = new ArrayList<>();
            while (arrivals.size() < 2) {
                b.receive((socket, octets, length, from, to) -> arrivals.add(b.arrivalNs()));
            }
            // the clock of the time stamps may run a little faster or slower
            long toleranceNs = 1_000_000;
            assertThat(arrivals.get(1) - arrivals.get(0))
                    .isBetween(beforeSecondNs - betweenNs - toleranceNs, afterNs - beforeFirstNs + toleranceNs);
            assertThat(arrivals).allMatch(arrivalNs -> arrivalNs - System.nanoTime() <= 0);
        }
    }

    @Test
    void takesTheBeginningOfTheBurstForTheArrivalWhereTheSystemHasNoTimes() throws IOException {
        try (DatagramLane a = open(Backend.NIO, loopback(0));
                DatagramLane b = open(Backend.NIO, loopback(0))) {
            assertThat(b.stampsArrivals()).isFalse();
            send(a, 0, "one", b.localAddress(0));
            a.flush();
            List<Long> arrivals = new ArrayList<>();
            long beforeNs = 0;
            while (arrivals.isEmpty()) {
                beforeNs = System.nanoTime();
                b.receive((socket, octets, length, from, to) -> arrivals.add(b.arrivalNs()));
            }
            assertThat(arrivals.getFirst() - beforeNs).isBetween(0L, System.nanoTime() - beforeNs);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void deliversWhatAnotherLaneHasSent(Backend backend) throws IOException {
        try (DatagramLane a = open(backend, loopback(0));
                DatagramLane b = open(backend, loopback(0))) {
            assertThat(send(a, 0, "one", b.localAddress(0))).isTrue();
            assertThat(send(a, 0, "", b.localAddress(0))).isTrue();
            assertThat(send(a, 0, "three", b.localAddress(0))).isTrue();
            assertThat(b.receive(new Received())).isZero();
            assertThat(a.flush()).isEqualTo(3);
            assertThat(a.flush()).isZero();

            Received received = new Received().await(b, 3);

            assertThat(received.texts).containsExactly("one", "", "three");
            assertThat(received.sources).containsOnly(DatagramAddress.of(a.localAddress(0)));
            assertThat(received.destinations).containsOnly(DatagramAddress.of(b.localAddress(0)));
            assertThat(a.counters().sent()).isEqualTo(3);
            assertThat(a.counters().sentOctets()).isEqualTo(8);
            assertThat(b.counters().received()).isEqualTo(3);
            assertThat(b.counters().receivedOctets()).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void speaksIpv6(Backend backend) throws IOException {
        try (DatagramLane lane = open(backend, address("::1"), address("127.0.0.1"))) {
            assertThat(lane.localAddress(0).getAddress().getHostAddress()).isEqualTo("0:0:0:0:0:0:0:1");
            send(lane, 0, "six", lane.localAddress(0));
            send(lane, 1, "four", lane.localAddress(1));
            lane.flush();

            Received received = new Received().await(lane, 2);

            assertThat(received.texts).containsExactlyInAnyOrder("six", "four");
            assertThat(received.sockets).containsExactlyInAnyOrder(0, 1);
            for (int i = 0; i < 2; i++) {
                assertThat(received.sources.get(i))
                        .isEqualTo(DatagramAddress.of(lane.localAddress(received.sockets.get(i))));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void refusesWhatCannotBeSent(Backend backend) throws IOException {
        try (DatagramLane lane = open(backend, loopback(0))) {
            DatagramAddress to = DatagramAddress.of(lane.localAddress(0));
            assertThat(lane.send(0, new byte[65_508], 0, 65_508, to)).isFalse();
            assertThat(lane.send(0, new byte[1], 0, 1, DatagramAddress.of(address("::1"))))
                    .isFalse();
            assertThat(lane.counters().refused()).isEqualTo(2);

            assertThat(lane.send(0, new byte[65_507], 0, 65_507, to)).isTrue();
            assertThat(lane.flush()).isEqualTo(1);
            assertThat(new Received().await(lane, 1).texts.getFirst()).hasSize(65_507);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void countsWhatIsTooLongAndDeliversTheRest(Backend backend) throws IOException {
        DatagramOptions few = new DatagramOptions(options(backend).backend(), 4, 5, 0, false);
        try (DatagramLane lane = DatagramLane.open(List.of(DatagramListener.at(loopback(0))), few)) {
            for (String text : List.of("a", "123456", "12345")) {
                send(lane, 0, text, lane.localAddress(0));
            }
            lane.flush();

            assertThat(new Received().await(lane, 2).texts).containsExactly("a", "12345");
            assertThat(lane.counters().truncated()).isEqualTo(1);
        }
    }

    /** A burst is what a socket may deliver before the next one has its turn; a batch flushes itself. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void movesBurstsAndStarvesNoSocket(Backend backend) throws IOException {
        DatagramOptions bursts = new DatagramOptions(options(backend).backend(), 4, 100, 0, false);
        List<DatagramListener> two = List.of(DatagramListener.at(loopback(0)), DatagramListener.at(loopback(0)));
        try (DatagramLane lane = DatagramLane.open(two, bursts)) {
            for (int i = 0; i < 10; i++) {
                assertThat(send(lane, 0, "a" + i, lane.localAddress(0))).isTrue();
            }
            send(lane, 1, "b", lane.localAddress(1));
            assertThat(lane.counters().sent()).isEqualTo(8);
            assertThat(lane.flush()).isEqualTo(3);

            Received received = new Received();
            assertThat(lane.receive(received)).isEqualTo(5);
            assertThat(received.texts).containsExactly("a0", "a1", "a2", "a3", "b");
            assertThat(lane.receive(received)).isEqualTo(4);
            assertThat(lane.receive(received)).isEqualTo(2);
            assertThat(lane.receive(received)).isZero();
            assertThat(received.texts).endsWith("a8", "a9");
        }
    }

    /** The JDK does not report the local address. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void sendsTheAnswerFromTheAddressThatWasAsked() throws IOException {
        for (String[] pair : new String[][] {{"0.0.0.0", "127.0.0.7"}, {"::", "::1"}}) {
            try (DatagramLane server = open(Backend.NATIVE, address(pair[0]));
                    DatagramLane client = open(Backend.NATIVE, address(pair[1]))) {
                InetSocketAddress asked = new InetSocketAddress(
                        address(pair[1]).getAddress(), server.localAddress(0).getPort());
                send(client, 0, "question", asked);
                client.flush();
                new Received().await(server, 1);
                server.send(
                        0,
                        new byte[] {'a'},
                        0,
                        1,
                        DatagramAddress.of(client.localAddress(0)),
                        DatagramAddress.of(asked));
                server.flush();
                Received answer = new Received().await(client, 1);
                assertThat(answer.sources).containsExactly(DatagramAddress.of(asked));
            }
        }
    }

    /** The JDK does not report the local address. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void reportsTheLocalAddressOfAWildcard() throws IOException {
        try (DatagramLane server = open(Backend.NATIVE, address("0.0.0.0"), address("::"));
                DatagramLane client = open(Backend.NATIVE, address("127.0.0.1"), address("::1"))) {
            InetSocketAddress four = new InetSocketAddress(
                    address("127.0.0.9").getAddress(), server.localAddress(0).getPort());
            InetSocketAddress six = new InetSocketAddress(
                    address("::1").getAddress(), server.localAddress(1).getPort());
            send(client, 0, "4", four);
            send(client, 1, "6", six);
            client.flush();
            assertThat(new Received().await(server, 2).destinations)
                    .containsExactlyInAnyOrder(DatagramAddress.of(four), DatagramAddress.of(six));
        }
    }

    /** The JDK reports no ICMP errors of sockets that are not connected. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void reportsThatNobodyListens() throws IOException {
        for (String ip : List.of("127.0.0.1", "::1")) {
            InetSocketAddress gone;
            try (DatagramLane lane = open(Backend.NATIVE, address(ip))) {
                gone = lane.localAddress(0);
            }
            try (DatagramLane lane = open(Backend.NATIVE, address(ip))) {
                send(lane, 0, "lost", gone);
                lane.flush();
                Received received = new Received();
                while (received.failures.isEmpty()) {
                    assertThat(lane.await(SECOND_NS)).isTrue();
                    lane.receive(received);
                }
                assertThat(received.failures).containsExactly(DatagramAddress.of(gone) + " 111");
                assertThat(lane.counters().failures()).isEqualTo(1);
            }
        }
    }

    /** The error of an earlier datagram ends the next call of sendmsg(2), which has nothing to do with it. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void losesNothingByErrorsOfOtherDatagrams(Backend backend) throws IOException {
        InetSocketAddress gone;
        try (DatagramLane lane = open(backend, loopback(0))) {
            gone = lane.localAddress(0);
        }
        try (DatagramLane sender = open(backend, loopback(0));
                DatagramLane receiver = open(backend, loopback(0))) {
            for (int i = 0; i < 30; i++) {
                assertThat(send(sender, 0, "lost", gone)).isTrue();
                assertThat(send(sender, 0, "kept " + i, receiver.localAddress(0)))
                        .isTrue();
                if (i % 7 == 0) {
                    sender.flush();
                }
            }
            sender.flush();

            Received received = new Received().await(receiver, 30);

            assertThat(received.texts).hasSize(30).startsWith("kept 0").endsWith("kept 29");
            assertThat(sender.counters().sent()).isEqualTo(60);
            assertThat(sender.counters().sendErrors()).isEmpty();
        }
    }

    /** A datagram that the system refuses itself is neither retried forever nor in the way of the next. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void dropsWhatTheSystemRefusesAndReportsIt(Backend backend) throws IOException {
        try (DatagramLane lane = open(backend, loopback(0))) {
            // a socket of the loopback address cannot reach what is outside
            InetSocketAddress outside =
                    new InetSocketAddress(address("198.51.100.1").getAddress(), 9);
            send(lane, 0, "refused", outside);
            send(lane, 0, "taken", lane.localAddress(0));
            assertThat(lane.flush()).isEqualTo(1);

            Received received = new Received().await(lane, 1);

            assertThat(received.texts).containsExactly("taken");
            assertThat(received.failures).hasSize(1);
            assertThat(received.failures.getFirst()).startsWith("198.51.100.1:9 ");
            assertThat(lane.counters().sendErrors()).hasSize(1);
            assertThat(lane.counters().sendErrors().getFirst().count()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void deliversTheRestOfABurstAfterAnExceptionOfTheHandler(Backend backend) throws IOException {
        try (DatagramLane lane = open(backend, loopback(0))) {
            for (int i = 0; i < 3; i++) {
                send(lane, 0, "" + i, lane.localAddress(0));
            }
            lane.flush();
            lane.await(SECOND_NS);
            assertThatThrownBy(() -> lane.receive((socket, octets, length, from, to) -> {
                        throw new IllegalStateException("test");
                    }))
                    .hasMessage("test");
            assertThat(new Received().await(lane, 2).texts).containsExactly("1", "2");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void aWakeUpBeforeTheWaitIsNotLost(Backend backend) throws IOException {
        try (DatagramLane lane = open(backend, loopback(0))) {
            lane.wakeUp();
            lane.wakeUp();
            assertThat(lane.await(20 * SECOND_NS)).isFalse();
            assertThat(lane.await(0)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void everyWakeUpEndsAWait(Backend backend) throws Exception {
        try (DatagramLane lane = open(backend, loopback(0))) {
            int rounds = 2_000;
            AtomicInteger mailbox = new AtomicInteger();
            AtomicInteger seen = new AtomicInteger();
            Thread thread = Thread.ofPlatform().start(() -> {
                while (seen.get() < rounds) {
                    lane.await(60 * SECOND_NS);
                    seen.set(mailbox.get());
                }
            });
            for (int i = 1; i <= rounds; i++) {
                mailbox.set(i);
                lane.wakeUp();
                // sometimes the lane sleeps, sometimes it is about to
                while (i % 3 == 0 && seen.get() < i) {
                    Thread.onSpinWait();
                }
            }
            thread.join();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void waitsUntilTheTimeout(Backend backend) throws IOException {
        try (DatagramLane lane = open(backend, loopback(0))) {
            long before = System.nanoTime();
            assertThat(lane.await(3_300_000)).isFalse();
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(3_000_000);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void polls(Backend backend) throws IOException {
        DatagramOptions polling = new DatagramOptions(options(backend).backend(), 64, 1000, 50_000_000, false);
        try (DatagramLane lane = DatagramLane.open(List.of(DatagramListener.at(loopback(0))), polling)) {
            for (int i = 0; i < 5; i++) {
                send(lane, 0, "" + i, lane.localAddress(0));
                lane.flush();
                assertThat(lane.await(SECOND_NS)).isTrue();
                assertThat(lane.receive(new Received())).isEqualTo(1);
            }
            lane.wakeUp();
            assertThat(lane.await(20 * SECOND_NS)).isFalse();
            assertThat(lane.await(1_000_000)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void countersCanBeReadAfterTheLaneWasClosed(Backend backend) throws IOException {
        DatagramLane lane = open(backend, loopback(0));
        lane.close();
        lane.close();
        lane.wakeUp();
        assertThat(lane.counters().received()).isZero();
        assertThat(lane.counters().sockets()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "NIO"})
    void knowsTheBufferAskedAndGiven(Backend backend) throws IOException {
        List<DatagramListener> listeners = List.of(new DatagramListener(loopback(0), 30_000, 40_000, 40));
        try (DatagramLane lane = DatagramLane.open(listeners, options(backend))) {
            DatagramCounters.SocketState state = lane.counters().sockets().getFirst();
            assertThat(state.local()).isEqualTo(lane.localAddress(0));
            assertThat(state.receiveBufferAsked()).isEqualTo(30_000);
            assertThat(state.receiveBufferGiven()).isEqualTo(30_000);
        }
    }

    /** The JDK does not report drops. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void countsWhatTheKernelDropped() throws IOException {
        List<DatagramListener> small = List.of(new DatagramListener(loopback(0), 4_000, 0, 0));
        try (DatagramLane lane = DatagramLane.open(small, options(Backend.NATIVE));
                DatagramChannel sender = DatagramChannel.open()) {
            for (int i = 0; i < 100; i++) {
                sender.send(ByteBuffer.allocate(1000), lane.localAddress(0));
            }
            DatagramCounters.SocketState full = lane.counters().sockets().getFirst();
            assertThat(full.waitingBytes()).isPositive();
            assertThat(full.drops()).isPositive();

            Received received = new Received();
            while (lane.receive(received) > 0) {}

            DatagramCounters.SocketState empty = lane.counters().sockets().getFirst();
            assertThat(received.texts.size() + empty.drops()).isEqualTo(100);
            assertThat(empty.waitingBytes()).isZero();
        }
    }
}
