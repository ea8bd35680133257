package io.offhook.live;

import io.offhook.linux.CpuAffinity;
import io.offhook.linux.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * On which processors lanes are to run, and on which they ran. Each lane, a platform thread, says when it begins and ends;
 * the first gets the first processor, and so on, from the beginning again where there are more lanes. Where they run is
 * looked at from outside, so that it costs the lanes nothing: whoever shows progress calls {@link #sample} now and then.
 *
 * <p>A thread that a pinned one starts is pinned, too: lanes are threads that start no others.
 */
public final class LanePlacement {
    /** Of {@link Lane#pinnedTo} where it may run anywhere. */
    public static final int ANYWHERE = -1;

    private final int[] processors;
    private final List<Watched> lanes = new ArrayList<>();

    /**
     * Where a lane ran.
     *
     * @param name as it called itself
     * @param pinnedTo the processor that it was to run on, or {@link LanePlacement#ANYWHERE}
     * @param seenOn by processor, how often it was seen there
     * @param status of the scheduler, at the last look
     */
    public record Lane(String name, int pinnedTo, SortedMap<Integer, Long> seenOn, TaskStatus status) {
        /** Whether it was seen nowhere but where it was to be. */
        public boolean isInPlace() {
            return pinnedTo == ANYWHERE || seenOn.size() == 1 && seenOn.firstKey() == pinnedTo;
        }
    }

    /** A lane, and what was seen of it. */
    private static final class Watched {
        final String name;
        final int pinnedTo;
        final SortedMap<Integer, Long> seenOn = new TreeMap<>();
        TaskStatus status;
        boolean ended;

        Watched(String name, int pinnedTo, TaskStatus status) {
            this.name = name;
            this.pinnedTo = pinnedTo;
            this.status = status;
        }

        void look() {
            TaskStatus now = TaskStatus.of(status.id());
            if (now != null && !ended) {
                status = now;
                seenOn.merge(now.processor(), 1L, Long::sum);
            }
        }
    }

    private LanePlacement(int[] processors) {
        this.processors = processors;
    }

    /** Lanes run where the scheduler has them run. */
    public static LanePlacement anywhere() {
        return new LanePlacement(new int[0]);
    }

    /**
     * Lanes are pinned.
     *
     * @param processors one at least
     * @throws IllegalArgumentException where this process may not use one of them
     */
    public static LanePlacement on(int... processors) {
        int[] allowed = CpuAffinity.processors();
        if (processors.length == 0) {
            throw new IllegalArgumentException("no processor is named");
        }
        for (int processor : processors) {
            if (!contains(allowed, processor)) {
                throw new IllegalArgumentException("processor " + processor
                        + " is not this process's to use, or not there; " + text(allowed) + " are");
            }
        }
        return new LanePlacement(processors.clone());
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

    /** The calling thread is a lane from now on: it is pinned, and watched. */
    public synchronized void enter(String name) {
        int pinnedTo = processors.length == 0 ? ANYWHERE : processors[lanes.size() % processors.length];
        if (pinnedTo != ANYWHERE) {
            CpuAffinity.pin(pinnedTo);
        }
        @Nullable TaskStatus status = TaskStatus.of(TaskStatus.currentId());
        if (status == null) {
            throw new IllegalStateException("this thread has no entry in /proc/self/task");
        }
        Watched lane = new Watched(name, pinnedTo, status);
        lane.look();
        lanes.add(lane);
    }

    /** Looks where the lanes are; any thread may. */
    public synchronized void sample() {
        lanes.forEach(Watched::look);
    }

    /** The calling thread is a lane no more. It stays pinned. */
    public synchronized void leave() {
        int id = TaskStatus.currentId();
        for (Watched lane : lanes) {
            if (lane.status.id() == id && !lane.ended) {
                lane.look();
                lane.ended = true;
            }
        }
    }

    /** What was seen, lane by lane in the order in which they entered. */
    public synchronized List<Lane> lanes() {
        return lanes.stream()
                .map(lane -> new Lane(lane.name, lane.pinnedTo, new TreeMap<>(lane.seenOn), lane.status))
                .toList();
    }
}
