package io.offhook.sip.digest;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counts (nc) that were seen with each nonce, so that no request is accepted twice. Bounded, and for many threads.
 *
 * <p>A nonce enters when it is used for the first time. When there is no room, the one that entered first is forgotten,
 * and from then on nonces made no later than it was are unknown unless they are still here: their clients are asked to
 * answer a new one. So a full table shortens the life of nonces and never accepts what it cannot check.
 */
final class NonceCounts {
    private static final int SHARDS = 16;
    private static final int WINDOW = 64;

    /** What a count was found to be. */
    enum Use {
        /** Not seen before. */
        NEW,
        /** Seen before, or too old to know. */
        REPLAYED,
        /** The nonce may have been here and is not any more. */
        FORGOTTEN
    }

    private static final class Counts {
        final long madeMs;
        long highest;
        /** Bit i: highest - i was seen. */
        long seen = 1;

        Counts(long madeMs, long highest) {
            this.madeMs = madeMs;
            this.highest = highest;
        }
    }

    private static final class Shard {
        private final Map<Long, Counts> nonces = new LinkedHashMap<>();
        private final int limit;
        private long forgottenMs = Long.MIN_VALUE;

        Shard(int limit) {
            this.limit = limit;
        }

        synchronized Use use(DigestNonces.Made nonce, long nc, long oldestMs) {
            Counts counts = nonces.get(nonce.id());
            if (counts == null) {
                forgetBefore(oldestMs);
                if (nonce.timeMs() <= forgottenMs) {
                    return Use.FORGOTTEN;
                }
                if (nonces.size() == limit) {
                    forgottenMs = Math.max(forgottenMs, removeFirst());
                }
                nonces.put(nonce.id(), new Counts(nonce.timeMs(), nc));
                return Use.NEW;
            }
            return count(counts, nc) ? Use.NEW : Use.REPLAYED;
        }

        /**
         * Those that entered first and have expired; what expired behind a younger one waits its turn. They stay unknown
         * if the clock is set back later.
         */
        private void forgetBefore(long oldestMs) {
            Iterator<Counts> first = nonces.values().iterator();
            while (first.hasNext()) {
                long madeMs = first.next().madeMs;
                if (madeMs >= oldestMs) {
                    return;
                }
                forgottenMs = Math.max(forgottenMs, madeMs);
                first.remove();
            }
        }

        private long removeFirst() {
            Iterator<Counts> first = nonces.values().iterator();
            long madeMs = first.next().madeMs;
            first.remove();
            return madeMs;
        }

        synchronized int size() {
            return nonces.size();
        }
    }

    private static boolean count(Counts counts, long nc) {
        long ahead = nc - counts.highest;
        if (ahead > 0) {
            counts.seen = ahead >= WINDOW ? 1 : counts.seen << ahead | 1;
            counts.highest = nc;
            return true;
        }
        if (-ahead >= WINDOW || (counts.seen >>> -ahead & 1) != 0) {
            return false;
        }
        counts.seen |= 1L << -ahead;
        return true;
    }

    private final Shard[] shards = new Shard[SHARDS];

    /** @param limit the most nonces, at least 16 */
    NonceCounts(int limit) {
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new Shard(Math.max(1, limit / SHARDS));
        }
    }

    /**
     * Counts a use.
     *
     * @param nonce a nonce that has not expired
     * @param oldestMs nonces made before have expired and need not be remembered
     */
    Use use(DigestNonces.Made nonce, long nc, long oldestMs) {
        return shards[(int) (nonce.id() & SHARDS - 1)].use(nonce, nc, oldestMs);
    }

    /** The number of nonces remembered. */
    int size() {
        int size = 0;
        for (Shard shard : shards) {
            size += shard.size();
        }
        return size;
    }
}
