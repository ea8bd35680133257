package io.offhook.proxy.book;

import org.jspecify.annotations.Nullable;

/** Calls in the order in which they were added; linked in the calls themselves. */
final class HistoryList {
    private @Nullable CallHistory oldest;
    private @Nullable CallHistory newest;
    private int count;

    int count() {
        return count;
    }

    void add(CallHistory history) {
        CallHistory last = newest;
        history.older = last;
        if (last == null) {
            oldest = history;
        } else {
            last.newer = history;
        }
        newest = history;
        count++;
    }

    /** Removes one that is in this list. */
    void remove(CallHistory history) {
        CallHistory before = history.older;
        CallHistory after = history.newer;
        if (before == null) {
            oldest = after;
        } else {
            before.newer = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.older = before;
        }
        history.older = null;
        history.newer = null;
        count--;
    }

    @Nullable
    CallHistory removeOldest() {
        CallHistory first = oldest;
        if (first != null) {
            remove(first);
        }
        return first;
    }
}
