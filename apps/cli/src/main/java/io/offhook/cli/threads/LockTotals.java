package io.offhook.cli.threads;

import io.offhook.monitor.JavaLock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which locks threads waited for over time, and who had them: by class, since addresses change with collections. */
final class LockTotals {
    /** The most pairs of class and owner; of more, the later ones are one. */
    static final int MOST = 1000;

    private static final Key OTHERS = new Key("(others)", null);

    private final Map<Key, Total> all = new HashMap<>();

    /** A class of locks and who had one; null if that is not known. */
    private record Key(String type, @Nullable String owner) {}

    private static final class Total {
        private long ns;
        private int most;
        private long firstNs;
        private long lastNs;
        private List<String> waiters = List.of();

        private void add(long atNs, long spanNs, List<String> waiting) {
            firstNs = firstNs == 0 ? atNs : firstNs;
            lastNs = atNs;
            ns += spanNs;
            if (waiting.size() > most) {
                most = waiting.size();
                waiters = List.copyOf(waiting);
            }
        }
    }

    /**
     * Locks of a class that one thread had.
     *
     * @param type the class
     * @param owner null if not known
     * @param ns the time of the looks at which threads waited
     * @param firstNs the first of these looks, nanoseconds since the epoch
     * @param lastNs the last of them
     * @param waiters those who waited when they were most
     */
    record Contention(String type, @Nullable String owner, long ns, long firstNs, long lastNs, List<String> waiters) {}

    /**
     * Adds a look.
     *
     * @param spanNs the time since the look before
     */
    void add(long atNs, long spanNs, List<JavaLock> locks) {
        Map<Key, List<String>> waiting = new HashMap<>();
        for (JavaLock lock : locks) {
            Key key = new Key(type(lock.name()), lock.owner());
            boolean isKnown = all.containsKey(key) || waiting.containsKey(key);
            boolean isRoom = isKnown || all.size() + waiting.size() < MOST;
            waiting.computeIfAbsent(isRoom ? key : OTHERS, _ -> new ArrayList<>())
                    .addAll(lock.waiters());
        }
        waiting.forEach(
                (key, threads) -> all.computeIfAbsent(key, _ -> new Total()).add(atNs, spanNs, threads));
    }

    /** The class in "java.lang.Object@6ec4f100". */
    private static String type(String lock) {
        int at = lock.lastIndexOf('@');
        return at < 0 ? lock : lock.substring(0, at);
    }

    /** Those that were waited for longest first. */
    List<Contention> longest() {
        List<Contention> longest = new ArrayList<>();
        all.forEach((key, total) -> longest.add(
                new Contention(key.type(), key.owner(), total.ns, total.firstNs, total.lastNs, total.waiters)));
        longest.sort(Comparator.comparingLong((Contention one) -> -one.ns())
                .thenComparing(Contention::type)
                .thenComparing(one -> String.valueOf(one.owner())));
        return longest;
    }
}
