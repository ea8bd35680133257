package io.offhook.proxy.lane;

import io.offhook.sip.SipHop;
import io.offhook.sip.proxy.ProxySetup;
import io.offhook.transport.DatagramLane;
import io.offhook.transport.DatagramSockets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** All lanes of a proxy. */
public final class ProxyLanes implements AutoCloseable {
    private final DatagramSockets sockets;
    private final List<ProxyLane> lanes;
    private final boolean knowsArrivals;

    /**
     * Creates the lanes, and starts them.
     *
     * @param sockets the UDP sockets of all lanes; closed with them
     * @param setups makes the setup of each core, by the number of its lane
     * @param services what the lanes ask
     */
    public ProxyLanes(DatagramSockets sockets, IntFunction<ProxySetup> setups, LaneServices services) {
        this.sockets = sockets;
        List<ProxyLane> created = new ArrayList<>();
        List<DatagramLane> of = sockets.lanes();
        knowsArrivals = of.stream().allMatch(lane -> lane.socketCount() == 0 || lane.stampsArrivals());
        for (int i = 0; i < of.size(); i++) {
            created.add(new ProxyLane(i, of.size(), of.get(i), setups.apply(i), services));
        }
        lanes = List.copyOf(created);
        lanes.forEach(lane -> lane.start(lanes, "sip-lane-" + lane.number()));
    }

    /** The lanes, in the order of their numbers. */
    public List<ProxyLane> lanes() {
        return lanes;
    }

    /**
     * Whether the system reports when datagrams arrived. If not, their wait in the socket is not part of any queue delay, and
     * overload is seen only when it reaches the lanes.
     */
    public boolean knowsArrivals() {
        return knowsArrivals;
    }

    /**
     * Gives a message that came over a connection to its lane. Thread-safe.
     *
     * @param octets the array with the message, which is copied
     * @return false if too much waits there already
     */
    public boolean receive(byte[] octets, int offset, int length, SipHop source) {
        long arrivedNs = System.nanoTime();
        byte[] copy = Arrays.copyOfRange(octets, offset, offset + length);
        ProxyLane lane = lanes.get(lanes.size() == 1 ? 0 : MessageLane.of(copy, length, 0, lanes.size()));
        return lane.execute(_ -> lane.receive(copy, 0, length, source, arrivedNs));
    }

    /** Reports to all lanes that messages to an address cannot be delivered. Thread-safe. */
    public void transportFailed(SipHop to) {
        for (ProxyLane lane : lanes) {
            lane.execute(nowNs -> lane.core().transactions().transportFailed(to, nowNs));
        }
    }

    /** Stops all lanes, waits for their threads and closes their sockets. */
    @Override
    public void close() {
        lanes.forEach(ProxyLane::stop);
        boolean isInterrupted = false;
        for (ProxyLane lane : lanes) {
            while (true) {
                try {
                    lane.join();
                    break;
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        sockets.close();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
