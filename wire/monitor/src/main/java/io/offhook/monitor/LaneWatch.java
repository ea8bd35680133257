package io.offhook.monitor;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.linux.lanes.PublishedLanes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the lanes that a process publishes, as Offhook's live commands do ({@link PublishedLanes}): what they say of themselves, joined
 * with the processors on which the kernel had their threads. A process that publishes none has none. Not thread-safe.
 */
public final class LaneWatch {
    /** A process that publishes none is asked again after this time: to look for them takes as long as to read 50 threads. */
    private static final long AGAIN_NS = 5_000_000_000L;

    private final Supplier<PublishedLanes> source;
    private final LongSupplier clockNs;
    private final NativeIds ids;
    private final Map<Key, Watched> watched = new HashMap<>();
    private PublishedLanes last = PublishedLanes.NONE;
    private List<LaneRow> rows = List.of();
    private boolean isPublished;
    private long dueNs = Long.MIN_VALUE;

    /** Two lanes may have one name; a thread may be a lane twice. */
    private record Key(String name, int nativeId) {}

    private static final class Watched {
        final LaneReport first;
        final long firstNs;
        final SortedMap<Integer, Long> seenOn = new TreeMap<>();
        LaneReport before;
        long beforeNs;
        int processor = -1;

        Watched(LaneReport first, long nowNs) {
            this.first = first;
            firstNs = nowNs;
            before = first;
            beforeNs = nowNs;
        }
    }

    LaneWatch(Supplier<PublishedLanes> source, LongSupplier clockNs, NativeIds ids) {
        this.source = source;
        this.clockNs = clockNs;
        this.ids = ids;
    }

    /**
     * Starts to watch the lanes of a process, and looks once.
     *
     * @param pid its number, in the namespace of this process
     */
    public static LaneWatch of(long pid) {
        NativeIds ids = NativeIds.of(pid);
        LaneWatch watch = new LaneWatch(() -> PublishedLanes.of(pid), System::nanoTime, ids);
        watch.look(List.of());
        return watch;
    }

    /**
     * Reads the lanes. Once the process has removed them, because it ends, they stay as they were read last. Those of a process that
     * has published none so far are found within five seconds.
     *
     * @param threads what {@link ThreadWatch#look} has just returned for the same process
     */
    public List<LaneRow> look(List<ThreadRow> threads) {
        long nowNs = clockNs.getAsLong();
        if (nowNs < dueNs) {
            return rows;
        }
        PublishedLanes now = source.get();
        isPublished = !now.commands().isEmpty();
        if (!isPublished) {
            dueNs = last.commands().isEmpty() ? nowNs + AGAIN_NS : dueNs;
            return rows;
        }
        last = now;
        Map<Integer, ThreadRow> byId = new HashMap<>();
        for (ThreadRow thread : threads) {
            byId.put(thread.id(), thread);
            int _ = ids.inside(thread.id());
        }
        Set<Key> there = new HashSet<>();
        List<LaneRow> looked = new ArrayList<>();
        for (LaneReport published : now.lanes()) {
            LaneReport lane = published.withNativeId(ids.outside(published.nativeId()));
            Key key = new Key(lane.name(), lane.nativeId());
            if (there.add(key)) {
                looked.add(row(
                        lane,
                        watched.computeIfAbsent(key, _ -> new Watched(lane, nowNs)),
                        byId.get(lane.nativeId()),
                        nowNs));
            }
        }
        watched.keySet().retainAll(there);
        threads.stream().filter(ThreadRow::isEnded).forEach(thread -> ids.ends(thread.id()));
        rows = List.copyOf(looked);
        return rows;
    }

    private static LaneRow row(LaneReport lane, Watched of, @Nullable ThreadRow thread, long nowNs) {
        if (thread != null && !thread.isEnded() && lane.state() != LaneReport.State.ENDED) {
            of.processor = thread.processor();
            of.seenOn.merge(of.processor, 1L, Long::sum);
        }
        LaneRow row = new LaneRow(
                lane,
                of.processor,
                new TreeMap<>(of.seenOn),
                LaneUse.between(of.before, lane, nowNs - of.beforeNs),
                LaneUse.between(of.first, lane, nowNs - of.firstNs));
        of.before = lane;
        of.beforeNs = nowNs;
        return row;
    }

    /** The lanes as of the last look, in the order in which they began; none if the process publishes none. */
    public List<LaneRow> rows() {
        return rows;
    }

    /** Whether the last look found any: if not, {@link #rows} are those of an earlier one. */
    public boolean isPublished() {
        return isPublished;
    }

    /** Lanes that have no record, because there are more than 64. */
    public long unpublished() {
        return last.unpublished();
    }
}
