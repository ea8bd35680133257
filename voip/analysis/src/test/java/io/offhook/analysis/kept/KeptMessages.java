package io.offhook.analysis.kept;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.buffer.BorrowingThreads;
import io.offhook.pcap.PacketSource;
import io.offhook.sip.SipMessageView;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Frames that look as if each were a message of a call of its own, kept without a pipeline. */
final class KeptMessages implements AutoCloseable {
    static final long BEGAN_NS = 1_700_000_000_000_000_000L;

    private final Arena arena = Arena.ofShared();
    private final Arena blocks = Arena.ofShared();
    private final FrameBatch batch = new FrameBatch(1);
    private final MemorySegment frame;
    private final int length;
    private final SegmentFolder folder;
    private final BlockQueue queue;
    private final SegmentWriter writer;
    private final Thread thread;
    private int number;

    /** @param length bytes of a frame */
    KeptMessages(KeepSettings settings, int length) throws IOException {
        this.length = length;
        frame = arena.allocate(length);
        folder = SegmentFolder.open(settings.folder());
        queue = new BlockQueue(blocks, settings.queueBytes());
        writer = new SegmentWriter(settings, folder, queue);
        thread = Thread.ofPlatform().daemon().start(writer);
    }

    static String callId(int number) {
        return "call-" + number + "@kept";
    }

    /** Keeps a frame each for so many more calls, a millisecond apart. */
    void add(int count) {
        for (int i = 0; i < count; i++) {
            number++;
            frame.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
            batch.clear(number);
            batch.add(batch.addSegment(frame), 0, length, length, BEGAN_NS + number * 1_000_000L, 0, LinkType.ETHERNET);
            queue.frame(
                    batch, 0, batch.capturedLength(0), PacketKeys.message(SipMessageView.callIdHash(callId(number))));
        }
        queue.endOfRound();
    }

    /** Waits until everything that was added is on the disk, or lost. */
    KeptCounts settled() throws InterruptedException {
        queue.flush();
        KeptCounts counts = writer.counts();
        while (counts.packets() + counts.lost() + counts.dropped() < number) {
            Thread.sleep(1);
            counts = writer.counts();
        }
        return counts;
    }

    KeptCounts counts() {
        return writer.counts();
    }

    /** The number of the latest frame that was deleted; 0 if none was. */
    int deleted() {
        long deletedNs = folder.deletedNs();
        return deletedNs == Long.MIN_VALUE ? 0 : (int) ((deletedNs - BEGAN_NS) / 1_000_000L);
    }

    /** Frames that the queue took. */
    long accepted() {
        return queue.accepted();
    }

    /** Whether the frame of a call, and no other, is read. */
    static boolean has(KeptPackets kept, int number) throws IOException {
        KeptCall call = new KeptCall().messages(callId(number), 0, Long.MAX_VALUE);
        FrameBatch read = new FrameBatch(10);
        try (PacketSource source = kept.read(call)) {
            return source.next(read)
                    && read.count() == 1
                    && read.timestampNs(0) == BEGAN_NS + number * 1_000_000L
                    && read.segmentOf(0).get(ValueLayout.JAVA_INT_UNALIGNED, read.offset(0)) == number;
        }
    }

    @Override
    public void close() throws IOException {
        queue.flush();
        writer.endWhenEmpty();
        BorrowingThreads.join(thread);
        blocks.close();
        arena.close();
        folder.close();
    }
}
