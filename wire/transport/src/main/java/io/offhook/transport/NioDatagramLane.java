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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lane on the JDK's channels and selector: a system call a datagram. */
final class NioDatagramLane implements DatagramLane {
    private static final int MAX_LENGTH = 65_507;
    private static final long NS_A_MS = 1_000_000;
    private static final int UNKNOWN = -1;

    /** A socket, with what is to be sent on it. */
    private static final class Socket {
        final DatagramListener listener;
        final DatagramChannel channel;
        final DatagramAddress local;
        final int receiveBufferGiven;
        final Deque<Unsent> batch = new ArrayDeque<>();
        final Deque<InetSocketAddress> failed = new ArrayDeque<>();
        boolean isReady;

        Socket(DatagramListener listener, DatagramChannel channel) throws IOException {
            this.listener = listener;
            this.channel = channel;
            local = DatagramAddress.of((InetSocketAddress) channel.getLocalAddress());
            receiveBufferGiven = channel.getOption(StandardSocketOptions.SO_RCVBUF);
        }
    }

    private record Unsent(ByteBuffer octets, InetSocketAddress to) {}

    private final List<Socket> sockets;
    private final DatagramOptions options;
    private final Selector selector;
    private final ByteBuffer buffer;
    private final byte[] octets;
    private final DatagramAddress from = new DatagramAddress();
    private final DatagramAddress to = new DatagramAddress();
    private final LaneCounters counters = new LaneCounters();
    private final WaitState waitState = new WaitState();
    /** When the burst at hand began to be received: the JDK does not report when datagrams arrived. */
    private long burstNs;

    private boolean isPolled;
    private boolean hasPending;
    private volatile boolean closed;

    private NioDatagramLane(List<Socket> sockets, DatagramOptions options, Selector selector) throws IOException {
        this.sockets = List.copyOf(sockets);
        this.options = options;
        this.selector = selector;
        // one byte more shows that a datagram was longer
        buffer = ByteBuffer.allocateDirect(options.maxLength() + 1);
        octets = new byte[options.maxLength()];
        for (Socket socket : sockets) {
            socket.channel.register(selector, SelectionKey.OP_READ, socket);
        }
    }

    /**
     * Opens and binds the sockets of a lane.
     *
     * @param ports the ports, in the place of the listeners'
     * @param isShared whether other lanes bind to the same addresses
     */
    static NioDatagramLane open(
            List<DatagramListener> listeners, int[] ports, boolean isShared, DatagramOptions options)
            throws IOException {
        List<Socket> sockets = new ArrayList<>();
        Selector selector = Selector.open();
        try {
            for (int i = 0; i < listeners.size(); i++) {
                sockets.add(open(listeners.get(i), ports[i], isShared));
            }
            return new NioDatagramLane(sockets, options, selector);
        } catch (IOException | RuntimeException | Error e) {
            for (Socket socket : sockets) {
                socket.channel.close();
            }
            selector.close();
            throw e;
        }
    }

    private static Socket open(DatagramListener listener, int port, boolean isShared) throws IOException {
        InetSocketAddress address = new InetSocketAddress(listener.address().getAddress(), port);
        DatagramChannel channel = DatagramChannel.open(
                DatagramAddress.of(address).isIpv4() ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        try {
            channel.configureBlocking(false);
            if (isShared) {
                if (!channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
                    throw new UnsupportedOperationException(
                            "this system has no SO_REUSEPORT, so several lanes cannot share an address; use one lane");
                }
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            if (listener.receiveBuffer() > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, listener.receiveBuffer());
            }
            if (listener.sendBuffer() > 0) {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, listener.sendBuffer());
            }
            if (listener.dscp() > 0) {
                channel.setOption(StandardSocketOptions.IP_TOS, listener.dscp() << 2);
            }
            channel.bind(address);
            return new Socket(listener, channel);
        } catch (IOException e) {
            channel.close();
            throw DatagramSockets.cannotListen(address, e);
        } catch (RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public int socketCount() {
        return sockets.size();
    }

    @Override
    public InetSocketAddress localAddress(int socket) {
        return sockets.get(socket).local.toInetSocketAddress();
    }

    @Override
    public int receive(DatagramHandler handler) {
        int delivered = 0;
        burstNs = System.nanoTime();
        boolean isPolled = this.isPolled;
        this.isPolled = false;
        for (int i = 0; i < sockets.size(); i++) {
            Socket socket = sockets.get(i);
            boolean mayHave = !isPolled || socket.isReady;
            socket.isReady = false;
            while (!socket.failed.isEmpty()) {
                to.set(socket.failed.poll());
                counters.add(FAILURES, 1);
                handler.failed(i, to, 0);
            }
            for (int n = 0; mayHave && n < options.burst(); n++) {
                int length = receive(socket);
                if (length < 0) {
                    break;
                }
                if (length > options.maxLength()) {
                    counters.add(TRUNCATED, 1);
                    continue;
                }
                counters.add(RECEIVED, 1);
                counters.add(RECEIVED_OCTETS, length);
                delivered++;
                handler.datagram(i, octets, length, from, to);
            }
        }
        return delivered;
    }

    @Override
    public long arrivalNs() {
        return burstNs;
    }

    @Override
    public boolean stampsArrivals() {
        return false;
    }

    /** Returns the length of the next datagram; -1 if there is none. */
    private int receive(Socket socket) {
        buffer.clear();
        try {
            if (!(socket.channel.receive(buffer) instanceof InetSocketAddress source)) {
                return UNKNOWN;
            }
            from.set(source);
        } catch (IOException e) {
            counters.add(RECEIVE_ERRORS, 1);
            return UNKNOWN;
        }
        to.set(socket.local);
        counters.add(RECEIVE_CALLS, 1);
        int length = buffer.flip().remaining();
        buffer.get(octets, 0, Math.min(length, octets.length));
        return length;
    }

    @Override
    public boolean send(
            int socket, byte[] source, int offset, int length, DatagramAddress to, @Nullable DatagramAddress from) {
        Socket target = sockets.get(socket);
        if (length > MAX_LENGTH || target.local.isIpv4() && !to.isIpv4()) {
            counters.add(REFUSED, 1);
            return false;
        }
        if (target.batch.size() >= options.burst()) {
            flush(target);
            if (target.batch.size() >= options.burst()) {
                counters.add(REFUSED, 1);
                return false;
            }
        }
        ByteBuffer copy =
                ByteBuffer.allocate(length).put(source, offset, length).flip();
        target.batch.add(new Unsent(copy, to.toInetSocketAddress()));
        return true;
    }

    @Override
    public int flush() {
        int sent = 0;
        hasPending = false;
        for (Socket socket : sockets) {
            sent += flush(socket);
            hasPending |= !socket.batch.isEmpty();
        }
        return sent;
    }

    private int flush(Socket socket) {
        int sent = 0;
        while (!socket.batch.isEmpty()) {
            Unsent next = socket.batch.getFirst();
            int length = next.octets.remaining();
            try {
                // an empty datagram is sent too, and has no bytes to say so
                if (socket.channel.send(next.octets, next.to) == 0 && length > 0) {
                    counters.add(POSTPONED, 1);
                    break;
                }
                counters.add(SEND_CALLS, 1);
                counters.add(SENT, 1);
                counters.add(SENT_OCTETS, length);
                sent++;
            } catch (IOException e) {
                counters.sendError(0);
                if (socket.failed.size() < options.burst()) {
                    socket.failed.add(next.to);
                }
            }
            socket.batch.removeFirst();
        }
        return sent;
    }

    @Override
    public boolean await(long timeoutNs) {
        isPolled = false;
        if (!waitState.sleeps()) {
            return false;
        }
        long leftNs = hasPending ? Math.min(timeoutNs, NS_A_MS) : timeoutNs;
        try {
            int ready = leftNs <= 0
                    ? selector.selectNow(NioDatagramLane::setReady)
                    : selector.select(NioDatagramLane::setReady, (leftNs - 1) / NS_A_MS + 1);
            isPolled = ready > 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot wait for datagrams", e);
        } finally {
            waitState.woke();
        }
        return isPolled;
    }

    private static void setReady(SelectionKey key) {
        ((Socket) key.attachment()).isReady = true;
    }

    @Override
    public void wakeUp() {
        if (waitState.notifyLane() && !closed) {
            selector.wakeup();
        }
    }

    @Override
    public DatagramCounters counters() {
        return counters.snapshot(sockets.stream()
                .map(socket -> new DatagramCounters.SocketState(
                        socket.local.toInetSocketAddress(),
                        socket.listener.receiveBuffer(),
                        socket.receiveBufferGiven,
                        UNKNOWN,
                        UNKNOWN))
                .toList());
    }

    @Override
    public void close() {
        closed = true;
        try {
            for (Socket socket : sockets) {
                socket.channel.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the sockets of a lane", e);
        }
    }
}
