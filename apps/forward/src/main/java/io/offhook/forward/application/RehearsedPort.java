package io.offhook.forward.application;

import io.offhook.forward.Port;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * A port of a backend that no interface is behind: what it receives is put in, what it sends goes nowhere. Its queues are
 * of the backend's own classes, so that a {@link ForwardRehearsal} has the code compiled that the first packets will meet.
 */
public abstract class RehearsedPort implements Port {
    /** The longest IP packet. */
    public static final int MTU = 1500;

    private final List<ReceiveQueue> receiving = new ArrayList<>();
    private final List<SendQueue> sending = new ArrayList<>();
    private final String name;
    private final long linkAddress;

    /**
     * Creates a port that is not open yet.
     *
     * @param name as the configuration calls it
     * @param linkAddress its MAC address, 48 bits
     */
    protected RehearsedPort(String name, long linkAddress) {
        this.name = name;
        this.linkAddress = linkAddress;
    }

    /**
     * Puts a packet in, which a lane receives in its next round. On the thread that runs the lanes.
     *
     * @param queue the receive queue, from 0
     * @param packet with its Ethernet header
     * @return false if there is no room
     */
    public abstract boolean put(int queue, byte[] packet);

    /** Adds a receive queue, the next by number; to be called when it is opened. */
    protected final void receiveBy(ReceiveQueue queue) {
        receiving.add(queue);
    }

    /** Adds a send queue, the next by number; to be called when it is opened. */
    protected final void sendBy(SendQueue queue) {
        sending.add(queue);
    }

    /** Completes what was sent since the last call, as a device does. */
    public void complete() {}

    @Override
    public final ReceiveQueue receiveQueue(int i) {
        return receiving.get(i);
    }

    @Override
    public final SendQueue sendQueue(int i) {
        return sending.get(i);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String driver() {
        return "rehearsal";
    }

    @Override
    public final long linkAddress() {
        return linkAddress;
    }

    @Override
    public final int mtu() {
        return MTU;
    }

    @Override
    public final long receiveDrops() {
        return 0;
    }
}
