package io.offhook.forward.port;

import io.offhook.dpdk.DpdkException;
import io.offhook.dpdk.EthPort;
import io.offhook.dpdk.EthPortInfo;
import io.offhook.dpdk.EthPortOptions;
import io.offhook.dpdk.EthStatistics;
import io.offhook.dpdk.MbufArray;
import io.offhook.dpdk.MbufTemplate;
import io.offhook.dpdk.MbufView;
import io.offhook.dpdk.Mempool;
import io.offhook.dpdk.RxQueue;
import io.offhook.dpdk.TxQueue;
import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.PacketBuffers;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import io.offhook.linux.network.LinkState;
import io.offhook.linux.network.LinkWatch;
import io.offhook.linux.network.NetworkDevice;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A port of DPDK. Packets stay in their mbufs from one port to another; packets from other kinds of port, or to several
 * ports, are copied. Lanes are threads registered with DPDK ({@code Eal.registerThread}). Packets that span several
 * mbufs are dropped and counted among {@link #receiveDrops}.
 */
public final class DpdkPort extends QueuedPort<DpdkPort.Receiving, DpdkPort.Sending> {
    private final EthPort port;
    private final Mempool pool;
    private final int descriptors;
    private final boolean isPromiscuous;
    private boolean closed;

    /**
     * Creates a port that is not started yet.
     *
     * @param name its name in the statistics
     * @param port the device; closed with this port
     * @param pool the mbufs of received and copied packets; the caller closes it after the port
     * @param descriptors the length of each receive and send queue
     * @param isPromiscuous whether frames to other machines are received
     */
    public DpdkPort(String name, EthPort port, Mempool pool, int descriptors, boolean isPromiscuous) {
        super(name);
        this.port = port;
        this.pool = pool;
        this.descriptors = descriptors;
        this.isPromiscuous = isPromiscuous;
    }

    /** A receive queue whose packets are mbufs; the handle is the address of the mbuf. */
    static final class Receiving implements ReceiveQueue, PacketBuffers {
        private final RxQueue queue;
        private final MbufArray received = new MbufArray(Burst.MAX_RECEIVED);
        private final MbufArray freed = new MbufArray(Burst.CAPACITY);
        private final MbufView view = new MbufView();
        private long segmented;

        Receiving(RxQueue queue) {
            this.queue = queue;
        }

        @Override
        public int receive(Burst burst, int number) {
            freed.free(); // those of the previous burst, with one call
            if (burst.room() < received.capacity() || queue.receive(received) == 0) {
                return 0;
            }
            int added = 0;
            for (int n = 0; n < received.count(); n++) {
                view.wrap(received.get(n));
                if (view.segments() == 1) {
                    int i = burst.add(
                            this,
                            view.address(),
                            view.dataAddress(),
                            view.dataLength(),
                            view.headroom(),
                            view.tailroom());
                    burst.received(i, number, 0);
                    added++;
                } else {
                    segmented++;
                    free(view.address());
                }
            }
            received.clear();
            return added;
        }

        @Override
        public void free(long handle) {
            if (freed.isFull()) {
                freed.free();
            }
            freed.add(handle);
        }
    }

    static final class Sending implements SendQueue {
        private final TxQueue queue;
        private final Mempool pool;
        private final MbufArray array = new MbufArray(Burst.CAPACITY);
        private final MbufView view = new MbufView();
        private final MbufTemplate template = new MbufTemplate(MbufTemplate.MAX_BYTES);
        private long copies;

        Sending(TxQueue queue, Mempool pool) {
            this.queue = queue;
            this.pool = pool;
        }

        @Override
        public int send(Burst burst, int[] indexes, int count) {
            for (int n = 0; n < count; n++) {
                int i = indexes[n];
                if (burst.owner(i) instanceof Receiving && !burst.isNeededAgain(i)) {
                    fit(burst, i);
                    array.add(burst.handle(i));
                    burst.handOver(i);
                } else {
                    copy(burst, i);
                }
            }
            int sent = queue.send(array);
            array.free(); // those that the driver had no room for
            return sent;
        }

        /** Adjusts the mbuf to the packet, whose ends stages may have moved. */
        private void fit(Burst burst, int i) {
            view.wrap(burst.handle(i));
            int before = (int) (view.dataAddress() - burst.address(i));
            if (before > 0) {
                view.prepend(before);
            } else if (before < 0) {
                view.trimStart(-before);
            }
            int behind = burst.length(i) - view.dataLength();
            if (behind > 0) {
                view.append(behind);
            } else if (behind < 0) {
                view.trimEnd(-behind);
            }
        }

        private void copy(Burst burst, int i) {
            int length = burst.length(i);
            MemorySegment.copy(burst.memory(), burst.address(i), template.data(), 0, length);
            long mbuf = pool.copy(template.length(length));
            if (mbuf != 0) {
                array.add(mbuf);
                copies++;
            }
        }

        @Override
        public long copies() {
            return copies;
        }
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {
        if (port.info().interfaceIndex() > 0) {
            watch = LinkWatch.of(port.info().interfaceIndex());
        }
        port.start(
                EthPortOptions.ofQueues(Math.max(1, receiveQueues), Math.max(1, sendQueues))
                        .withDescriptors(descriptors, descriptors)
                        .withPromiscuous(isPromiscuous),
                pool);
        if (!isPromiscuous) {
            takeGroups();
        }
        for (int i = 0; i < receiveQueues; i++) {
            receiving.add(new Receiving(port.rxQueue(i)));
        }
        for (int i = 0; i < sendQueues; i++) {
            sending.add(new Sending(port.txQueue(i), pool));
        }
    }

    /** Neighbours of an IPv6 router solicit it by multicast groups that the card has not joined. */
    private void takeGroups() {
        try {
            port.allMulticast(true);
        } catch (DpdkException e) {
            if (e.errno() != DpdkException.ENOTSUP) { // a virtual device has no filter to open
                throw e;
            }
        }
    }

    @Override
    public String driver() {
        return "DPDK, " + port.info().driverName();
    }

    /** The state of the kernel's interface below the device if there is one, otherwise that of the device. */
    @Override
    public LinkState state() {
        if (watch != null) {
            return super.state();
        }
        if (!port.isStarted()) {
            return LinkState.DOWN;
        }
        if (port.isRemoved()) {
            return LinkState.GONE;
        }
        return port.link().isUp() ? LinkState.UP : LinkState.NO_CARRIER;
    }

    /** The interface whose frames the driver receives by AF_PACKET, if it is such a driver. */
    @Override
    public Optional<NetworkDevice> behindKernel() {
        EthPortInfo info = port.info();
        return info.driverName().equals("net_af_packet")
                ? NetworkDevice.all().stream()
                        .filter(device -> device.index() == info.interfaceIndex())
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public long linkAddress() {
        return port.macAddress();
    }

    @Override
    public int mtu() {
        return Math.min(port.mtu(), pool.dataBytes() - EthernetFrames.MAX_HEADER);
    }

    @Override
    public long receiveDrops() {
        long segmented = 0;
        for (Receiving queue : receiving) {
            segmented += queue.segmented;
        }
        if (!port.isStarted()) {
            return segmented;
        }
        return segmented + lost(port.statistics(), port.info());
    }

    /** Packets that a driver lost. A lack of mbufs counts only for drivers that lose packets by it. */
    static long lost(EthStatistics counts, EthPortInfo info) {
        long noMbuf = info.losesWithoutMbuf() ? counts.noMbuf() : 0;
        return counts.missedPackets() + counts.receiveErrors() + noMbuf;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            port.stop();
            receiving.forEach(queue -> queue.freed.free());
            port.close();
            closeWatch();
        }
    }
}
