package io.offhook.live;

import io.offhook.linux.CpuAffinity;
import io.offhook.linux.TaskStatus;
import io.offhook.linux.lanes.LaneBoard;
import io.offhook.linux.lanes.LaneMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processors that lanes are to run on, and those that they ran on. Each lane, a platform thread, declares its start
 * and end; the first one gets the first processor, and so on, starting over if there are more lanes than processors.
 * Where they run is observed from outside and costs the lanes nothing: whoever shows progress calls {@link #sample} now
 * and then.
 *
 * <p>If several lanes start at the same time, whoever starts them {@linkplain #reserve reserves} their places, in
 * order.
 *
 * <p>With a {@linkplain #publishOn board}, each lane that enters gets a {@link LaneMeter}, so that other processes see what
 * it does.
 *
 * <p>A thread that a pinned one starts is pinned, too: lanes are threads that start no others.
 */
public final class LanePlacement {
    /** The value of {@link Lane#pinnedTo} for a lane that may run anywhere. */
    public static final int ANYWHERE = -1;

    private final int[] processors;
    private final List<Place> places = new ArrayList<>();
    private @Nullable LaneBoard board;

    /**
     * Where a lane ran.
     *
     * @param name the name it gave itself
     * @param pinnedTo the processor that it was to run on, or {@link LanePlacement#ANYWHERE}
     * @param seenOn how often it was seen on each processor
     * @param status the status by the scheduler when last observed
     */
    public record Lane(String name, int pinnedTo, SortedMap<Integer, Long> seenOn, TaskStatus status) {
        /** Returns whether it was only seen on the processor that it was pinned to. */
        public boolean isInPlace() {
            return pinnedTo == ANYWHERE || seenOn.size() == 1 && seenOn.firstKey() == pinnedTo;
        }
    }

    /** A reserved place, kept until the lane's thread enters: a processor and a position in the order. */
    public final class Place {
        private final String name;
        private final int pinnedTo;
        private final SortedMap<Integer, Long> seenOn = new TreeMap<>();
        /** Null until a thread has entered. */
        private @Nullable TaskStatus status;
        /** Null where nothing is published. */
        private @Nullable LaneMeter meter;

        private boolean ended;

        private Place(String name, int pinnedTo) {
            this.name = name;
            this.pinnedTo = pinnedTo;
        }

        /**
         * Makes the calling thread this lane: pins it and starts to observe it.
         *
         * @throws IllegalStateException if a thread has already entered
         * @throws io.offhook.linux.LinuxException if the kernel does not allow it to run there
         */
        public void enter() {
            synchronized (LanePlacement.this) {
                if (status != null) {
                    throw new IllegalStateException("a thread is lane " + name + " already");
                }
                if (pinnedTo != ANYWHERE) {
                    CpuAffinity.pin(pinnedTo);
                }
                TaskStatus now = TaskStatus.of(TaskStatus.currentId());
                if (now == null) {
                    throw new IllegalStateException("this thread has no entry in /proc/self/task");
                }
                status = now;
                meter = board == null ? null : board.lane(name, pinnedTo);
                look();
            }
        }

        /** Ends the lane; to be called by the thread that entered. The thread stays pinned. */
        public void leave() {
            synchronized (LanePlacement.this) {
                look();
                ended = true;
                if (meter != null) {
                    meter.end(System.nanoTime());
                }
            }
        }

        private void look() {
            TaskStatus before = status;
            TaskStatus now = before == null || ended ? null : TaskStatus.of(before.id());
            if (now != null) {
                status = now;
                seenOn.merge(now.processor(), 1L, Long::sum);
            }
        }

        private boolean isOf(int id) {
            TaskStatus known = status;
            return known != null && known.id() == id && !ended;
        }

        private Stream<Lane> lane() {
            TaskStatus known = status;
            return known == null ? Stream.of() : Stream.of(new Lane(name, pinnedTo, new TreeMap<>(seenOn), known));
        }
    }

    private LanePlacement(int[] processors) {
        this.processors = processors;
    }

    /** Creates a placement that leaves lanes to the scheduler. */
    public static LanePlacement anywhere() {
        return new LanePlacement(new int[0]);
    }

    /**
     * Creates a placement that pins lanes.
     *
     * @param processors at least one
     * @throws IllegalArgumentException if this process may not use one of them
     */
    public static LanePlacement on(int... processors) {
        int[] allowed = CpuAffinity.processors();
        if (processors.length == 0) {
            throw new IllegalArgumentException("no processor is given; at least one is needed");
        }
        for (int processor : processors) {
            if (!contains(allowed, processor)) {
                throw new IllegalArgumentException("processor " + processor
                        + " does not exist or is not allowed for this process; allowed are " + text(allowed));
            }
        }
        return new LanePlacement(processors.clone());
    }

    /** Publishes lanes that enter from now on; null publishes none. The board is not closed by this placement. */
    public synchronized void publishOn(@Nullable LaneBoard board) {
        this.board = board;
    }

    private static boolean contains(int[] all, int one) {
        for (int each : all) {
            if (each == one) {
                return true;
            }
        }
        return false;
    }

    private static String text(int[] processors) {
        StringBuilder text = new StringBuilder();
        for (int processor : processors) {
            text.append(text.isEmpty() ? "" : ",").append(processor);
        }
        return text.toString();
    }

    /**
     * Reserves the next processor for a lane: the order is that of these calls, whichever thread starts first. The lane
     * begins when its thread has {@linkplain Place#enter entered}.
     */
    public synchronized Place reserve(String name) {
        return reserveOn(name, processors.length == 0 ? ANYWHERE : processors[places.size() % processors.length]);
    }

    /**
     * As {@link #reserve}, for a thread that must not take a processor from lanes that wait for packets, such as one
     * that writes to disk: it is pinned to a processor that no earlier lane has, or, if none is left, only observed.
     */
    public synchronized Place reserveLeftOver(String name) {
        return reserveOn(name, places.size() < processors.length ? processors[places.size()] : ANYWHERE);
    }

    /**
     * As {@link #reserve}, for a lane whose processor is known.
     *
     * @param processor its number, or {@link #ANYWHERE}
     */
    public synchronized Place reserveOn(String name, int processor) {
        Place place = new Place(name, processor);
        places.add(place);
        return place;
    }

    /** Makes the calling thread the next lane: pins it and starts to observe it. */
    public void enter(String name) {
        reserve(name).enter();
    }

    /** Observes where the lanes are running; any thread may call it. */
    public synchronized void sample() {
        places.forEach(Place::look);
    }

    /** Ends the calling thread's lane. The thread stays pinned. */
    public synchronized void leave() {
        int id = TaskStatus.currentId();
        for (Place place : places) {
            if (place.isOf(id)) {
                place.leave();
            }
        }
    }

    /**
     * Returns what was observed, lane by lane in the order of their places; lanes that have not started are left out.
     */
    public synchronized List<Lane> lanes() {
        return places.stream().flatMap(Place::lane).toList();
    }
}
