package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlineWheelTest {
    private static final long TICK_NS = 1L << 26;

    private final ConnectionLoops loops = loops();
    private final DeadlineWheel wheel = new DeadlineWheel(0);
    private final ConnectionLoop loop = unstarted(loops);
    private final List<SocketChannel> channels = new ArrayList<>();

    private static ConnectionLoops loops() {
        try {
            return ConnectionLoops.start("wheel", 1, ConnectionLimits.DEFAULT, ConnectionTimeouts.DEFAULT);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConnectionLoop unstarted(ConnectionLoops loops) {
        try {
            return new ConnectionLoop(loops, "unstarted");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        loop.stop();
        loop.run(); // not one turn, as it has been stopped, but it closes its selector
        loops.close();
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private Connection connection() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        return new Connection(channels.size(), loop, channel, new Unused(), TestServer.loopback());
    }

    private static final class Unused implements ConnectionHandler {
        @Override
        public int received(Connection connection, byte[] octets, int offset, int length) {
            return length;
        }

        @Override
        public void closed(Connection connection, CloseCause cause, @Nullable String detail) {}
    }

    @Test
    void passesOnNoneEarlyAndEachWithinTwoTicks() throws IOException {
        Random random = new Random(3);
        Map<Connection, Long> deadlines = new HashMap<>();
        for (int i = 0; i < 50; i++) {
            deadlines.put(connection(), (long) (random.nextDouble() * 60e9));
        }
        deadlines.forEach(wheel::place);
        for (long now = 0; now < 61_000_000_000L; now += 10_000_000L) {
            long nowNs = now;
            wheel.advance(
                    now, connection -> assertThat(deadlines.remove(connection)).isBetween(nowNs - 2 * TICK_NS, nowNs));
        }
        assertThat(deadlines).isEmpty();
        assertThat(wheel.untilNextMs(61_000_000_000L)).isZero();
    }

    @Test
    void looksAtFarDeadlinesNowAndThen() throws IOException {
        Connection connection = connection();
        long deadline = 3_600_000_000_000L;
        wheel.place(connection, deadline);
        int looks = 0;
        long now = 0;
        while (now < deadline) {
            now += wheel.untilNextMs(now) * 1_000_000;
            long nowNs = now;
            Set<Connection> due = new HashSet<>();
            wheel.advance(now, due::add);
            for (Connection one : due) {
                looks++;
                if (nowNs < deadline) {
                    wheel.place(one, deadline);
                }
            }
        }
        assertThat(now).isLessThan(deadline + 3 * TICK_NS);
        assertThat(looks).isBetween(50, 60);
    }

    @Test
    void movesToAnEarlierTimeButNotToALaterOne() throws IOException {
        Connection connection = connection();
        Connection other = connection();
        wheel.place(connection, 100 * TICK_NS);
        wheel.place(other, 100 * TICK_NS);
        wheel.place(connection, 10 * TICK_NS);
        wheel.place(connection, 50 * TICK_NS);
        List<Connection> due = new ArrayList<>();
        wheel.advance(12 * TICK_NS, due::add);
        assertThat(due).containsExactly(connection);
        wheel.remove(other);
        wheel.advance(200 * TICK_NS, due::add);
        assertThat(due).containsExactly(connection);
    }

    @Test
    void aJumpOfTheClockPassesByEverySlot() throws IOException {
        Connection first = connection();
        Connection second = connection();
        wheel.place(first, 5 * TICK_NS);
        wheel.place(second, 900 * TICK_NS);
        List<Connection> due = new ArrayList<>();
        wheel.advance(1_000_000 * TICK_NS, due::add);
        assertThat(due).containsExactlyInAnyOrder(first, second);
    }
}
