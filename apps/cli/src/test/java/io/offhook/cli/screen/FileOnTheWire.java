package io.offhook.cli.screen;

import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import java.util.concurrent.locks.LockSupport;

/** A file that arrives as a live capture does, followed by silence until {@link #stop}. */
final class FileOnTheWire extends WrappedSource implements LiveSource {
    private final PacketSource file;
    private final LiveCounts counts;
    private volatile boolean isStopped;
    private boolean isSilent;
    private long delivered;

    FileOnTheWire(PacketSource file, LiveCounts counts) {
        super(file);
        this.file = file;
        this.counts = counts;
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (!isSilent && file.next(batch)) {
            delivered += batch.count();
            return true;
        }
        isSilent = true;
        batch.clear(delivered + 1);
        LockSupport.parkNanos(1_000_000); // as a live source waits for packets
        return !isStopped;
    }

    @Override
    public boolean isLive() {
        return true;
    }

    @Override
    public void stop() {
        isStopped = true;
    }

    @Override
    public LiveCounts counts() {
        return counts;
    }
}
