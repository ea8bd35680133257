package io.offhook.monitor.xray;

/**
 * What a thread did. The kernel accounts a run when it ends and at ticks, and a wait in a run queue when it ends, so that either is laid
 * before the sample that shows it; where they overlap then, the earlier one was before that.
 */
final class ThreadTrack {
    /** What a thread that could run did. */
    enum Turn {
        /** It had a processor. */
        RUN,
        /** It waited for one. */
        WAIT
    }

    private static final double NEARLY_ALL = 0.9;

    final Spans<Activity> activities = new Spans<>();
    final Spans<Turn> turns = new Spans<>();
    /** Locks that it was seen to be blocked on, at the moment of each look. */
    final Spans<String> locks = new Spans<>();

    final long firstNs;
    String name;

    ThreadTrack(String name, long firstNs) {
        this.name = name;
        this.firstNs = firstNs;
    }

    /**
     * Adds a sample.
     *
     * @param beforeNs the sample before
     * @param atNs now
     * @param accountedNs when the kernel was asked what it had accounted, which is a little later
     * @param ranNs how long it had a processor, as accounted since the sample before
     * @param waitedNs how long it waited for one, as accounted since then: before it ran
     */
    void add(long beforeNs, long atNs, Activity activity, long accountedNs, long ranNs, long waitedNs) {
        activities.extend(beforeNs, atNs, activity);
        lay(accountedNs - ranNs - waitedNs, accountedNs - ranNs, Turn.WAIT);
        lay(accountedNs - ranNs, accountedNs, Turn.RUN);
    }

    private void lay(long fromNs, long toNs, Turn turn) {
        if (fromNs >= toNs) {
            return;
        }
        turns.moveLastBack(turns.lastNs() - fromNs);
        long from = Math.max(fromNs, turns.lastNs());
        if (from < toNs) {
            turns.extend(from, toNs, turn);
        }
    }

    boolean hasRun(long fromNs, long toNs) {
        boolean[] has = new boolean[1];
        turns.overlapping(fromNs, toNs, (_, _, turn) -> has[0] |= turn == Turn.RUN);
        return has[0];
    }

    /** Whether it ran or was about to for nearly all of a time, as far as it was there. */
    boolean isBusy(long fromNs, long toNs) {
        long from = Math.max(fromNs, firstNs);
        long[] busy = new long[1];
        turns.overlapping(from, toNs, (begin, end, _) -> busy[0] += Math.min(end, toNs) - Math.max(begin, from));
        return busy[0] >= (toNs - from) * NEARLY_ALL;
    }

    void forget(long beforeNs) {
        activities.forget(beforeNs);
        turns.forget(beforeNs);
        locks.forget(beforeNs);
    }
}
