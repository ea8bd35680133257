package io.offhook.live.packetsocket;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.Poller;
import io.offhook.live.BatchLoans;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveInterface;
import io.offhook.live.RingDriver;
import io.offhook.live.WallClock;
import io.offhook.live.engine.KernelFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureInterface;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a packet socket, whose blocks are lent to batches. A block goes back to the kernel when all its frames were
 * handed over, and the last batch that has some of them was given back.
 */
final class PacketSocketDriver implements RingDriver {
    /** What the kernel gets to hand over the last block, beyond the time that it should take. */
    private static final long DRAIN_NS = 1_000_000_000L;
    /** Between two looks at the ring where poll cannot wait for it. */
    private static final long HELD_NS = 1_000_000L;

    private final PacketSocketOptions options;
    private final NetworkDevice device;
    private final CaptureInterface captureInterface;
    private final PacketRing ring;
    private final Poller poller;
    private final BlockFrames frames;
    /** Of each block: batches that have frames of it, and one more while it is not handed over whole. */
    private final int[] holders;

    private volatile long stampedByHardware;
    /** Whether the interface went down, once: frames that come then may be older, and say nothing of what it is now. */
    private boolean wentDown;

    private boolean isDetached;
    private boolean isGone;
    /** Whether the last wait was none, as a batch had the block before. */
    private boolean wasHeld;

    private long delivered;
    private long reachedRing;

    PacketSocketDriver(PacketSocketOptions options, NetworkDevice device, KernelFilter filter, PacketRing ring) {
        this.options = options;
        this.device = device;
        this.ring = ring;
        String name = options.interfaceName();
        int linkType = LiveInterface.linkType(device);
        captureInterface = new CaptureInterface(name, linkType, options.snapLength(), 1_000_000_000, 0, name);
        poller = new Poller(ring.descriptor());
        frames = new BlockFrames(ring, linkType, options.snapLength(), filter.whole());
        holders = new int[ring.blocks()];
    }

    @Override
    public CaptureInterface captureInterface() {
        return captureInterface;
    }

    @Override
    public NetworkDevice device() {
        return device;
    }

    /** Takes what blocks there are. */
    @Override
    public void fill(FrameBatch batch, BatchLoans.Loan loan) {
        int segment = batch.addSegment(ring.memory());
        while (!batch.isFull() && frames.begin()) {
            int block = frames.block();
            if (!loan.isLast(block)) {
                loan.add(block);
                holders[block] += holders[block] == 0 ? 2 : 1;
            }
            if (frames.addTo(batch, segment)) {
                letGo(ring.take());
            }
        }
        delivered += batch.count();
        stampedByHardware = frames.stampedByHardware();
    }

    @Override
    public void giveBack(long[] places, int count) {
        for (int i = 0; i < count; i++) {
            letGo((int) places[i]);
        }
    }

    private void letGo(int block) {
        if (--holders[block] == 0) {
            ring.release(block);
        }
    }

    /** {@inheritDoc} Nothing comes into a ring that is lent whole: an empty batch goes to the one that has its blocks. */
    @Override
    public boolean hasFrames() {
        return ring.peek() >= 0 || ring.isNextTaken();
    }

    @Override
    public void await(int atMostMs) {
        boolean isReady = poller.await(atMostMs);
        boolean hasFailed = isReady && poller.hasFailed(0);
        if (hasFailed) {
            ring.takeError();
            wentDown = true;
        }
        if (wentDown && !isDetached) {
            // one that disappears goes down first: of that the kernel tells, of the rest only who asks
            isGone = ring.isInterfaceGone();
        }
        // the kernel calls the ring readable while the block before is with a batch, though nothing has come
        boolean isHeld = isReady && !hasFailed && ring.peek() < 0;
        if (isHeld && wasHeld) {
            LockSupport.parkNanos(HELD_NS);
        }
        // at first that is told by an empty batch, for the one that has the block may come back by that
        wasHeld = isHeld;
    }

    @Override
    public void wakeUp() {
        poller.wakeUp();
    }

    @Override
    public void detach() {
        isDetached = true;
        ring.attach(KernelFilter.nothing());
    }

    /** {@inheritDoc} The last block comes once its time is over, full or not. */
    @Override
    public boolean isDrained(long detachedForNs, long quietForNs) {
        return reachedRing == delivered + frames.filtered()
                || quietForNs > DRAIN_NS + 3_000_000L * options.blockTimeoutMs();
    }

    @Override
    public void count(LiveCounts.Builder counts) {
        ring.count(counts);
        reachedRing = counts.received() - counts.ringDrops();
    }

    /** {@inheritDoc} With each batch: between which frames packets were dropped is known best then. */
    @Override
    public long countIntervalNs() {
        return 0;
    }

    @Override
    public long filtered() {
        return frames.filtered();
    }

    @Override
    public long nowNs() {
        return WallClock.kernelNs();
    }

    @Override
    public @Nullable String whyGone() {
        return isGone ? DISAPPEARED : null;
    }

    /** Frames with a time of the network card's clock; any thread may ask. */
    long stampedByHardware() {
        return stampedByHardware;
    }

    @Override
    public void close() {
        poller.close();
        ring.close();
    }
}
