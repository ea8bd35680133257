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
 * The ring of a packet socket, whose blocks are lent to batches. A block returns to the kernel when all its frames were
 * delivered and the last batch with some of them was given back.
 */
final class PacketSocketDriver implements RingDriver {
    /** The time that the kernel gets to deliver the last block, beyond the block timeout. */
    private static final long DRAIN_NS = 1_000_000_000L;
    /** The interval of checking the ring while poll cannot wait for it. */
    private static final long HELD_NS = 1_000_000L;

    private final PacketSocketOptions options;
    private final NetworkDevice device;
    private final CaptureInterface captureInterface;
    private final PacketRing ring;
    private final Poller poller;
    private final BlockFrames frames;
    /** For each block, the number of batches with frames of it, plus one while it is not delivered completely. */
    private final int[] holders;

    private volatile long stampedByHardware;
    /**
     * Whether the interface ever went down: frames that arrive after that may be older and do not prove that it is up.
     */
    private boolean wentDown;

    private boolean isDetached;
    private boolean isGone;
    /** Whether the last wait was skipped because a batch held the previous block. */
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

    /** Takes the blocks that are present. */
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

    /**
     * {@inheritDoc} A ring that is lent completely receives nothing: it reports frames, so that an empty batch goes to
     * the borrower of the blocks.
     */
    @Override
    public boolean hasFrames() {
        return ring.peek() >= 0 || ring.isNextTaken();
    }

    @Override
    public int inUse() {
        return ring.inUse();
    }

    @Override
    public String unit() {
        return "ring blocks";
    }

    @Override
    public int room() {
        return ring.blocks();
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

    /** {@inheritDoc} The last block is delivered when its timeout is over, full or not. */
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

    /** {@inheritDoc} With each batch, which places drops between frames most precisely. */
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

    /** Returns the frames with a timestamp of the network card's clock. Thread-safe. */
    long stampedByHardware() {
        return stampedByHardware;
    }

    @Override
    public void close() {
        poller.close();
        ring.close();
    }
}
