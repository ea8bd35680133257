package io.offhook.live.xdp;

import io.offhook.live.BatchLoans;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;

/**
 * Reads the frames that wait in the rings of a source's sockets. A frame in one chunk is borrowed in place; one in
 * several is joined in the batch's own buffer, and its chunks are returned at once.
 */
final class ChunkFrames {
    private final XdpQueues queues;
    private final MemorySegment memory;
    private final int snapLength;
    private int firstQueue;
    private long joined;

    ChunkFrames(XdpQueues queues, int snapLength) {
        this.queues = queues;
        memory = queues.memory().segment();
        this.snapLength = snapLength;
    }

    /** Fills an empty batch with waiting frames, queue by queue, starting with another queue each time. */
    void addTo(FrameBatch batch, BatchLoans.Loan loan, long nowNs) {
        int count = queues.sockets().size();
        firstQueue = firstQueue + 1 == count ? 0 : firstQueue + 1;
        for (int i = 0; i < count && !batch.isFull(); i++) {
            int queue = firstQueue + i;
            addTo(batch, loan, nowNs, queues.sockets().get(queue < count ? queue : queue - count));
        }
    }

    private void addTo(FrameBatch batch, BatchLoans.Loan loan, long nowNs, XdpSocket socket) {
        int waiting = socket.received();
        int at = 0;
        int segment = waiting == 0 ? 0 : batch.addSegment(memory);
        while (at < waiting && !batch.isFull()) {
            int length = socket.receivedLength(at);
            if (socket.isContinued(at)) {
                int descriptors = descriptors(socket, at, waiting);
                if (descriptors == 0 || !join(batch, loan, nowNs, socket, at, descriptors)) {
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

    /** @return the number of descriptors of the frame that begins there; 0 if its end has not arrived yet */
    private static int descriptors(XdpSocket socket, int first, int waiting) {
        int descriptors = 1;
        while (socket.isContinued(first + descriptors - 1)) {
            if (first + descriptors == waiting) {
                return 0;
            }
            descriptors++;
        }
        return descriptors;
    }

    /** @return false if the batch has no room for it */
    private boolean join(
            FrameBatch batch, BatchLoans.Loan loan, long nowNs, XdpSocket socket, int first, int descriptors) {
        long bytes = 0;
        for (int i = first; i < first + descriptors; i++) {
            bytes += socket.receivedLength(i);
        }
        int captured = (int) Math.min(bytes, snapLength);
        if (!loan.hasRoom(captured)) {
            return false;
        }
        MemorySegment buffer = loan.copies();
        long frame = loan.end();
        long end = frame;
        for (int i = first; i < first + descriptors; i++) {
            long address = socket.receivedAddress(i);
            long part = Math.min(socket.receivedLength(i), frame + captured - end);
            MemorySegment.copy(memory, address, buffer, end, part);
            end += part;
            queues.giveBack(address);
        }
        loan.keep(captured);
        add(batch, batch.addSegment(buffer), frame, (int) bytes, nowNs);
        joined++;
        return true;
    }

    /** Returns the frames that arrived in several chunks. */
    long joined() {
        return joined;
    }
}
