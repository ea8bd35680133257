package io.offhook.cli.threads;

import io.offhook.monitor.CycleWatch;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the threads did since the watch began, those that ended, too; with the samples of each where these are asked for. Bounded:
 * where there are too many samples, two become one; of too many ended threads, the first to end are forgotten.
 */
final class ThreadHistory {
    /** The most samples of all threads together. */
    static final int MOST_SAMPLES = 1_000_000;

    /** The most threads that have ended. */
    static final int MOST_ENDED = 10_000;

    /** In the order in which they were seen first. */
    private final List<Entry> entries = new ArrayList<>();

    /** Those that have not ended, by number, which the kernel gives out again. */
    private final Map<Integer, Entry> living = new HashMap<>();

    private final JavaHistory java;
    private long samples;
    private int ended;
    private long forgotten;
    private boolean hasCycles;
    /** So many looks are a sample. */
    private int looksASample = 1;

    /** @param java what the threads do in Java, to which each look is added first */
    ThreadHistory(JavaHistory java) {
        this.java = java;
    }

    /** A thread with what is known of it. */
    static final class Entry {
        ThreadRow row;
        /** What it does in Java. */
        final JavaHistory.Entry java;

        final List<Sample> samples = new ArrayList<>();
        /** Null where they are not counted. */
        CycleWatch.@Nullable Counted cycles;

        private int looks;

        Entry(ThreadRow row, JavaHistory.Entry java) {
            this.row = row;
            this.java = java;
        }

        /** Its whole name in Java; as the kernel has it of another. */
        String name() {
            String name = java.name();
            return name == null ? row.name() : name;
        }
    }

    /**
     * What a thread did in a time.
     *
     * @param atNs its end, nanoseconds since the epoch
     * @param processor the one that it ran on last
     * @param states how long it was in each state of Java; no time if it runs no Java code
     */
    record Sample(long atNs, ThreadUse use, int processor, StateTimes states) {
        Sample with(Sample next) {
            return new Sample(next.atNs, use.plus(next.use), next.processor, states.plus(next.states));
        }
    }

    /** Adds a look. */
    void add(long atNs, List<ThreadRow> rows, boolean isSampled) {
        for (ThreadRow row : rows) {
            Entry entry = living.computeIfAbsent(row.id(), _ -> begun(row));
            entry.row = row;
            if (isSampled && row.last().elapsedNs() > 0) {
                sample(entry, new Sample(atNs, row.last(), row.processor(), entry.java.last()));
            }
            if (row.isEnded()) {
                living.remove(row.id());
                ended++;
            }
        }
        forget();
    }

    /** Adds the cycles that the threads of the last look took. */
    void add(CycleWatch cycles) {
        living.forEach((id, entry) -> {
            entry.cycles = cycles.of(id);
            hasCycles |= entry.cycles != null;
        });
    }

    /** Whether cycles of any thread were counted. */
    boolean hasCycles() {
        return hasCycles;
    }

    /** What is known of a living thread; null of one that is not there. */
    @Nullable
    Entry of(int id) {
        return living.get(id);
    }

    private Entry begun(ThreadRow row) {
        JavaHistory.Entry inJava = java.of(row.id());
        Entry entry = new Entry(row, inJava == null ? new JavaHistory.Entry() : inJava);
        entries.add(entry);
        return entry;
    }

    private void sample(Entry entry, Sample sample) {
        if (entry.looks++ % looksASample == 0) {
            entry.samples.add(sample);
            samples++;
        } else {
            entry.samples.add(entry.samples.removeLast().with(sample));
        }
        if (samples > MOST_SAMPLES) {
            halve();
        }
    }

    private void halve() {
        looksASample *= 2;
        samples = 0;
        for (Entry entry : entries) {
            List<Sample> halved = new ArrayList<>();
            for (int i = 0; i < entry.samples.size(); i += 2) {
                Sample one = entry.samples.get(i);
                halved.add(i + 1 < entry.samples.size() ? one.with(entry.samples.get(i + 1)) : one);
            }
            entry.samples.clear();
            entry.samples.addAll(halved);
            entry.looks = 0;
            samples += halved.size();
        }
    }

    private void forget() {
        for (Iterator<Entry> all = entries.iterator(); ended > MOST_ENDED && all.hasNext(); ) {
            Entry entry = all.next();
            if (entry.row.isEnded()) {
                samples -= entry.samples.size();
                all.remove();
                ended--;
                forgotten++;
            }
        }
    }

    /** What the threads do in Java. */
    JavaHistory inJava() {
        return java;
    }

    /** The threads, in the order in which they were seen first. */
    List<Entry> entries() {
        return entries;
    }

    /** Threads that have ended, and of which nothing is known any more. */
    long forgotten() {
        return forgotten;
    }

    /** Threads that have ended. */
    long ended() {
        return ended + forgotten;
    }
}
