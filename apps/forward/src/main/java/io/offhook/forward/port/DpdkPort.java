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
 * A port of DPDK. Packets stay in their mbufs from one port to another; what came from elsewhere, or goes to several ports,
 * is copied. Lanes are threads that DPDK knows ({@code Eal.registerThread}). Packets that need several mbufs are not taken:
 * they are counted as lost coming.
 */
public final class DpdkPort extends QueuedPort<DpdkPort.Receiving, DpdkPort.Sending> {
    private final EthPort port;
    private final Mempool pool;
    private final int descriptors;
    private final boolean isPromiscuous;
    private boolean closed;

    /**
     * A port that is not started yet.
     *
     * @param name as statistics call it
     * @param port is closed with this one
     * @param pool of the packets that come and of those that are copied; the caller closes it, after the port
     * @param descriptors of each queue, each way
     * @param isPromiscuous whether packets for other machines are wanted
     */
    public DpdkPort(String name, EthPort port, Mempool pool, int descriptors, boolean isPromiscuous) {
        super(name);
        this.port = port;
        this.pool = pool;
        this.descriptors = descriptors;
        this.isPromiscuous = isPromiscuous;
    }

    /** Whose packets lie in mbufs: their handle is the mbuf's address. */
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
            freed.free(); // of the burst before, by one call
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
            array.free(); // what the driver had no room for
            return sent;
        }

        /** Stages may have moved both ends of the packet. */
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

    /** Neighbours of an IPv6 router ask by groups that the card knows nothing of. */
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

    /** As the kernel tells of the interface below it, where there is one; else as the device does. */
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

    /** Of the driver that takes an interface's frames by AF_PACKET. */
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

    /** Where a driver finds a packet again for which it had no mbuf, that is not lost. */
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
