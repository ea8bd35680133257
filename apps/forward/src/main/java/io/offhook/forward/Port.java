package io.offhook.forward;

import io.offhook.linux.network.LinkState;
import io.offhook.linux.network.NetworkDevice;
import java.util.Optional;

/**
 * Where packets come from and go to: a network interface, or memory. All packets have Ethernet headers. Each lane that reads
 * from it has a receive queue of its own, each lane at all a send queue. Opened before lanes start, closed when they are done.
 */
public interface Port extends AutoCloseable {
    /** As the configuration calls it. */
    String name();

    /** How it is driven, for people: {@code AF_XDP, native, copy mode}. Asked for once it is open. */
    String driver();

    /** Whether it can send and receive, as far as is known; any thread, while it is open. */
    default LinkState state() {
        return LinkState.UP;
    }

    /**
     * The interface whose frames the kernel's network stack has before this port does, so that it may have merged several to
     * one; empty where there is none. Asked for once it is open.
     */
    default Optional<NetworkDevice> behindKernel() {
        return Optional.empty();
    }

    /** Whether the kernel gets the frames as well, and answers them where it has addresses at that interface. */
    default boolean isSharedWithKernel() {
        return behindKernel().isPresent();
    }

    /** Its MAC address, 48 bits. */
    long linkAddress();

    /** The longest IP packet, in bytes. */
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

    /** Packets that were lost before a queue could read them, by the driver's own counter; any thread. */
    long receiveDrops();

    @Override
    void close();
}
