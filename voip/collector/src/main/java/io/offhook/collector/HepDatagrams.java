package io.offhook.collector;

import io.offhook.live.WallClock;
import io.offhook.packet.Endpoint;
import io.offhook.transport.DatagramAddress;
import io.offhook.transport.DatagramCounters;
import io.offhook.transport.DatagramHandler;
import io.offhook.transport.DatagramLane;
import io.offhook.transport.DatagramListener;
import io.offhook.transport.DatagramOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sockets for UDP, read by a thread of their own. Where it has to wait, datagrams wait in their socket. */
final class HepDatagrams implements DatagramHandler {
    /** What a socket holds while the thread waits: asked for, the system may give less. */
    private static final int SOCKET_BYTES = 8 << 20;

    private static final long WAIT_NS = 1_000_000_000L;
    private static final int BURST = 256;

    private final DatagramLane lane;
    private final HepGate gate;
    private final WallClock clock = new WallClock();
    private final Thread thread;
    /** Those of the last packet, of which many follow each other. */
    private final DatagramAddress lastFrom = new DatagramAddress();

    private final DatagramAddress lastTo = new DatagramAddress();
    private Endpoint from = Endpoint.ofIpv4(0, 0);
    private Endpoint to = from;

    private volatile boolean isEnding;
    private volatile long drops;
    private volatile @Nullable Throwable failure;

    private HepDatagrams(DatagramLane lane, HepGate gate) {
        this.lane = lane;
        this.gate = gate;
        thread = Thread.ofPlatform().daemon().name("hep-udp").unstarted(this::run);
    }

    /** @throws IOException if an address cannot be bound */
    static HepDatagrams open(List<HepListener> listeners, HepGate gate) throws IOException {
        List<DatagramListener> sockets = new ArrayList<>();
        for (HepListener listener : listeners) {
            sockets.add(new DatagramListener(listener.address(), SOCKET_BYTES, 0, 0));
        }
        DatagramOptions standard = DatagramOptions.standard();
        DatagramOptions options =
                new DatagramOptions(standard.backend(), BURST, standard.maxLength(), standard.busyPollNs(), false);
        return new HepDatagrams(DatagramLane.open(sockets, options), gate);
    }

    void start() {
        thread.start();
    }

    List<InetSocketAddress> addresses() {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int i = 0; i < lane.socketCount(); i++) {
            addresses.add(lane.localAddress(i));
        }
        return addresses;
    }

    private void run() {
        try {
            while (!isEnding) {
                lane.await(WAIT_NS);
                lane.receive(this);
            }
            while (lane.receive(this) > 0) {
                // what had arrived
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            countDrops();
            lane.close();
        }
    }

    @Override
    public void datagram(int socket, byte[] octets, int length, DatagramAddress source, DatagramAddress destination) {
        if (!source.equals(lastFrom)) {
            lastFrom.set(source);
            from = new Endpoint(source.high(), source.low(), source.port());
        }
        if (!destination.equals(lastTo)) {
            lastTo.set(destination);
            to = new Endpoint(destination.high(), destination.low(), destination.port());
        }
        long arrivalNs = clock.nowNs() - Math.max(0, System.nanoTime() - lane.arrivalNs());
        gate.packet(octets, 0, length, from, to, arrivalNs);
    }

    /** Datagrams that the kernel has dropped so far. Thread-safe. */
    long drops() {
        if (thread.isAlive() || !isEnding) {
            countDrops();
        }
        return drops;
    }

    private void countDrops() {
        long sum = 0;
        for (DatagramCounters.SocketState socket : lane.counters().sockets()) {
            sum += Math.max(0, socket.drops()); // -1 if unknown
        }
        drops = Math.max(drops, sum);
    }

    /** Datagrams longer than an IP packet can be cannot come; those that the lane cut. */
    long truncated() {
        return lane.counters().truncated();
    }

    /** What ended the thread; null while nothing has. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Has the thread deliver what has arrived, and end. */
    void end() {
        isEnding = true;
        lane.wakeUp();
    }

    void join() throws InterruptedException {
        if (thread.getState() == Thread.State.NEW) {
            lane.close();
        }
        thread.join();
    }
}
