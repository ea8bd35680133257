package io.offhook.proxy.limit;

import io.offhook.packet.IpAddress;
import io.offhook.sip.transaction.KeyedHash;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts bad events by source and bans sources for a time. One instance serves all lanes and connections; {@link #isBanned}
 * takes no lock while nobody is banned.
 *
 * <p>Anyone can forge the source of a UDP datagram, and so could have others banned. Therefore:
 *
 * <ul>
 *   <li>sources of trunks, the allow-list and the host itself are never banned: behind a loopback address may be a program
 *       that passes on what others send;
 *   <li>events of datagrams that nothing confirms make a short ban only, which never grows and does not apply to
 *       connections. A connection confirms the source;
 *   <li>a source that authenticated itself within the last hour is not banned for unconfirmed events.
 * </ul>
 *
 * <p>Sources of IPv6 are /64 networks. The table has a fixed size: a source without points gives its place to another; when
 * there is none, the one whose ban ends first does, and is counted by {@link #evicted}.
 */
public final class BanTable {
    private static final int PARTS = 64;
    /** How long a success is remembered. */
    static final long PROVEN_MS = 3_600_000;

    /**
     * A source that is banned.
     *
     * @param source the address; of IPv6, the /64 network with zero host bits
     * @param event what it did last before it was banned; null if it was banned because somebody wanted so
     * @param untilMs when the ban ends
     * @param count the bans of this source in a row, this one included if it is confirmed and nobody wanted it
     * @param isConfirmed whether the source address is known to be its own; if not, its connections are not dropped
     * @param dropped the datagrams and connections dropped since it was banned
     */
    public record Ban(
            IpAddress source, @Nullable BadEvent event, long untilMs, int count, boolean isConfirmed, long dropped) {}

    private final BanPart[] parts = new BanPart[PARTS];
    /** One for each thread that asks. */
    private final ThreadLocal<KeyedHash> hashes;

    private volatile BanConfig config;
    private volatile List<AddressBlock> trusted;
    /** The end of the ban that lasts longest; before the first one, the earliest time. */
    private final AtomicLong lastEndMs = new AtomicLong(Long.MIN_VALUE);

    private final Map<BadEvent, LongAdder> events = new EnumMap<>(BadEvent.class);
    private final LongAdder bans = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder spared = new LongAdder();

    /**
     * Creates a table without bans.
     *
     * @param config the rules, and the size
     * @param trusted the sources of trunks
     * @param secret a random number that nobody outside knows
     */
    public BanTable(BanConfig config, List<AddressBlock> trusted, long secret) {
        this.config = config;
        this.trusted = List.copyOf(trusted);
        hashes = ThreadLocal.withInitial(() -> new KeyedHash(secret, ~secret));
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new BanPart(Math.max(16, config.tableSize() / PARTS));
        }
        for (BadEvent event : BadEvent.values()) {
            events.put(event, new LongAdder());
        }
    }

    /** Takes other rules; the size of the table stays. Bans of sources that are trusted now are lifted. */
    public void reload(BanConfig after, List<AddressBlock> trustedAfter, long nowMs) {
        config = after;
        trusted = List.copyOf(trustedAfter);
        for (Ban ban : bans(nowMs)) {
            if (!after.isEnabled()
                    || isTrusted(ban.source().high(), ban.source().low())) {
                lift(ban.source());
            }
        }
    }

    /**
     * Whether what comes from a source is to be dropped; if so, it is counted.
     *
     * @param high the first 64 bits of the address, as {@link IpAddress} has them
     * @param low its last 64 bits
     * @param isConnection whether it came over a connection, whose source cannot be forged
     * @param nowMs the time, from any origin, in ms
     */
    public boolean isBanned(long high, long low, boolean isConnection, long nowMs) {
        if (nowMs >= lastEndMs.getPlain()) {
            return false;
        }
        long key = networkLow(high, low);
        BanPart part = part(high, key);
        synchronized (part) {
            // one address of an IPv6 network may be trusted
            if (!part.isBanned(high, key, isConnection, nowMs) || isTrusted(high, low)) {
                return false;
            }
            part.countDropped(high, key);
        }
        dropped.increment();
        return true;
    }

    /** Whether a User-Agent is that of a scanner, and this counts. */
    public boolean isScanner(String userAgent) {
        BanConfig rules = config;
        return rules.isEnabled() && rules.pointsOf(BadEvent.SCANNER) > 0 && rules.isScanner(userAgent);
    }

    /**
     * Counts an event, and bans the source if it has too many points.
     *
     * @param source where it came from
     * @param event what it was
     * @param isConfirmed whether the source is known not to be forged
     * @param nowMs the time in ms
     * @return whether the source is banned by this event
     */
    public boolean count(IpAddress source, BadEvent event, boolean isConfirmed, long nowMs) {
        counter(event).increment();
        BanConfig rules = config;
        if (!rules.isEnabled() || rules.pointsOf(event) == 0 || isTrusted(source.high(), source.low())) {
            return false;
        }
        long key = networkLow(source.high(), source.low());
        BanPart part = part(source.high(), key);
        long endMs;
        synchronized (part) {
            if (!isConfirmed && part.isProven(source.high(), key, nowMs)) {
                spared.increment();
                return false;
            }
            endMs = part.count(source.high(), key, event, isConfirmed, rules, nowMs);
        }
        if (endMs == BanPart.NOT_BANNED) {
            return false;
        }
        lastEndMs.accumulateAndGet(endMs, Math::max);
        bans.increment();
        return true;
    }

    /** A source has authenticated itself: its points are forgotten, and unconfirmed events do not ban it for an hour. */
    public void succeeded(IpAddress source, long nowMs) {
        long key = networkLow(source.high(), source.low());
        BanPart part = part(source.high(), key);
        synchronized (part) {
            part.succeeded(source.high(), key, nowMs);
        }
    }

    /**
     * Bans a source until a time, because somebody wants so; a trusted source is not banned.
     *
     * @return whether it is banned
     */
    public boolean ban(IpAddress source, long untilMs, long nowMs) {
        if (isTrusted(source.high(), source.low())) {
            return false;
        }
        long key = networkLow(source.high(), source.low());
        BanPart part = part(source.high(), key);
        synchronized (part) {
            part.ban(source.high(), key, untilMs, nowMs);
        }
        lastEndMs.accumulateAndGet(untilMs, Math::max);
        bans.increment();
        return true;
    }

    /** Ends the ban of a source and forgets its points; false if it was not in the table. */
    public boolean lift(IpAddress source) {
        long key = networkLow(source.high(), source.low());
        BanPart part = part(source.high(), key);
        synchronized (part) {
            return part.forget(source.high(), key);
        }
    }

    /** The bans that last, in no order. */
    public List<Ban> bans(long nowMs) {
        List<Ban> found = new ArrayList<>();
        for (BanPart part : parts) {
            synchronized (part) {
                part.bans(nowMs, found);
            }
        }
        return found;
    }

    private boolean isTrusted(long high, long low) {
        return IpAddress.isLoopback(high, low)
                || AddressBlock.isInOne(trusted, high, low)
                || AddressBlock.isInOne(config.allow(), high, low);
    }

    private static long networkLow(long high, long low) {
        return high == 0 && low >>> 32 == 0xffff ? low : 0;
    }

    private BanPart part(long high, long low) {
        return parts[(int) (hashes.get().begin().add(high).add(low).end().low() >>> 58)];
    }

    private LongAdder counter(BadEvent event) {
        return Objects.requireNonNull(events.get(event));
    }

    /** Events of a kind so far. */
    public long events(BadEvent event) {
        return counter(event).sum();
    }

    /** Bans so far. */
    public long banned() {
        return bans.sum();
    }

    /** Datagrams and connections dropped so far because their source was banned. */
    public long dropped() {
        return dropped.sum();
    }

    /** Unconfirmed events that did not count, because the source had authenticated itself. */
    public long spared() {
        return spared.sum();
    }

    /** Sources that lost their place while they had points or a ban, because the table was full. */
    public long evicted() {
        long count = 0;
        for (BanPart part : parts) {
            synchronized (part) {
                count += part.evicted();
            }
        }
        return count;
    }
}
