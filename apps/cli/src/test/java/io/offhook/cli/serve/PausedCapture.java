package io.offhook.cli.serve;

import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A file that arrives as a live capture does: its first frames, silence until {@link #goOn}, and the rest. */
final class PausedCapture extends WrappedSource implements LiveSource {
    private final PacketSource file;
    private final long pauseAfter;
    private final CountDownLatch paused = new CountDownLatch(1);
    private volatile boolean isGoingOn;
    private long delivered;

    PausedCapture(PacketSource file, long pauseAfter) {
        super(file);
        this.file = file;
        this.pauseAfter = pauseAfter;
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (delivered >= pauseAfter && !isGoingOn) {
            paused.countDown();
            batch.clear(delivered + 1);
            LockSupport.parkNanos(1_000_000); // as a live source waits for packets
            return true;
        }
        FrameBatch few = new FrameBatch((int) Math.min(batch.capacity(), Math.max(1, pauseAfter - delivered)));
        boolean isMore = file.next(few);
        batch.clear(delivered + 1);
        for (int i = 0; i < few.count(); i++) {
            batch.add(
                    batch.addSegment(few.segmentOf(i)),
                    few.offset(i),
                    few.capturedLength(i),
                    few.wireLength(i),
                    few.timestampNs(i),
                    0,
                    few.linkType(i));
        }
        delivered += few.count();
        return isMore;
    }

    void awaitPause() throws InterruptedException {
        paused.await();
    }

    void goOn() {
        isGoingOn = true;
    }

    @Override
    public boolean isLive() {
        return true;
    }

    @Override
    public void stop() {
        isGoingOn = true;
    }

    @Override
    public LiveCounts counts() {
        return LiveCounts.NONE;
    }
}
