package io.offhook.monitor.recording;

import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Threads that begin, work, change their names and end, and numbers that are given out again: by chance, from a seed. */
final class SimulatedThreads {
    static final long SECOND = 1_000_000_000L;
    private static final int US = 1000;

    private final Random random;
    private final int most;
    private final Map<Integer, ThreadRow> living = new TreeMap<>();
    /** What all threads did, by their name at birth. */
    final Map<String, ThreadUse> totals = new HashMap<>();

    private final Map<Integer, String> births = new HashMap<>();
    private int born;

    SimulatedThreads(long seed, int most) {
        random = new Random(seed);
        this.most = most;
    }

    /** The next look. */
    List<ThreadRow> look(long spanNs) {
        List<ThreadRow> rows = new ArrayList<>();
        for (ThreadRow before : List.copyOf(living.values())) {
            boolean isEnded = random.nextInt(200) == 0;
            ThreadRow row = isEnded ? ended(before) : next(before, spanNs);
            rows.add(row);
            totals.put(births.get(before.id()), row.total());
            if (isEnded) {
                living.remove(before.id());
            } else {
                living.put(row.id(), row);
            }
        }
        while (living.size() < most && random.nextInt(3) > 0) {
            int id = 100 + random.nextInt(2 * most);
            if (living.containsKey(id) || rows.stream().anyMatch(row -> row.id() == id)) {
                continue;
            }
            ThreadUse none = new ThreadUse(0, 0, 0, 0, 0, 0, 0);
            String name = "thread-" + born++;
            ThreadRow row = new ThreadRow(id, name, 'S', random.nextInt(4), none, none, none);
            births.put(id, name);
            living.put(id, row);
            rows.add(row);
        }
        rows.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return rows;
    }

    private static ThreadRow ended(ThreadRow row) {
        ThreadUse none = new ThreadUse(0, 0, 0, 0, 0, 0, 0);
        return new ThreadRow(row.id(), row.name(), 'X', row.processor(), none, none, row.total());
    }

    private ThreadRow next(ThreadRow before, long spanNs) {
        boolean isIdle = random.nextInt(3) > 0;
        long span = isIdle || random.nextInt(4) > 0 ? spanNs : spanNs + spanNs / 50;
        ThreadUse use = isIdle
                ? new ThreadUse(span, 0, 0, 0, 0, 0, 0)
                : new ThreadUse(
                        span,
                        us(400_000),
                        us(200_000),
                        us(9000),
                        random.nextInt(300),
                        random.nextInt(9),
                        random.nextInt(2));
        String name = random.nextInt(300) == 0 ? before.name() + "'" : before.name();
        char state = isIdle ? 'S' : 'R';
        int processor = isIdle ? before.processor() : random.nextInt(4);
        return new ThreadRow(
                before.id(), name, state, processor, use, use, before.total().plus(use));
    }

    private long us(int most) {
        return (long) random.nextInt(most) * US;
    }
}
