package io.offhook.forward.application;

import io.offhook.forward.Burst;
import io.offhook.forward.Bytes;
import io.offhook.forward.FramePool;
import io.offhook.forward.PacketBuffers;
import io.offhook.forward.Port;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import java.util.List;

/**
 * A port in memory that receives the same packets repeatedly, in bursts of all sizes, and discards what it sends. The
 * code of a lane that saw only one class of queue would be compiled for that class, and again at the first packet from
 * the wire; so its queues have three classes with equal behaviour.
 */
final class RehearsalPort implements Port {
    /** The longest IP packet. */
    static final int MTU = 1500;

    private final String name;
    private final long linkAddress;
    private final FramePool pool;
    private final List<byte[]> packets;
    private int next;
    private int bursts;

    /**
     * A port.
     *
     * @param linkAddress its MAC address, 48 bits
     * @param pool buffers for {@link #MTU} and a link header; the caller closes it
     * @param packets the packets to receive; more may be added before it is used
     */
    RehearsalPort(String name, long linkAddress, FramePool pool, List<byte[]> packets) {
        this.name = name;
        this.linkAddress = linkAddress;
        this.pool = pool;
        this.packets = packets;
    }

    int receive(Burst burst, int port, PacketBuffers owner) {
        int most = packets.isEmpty() ? 0 : 1 + bursts++ * 7 % Burst.MAX_RECEIVED;
        int received = 0;
        while (received < most && burst.room() > 0) {
            int frame = pool.take();
            if (frame < 0) {
                break;
            }
            byte[] packet = packets.get(next);
            next = next + 1 == packets.size() ? 0 : next + 1;
            long address = pool.address(frame);
            Bytes.put(packet, address);
            int i = burst.add(
                    owner, frame, address, packet.length, FramePool.HEADROOM, pool.packetBytes() - packet.length);
            burst.received(i, port, 0);
            received++;
        }
        return received;
    }

    int send(Burst burst, int[] indexes, int count) {
        int sent = 0;
        for (int n = 0; n < count; n++) {
            int i = indexes[n];
            if ((n & 1) == 0 && !burst.isNeededAgain(i)) {
                burst.owner(i).free(burst.handle(i));
                burst.handOver(i);
            }
            sent++;
        }
        return sent;
    }

    /** A queue, which owns the buffers of what it received. */
    private sealed interface Queue extends ReceiveQueue, SendQueue, PacketBuffers {
        RehearsalPort port();

        @Override
        default int receive(Burst burst, int port) {
            return port().receive(burst, port, this);
        }

        @Override
        default int send(Burst burst, int[] indexes, int count) {
            return port().send(burst, indexes, count);
        }

        @Override
        default long copies() {
            return 0;
        }

        @Override
        default void free(long handle) {
            port().pool.free(handle);
        }
    }

    private record First(RehearsalPort port) implements Queue {}

    private record Second(RehearsalPort port) implements Queue {}

    private record Third(RehearsalPort port) implements Queue {}

    private Queue queue(int i) {
        return switch (i % 3) {
            case 0 -> new First(this);
            case 1 -> new Second(this);
            default -> new Third(this);
        };
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String driver() {
        return "rehearsal";
    }

    @Override
    public long linkAddress() {
        return linkAddress;
    }

    @Override
    public int mtu() {
        return MTU;
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {}

    @Override
    public ReceiveQueue receiveQueue(int i) {
        return queue(i);
    }

    @Override
    public SendQueue sendQueue(int i) {
        return queue(i);
    }

    @Override
    public long receiveDrops() {
        return 0;
    }

    @Override
    public void close() {}
}
