package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.packet.MacAddress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A port of DPDK: a network card or a virtual device. It is configured and started with a number of queues, each of
 * which then belongs to one thread; everything else is thread-safe.
 */
public final class EthPort implements AutoCloseable {
    private final Eal eal;
    private final int number;
    private final String name;
    private final EthPortInfo info;
    private List<RxQueue> rxQueues = List.of();
    private List<TxQueue> txQueues = List.of();
    private final PacketSocketDrops sockets;
    private boolean isStarted;
    private boolean closed;

    EthPort(Eal eal, int number) {
        this.eal = eal;
        this.number = number;
        name = PortNumbers.name(number);
        info = askInfo();
        sockets = PacketSocketDrops.of(info);
    }

    /** Returns its number in DPDK, from 0. */
    public int number() {
        return number;
    }

    /** Returns the name of its device: {@code net_ring0}, {@code 0000:03:00.0}. */
    public String name() {
        return name;
    }

    /** Returns its capabilities. */
    public EthPortInfo info() {
        return info;
    }

    private EthPortInfo askInfo() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(EthdevLayout.INFO_BYTES, Long.BYTES);
            check(RteEthdev.info(number, answer), "ask for information");
            return EthPortInfo.of(answer);
        }
    }

    /**
     * Configures the port, sets up its queues and starts it.
     *
     * @param pool the pool that all receive queues receive into
     * @throws DpdkException if the device refuses, as net_af_packet does after a stop
     */
    public synchronized void start(EthPortOptions options, Mempool pool) {
        checkOpen();
        if (isStarted) {
            throw new IllegalStateException("port " + name + " was started before; stop it first");
        }
        if (sockets.hasEnded()) {
            throw new DpdkException("port " + name + " was stopped, for which " + info.driverName()
                    + " closes its sockets: it would receive nothing; close it and add it again");
        }
        new EthPortSetup(this, options, pool).run();
        int promiscuous = options.isPromiscuous() ? RteEthdev.promiscuousEnable(number) : 0;
        if (promiscuous != -DpdkException.ENOTSUP) {
            check(promiscuous, "set promiscuous");
        }
        RteEthdev.resetStats(number); // drivers that do not support this keep counting
        check(RteEthdev.start(number), "start");
        isStarted = true;
        boolean isCritical = options.critical() == EthPortOptions.CriticalCalls.BY_DRIVER
                && DriverCalls.mayBeCritical(info.driverName());
        rxQueues = IntStream.range(0, options.rxQueues())
                .mapToObj(queue -> new RxQueue(this, queue, isCritical))
                .toList();
        txQueues = IntStream.range(0, options.txQueues())
                .mapToObj(queue -> new TxQueue(this, queue, isCritical))
                .toList();
    }

    /**
     * Returns a receive queue of a started port.
     *
     * @param number the number of the queue, from 0
     */
    public RxQueue rxQueue(int number) {
        return rxQueues.get(number);
    }

    /**
     * Returns a send queue of a started port.
     *
     * @param number the number of the queue, from 0
     */
    public TxQueue txQueue(int number) {
        return txQueues.get(number);
    }

    /** Returns the number of receive queues that it was started with. */
    public int rxQueues() {
        return rxQueues.size();
    }

    /** Returns the number of send queues that it was started with. */
    public int txQueues() {
        return txQueues.size();
    }

    /** Returns whether it receives and sends. */
    public synchronized boolean isStarted() {
        return isStarted;
    }

    /**
     * Stops receiving and sending; the threads of its queues must be quiet. It may be started again, except for ports
     * of net_af_packet.
     */
    public synchronized void stop() {
        checkOpen();
        if (isStarted) {
            isStarted = false;
            sockets.end();
            rxQueues.forEach(RxQueue::stop);
            txQueues.forEach(TxQueue::stop);
            rxQueues = List.of();
            txQueues = List.of();
            check(RteEthdev.stop(number), "stop");
        }
    }

    /** Returns the link as last reported by the device. */
    public synchronized EthLink link() {
        checkOpen();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment link = arena.allocate(EthdevLayout.LINK_BYTES, Long.BYTES);
            check(RteEthdev.link(number, link), "ask for the link");
            int bits = link.get(JAVA_SHORT, EthdevLayout.LINK_BITS);
            return new EthLink(
                    (bits & EthdevLayout.LINK_UP) != 0,
                    link.get(JAVA_INT, 0),
                    (bits & EthdevLayout.LINK_FULL_DUPLEX) != 0);
        }
    }

    /** Returns the MAC address, 48 bits, as {@link MacAddress} takes it. */
    public synchronized long macAddress() {
        checkOpen();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(6);
            check(RteEthdev.mac(number, address), "ask for the MAC address");
            long mac = 0;
            for (int i = 0; i < 6; i++) {
                mac = mac << 8 | address.get(JAVA_BYTE, i) & 0xff;
            }
            return mac;
        }
    }

    /** Returns the most bytes of a packet after its Ethernet header. */
    public synchronized int mtu() {
        checkOpen();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mtu = arena.allocate(JAVA_SHORT);
            check(RteEthdev.mtu(number, mtu), "ask for the MTU");
            return mtu.get(JAVA_SHORT, 0) & 0xffff;
        }
    }

    /**
     * Sets the MTU.
     *
     * @param bytes 68 to 65,535
     * @throws DpdkException if the device does not support it, or not while it is started
     */
    public synchronized void mtu(int bytes) {
        checkOpen();
        EthPortOptions.checkMtu(bytes);
        check(RteEthdev.setMtu(number, bytes), "set the MTU to " + bytes);
    }

    /** Returns whether frames for other machines are received. */
    public synchronized boolean isPromiscuous() {
        checkOpen();
        return check(RteEthdev.promiscuousGet(number), "ask whether it is promiscuous") == 1;
    }

    /**
     * Sets whether frames for other machines are received.
     *
     * @throws DpdkException ENOTSUP if the device does not support the choice
     */
    public synchronized void promiscuous(boolean isPromiscuous) {
        checkOpen();
        check(
                isPromiscuous ? RteEthdev.promiscuousEnable(number) : RteEthdev.promiscuousDisable(number),
                "set promiscuous " + isPromiscuous);
    }

    /** Returns whether frames to all multicast groups are received. */
    public synchronized boolean isAllMulticast() {
        checkOpen();
        return check(RteEthdev.allMulticastGet(number), "ask whether it takes all groups") == 1;
    }

    /**
     * Sets whether frames to all multicast groups are received, which an IPv6 router needs because its neighbours ask
     * by multicast.
     *
     * @throws DpdkException ENOTSUP if the device does not support the choice
     */
    public synchronized void allMulticast(boolean isAllMulticast) {
        checkOpen();
        check(
                isAllMulticast ? RteEthdev.allMulticastEnable(number) : RteEthdev.allMulticastDisable(number),
                "take all groups " + isAllMulticast);
    }

    /** Returns the statistics since it was started; since the device was created if its driver cannot reset them. */
    public synchronized EthStatistics statistics() {
        checkOpen();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment stats = arena.allocate(EthdevLayout.STATS_BYTES, Long.BYTES);
            check(RteEthdev.stats(number, stats), "ask for statistics");
            return EthStatistics.of(stats, sockets.ask());
        }
    }

    /** Returns all counters of the driver, by DPDK's names and in the driver's order: the xstats. */
    public synchronized Map<String, Long> extendedStatistics() {
        checkOpen();
        int count = check(RteEthdev.xstats(number, MemorySegment.NULL, 0), "ask for xstats");
        Map<String, Long> all = new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment names = arena.allocate((long) EthdevLayout.XSTAT_NAME_BYTES * count, Long.BYTES);
            MemorySegment values = arena.allocate((long) EthdevLayout.XSTAT_BYTES * count, Long.BYTES);
            int named = check(RteEthdev.xstatsNames(number, names, count), "ask for the names of xstats");
            int valued = check(RteEthdev.xstats(number, values, count), "ask for xstats");
            for (int i = 0; i < Math.min(count, Math.min(named, valued)); i++) {
                long at = (long) i * EthdevLayout.XSTAT_BYTES;
                long id = values.get(JAVA_LONG, at);
                all.put(
                        names.getString(id * EthdevLayout.XSTAT_NAME_BYTES),
                        values.get(JAVA_LONG, at + EthdevLayout.XSTAT_VALUE));
            }
        }
        return all;
    }

    /** Returns whether the device was removed from the machine, as far as its driver can tell. */
    public synchronized boolean isRemoved() {
        checkOpen();
        return RteEthdev.isRemoved(number) == 1;
    }

    /**
     * Returns the result of a call.
     *
     * @param what what the call should do, for the message
     * @throws DpdkException if it is an error
     */
    int check(int result, String what) {
        if (result < 0) {
            throw new DpdkException(
                    what + " of port " + name, -result, eal.log().text());
        }
        return result;
    }

    boolean isOpen() {
        return !closed;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("port " + name + " is closed");
        }
        eal.log().clear();
    }

    /** Stops it, frees the packets in its queues and removes its device; the threads of its queues must be quiet. */
    @Override
    public synchronized void close() {
        if (closed || !eal.isOpen()) {
            closed = true;
            return;
        }
        try {
            stop();
        } finally {
            sockets.end();
            long device = device();
            closed = true;
            if (device == 0 || RteEal.devRemove(device) != 0) {
                RteEthdev.close(number);
            }
        }
    }

    private long device() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(EthdevLayout.INFO_BYTES, Long.BYTES);
            @Nullable
            MemorySegment device =
                    RteEthdev.info(number, answer) == 0 ? answer.get(ADDRESS, EthdevLayout.INFO_DEVICE) : null;
            return device == null ? 0 : device.address();
        }
    }

    @Override
    public String toString() {
        return "port " + number + " " + name;
    }
}
