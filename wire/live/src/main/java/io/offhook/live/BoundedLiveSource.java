package io.offhook.live;

import io.offhook.packet.FrameBatch;

/** A live source that ends by itself, after a number of frames or a time. */
public final class BoundedLiveSource extends WrappedLiveSource {
    /** No bound. */
    public static final long NONE = Long.MAX_VALUE;

    private final LiveSource source;
    private final long mostFrames;
    private final long mostNs;
    private final long startNs = System.nanoTime();

    private long count;
    private volatile long frames;
    private boolean isEnded;

    private BoundedLiveSource(LiveSource source, long mostFrames, long mostNs) {
        super(source);
        this.source = source;
        this.mostFrames = mostFrames;
        this.mostNs = mostNs;
    }

    /**
     * Bounds a source, which is closed with this one.
     *
     * @param mostFrames the most frames to deliver, at least 1; or {@link #NONE}
     * @param mostNs nanoseconds from now, at least 1; frames that arrived by then are still delivered; or {@link #NONE}
     */
    public static BoundedLiveSource of(LiveSource source, long mostFrames, long mostNs) {
        if (mostFrames < 1 || mostNs < 1) {
            throw new IllegalArgumentException("a bound of " + Math.min(mostFrames, mostNs) + " is below 1");
        }
        return new BoundedLiveSource(source, mostFrames, mostNs);
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (System.nanoTime() - startNs >= mostNs) {
            source.stop();
        }
        boolean isMore = source.next(batch);
        if (isEnded) {
            batch.clear(count + 1);
            return false;
        }
        long left = mostFrames - count;
        if (batch.count() >= left) {
            batch.retain(first((int) left), (int) left);
            isEnded = true;
            source.stop();
        }
        count += batch.count();
        frames = count;
        return isMore;
    }

    private static int[] first(int count) {
        int[] indexes = new int[count];
        for (int i = 0; i < count; i++) {
            indexes[i] = i;
        }
        return indexes;
    }

    /** {@inheritDoc} Frames beyond the bound count as waiting. */
    @Override
    public LiveCounts counts() {
        return source.counts().withDelivered(frames);
    }

    /**
     * {@inheritDoc} For one of several interfaces, the frames delivered by the source count: some may be beyond the
     * bound.
     */
    @Override
    public LiveCounts counts(int interfaceIndex) {
        LiveCounts counts = source.counts(interfaceIndex);
        return source.interfaces().size() == 1 ? counts.withDelivered(frames) : counts;
    }
}
