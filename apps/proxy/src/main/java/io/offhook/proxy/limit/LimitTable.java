package io.offhook.proxy.limit;

/**
 * Token buckets and calls by key: a table of sets of eight places, of which a key may have any. A bucket is one number, the
 * time at which it will be full again (the generic cell rate algorithm, ITU-T I.371). Not thread-safe.
 */
final class LimitTable {
    private static final int WAYS = 8;

    private final int mask;
    private final long[] high;
    private final long[] low;
    private final long[] requestsFullNs;
    private final long[] callsFullNs;
    private final int[] calls;
    private final boolean[] isUsed;
    private long evicted;

    LimitTable(int capacity) {
        int places = Integer.highestOneBit(Math.max(WAYS, capacity) * 2 - 1);
        mask = places / WAYS - 1;
        high = new long[places];
        low = new long[places];
        requestsFullNs = new long[places];
        callsFullNs = new long[places];
        calls = new int[places];
        isUsed = new boolean[places];
    }

    LimitVerdict take(long keyHigh, long keyLow, Rates rates, boolean startsCall, long nowNs) {
        int at = find(keyHigh, keyLow);
        if (at < 0) {
            at = place(keyHigh, keyLow, nowNs);
        }
        long request = Rates.intervalNs(rates.requestsPerSecond());
        long call = startsCall ? Rates.intervalNs(rates.callsPerSecond()) : 0;
        if (!isThere(requestsFullNs[at], request, rates.requestBurst(), nowNs)) {
            return LimitVerdict.REQUEST_RATE;
        }
        if (!isThere(callsFullNs[at], call, rates.callBurst(), nowNs)) {
            return LimitVerdict.CALL_RATE;
        }
        if (startsCall && rates.concurrentCalls() > 0 && calls[at] >= rates.concurrentCalls()) {
            return LimitVerdict.CONCURRENT_CALLS;
        }
        requestsFullNs[at] = later(requestsFullNs[at], nowNs) + request;
        callsFullNs[at] = later(callsFullNs[at], nowNs) + call;
        calls[at] += startsCall && rates.concurrentCalls() > 0 ? 1 : 0;
        return LimitVerdict.ALLOWED;
    }

    /** Whether a bucket has a token. */
    private static boolean isThere(long fullNs, long intervalNs, int burst, long nowNs) {
        return intervalNs == 0 || later(fullNs, nowNs) - nowNs <= (burst - 1) * intervalNs;
    }

    private static long later(long oneNs, long otherNs) {
        return oneNs - otherNs > 0 ? oneNs : otherNs;
    }

    void callEnded(long keyHigh, long keyLow) {
        int at = find(keyHigh, keyLow);
        if (at >= 0 && calls[at] > 0) {
            calls[at]--;
        }
    }

    private int set(long keyHigh, long keyLow) {
        long mixed = (keyHigh ^ Long.rotateLeft(keyLow, 23)) * 0x9e37_79b9_7f4a_7c15L;
        return ((int) (mixed >>> 32) & mask) * WAYS;
    }

    private int find(long keyHigh, long keyLow) {
        int from = set(keyHigh, keyLow);
        for (int i = from; i < from + WAYS; i++) {
            if (isUsed[i] && high[i] == keyHigh && low[i] == keyLow) {
                return i;
            }
        }
        return -1;
    }

    /** A free place, that of an idle key, or that of the key whose bucket was used least recently, those with calls last. */
    private int place(long keyHigh, long keyLow, long nowNs) {
        int from = set(keyHigh, keyLow);
        int at = from;
        for (int i = from; i < from + WAYS; i++) {
            if (isIdle(i, nowNs)) {
                at = i;
                break;
            }
            boolean isLess = calls[i] == 0 && calls[at] > 0;
            boolean isOlder = (calls[i] == 0) == (calls[at] == 0) && requestsFullNs[i] - requestsFullNs[at] < 0;
            at = isLess || isOlder ? i : at;
        }
        if (!isIdle(at, nowNs)) {
            evicted++;
        }
        isUsed[at] = true;
        high[at] = keyHigh;
        low[at] = keyLow;
        requestsFullNs[at] = nowNs;
        callsFullNs[at] = nowNs;
        calls[at] = 0;
        return at;
    }

    private boolean isIdle(int at, long nowNs) {
        return !isUsed[at] || calls[at] == 0 && requestsFullNs[at] - nowNs <= 0 && callsFullNs[at] - nowNs <= 0;
    }

    int followed(long nowNs) {
        int count = 0;
        for (int i = 0; i < isUsed.length; i++) {
            count += isIdle(i, nowNs) ? 0 : 1;
        }
        return count;
    }

    long evicted() {
        return evicted;
    }
}
