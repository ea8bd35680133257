package io.offhook.forward.port;

import io.offhook.forward.Burst;
import io.offhook.forward.Bytes;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.FramePool;
import io.offhook.forward.Port;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;

/**
 * A port in memory, for tests of stages: it receives what is {@linkplain #offer offered}, and queues what it sends
 * until that is {@linkplain #take taken}. Ports that share buffers pass packets on without copying. Not thread-safe.
 */
public final class MemoryPort implements Port, ReceiveQueue, SendQueue {
    private static final int QUEUE = 1024;

    private final String name;
    private final long linkAddress;
    private final FramePool pool;
    private final Queue incoming = new Queue();
    private final Queue outgoing = new Queue();
    private long receiveDrops;
    private long copies;

    /**
     * Creates a port.
     *
     * @param name its name in the statistics
     * @param linkAddress its MAC address, 48 bits
     * @param pool the buffers; the caller closes it
     */
    public MemoryPort(String name, long linkAddress, FramePool pool) {
        this.name = name;
        this.linkAddress = linkAddress;
        this.pool = pool;
    }

    private static final class Queue {
        private final int[] frames = new int[QUEUE];
        private final int[] lengths = new int[QUEUE];
        private int first;
        private int count;

        boolean isFull() {
            return count == QUEUE;
        }

        void put(int frame, int length) {
            int at = (first + count++) % QUEUE;
            frames[at] = frame;
            lengths[at] = length;
        }

        int length() {
            return lengths[first];
        }

        int take() {
            int frame = frames[first];
            first = (first + 1) % QUEUE;
            count--;
            return frame;
        }
    }

    /**
     * Queues a packet to be received. False if the queue is full or no buffer is left; the packet is then counted as
     * lost.
     */
    public boolean offer(byte[] packet) {
        int frame = incoming.isFull() || packet.length > pool.packetBytes() ? -1 : pool.take();
        if (frame < 0) {
            receiveDrops++;
            return false;
        }
        Bytes.put(packet, pool.address(frame));
        incoming.put(frame, packet.length);
        return true;
    }

    /** Takes the oldest packet that it sent; empty if there is none. */
    public byte[] take() {
        if (outgoing.count == 0) {
            return new byte[0];
        }
        int length = outgoing.length();
        int frame = outgoing.take();
        byte[] packet = Bytes.get(pool.address(frame), length);
        pool.free(frame);
        return packet;
    }

    @Override
    public int receive(Burst burst, int port) {
        int received = 0;
        while (incoming.count > 0 && burst.room() > 0) {
            int length = incoming.length();
            int frame = incoming.take();
            int i = burst.add(
                    pool, frame, pool.address(frame), length, FramePool.HEADROOM, pool.packetBytes() - length);
            burst.received(i, port, burst.nowNs());
            received++;
        }
        return received;
    }

    @Override
    public int send(Burst burst, int[] indexes, int count) {
        int sent = 0;
        for (int n = 0; n < count && !outgoing.isFull(); n++) {
            int i = indexes[n];
            boolean isOurs = burst.owner(i) == pool && !burst.isNeededAgain(i);
            boolean fits = burst.headroom(i) == FramePool.HEADROOM;
            int frame = isOurs && fits ? (int) burst.handle(i) : copy(burst, i);
            if (frame >= 0) {
                if (isOurs && fits) {
                    burst.handOver(i);
                }
                outgoing.put(frame, burst.length(i));
                sent++;
            }
        }
        return sent;
    }

    private int copy(Burst burst, int i) {
        int frame = burst.length(i) > pool.packetBytes() ? -1 : pool.take();
        if (frame >= 0) {
            Bytes.copy(burst.address(i), pool.address(frame), burst.length(i));
            copies++;
        }
        return frame;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String driver() {
        return "memory";
    }

    @Override
    public long linkAddress() {
        return linkAddress;
    }

    @Override
    public int mtu() {
        return pool.packetBytes() - EthernetFrames.MAX_HEADER;
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {
        if (receiveQueues > 1) {
            throw new IllegalArgumentException("a memory port is read by one lane, not by " + receiveQueues);
        }
    }

    @Override
    public ReceiveQueue receiveQueue(int i) {
        return this;
    }

    @Override
    public SendQueue sendQueue(int i) {
        return this;
    }

    @Override
    public long receiveDrops() {
        return receiveDrops;
    }

    @Override
    public long copies() {
        return copies;
    }

    @Override
    public void close() {}
}
