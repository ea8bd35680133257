package io.offhook.forward.application;

import io.offhook.forward.Burst;
import io.offhook.forward.Bytes;
import io.offhook.forward.FramePool;
import io.offhook.forward.PacketBuffers;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * A port in memory, for backends that have none of their own for rehearsals. A lane that has met one kind of queue only would
 * be compiled for that one, and compiled again at the first packet of the wire: so its queues are of three kinds, which differ
 * in nothing.
 */
final class RehearsalPort extends RehearsedPort {
    private final FramePool pool;
    /** What waits at each queue. */
    private final List<List<byte[]>> waiting = new ArrayList<>();

    /**
     * A port.
     *
     * @param linkAddress its MAC address, 48 bits
     * @param pool of {@link #MTU} and a link header; the caller closes it
     */
    RehearsalPort(String name, long linkAddress, FramePool pool) {
        super(name, linkAddress);
        this.pool = pool;
    }

    @Override
    public boolean put(int queue, byte[] packet) {
        return waiting.get(queue).add(packet);
    }

    /** A queue, which owns the buffers of what it received. */
    private sealed interface Queue extends ReceiveQueue, SendQueue, PacketBuffers {
        FramePool pool();

        List<byte[]> waiting();

        @Override
        default int receive(Burst burst, int port) {
            int received = 0;
            while (!waiting().isEmpty() && burst.room() > 0) {
                int frame = pool().take();
                if (frame < 0) {
                    break;
                }
                byte[] packet = waiting().removeLast();
                long address = pool().address(frame);
                Bytes.put(packet, address);
                int room = pool().packetBytes() - packet.length;
                burst.received(burst.add(this, frame, address, packet.length, FramePool.HEADROOM, room), port, 0);
                received++;
            }
            waiting().clear();
            return received;
        }

        @Override
        default int send(Burst burst, int[] indexes, int count) {
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

        @Override
        default long copies() {
            return 0;
        }

        @Override
        default void free(long handle) {
            pool().free(handle);
        }
    }

    private record First(FramePool pool, List<byte[]> waiting) implements Queue {}

    private record Second(FramePool pool, List<byte[]> waiting) implements Queue {}

    private record Third(FramePool pool, List<byte[]> waiting) implements Queue {}

    @Override
    public void open(int receiveQueues, int sendQueues) {
        for (int i = 0; i < sendQueues; i++) {
            List<byte[]> own = new ArrayList<>();
            waiting.add(own);
            Queue queue = switch (i % 3) {
                case 0 -> new First(pool, own);
                case 1 -> new Second(pool, own);
                default -> new Third(pool, own);
            };
            receiveBy(queue);
            sendBy(queue);
        }
    }

    @Override
    public void close() {}
}
