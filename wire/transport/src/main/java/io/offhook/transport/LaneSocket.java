package io.offhook.transport;

import io.offhook.linux.raw.AddressedSendBatch;
import io.offhook.linux.raw.ReceiveBatch;
import io.offhook.linux.raw.UdpSocket;
import java.net.InetSocketAddress;

/** A UDP socket of a {@link NativeDatagramLane}, with what is to be sent on it. */
final class LaneSocket implements AutoCloseable {
    /** How many datagrams that the kernel refused are remembered until the lane receives. */
    private static final int MOST_UNSENT = 16;

    /** For each datagram of a batch, what SIP messages have at most but for rare ones. */
    private static final int OCTETS_A_DATAGRAM = 2048;

    final UdpSocket socket;
    final AddressedSendBatch batch;
    final boolean isWildcard;
    /** Whether the kernel may have errors of earlier datagrams. */
    boolean hasErrors;

    long octetsAdded;

    private final DatagramListener listener;
    private final DatagramAddress local;
    private final int receiveBufferGiven;
    private final DatagramAddress[] unsent = new DatagramAddress[MOST_UNSENT];
    private final int[] unsentErrnos = new int[MOST_UNSENT];
    private int unsentCount;
    private long lastDrops;

    private LaneSocket(DatagramListener listener, DatagramAddress local, UdpSocket socket, int burst) {
        this.listener = listener;
        this.local = local;
        this.socket = socket;
        receiveBufferGiven = socket.receiveBuffer();
        isWildcard = local.isUnspecified();
        batch = new AddressedSendBatch(
                socket.isIpv6(), burst, AddressedSendBatch.MAX_LENGTH + burst * OCTETS_A_DATAGRAM);
        for (int i = 0; i < MOST_UNSENT; i++) {
            unsent[i] = new DatagramAddress();
        }
    }

    /**
     * Opens and binds a socket.
     *
     * @param port the port, in the place of the listener's
     * @param isShared whether other lanes bind to the same address
     * @throws io.offhook.linux.LinuxException if the kernel refuses
     */
    static LaneSocket open(DatagramListener listener, int port, boolean isShared, int burst) {
        DatagramAddress local = DatagramAddress.of(listener.address());
        UdpSocket socket = UdpSocket.open(!local.isIpv4());
        try {
            if (isShared) {
                socket.shareAddress();
            }
            if (listener.receiveBuffer() > 0) {
                socket.receiveBuffer(listener.receiveBuffer());
            }
            if (listener.sendBuffer() > 0) {
                socket.sendBuffer(listener.sendBuffer());
            }
            if (listener.dscp() > 0) {
                socket.trafficClass(listener.dscp());
            }
            if (local.isUnspecified()) {
                socket.reportDestinations();
            }
            socket.reportErrors();
            socket.stampArrivals();
            socket.bind(local.high(), local.low(), port, local.scope(), "bind");
            local.set(local.high(), local.low(), socket.port(), local.scope());
            return new LaneSocket(listener, local, socket, burst);
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    int descriptor() {
        return socket.descriptor();
    }

    InetSocketAddress address() {
        return local.toInetSocketAddress();
    }

    /** The local address that a datagram was sent to. */
    void destination(ReceiveBatch received, int i, DatagramAddress to) {
        int at = isWildcard ? received.destination(i) : -1;
        if (at < 0) {
            to.set(local);
        } else {
            boolean isIpv6 = socket.isIpv6();
            to.set(
                    received.destinationHigh(at, isIpv6),
                    received.destinationLow(at, isIpv6),
                    local.port(),
                    received.sourceScope(i));
        }
    }

    /** Drops the first datagram of the batch, and remembers its destination. */
    void dropUnsent(int errno) {
        if (unsentCount < MOST_UNSENT) {
            unsent[unsentCount].set(
                    batch.destinationHigh(), batch.destinationLow(), batch.destinationPort(), batch.destinationScope());
            unsentErrnos[unsentCount++] = errno;
        }
        octetsAdded -= batch.dropFirst();
    }

    /** Reports the datagrams that the kernel refused. */
    void reportUnsent(int i, DatagramAddress to, DatagramHandler handler, LaneCounters counters) {
        while (unsentCount > 0) {
            unsentCount--;
            to.set(unsent[unsentCount]);
            counters.add(LaneCounters.FAILURES, 1);
            handler.failed(i, to, unsentErrnos[unsentCount]);
        }
    }

    /** @param isClosed whether the socket must not be asked any more */
    DatagramCounters.SocketState state(boolean isClosed) {
        if (!isClosed) {
            lastDrops = socket.drops();
        }
        return new DatagramCounters.SocketState(
                address(),
                listener.receiveBuffer(),
                receiveBufferGiven,
                isClosed ? 0 : socket.waitingBytes(),
                lastDrops);
    }

    @Override
    public void close() {
        lastDrops = socket.drops();
        socket.close();
        batch.close();
    }
}
