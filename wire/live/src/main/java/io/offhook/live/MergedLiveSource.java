package io.offhook.live;

import io.offhook.linux.lanes.LaneMeter;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Merges several live sources: each is read by its own thread, and their frames are merged by time, in place. The
 * interface index of a frame counts the interfaces of all sources, in their order.
 *
 * <p>Frames of one source keep their order. Frames of different sources are ordered as far as waiting permits: a frame
 * waits up to {@link #PATIENCE_MS} for older ones from interfaces that have delivered nothing yet, because rings
 * deliver whole blocks, some sooner than others. If many frames are waiting, it waits less: order is given up before
 * packets are lost. Frames that still come after a younger one are counted, see {@link #lateFrames}.
 *
 * <p>A source that ends by itself, because its interface has disappeared, leaves a fault; the others continue.
 */
public final class MergedLiveSource implements LiveSource {
    /**
     * The longest that a frame waits for those of other interfaces, in milliseconds: more than twice the time after
     * which a block is delivered.
     */
    public static final int PATIENCE_MS = 50;

    private static final long PATIENCE_NS = PATIENCE_MS * 1_000_000L;

    private final LiveLane[] lanes;
    private final List<CaptureInterface> interfaces;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** For each batch of the consumer, the hauls that it has frames of. */
    private final IdentityHashMap<FrameBatch, List<LiveLane.Haul>> loans = new IdentityHashMap<>();

    /** The number of hauls received from all lanes. */
    private long arrivals;

    /** The hauls that wait to be merged, as of the last look. */
    private int waiting;

    /** The meter that knows what waits. */
    private @Nullable LaneMeter named;

    private long seen;
    private long nextNumber = 1;
    private long latestNs;
    private long late;
    private volatile long delivered;
    private volatile long lateFrames;
    private boolean isEnded;
    private boolean isClosed;

    private MergedLiveSource(List<? extends LiveSource> sources, LanePlacement placement) {
        lanes = new LiveLane[sources.size()];
        List<CaptureInterface> all = new ArrayList<>();
        for (int i = 0; i < lanes.length; i++) {
            LiveSource source = sources.get(i);
            lanes[i] = new LiveLane(source, all.size(), placement, lock, this::arrived);
            all.addAll(source.interfaces());
        }
        interfaces = List.copyOf(all);
    }

    /**
     * Starts to read the sources, which are closed with this one.
     *
     * @param sources at least one, each with all of its interfaces known
     */
    public static MergedLiveSource of(List<? extends LiveSource> sources) {
        return of(sources, LanePlacement.anywhere());
    }

    /**
     * As {@link #of(List)}, with placed threads.
     *
     * @param placement receives a lane for each source, in their order: {@code reader-eth0}
     */
    public static MergedLiveSource of(List<? extends LiveSource> sources, LanePlacement placement) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("there is no source to merge; at least one is needed");
        }
        MergedLiveSource merged = new MergedLiveSource(sources, placement);
        for (LiveLane lane : merged.lanes) {
            lane.start();
        }
        return merged;
    }

    private void arrived() {
        arrivals++;
        changed.signal();
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (isClosed) {
            throw new IllegalStateException("the source is closed");
        }
        List<LiveLane.Haul> hauls = giveBack(batch);
        batch.clear(nextNumber);
        if (isEnded) {
            return false;
        }
        long idleNs = System.nanoTime() + IDLE_MS * 1_000_000L;
        do {
            merge(batch, hauls);
        } while (batch.count() == 0 && !isEnded && await(idleNs));
        LaneMeter meter = batch.count() == 0 ? null : LaneMeter.current();
        if (meter != null) {
            publish(meter, batch.count());
        }
        nextNumber += batch.count();
        delivered = nextNumber - 1;
        lateFrames = late;
        for (LiveLane lane : lanes) {
            lane.places.frames(batch);
            if (isEnded) {
                lane.places.end();
            }
        }
        return batch.count() > 0 || !isEnded;
    }

    private void publish(LaneMeter meter, int frames) {
        if (meter != named) {
            named = meter;
            meter.queue("batches to merge", (long) LiveLane.MOST_HAULS * lanes.length);
        }
        meter.depth(waiting);
        meter.polled(System.nanoTime(), frames);
    }

    @Override
    public void release(FrameBatch batch) {
        giveBack(batch);
        batch.clear(nextNumber);
    }

    private List<LiveLane.Haul> giveBack(FrameBatch batch) {
        List<LiveLane.Haul> hauls = loans.get(batch);
        if (hauls == null) {
            hauls = new ArrayList<>();
            loans.put(batch, hauls);
        }
        lock.lock();
        try {
            for (int i = 0; i < hauls.size(); i++) {
                LiveLane.let(hauls.get(i));
            }
        } finally {
            lock.unlock();
        }
        hauls.clear();
        return hauls;
    }

    /** Adds frames, the oldest first, as long as the oldest is known or has waited long enough. */
    private void merge(FrameBatch batch, List<LiveLane.Haul> hauls) {
        long nowNs = System.nanoTime();
        boolean isComplete = refill(null);
        for (LiveLane lane : lanes) {
            lane.segment = null;
            lane.isLent = false;
        }
        while (!batch.isFull()) {
            LiveLane lane = oldest();
            LiveLane.Haul haul = lane == null ? null : lane.head;
            if (lane == null || haul == null || !isComplete && !isDue(lane, haul, nowNs) || !add(batch, lane, haul)) {
                return;
            }
            if (!lane.isLent) {
                lane.isLent = true;
                haul.holders++; // the lane holds one itself, so no other thread touches it
                hauls.add(haul);
            }
            if (++lane.at == haul.batch.count()) {
                isComplete = refill(lane);
            }
        }
    }

    /**
     * Updates the lanes with what has arrived.
     *
     * @param merged the lane whose haul at hand is merged completely, or null
     * @return whether every lane that is not done has a frame at hand
     */
    private boolean refill(@Nullable LiveLane merged) {
        boolean isComplete = true;
        boolean isDone = true;
        lock.lock();
        try {
            if (merged != null) {
                merged.endHead();
            }
            seen = arrivals;
            waiting = 0;
            for (LiveLane lane : lanes) {
                lane.refill();
                waiting += lane.queued();
                check(lane);
                isDone &= lane.isDone();
                isComplete &= lane.head != null || lane.isDone();
            }
        } finally {
            lock.unlock();
        }
        isEnded = isDone;
        return isComplete;
    }

    private static void check(LiveLane lane) {
        Throwable failure = lane.failure();
        if (failure != null) {
            throw new IllegalStateException("reading " + lane.name() + " failed", failure);
        }
    }

    private boolean add(FrameBatch batch, LiveLane lane, LiveLane.Haul haul) {
        FrameBatch from = haul.batch;
        int i = lane.at;
        MemorySegment segment = from.segmentOf(i);
        if (!segment.equals(lane.segment)) {
            lane.segmentIndex = batch.addSegment(segment);
            lane.segment = segment;
            if (lane.segmentIndex < 0) {
                lane.segment = null;
                return false; // the batch has no free segment
            }
        }
        long ns = from.timestampNs(i);
        batch.add(
                lane.segmentIndex,
                from.offset(i),
                from.capturedLength(i),
                from.wireLength(i),
                ns,
                lane.firstInterface + from.interfaceIndex(i),
                from.linkType(i));
        FrameDirection direction = from.direction(i);
        if (direction != FrameDirection.UNKNOWN) {
            batch.direction(direction);
        }
        if (ns < latestNs) {
            late++;
        } else {
            latestNs = ns;
        }
        return true;
    }

    private static boolean isDue(LiveLane lane, LiveLane.Haul haul, long nowNs) {
        return lane.isCrowded || nowNs - haul.queuedNs >= PATIENCE_NS;
    }

    /** Returns the lane with the oldest next frame, of equal times the first lane; null if none has a frame. */
    private @Nullable LiveLane oldest() {
        LiveLane oldest = null;
        long oldestNs = Long.MAX_VALUE;
        for (LiveLane lane : lanes) {
            LiveLane.Haul haul = lane.head;
            if (haul != null) {
                long ns = haul.batch.timestampNs(lane.at);
                if (ns < oldestNs) {
                    oldest = lane;
                    oldestNs = ns;
                }
            }
        }
        return oldest;
    }

    /** Waits until something arrives or a frame at hand has waited long enough; returns false if the time is over. */
    private boolean await(long untilNs) {
        long nowNs = System.nanoTime();
        long wakeNs = untilNs;
        for (LiveLane lane : lanes) {
            LiveLane.Haul haul = lane.head;
            if (haul != null && haul.queuedNs + PATIENCE_NS - wakeNs < 0) {
                wakeNs = haul.queuedNs + PATIENCE_NS;
            }
        }
        boolean interrupted = false;
        LaneMeter meter = LaneMeter.current();
        if (meter != null) {
            meter.waits(nowNs);
        }
        lock.lock();
        try {
            for (long left = wakeNs - nowNs; arrivals == seen && left > 0; left = wakeNs - System.nanoTime()) {
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true; // only stop ends the source
                }
            }
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        long endNs = System.nanoTime();
        if (meter != null) {
            meter.works(endNs);
        }
        return endNs - untilNs < 0;
    }

    @Override
    public void stop() {
        for (LiveLane lane : lanes) {
            lane.source.stop();
        }
    }

    /** {@inheritDoc} The frames delivered by this source count. */
    @Override
    public LiveCounts counts() {
        LiveCounts sum = LiveCounts.NONE;
        for (LiveLane lane : lanes) {
            sum = sum.plus(lane.source.counts());
        }
        return sum.withDelivered(delivered);
    }

    /**
     * {@inheritDoc} The frames delivered by the interface's own source count; some of them may still wait to be merged.
     */
    @Override
    public LiveCounts counts(int interfaceIndex) {
        for (int i = lanes.length - 1; i >= 0; i--) {
            if (interfaceIndex >= lanes[i].firstInterface) {
                return lanes[i].source.counts(interfaceIndex - lanes[i].firstInterface);
            }
        }
        throw new IndexOutOfBoundsException("there is no interface " + interfaceIndex);
    }

    /** Returns the frames so far that were delivered after a younger one of another interface. Thread-safe. */
    public long lateFrames() {
        return lateFrames;
    }

    @Override
    public List<String> notes() {
        return Arrays.stream(lanes)
                .flatMap(lane -> lane.source.notes().stream())
                .toList();
    }

    @Override
    public List<NetworkDevice> devices() {
        return Arrays.stream(lanes)
                .flatMap(lane -> lane.source.devices().stream())
                .toList();
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return interfaces;
    }

    /** {@inheritDoc} Thread-safe. */
    @Override
    public List<CaptureFault> faults() {
        List<CaptureFault> faults = new ArrayList<>();
        lock.lock();
        try {
            for (LiveLane lane : lanes) {
                faults.addAll(lane.source.faults());
                CaptureFault fault = lane.fault();
                if (fault != null) {
                    faults.add(fault);
                }
            }
        } finally {
            lock.unlock();
        }
        return List.copyOf(faults);
    }

    /** {@inheritDoc} The frame numbers are those of this source. */
    @Override
    public List<CaptureLoss> losses() {
        List<CaptureLoss> losses = new ArrayList<>();
        for (LiveLane lane : lanes) {
            losses.addAll(lane.places.losses());
        }
        return List.copyOf(losses);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            stop(); // all of them at once, for each delivers what is left
            RuntimeException failure = null;
            for (LiveLane lane : lanes) {
                try {
                    lane.close();
                } catch (RuntimeException e) {
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
