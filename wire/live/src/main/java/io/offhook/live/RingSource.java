package io.offhook.live;

import io.offhook.linux.lanes.LaneMeter;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.engine.Count;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the frames of one interface by a {@link RingDriver}: the life cycle of all live sources that have a ring. It
 * captures from its creation, or from its {@linkplain #start start} if the driver waits for that, until it is
 * {@linkplain #stop stopped} or the interface disappears; then it delivers what is left, and ends.
 *
 * <p>A frame stays in the memory of the driver, lent to the batch until the batch is filled again: a batch that is
 * never filled again permanently occupies its places of the ring.
 */
public final class RingSource implements LiveSource {
    /** The wait between two checks for remaining frames, in milliseconds. */
    private static final int DRAIN_MS = 5;

    private final RingDriver driver;
    private final IdleStrategy idleStrategy;
    private final BatchLoans loans;
    private final LiveCounts.Builder counts = new LiveCounts.Builder();
    private final DropPlaces drops;
    private final List<CaptureFault> faults = new CopyOnWriteArrayList<>();
    private final Count delivered = new Count();
    private final Count filtered = new Count();

    private volatile boolean isStopping;
    /** The counts when the driver was last queried. */
    private volatile LiveCounts asked = LiveCounts.NONE;

    private boolean isAttached;
    private boolean isDetached;
    private boolean isGone;
    private boolean hasEnded;
    private boolean isClosed;
    private long nextNumber = 1;
    /** The time of the last query, by the clock of the frames. */
    private long countedNs;

    /** The times of the detachment, of the last frames and of the last query, by {@link System#nanoTime}. */
    private long detachedNs;

    private long quietNs;
    private long askedNs;

    /** The meter that knows what the ring counts in. */
    private @Nullable LaneMeter named;

    /**
     * Creates a source that captures.
     *
     * @param driver the driver, which is closed with the source
     * @param idleStrategy what the thread does in {@link #next} while no frames arrive
     */
    public RingSource(RingDriver driver, IdleStrategy idleStrategy) {
        this.driver = driver;
        this.idleStrategy = idleStrategy;
        loans = new BatchLoans(driver);
        drops = new DropPlaces(driver.captureInterface().file());
        countedNs = driver.nowNs();
        askedNs = System.nanoTime();
        quietNs = askedNs;
    }

    @Override
    public void start() {
        if (!isAttached) {
            isAttached = true;
            driver.attach();
        }
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (isClosed) {
            throw new IllegalStateException("the source is closed");
        }
        start();
        BatchLoans.Loan loan = loans.giveBack(batch);
        batch.clear(nextNumber);
        if (hasEnded) {
            return false;
        }
        if (isStopping && !isDetached) {
            // not only when the ring is empty: on a busy interface it never is
            isDetached = true;
            detachedNs = System.nanoTime();
            quietNs = detachedNs;
            driver.detach();
        }
        driver.fill(batch, loan);
        LaneMeter meter = LaneMeter.current();
        if (batch.count() == 0) {
            if (meter != null) {
                meter.waits(System.nanoTime());
            }
            await();
            if (meter != null) {
                meter.works(System.nanoTime());
            }
            driver.fill(batch, loan);
        }
        long nowNs = System.nanoTime();
        count(batch, nowNs);
        if (meter != null) {
            publish(meter, nowNs, batch.count());
        }
        return batch.count() > 0 || !hasEnded;
    }

    @Override
    public void release(FrameBatch batch) {
        loans.giveBack(batch);
        batch.clear(nextNumber);
    }

    private void await() {
        if (isDetached) {
            driver.await(DRAIN_MS);
        } else if (idleStrategy == IdleStrategy.PARK && driver.canWait()) {
            driver.await(IDLE_MS);
        } else {
            long untilNs = System.nanoTime() + IDLE_MS * 1_000_000L;
            int rounds = 0;
            while (!driver.hasFrames() && !isStopping && System.nanoTime() - untilNs < 0) {
                rounds = idleStrategy.idle(rounds);
            }
            driver.await(0);
        }
    }

    private void publish(LaneMeter meter, long nowNs, int frames) {
        if (meter != named) {
            // several lanes may take turns
            named = meter;
            String unit = driver.unit();
            if (unit != null) {
                meter.queue(unit, driver.room());
            }
        }
        int inUse = driver.inUse();
        if (inUse >= 0) {
            meter.depth(inUse);
        }
        meter.drops(asked.drops());
        if (frames > 0) {
            meter.polled(nowNs, frames);
        }
    }

    private void count(FrameBatch batch, long nowNs) {
        int count = batch.count();
        nextNumber += count;
        delivered.add(count);
        filtered.add(driver.filtered() - filtered.get());
        if (count == 0) {
            lookWhetherGone();
        } else {
            quietNs = nowNs;
        }
        if (count == 0 || isDetached || nowNs - askedNs >= driver.countIntervalNs()) {
            askedNs = nowNs;
            ask();
        }
        drops.frames(batch);
        if (isDetached && driver.isDrained(nowNs - detachedNs, nowNs - quietNs)) {
            hasEnded = true;
            drops.end();
            driver.end();
        }
    }

    private void lookWhetherGone() {
        String why = isGone ? null : driver.whyGone();
        if (why != null) {
            faults.add(new CaptureFault(
                    CaptureFault.Kind.UNREADABLE, driver.captureInterface().file(), -1, why));
            isGone = true;
            isStopping = true;
        }
    }

    /** Queries the driver; drops that it reports happened between the last query and now. */
    private void ask() {
        long before = counts.ringDrops() + counts.kernelDrops();
        counts.delivered(delivered.get());
        counts.filtered(filtered.get());
        driver.count(counts);
        long nowNs = driver.nowNs();
        drops.add(counts.ringDrops() + counts.kernelDrops() - before, countedNs, nowNs);
        countedNs = nowNs;
        asked = counts.build();
    }

    @Override
    public void stop() {
        isStopping = true;
        driver.wakeUp();
    }

    @Override
    public LiveCounts counts() {
        LiveCounts last = asked;
        long frames = delivered.get();
        long unwanted = filtered.get();
        return new LiveCounts(
                Math.max(last.received(), frames + unwanted + last.drops()),
                frames,
                unwanted,
                last.ringDrops(),
                last.kernelDrops(),
                last.freezes());
    }

    @Override
    public List<String> notes() {
        return driver.notes();
    }

    @Override
    public List<NetworkDevice> devices() {
        NetworkDevice device = driver.device();
        return device == null ? List.of() : List.of(device);
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return List.of(driver.captureInterface());
    }

    @Override
    public List<CaptureFault> faults() {
        return List.copyOf(faults);
    }

    @Override
    public List<CaptureLoss> losses() {
        return drops.losses();
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            try {
                loans.close();
            } finally {
                driver.close();
            }
        }
    }
}
