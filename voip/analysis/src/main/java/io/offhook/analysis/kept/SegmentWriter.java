package io.offhook.analysis.kept;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes blocks into segments, and keeps these within their limits. One thread works; any thread may ask for {@link #open} and
 * {@link #counts}.
 */
final class SegmentWriter implements Runnable {
    private static final long TICK_MS = 250;

    /** A segment ends after this time, so that little traffic can be deleted by age, too. */
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(10);

    private final KeepSettings settings;
    private final SegmentFolder folder;
    private final BlockQueue queue;
    private volatile @Nullable OpenSegment open;
    private volatile boolean isEnding;
    private volatile KeptCounts counts = KeptCounts.NONE;
    private long packets;
    private long bytes;
    private long lost;
    private @Nullable String failure;

    SegmentWriter(KeepSettings settings, SegmentFolder folder, BlockQueue queue) {
        this.settings = settings;
        this.folder = folder;
        this.queue = queue;
    }

    @Override
    public void run() {
        boolean isLast;
        @Nullable Block block;
        do {
            isLast = isEnding; // read before the queue: afterwards nothing is added
            block = next();
            if (block != null) {
                write(block);
                queue.written(block);
            }
            tidy();
            show();
        } while (!isLast || block != null);
        end();
        show();
    }

    private @Nullable Block next() {
        try {
            return queue.next(TICK_MS);
        } catch (InterruptedException _) {
            return null; // nobody interrupts it: end() is how it ends
        }
    }

    /** Lets the thread end once the queue is empty. */
    void endWhenEmpty() {
        isEnding = true;
        queue.end();
    }

    private void write(Block block) {
        try {
            segmentFor(block).write(block);
            packets += block.count();
            bytes += block.length();
            failure = null;
        } catch (IOException | RuntimeException e) { // none of it may end the thread: what follows may be written
            lost += block.count();
            failure = String.valueOf(e.getMessage());
        }
    }

    private OpenSegment segmentFor(Block block) throws IOException {
        OpenSegment segment = open;
        if (segment != null
                && (!segment.isOf(block.interfaces()) || segment.bytes() + block.length() > settings.segmentBytes())) {
            finish(segment);
            segment = null;
        }
        if (segment == null) {
            makeRoom();
            segment = OpenSegment.create(folder.next(), block.interfaces());
            open = segment;
        }
        return segment;
    }

    /** For another segment with its index. */
    private void makeRoom() throws IOException {
        long next = settings.segmentBytes();
        folder.limit(settings.mostBytes() - next - next / 4, oldestNs());
    }

    private long oldestNs() {
        long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        return settings.mostAgeNs() >= nowNs ? Long.MIN_VALUE : nowNs - settings.mostAgeNs();
    }

    /** Writes the index of a segment; if the disk refuses that, the segment stays open, and the next block tries it again. */
    private void finish(OpenSegment segment) throws IOException {
        IndexEntries entries = segment.entries();
        long indexBytes = SegmentIndex.write(Segment.index(segment.file()), entries, segment.span());
        folder.add(new Segment(segment.file(), segment.span(), indexBytes));
        open = null;
        segment.close();
    }

    private void tidy() {
        OpenSegment segment = open;
        try {
            if (segment != null && segment.ageNs() > LONGEST_NS) {
                finish(segment);
            }
            folder.limit(Long.MAX_VALUE, oldestNs());
        } catch (IOException | RuntimeException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    private void end() {
        OpenSegment segment = open;
        try {
            if (segment != null) {
                finish(segment);
            }
        } catch (IOException | RuntimeException e) {
            failure = String.valueOf(e.getMessage()); // the next start makes its index
        }
    }

    private void show() {
        OpenSegment segment = open;
        counts = new KeptCounts(
                packets,
                bytes,
                queue.dropped(),
                lost,
                folder.count() + (segment == null ? 0 : 1),
                folder.storedBytes() + (segment == null ? 0 : segment.bytes()),
                failure);
    }

    @Nullable
    OpenSegment open() {
        return open;
    }

    KeptCounts counts() {
        return counts;
    }
}
