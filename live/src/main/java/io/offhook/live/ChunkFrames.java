package io.offhook.live;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The frames that wait in the rings of a source's sockets. A frame in one chunk is borrowed where it is; one in several is
 * put together in the batch's own buffer, and its chunks go back at once.
 */
final class ChunkFrames {
    /** Of a batch: several frames of the longest that there are. */
    private static final int BUFFER_BYTES = 1 << 20;

    private final XdpQueues queues;
    private final MemorySegment memory;
    private final int snapLength;
    private final Arena arena;
    private int firstQueue;
    /** Of the batch at hand: bytes of its buffer that are in use. */
    private long used;

    private long joined;

    /** @param arena where buffers of batches come from */
    ChunkFrames(XdpQueues queues, int snapLength, Arena arena) {
        this.queues = queues;
        memory = queues.memory().segment();
        this.snapLength = snapLength;
        this.arena = arena;
    }

    /** Fills an empty batch with what waits, a queue after the other, each time from another one on. */
    void addTo(FrameBatch batch, ChunkLoans.Loan loan, long nowNs) {
        used = 0;
        int count = queues.sockets().size();
        firstQueue = firstQueue + 1 == count ? 0 : firstQueue + 1;
        for (int i = 0; i < count && !batch.isFull(); i++) {
            int queue = firstQueue + i;
            addTo(batch, loan, nowNs, queues.sockets().get(queue < count ? queue : queue - count));
        }
    }

    private void addTo(FrameBatch batch, ChunkLoans.Loan loan, long nowNs, XdpSocket socket) {
        int waiting = socket.received();
        int at = 0;
        int segment = waiting == 0 ? 0 : batch.addSegment(memory);
        while (at < waiting && !batch.isFull()) {
            int length = socket.receivedLength(at);
            if (socket.isContinued(at)) {
                int descriptors = join(batch, nowNs, socket, at, waiting);
                if (descriptors == 0) {
                    break;
                }
                segment = batch.addSegment(memory);
                at += descriptors;
            } else {
                long address = socket.receivedAddress(at);
                loan.add(address);
                add(batch, segment, address, length, nowNs);
                at++;
            }
        }
        socket.takeReceived(at);
    }

    private void add(FrameBatch batch, int segment, long offset, int length, long nowNs) {
        batch.add(segment, offset, Math.min(length, snapLength), length, nowNs, 0, LinkType.ETHERNET);
        batch.direction(FrameDirection.INCOMING);
    }

    /** @return the descriptors of the frame; 0 where its end has not come yet, or the batch has no room for it */
    private int join(FrameBatch batch, long nowNs, XdpSocket socket, int first, int waiting) {
        int descriptors = 1;
        long bytes = socket.receivedLength(first);
        while (socket.isContinued(first + descriptors - 1)) {
            if (first + descriptors == waiting) {
                return 0;
            }
            bytes += socket.receivedLength(first + descriptors);
            descriptors++;
        }
        int captured = (int) Math.min(bytes, snapLength);
        MemorySegment buffer = buffer(batch);
        if (captured > buffer.byteSize() - used) {
            return 0;
        }
        long frame = used;
        for (int i = first; i < first + descriptors; i++) {
            long address = socket.receivedAddress(i);
            long part = Math.min(socket.receivedLength(i), frame + captured - used);
            MemorySegment.copy(memory, address, buffer, used, part);
            used += part;
            queues.giveBack(address);
        }
        add(batch, batch.addSegment(buffer), frame, (int) bytes, nowNs);
        joined++;
        return descriptors;
    }

    /** Memory of the batch, of this source's if it has none. */
    private MemorySegment buffer(FrameBatch batch) {
        MemorySegment buffer = batch.buffer();
        if (buffer.byteSize() < BUFFER_BYTES || !buffer.scope().isAlive()) {
            buffer = arena.allocate(BUFFER_BYTES);
            batch.buffer(buffer);
        }
        return buffer;
    }

    /** Frames that came in several chunks. */
    long joined() {
        return joined;
    }
}
