package io.offhook.live;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureInterface;
import org.jspecify.annotations.Nullable;

/** The ring of a {@link Rehearsal} without a backend's: in memory, always full. */
final class RehearsalRing implements PolledRingDriver {
    private final RehearsalFrames frames;
    private final boolean[] isLent = new boolean[RehearsalFrames.SLOTS];
    private final WallClock clock = new WallClock();
    private boolean isDetached;

    /** @param frames what it delivers; closed with it */
    RehearsalRing(RehearsalFrames frames) {
        this.frames = frames;
    }

    @Override
    public CaptureInterface captureInterface() {
        return new CaptureInterface("rehearsal", LinkType.ETHERNET, 262_144, 1_000_000_000, 0, "rehearsal");
    }

    @Override
    public void fill(FrameBatch batch, BatchLoans.Loan loan) {
        int segment = batch.addSegment(frames.memory());
        long nowNs = clock.nowNs();
        while (!batch.isFull() && hasFrames()) {
            int slot = frames.next();
            int length = frames.length(slot);
            batch.add(segment, frames.advance(), length, length, nowNs, 0, LinkType.ETHERNET);
            isLent[slot] = true;
            loan.add(slot);
        }
    }

    @Override
    public void giveBack(long[] places, int count) {
        for (int i = 0; i < count; i++) {
            isLent[(int) places[i]] = false;
        }
    }

    @Override
    public boolean hasFrames() {
        return !isDetached && !isLent[frames.next()];
    }

    @Override
    public void detach() {
        isDetached = true;
    }

    @Override
    public boolean isDrained(long detachedForNs, long quietForNs) {
        return true;
    }

    @Override
    public void count(LiveCounts.Builder counts) {
        counts.received(counts.delivered());
    }

    @Override
    public long countIntervalNs() {
        return 0;
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public @Nullable String whyGone() {
        return null;
    }

    @Override
    public void close() {
        frames.close();
    }
}
