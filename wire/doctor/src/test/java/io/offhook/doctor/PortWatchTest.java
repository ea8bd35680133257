package io.offhook.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.doctor.PortSocket.Kind;
import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.TcpSocket;
import io.offhook.linux.network.TcpSocket.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a watch says of sockets that come, fill up, lose and go. */
class PortWatchTest {
    /** A kernel whose sockets the test changes. */
    private static final class Kernel implements PortTables {
        final List<KernelSocket> udp = new ArrayList<>();
        final List<TcpSocket> tcp = new ArrayList<>();

        @Override
        public List<KernelSocket> udp(int port) {
            return List.copyOf(udp);
        }

        @Override
        public List<TcpSocket> tcp(int port) {
            return List.copyOf(tcp);
        }

        @Override
        public Map<Long, SocketOwners.Owner> owners(Set<Long> inodes) {
            return Map.of(1L, new SocketOwners.Owner("sipd", 77));
        }
    }

    private static KernelSocket udp(long inode, long waiting, long drops) {
        return new KernelSocket(
                KernelSocket.Kind.UDP,
                "0.0.0.0:5060",
                "",
                0,
                new KernelSocket.Owner(inode, 0),
                new KernelSocket.Memory(waiting, 10_000, 0, 20_000, 0),
                drops);
    }

    private static TcpSocket tcp(long inode, State state, long receive, long send, long drops, long again) {
        return new TcpSocket(
                state,
                "192.0.2.1:5060",
                state == State.LISTEN ? "" : "192.0.2.2:4000",
                new KernelSocket.Owner(inode, 0),
                receive,
                send,
                new KernelSocket.Memory(0, 0, 0, 0, 0),
                drops,
                1_500,
                again);
    }

    @Test
    void comparesEachLookWithTheOneBefore() {
        Kernel kernel = new Kernel();
        kernel.udp.add(udp(1, 500, 7));
        PortWatch watch = new PortWatch(Set.of(5060), kernel);
        watch.look();
        assertThat(watch.losses()).isEmpty();
        assertThat(watch.sockets()).singleElement().satisfies(socket -> {
            assertThat(socket.hasChanged()).isFalse();
            assertThat(socket.subject()).isEqualTo("UDP 0.0.0.0:5060, sipd (77)");
            assertThat(socket.receive()).isEqualTo(new PortSocket.Queue(500, 500, 500, 10_000));
        });

        kernel.udp.set(0, udp(1, 9_900, 17));
        watch.look();
        assertThat(watch.losses())
                .containsExactly(
                        new Loss(Loss.Cause.SOCKET, "UDP 0.0.0.0:5060, sipd (77)", "drops", 17, 10, 9_900, 10_000));
        kernel.udp.set(0, udp(1, 0, 20));
        watch.look();
        PortSocket socket = watch.sockets().getFirst();
        assertThat(socket.receive()).isEqualTo(new PortSocket.Queue(0, 9_900, 9_900, 10_000));
        assertThat(socket.dropsGrown()).isEqualTo(3);
        assertThat(socket.hasChanged()).isTrue();
        // since the first look
        assertThat(watch.totals().getFirst().dropsGrown()).isEqualTo(13);
        assertThat(watch.totals().getFirst().receive()).isEqualTo(new PortSocket.Queue(0, 500, 9_900, 10_000));
    }

    @Test
    void namesTheAcceptQueueOfAListener() {
        Kernel kernel = new Kernel();
        kernel.tcp.add(tcp(2, State.LISTEN, 0, 128, 0, 0));
        PortWatch watch = new PortWatch(Set.of(5060), kernel);
        watch.look();
        kernel.tcp.set(0, tcp(2, State.LISTEN, 129, 128, 40, 0));
        watch.look();
        assertThat(watch.losses())
                .containsExactly(
                        new Loss(Loss.Cause.ACCEPT_QUEUE, "TCP listener 192.0.2.1:5060", "drops", 40, 40, 129, 128));
        assertThat(watch.sockets())
                .extracting(PortSocket::kind, PortSocket::roundTripUs)
                .containsExactly(tuple(Kind.LISTENER, 0L));
    }

    /** TCP sends again what a connection drops: it loses nothing. */
    @Test
    void aConnectionLosesNothingButSendsAgain() {
        Kernel kernel = new Kernel();
        kernel.tcp.add(tcp(3, State.ESTABLISHED, 0, 0, 0, 1));
        PortWatch watch = new PortWatch(Set.of(5060), kernel);
        watch.look();
        kernel.tcp.set(0, tcp(3, State.ESTABLISHED, 10, 70_000, 5, 4));
        watch.look();
        assertThat(watch.losses()).isEmpty();
        assertThat(watch.sockets()).singleElement().satisfies(socket -> {
            assertThat(socket.kind()).isEqualTo(Kind.CONNECTION);
            assertThat(socket.state()).isEqualTo(State.ESTABLISHED);
            assertThat(socket.roundTripUs()).isEqualTo(1_500);
            assertThat(socket.subject()).isEqualTo("TCP 192.0.2.1:5060 to 192.0.2.2:4000");
            assertThat(socket.retransmissionsGrown()).isEqualTo(3);
            assertThat(socket.send().waiting()).isEqualTo(70_000);
        });

        kernel.tcp.clear();
        watch.look();
        assertThat(watch.sockets()).isEmpty();
        assertThat(watch.totals()).isEmpty();
        assertThat(watch.closedConnections()).isEqualTo(1);
        assertThat(watch.closedRetransmissions()).isEqualTo(3);
    }

    @Test
    void aSocketThatIsGoneKeepsItsTotalAndANewOneCountsFromNothing() {
        Kernel kernel = new Kernel();
        kernel.udp.add(udp(4, 0, 100));
        PortWatch watch = new PortWatch(Set.of(5060), kernel);
        watch.look();
        kernel.udp.set(0, udp(4, 600, 105));
        watch.look();
        // the server was restarted, and lost at once
        kernel.udp.set(0, udp(5, 300, 2));
        watch.look();
        assertThat(watch.losses()).extracting(Loss::grown).containsExactly(2L);
        assertThat(watch.totals())
                .extracting(PortSocket::dropsGrown, socket -> socket.receive().most())
                .containsExactly(tuple(5L, 600L), tuple(2L, 300L));
    }

    @Test
    void countsASocketOfTwoWatchedPortsOnceAndOrphansNot() {
        Kernel kernel = new Kernel();
        kernel.udp.add(udp(1, 0, 0));
        kernel.tcp.add(tcp(0, State.FIN_WAIT_1, 0, 10, 0, 0));
        PortWatch watch = new PortWatch(Set.of(5060, 5061), kernel);
        watch.look();
        kernel.udp.set(0, udp(1, 0, 9));
        watch.look();
        assertThat(watch.ports()).containsExactly(5060, 5061);
        assertThat(watch.sockets()).hasSize(1);
        assertThat(watch.losses()).extracting(Loss::grown).containsExactly(9L);
        assertThat(watch.unwatched()).isZero();
    }

    @Test
    void refusesWhatIsNoPort() {
        assertThatThrownBy(() -> new PortWatch(Set.of(65_536), new Kernel()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("port 65536 is outside 1 to 65535");
    }
}
