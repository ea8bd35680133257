package io.offhook.forward;

import io.offhook.linux.network.LinkState;
import io.offhook.linux.network.NetworkDevice;
import java.util.Optional;

/**
 * A source and destination of packets: a network interface, or memory. All packets have Ethernet headers. Each lane
 * that reads from the port has its own receive queue, and every lane has its own send queue. A port is opened before
 * lanes start and closed after they ended.
 */
public interface Port extends AutoCloseable {
    /** Its name in the configuration. */
    String name();

    /** A description of how it is driven: {@code AF_XDP, native, copy mode}. Called only while it is open. */
    String driver();

    /** Whether it can send and receive, as far as known. Any thread, while it is open. */
    default LinkState state() {
        return LinkState.UP;
    }

    /**
     * The interface whose frames pass the kernel's network stack before they reach this port, so that the kernel may
     * have merged several into one; empty if there is none. Called only while it is open.
     */
    default Optional<NetworkDevice> behindKernel() {
        return Optional.empty();
    }

    /** Whether the kernel receives the frames as well, and answers those to its own addresses on the interface. */
    default boolean isSharedWithKernel() {
        return behindKernel().isPresent();
    }

    /** Its MAC address, 48 bits. */
    long linkAddress();

    /** The MTU: the length of the longest IP packet, in bytes. */
    int mtu();

    /**
     * Opens its queues, which receive nothing before {@link #start}. Called once, before the others.
     *
     * @param receiveQueues how many lanes read from it, 0 or more
     * @param sendQueues how many lanes there are
     */
    void open(int receiveQueues, int sendQueues);

    /**
     * Begins to receive. Called once, when the lanes run: a ring holds milliseconds of traffic, and to open all ports takes
     * longer.
     */
    default void start() {}

    /** Receives nothing more from now on, as far as the port can: its queues have what came before. Called once. */
    default void stop() {}

    /** Receive queue {@code i}, from 0. */
    ReceiveQueue receiveQueue(int i);

    /** Send queue {@code i}, from 0. */
    SendQueue sendQueue(int i);

    /** Packets lost before a queue could receive them, by the driver's counters. Any thread. */
    long receiveDrops();

    @Override
    void close();
}
