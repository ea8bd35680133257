package io.offhook.forward.application;

import io.offhook.forward.Port;

/**
 * A port of a backend that no interface is behind: what it receives is put in, what it sends goes nowhere. Its queues are
 * of the backend's own classes, so that a {@link ForwardRehearsal} has the code compiled that the first packets will meet.
 */
public abstract class RehearsedPort implements Port {
    /** The longest IP packet. */
    public static final int MTU = 1500;

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

    /** Completes what was sent since the last call, as a device does. */
    public void complete() {}

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
