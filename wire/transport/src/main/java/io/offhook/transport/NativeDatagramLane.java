package io.offhook.transport;

import static io.offhook.transport.LaneCounters.FAILURES;
import static io.offhook.transport.LaneCounters.POSTPONED;
import static io.offhook.transport.LaneCounters.RECEIVED;
import static io.offhook.transport.LaneCounters.RECEIVED_OCTETS;
import static io.offhook.transport.LaneCounters.RECEIVE_CALLS;
import static io.offhook.transport.LaneCounters.RECEIVE_ERRORS;
import static io.offhook.transport.LaneCounters.REFUSED;
import static io.offhook.transport.LaneCounters.SEND_CALLS;
import static io.offhook.transport.LaneCounters.SENT;
import static io.offhook.transport.LaneCounters.SENT_OCTETS;
import static io.offhook.transport.LaneCounters.TRUNCATED;

import io.offhook.linux.LinuxException;
import io.offhook.linux.raw.AddressedSendBatch;
import io.offhook.linux.raw.Poller;
import io.offhook.linux.raw.ReceiveBatch;
import io.offhook.linux.raw.ReuseportProgram;
import io.offhook.linux.raw.UdpSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lane on recvmmsg(2), sendmmsg(2) and ppoll(2) of Linux: a system call a burst and socket. */
final class NativeDatagramLane implements DatagramLane {
    /** A send fails once for an earlier datagram's error, and again if the next error came meanwhile. */
    private static final int MOST_ATTEMPTS = 3;
    /** The error queue of a socket is bounded by its receive buffer. */
    private static final int MOST_ERROR_CALLS = 32;

    private static final int ERROR_BURST = 16;
    private static final int ERROR_OCTETS = 64;
    private static final long RETRY_NS = 1_000_000;
    private static final int ENOMEM = 12;

    private final List<LaneSocket> sockets;
    private final DatagramOptions options;
    private final ReceiveBatch batch;
    private final ReceiveBatch errors = new ReceiveBatch(ERROR_BURST, ERROR_OCTETS);
    private final Poller poller;
    private final byte[] octets;
    private final DatagramAddress from = new DatagramAddress();
    private final DatagramAddress to = new DatagramAddress();
    private final LaneCounters counters = new LaneCounters();
    private final WaitState waitState = new WaitState();

    /** Whether the poller's events are those of this moment. */
    private boolean isPolled;
    /** Datagrams of {@link #batch} that were not delivered yet, if the handler has thrown. */
    private int batchSocket;

    private int batchNext;
    private int batchCount;
    /** When {@link #batch} was received, and when the datagram at hand arrived. */
    private long batchNs;

    private long arrivalNs;
    private boolean hasPending;
    private boolean isBusy;
    private boolean closed;

    /** @param sockets bound sockets, which this lane then owns */
    NativeDatagramLane(List<LaneSocket> sockets, DatagramOptions options) {
        this.sockets = List.copyOf(sockets);
        this.options = options;
        batch = new ReceiveBatch(options.burst(), options.maxLength());
        octets = new byte[options.maxLength()];
        poller = new Poller(sockets.stream().mapToInt(LaneSocket::descriptor).toArray());
    }

    /** Attaches a program to all sockets that share the addresses of this lane's. */
    void attach(ReuseportProgram program) {
        sockets.forEach(socket -> program.attach(socket.socket));
    }

    @Override
    public int socketCount() {
        return sockets.size();
    }

    @Override
    public InetSocketAddress localAddress(int socket) {
        return sockets.get(socket).address();
    }

    @Override
    public int receive(DatagramHandler handler) {
        int delivered = deliver(handler);
        boolean isPolled = this.isPolled;
        this.isPolled = false;
        for (int i = 0; i < sockets.size(); i++) {
            LaneSocket socket = sockets.get(i);
            if (socket.hasErrors || isPolled && poller.hasFailed(i)) {
                receiveErrors(i, handler);
            }
            if (!isPolled || poller.isReadable(i)) {
                delivered += receive(i, handler);
            }
        }
        return delivered;
    }

    private int receive(int i, DatagramHandler handler) {
        UdpSocket socket = sockets.get(i).socket;
        int count = batch.receive(socket);
        if (count < 0 && count != -LinuxException.EAGAIN) {
            receiveErrors(i, handler);
            count = batch.receive(socket);
            if (count < 0 && count != -LinuxException.EAGAIN) {
                counters.add(RECEIVE_ERRORS, 1);
            }
        }
        if (count <= 0) {
            return 0;
        }
        counters.add(RECEIVE_CALLS, 1);
        batchNs = System.nanoTime();
        batchSocket = i;
        batchNext = 0;
        batchCount = count;
        return deliver(handler);
    }

    /** Delivers what is left of the batch. */
    private int deliver(DatagramHandler handler) {
        int delivered = 0;
        while (batchNext < batchCount) {
            int i = batchNext++;
            if (batch.isTruncated(i)) {
                counters.add(TRUNCATED, 1);
                continue;
            }
            int length = batch.length(i);
            arrivalNs = batchNs - batch.waitedNs(i);
            batch.copy(i, octets);
            from.set(batch.sourceHigh(i), batch.sourceLow(i), batch.sourcePort(i), batch.sourceScope(i));
            sockets.get(batchSocket).destination(batch, i, to);
            counters.add(RECEIVED, 1);
            counters.add(RECEIVED_OCTETS, length);
            delivered++;
            handler.datagram(batchSocket, octets, length, from, to);
        }
        return delivered;
    }

    @Override
    public long arrivalNs() {
        return arrivalNs;
    }

    @Override
    public boolean stampsArrivals() {
        for (int i = 0; i < sockets.size(); i++) {
            if (!sockets.get(i).socket.stampsArrivals()) {
                return false;
            }
        }
        return true;
    }

    private void receiveErrors(int i, DatagramHandler handler) {
        LaneSocket socket = sockets.get(i);
        socket.hasErrors = false;
        socket.reportUnsent(i, to, handler, counters);
        for (int call = 0; call < MOST_ERROR_CALLS; call++) {
            int count = errors.receiveErrors(socket.socket);
            for (int entry = 0; entry < count; entry++) {
                int errno = errors.errno(entry);
                if (errno != 0 && errors.hasSource(entry)) {
                    to.set(
                            errors.sourceHigh(entry),
                            errors.sourceLow(entry),
                            errors.sourcePort(entry),
                            errors.sourceScope(entry));
                    counters.add(FAILURES, 1);
                    handler.failed(i, to, errno);
                }
            }
            if (count < ERROR_BURST) {
                return;
            }
        }
        socket.hasErrors = true; // the rest by the next call
    }

    @Override
    public boolean send(
            int socket, byte[] source, int offset, int length, DatagramAddress to, @Nullable DatagramAddress from) {
        LaneSocket target = sockets.get(socket);
        if (length > AddressedSendBatch.MAX_LENGTH || target.socket.isIpv6() == to.isIpv4()) {
            counters.add(REFUSED, 1);
            return false;
        }
        if (!target.batch.hasRoom(length)) {
            flush(target);
            if (!target.batch.hasRoom(length)) {
                counters.add(REFUSED, 1);
                return false;
            }
        }
        target.batch.add(source, offset, length);
        target.batch.to(to.high(), to.low(), to.port(), to.scope());
        if (from != null && target.isWildcard && !from.isUnspecified()) {
            target.batch.from(from.high(), from.low());
        }
        target.octetsAdded += length;
        return true;
    }

    @Override
    public int flush() {
        int sent = 0;
        hasPending = false;
        for (int i = 0; i < sockets.size(); i++) {
            LaneSocket socket = sockets.get(i);
            if (socket.batch.pending() > 0) {
                sent += flush(socket);
                hasPending |= socket.batch.pending() > 0;
            }
        }
        return sent;
    }

    private int flush(LaneSocket socket) {
        AddressedSendBatch batch = socket.batch;
        int total = 0;
        int attempts = 0;
        while (batch.pending() > 0) {
            int sent = batch.send(socket.socket);
            if (sent > 0) {
                counters.add(SEND_CALLS, 1);
                total += sent;
                attempts = 0;
            } else if (isFull(-sent)) {
                counters.add(POSTPONED, 1);
                break;
            } else if (sent != -LinuxException.EINTR) {
                // an error that an earlier datagram has left takes none of the batch, and is gone at the next attempt
                socket.hasErrors = true;
                attempts++;
                if (attempts == MOST_ATTEMPTS) {
                    counters.sendError(-sent);
                    socket.dropUnsent(-sent);
                    attempts = 0;
                }
            }
        }
        counters.add(SENT, total);
        if (batch.pending() == 0) {
            counters.add(SENT_OCTETS, socket.octetsAdded);
            socket.octetsAdded = 0;
        }
        return total;
    }

    /** ENOBUFS: with IP_RECVERR, the kernel reports what the queue of the interface has dropped. */
    private static boolean isFull(int errno) {
        return errno == LinuxException.EAGAIN || errno == LinuxException.ENOBUFS || errno == ENOMEM;
    }

    @Override
    public boolean await(long timeoutNs) {
        isPolled = false;
        long leftNs = hasPending ? Math.min(timeoutNs, RETRY_NS) : timeoutNs;
        if (isBusy && leftNs > 0 && busyPoll(leftNs)) {
            return isPolled;
        }
        if (!waitState.sleeps()) {
            return false;
        }
        long before = options.busyPollNs() == 0 ? 0 : System.nanoTime();
        try {
            isPolled = poller.awaitNs(leftNs);
        } finally {
            waitState.woke();
        }
        if (before != 0) {
            isBusy = isPolled && System.nanoTime() - before <= options.busyPollNs();
        }
        return isPolled;
    }

    /** Polls for a while. Returns whether there is a reason to go on. */
    private boolean busyPoll(long timeoutNs) {
        long endNs = System.nanoTime() + Math.min(timeoutNs, options.busyPollNs());
        do {
            if (waitState.isNotified()) {
                waitState.sleeps();
                return true;
            }
            isPolled = poller.awaitNs(0);
            if (isPolled) {
                return true;
            }
            Thread.onSpinWait();
        } while (System.nanoTime() < endNs);
        isBusy = false;
        return false;
    }

    @Override
    public void wakeUp() {
        if (waitState.notifyLane()) {
            poller.wakeUp();
        }
    }

    @Override
    public DatagramCounters counters() {
        List<DatagramCounters.SocketState> states = new ArrayList<>();
        synchronized (counters) {
            for (LaneSocket socket : sockets) {
                states.add(socket.state(closed));
            }
        }
        return counters.snapshot(states);
    }

    @Override
    public void close() {
        synchronized (counters) {
            if (closed) {
                return;
            }
            closed = true;
            sockets.forEach(LaneSocket::close);
        }
        poller.close();
        batch.close();
        errors.close();
    }
}
