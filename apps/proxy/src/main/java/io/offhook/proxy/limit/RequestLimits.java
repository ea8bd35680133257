package io.offhook.proxy.limit;

import io.offhook.packet.IpAddress;
import io.offhook.sip.transaction.KeyedHash;
import java.util.concurrent.atomic.LongAdder;

/**
 * Rates and concurrent calls by source, user and trunk. One instance serves all lanes: the table is divided into 64 parts
 * with a lock each, and a request holds one of them for the time of a few comparisons. Keys of users and trunks are hashed to
 * 128 bits with a secret of the process, so that nobody can choose two that collide; sources are kept as they are.
 *
 * <p>A request that passes several limits takes from each. If a later one refuses a call, {@link #sourceCallEnded} and so on
 * give back what the earlier ones counted.
 *
 * <p>The table has a fixed size. A key that is idle (full buckets, no calls) gives its place to another; when there is none,
 * the one that was used least recently does, and is counted by {@link #evicted}.
 */
public final class RequestLimits {
    private static final int PARTS = 64;
    private static final int USER = 0x75;
    private static final int TRUNK = 0x74;
    private static final long IPV6_NETWORK = -1L;

    private final LimitTable[] parts = new LimitTable[PARTS];
    /** One for each thread that asks. */
    private final ThreadLocal<KeyedHash> hashes;

    private volatile LimitConfig config;

    private final LongAdder requestRate = new LongAdder();
    private final LongAdder callRate = new LongAdder();
    private final LongAdder concurrentCalls = new LongAdder();

    /**
     * Creates an empty table.
     *
     * @param config the limits of sources and users, and the size
     * @param secret a random number that nobody outside knows
     */
    public RequestLimits(LimitConfig config, long secret) {
        this.config = config;
        hashes = ThreadLocal.withInitial(() -> new KeyedHash(secret, ~secret));
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new LimitTable(Math.max(16, config.tableSize() / PARTS));
        }
    }

    /** Takes other limits; the size of the table stays. Calls and buckets are kept. */
    public void reload(LimitConfig after) {
        config = after;
    }

    /**
     * Counts a request of a source.
     *
     * @param source the address that it came from
     * @param startsCall whether it is an INVITE outside of dialogs
     * @param nowNs the time, from any origin, in ns
     */
    public LimitVerdict source(IpAddress source, boolean startsCall, long nowNs) {
        return take(sourceHigh(source), sourceLow(source), config.source(), startsCall, nowNs);
    }

    /**
     * Counts a request of an authenticated user.
     *
     * @param user the user's name, with the realm or domain
     * @param startsCall whether it is an INVITE outside of dialogs
     * @param nowNs the time in ns
     */
    public LimitVerdict user(String user, boolean startsCall, long nowNs) {
        KeyedHash key = key(user, USER);
        return take(key.high(), key.low(), config.user(), startsCall, nowNs);
    }

    /**
     * Counts a request of a trunk.
     *
     * @param trunk the trunk's name
     * @param rates what it may ask for
     * @param startsCall whether it is an INVITE outside of dialogs
     * @param nowNs the time in ns
     */
    public LimitVerdict trunk(String trunk, Rates rates, boolean startsCall, long nowNs) {
        KeyedHash key = key(trunk, TRUNK);
        return take(key.high(), key.low(), rates, startsCall, nowNs);
    }

    /** A call that {@link #source} allowed has ended, or was never set up. */
    public void sourceCallEnded(IpAddress source) {
        end(sourceHigh(source), sourceLow(source));
    }

    /** A call that {@link #user} allowed has ended, or was never set up. */
    public void userCallEnded(String user) {
        KeyedHash key = key(user, USER);
        end(key.high(), key.low());
    }

    /** A call that {@link #trunk} allowed has ended, or was never set up. */
    public void trunkCallEnded(String trunk) {
        KeyedHash key = key(trunk, TRUNK);
        end(key.high(), key.low());
    }

    private KeyedHash key(String name, int kind) {
        return hashes.get().begin().add(kind).add(name).end();
    }

    private LimitVerdict take(long high, long low, Rates rates, boolean startsCall, long nowNs) {
        if (rates.isUnlimited()) {
            return LimitVerdict.ALLOWED;
        }
        LimitTable part = part(high, low);
        LimitVerdict verdict;
        synchronized (part) {
            verdict = part.take(high, low, rates, startsCall, nowNs);
        }
        switch (verdict) {
            case ALLOWED -> {}
            case REQUEST_RATE -> requestRate.increment();
            case CALL_RATE -> callRate.increment();
            case CONCURRENT_CALLS -> concurrentCalls.increment();
        }
        return verdict;
    }

    private void end(long high, long low) {
        LimitTable part = part(high, low);
        synchronized (part) {
            part.callEnded(high, low);
        }
    }

    private LimitTable part(long high, long low) {
        return parts[(int) (hashes.get().begin().add(high).add(low).end().low() >>> 58)];
    }

    /** The key of an IPv6 source is its /64 network, of which one host usually has all addresses. */
    private static long sourceHigh(IpAddress source) {
        return source.high();
    }

    private static long sourceLow(IpAddress source) {
        return source.isIpv4() ? source.low() : IPV6_NETWORK;
    }

    /** Requests refused so far, by cause. */
    public long refused(LimitVerdict cause) {
        return switch (cause) {
            case ALLOWED -> 0;
            case REQUEST_RATE -> requestRate.sum();
            case CALL_RATE -> callRate.sum();
            case CONCURRENT_CALLS -> concurrentCalls.sum();
        };
    }

    /** Keys in the table that are not known to be idle at a time. */
    public int followed(long nowNs) {
        int count = 0;
        for (LimitTable part : parts) {
            synchronized (part) {
                count += part.followed(nowNs);
            }
        }
        return count;
    }

    /** Keys that lost their place while they were in use, because the table was full. */
    public long evicted() {
        long count = 0;
        for (LimitTable part : parts) {
            synchronized (part) {
                count += part.evicted();
            }
        }
        return count;
    }
}
