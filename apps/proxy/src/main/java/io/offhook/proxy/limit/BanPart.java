package io.offhook.proxy.limit;

import io.offhook.packet.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Points and bans by source: a table of sets of eight places, of which a source may have any. Points are kept as the time at
 * which they will be forgotten. Not thread-safe.
 */
final class BanPart {
    static final long NOT_BANNED = Long.MIN_VALUE;
    private static final int WAYS = 8;
    /** After this time without a ban, the next one is a first one again. */
    private static final long FORGOTTEN_MS = 24 * 3_600_000L;
    /** Bans in a row that are counted: more do not make longer ones. */
    private static final int MOST_COUNT = 30;

    /** A time before all others, that can still be subtracted from. */
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final int mask;
    private final long[] high;
    private final long[] low;
    private final long[] pointsEndMs;
    private final long[] confirmedEndMs;
    private final long[] banEndMs;
    private final long[] provenEndMs;
    private final byte[] count;
    /** What a source did last before it was banned; null if somebody wanted it. */
    private final @Nullable BadEvent[] cause;

    private final int[] dropped;
    private final boolean[] isConfirmed;
    private final boolean[] isUsed;
    private long evicted;

    BanPart(int capacity) {
        int places = Integer.highestOneBit(Math.max(WAYS, capacity) * 2 - 1);
        mask = places / WAYS - 1;
        high = new long[places];
        low = new long[places];
        pointsEndMs = new long[places];
        confirmedEndMs = new long[places];
        banEndMs = new long[places];
        provenEndMs = new long[places];
        count = new byte[places];
        cause = new BadEvent[places];
        dropped = new int[places];
        isConfirmed = new boolean[places];
        isUsed = new boolean[places];
    }

    boolean isBanned(long keyHigh, long keyLow, boolean isConnection, long nowMs) {
        int at = find(keyHigh, keyLow);
        return at >= 0 && nowMs < banEndMs[at] && (isConfirmed[at] || !isConnection);
    }

    /** Counts something that was dropped, of a source that is banned. */
    void countDropped(long keyHigh, long keyLow) {
        int at = find(keyHigh, keyLow);
        if (at >= 0 && dropped[at] < Integer.MAX_VALUE) {
            dropped[at]++;
        }
    }

    boolean isProven(long keyHigh, long keyLow, long nowMs) {
        int at = find(keyHigh, keyLow);
        return at >= 0 && nowMs < provenEndMs[at];
    }

    /** @return when the ban ends that these points cause; {@link #NOT_BANNED} if they cause none */
    long count(long keyHigh, long keyLow, BadEvent event, boolean confirmed, BanConfig rules, long nowMs) {
        int at = find(keyHigh, keyLow);
        if (at < 0) {
            at = place(keyHigh, keyLow, nowMs);
        }
        long windowMs = rules.threshold().windowMs();
        long costMs = rules.pointsOf(event) * windowMs / rules.threshold().points();
        long enoughMs = nowMs + windowMs - windowMs / rules.threshold().points() / 2; // against rounding
        pointsEndMs[at] = Math.max(nowMs, pointsEndMs[at]) + costMs;
        confirmedEndMs[at] = Math.max(nowMs, confirmedEndMs[at]) + (confirmed ? costMs : 0);
        if (confirmed && confirmedEndMs[at] >= enoughMs) {
            ban(at, rules.durations(), nowMs);
            began(at, event, true);
            return banEndMs[at];
        }
        if (pointsEndMs[at] >= enoughMs && nowMs >= banEndMs[at]) {
            BanConfig.Durations durations = rules.durations();
            banEndMs[at] = nowMs + Math.min(durations.firstMs(), durations.unconfirmedMs());
            pointsEndMs[at] = nowMs;
            began(at, event, false);
            return banEndMs[at];
        }
        return NOT_BANNED;
    }

    private void began(int at, @Nullable BadEvent why, boolean confirmed) {
        cause[at] = why;
        isConfirmed[at] = confirmed;
        dropped[at] = 0;
    }

    private void ban(int at, BanConfig.Durations durations, long nowMs) {
        if (nowMs - banEndMs[at] > FORGOTTEN_MS) {
            count[at] = 0;
        }
        long lengthMs = Math.min(durations.firstMs() << Math.min(count[at], MOST_COUNT), durations.mostMs());
        count[at] = (byte) Math.min(count[at] + 1, MOST_COUNT);
        banEndMs[at] = Math.max(banEndMs[at], nowMs + lengthMs);
        pointsEndMs[at] = nowMs;
        confirmedEndMs[at] = nowMs;
    }

    /** Bans a source until a time, whatever it did. */
    void ban(long keyHigh, long keyLow, long untilMs, long nowMs) {
        int at = find(keyHigh, keyLow);
        if (at < 0) {
            at = place(keyHigh, keyLow, nowMs);
        }
        banEndMs[at] = untilMs;
        began(at, null, true);
    }

    void succeeded(long keyHigh, long keyLow, long nowMs) {
        int at = find(keyHigh, keyLow);
        if (at < 0) {
            at = place(keyHigh, keyLow, nowMs);
        }
        pointsEndMs[at] = nowMs;
        confirmedEndMs[at] = nowMs;
        provenEndMs[at] = nowMs + BanTable.PROVEN_MS;
    }

    boolean forget(long keyHigh, long keyLow) {
        int at = find(keyHigh, keyLow);
        if (at >= 0) {
            isUsed[at] = false;
        }
        return at >= 0;
    }

    void bans(long nowMs, List<BanTable.Ban> found) {
        for (int i = 0; i < isUsed.length; i++) {
            if (isUsed[i] && nowMs < banEndMs[i]) {
                found.add(new BanTable.Ban(
                        new IpAddress(high[i], low[i]), cause[i], banEndMs[i], count[i], isConfirmed[i], dropped[i]));
            }
        }
    }

    long evicted() {
        return evicted;
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

    /** A free place, that of an idle source, or that of the source that will be idle first. */
    private int place(long keyHigh, long keyLow, long nowMs) {
        int from = set(keyHigh, keyLow);
        int at = from;
        for (int i = from; i < from + WAYS; i++) {
            if (idleMs(i) < idleMs(at)) {
                at = i;
            }
        }
        if (idleMs(at) > nowMs) {
            evicted++;
        }
        isUsed[at] = true;
        high[at] = keyHigh;
        low[at] = keyLow;
        pointsEndMs[at] = nowMs;
        confirmedEndMs[at] = nowMs;
        banEndMs[at] = NEVER;
        provenEndMs[at] = NEVER;
        count[at] = 0;
        began(at, null, false);
        return at;
    }

    /** When nothing is known of a source any more, but that it was banned once. */
    private long idleMs(int at) {
        return isUsed[at]
                ? Math.max(Math.max(pointsEndMs[at], confirmedEndMs[at]), Math.max(banEndMs[at], provenEndMs[at]))
                : NEVER;
    }
}
