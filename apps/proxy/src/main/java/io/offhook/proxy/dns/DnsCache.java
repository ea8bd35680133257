package io.offhook.proxy.dns;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers by question, until their time is over. When it is full, the one of a few that ends first makes room: reading
 * takes no lock, and the order of use is not worth one. Thread-safe.
 */
final class DnsCache {
    private static final int SAMPLE = 8;

    /**
     * @param freshUntilMs until when it is an answer
     * @param keptUntilMs until when it serves if no server answers
     */
    private record Entry(DnsAnswer answer, long freshUntilMs, long keptUntilMs) {}

    private final Map<DnsQuestion, Entry> entries = new ConcurrentHashMap<>();
    private final DnsCounts counts;

    DnsCache(DnsCounts counts) {
        this.counts = counts;
    }

    @Nullable
    DnsAnswer fresh(DnsQuestion question, long nowMs) {
        Entry entry = entries.get(question);
        return entry != null && nowMs < entry.freshUntilMs ? entry.answer : null;
    }

    /** An answer whose time is over, if it has not been over for too long. */
    @Nullable
    DnsAnswer stale(DnsQuestion question, long nowMs) {
        Entry entry = entries.get(question);
        return entry != null && nowMs < entry.keptUntilMs ? entry.answer : null;
    }

    void put(DnsQuestion question, DnsAnswer answer, long nowMs, DnsConfig config) {
        long freshMs = 1000 * seconds(answer, config);
        if (freshMs == 0) {
            return;
        }
        // a failure is never of use after its time, and must not replace an answer that could be
        long staleMs = answer.kind() == DnsAnswer.Kind.FAILED
                ? 0
                : 1000 * config.cache().staleSeconds();
        while (entries.size() >= config.cache().entries() && !entries.containsKey(question)) {
            makeRoom(nowMs);
        }
        entries.put(question, new Entry(answer, nowMs + freshMs, nowMs + freshMs + staleMs));
    }

    /** Keeps an outdated answer for a while, so that not each question asks the silent servers again (RFC 8767, 5). */
    void extend(DnsQuestion question, DnsAnswer answer, long nowMs, long seconds) {
        entries.computeIfPresent(question, (_, entry) -> new Entry(answer, nowMs + 1000 * seconds, entry.keptUntilMs));
    }

    private static long seconds(DnsAnswer answer, DnsConfig config) {
        DnsConfig.Cache limits = config.cache();
        return switch (answer.kind()) {
            case FOUND -> Math.clamp(answer.ttlSeconds(), limits.minSeconds(), limits.maxSeconds());
            case NO_DATA, NO_NAME ->
                answer.ttlSeconds() < 0
                        ? Math.min(limits.failureSeconds(), limits.negativeSeconds())
                        : Math.min(answer.ttlSeconds(), limits.negativeSeconds());
            case FAILED -> limits.failureSeconds();
            case REFUSED -> 0;
        };
    }

    private void makeRoom(long nowMs) {
        DnsQuestion victim = null;
        long earliest = Long.MAX_VALUE;
        Iterator<Map.Entry<DnsQuestion, Entry>> all = entries.entrySet().iterator();
        for (int i = 0; i < SAMPLE && all.hasNext(); i++) {
            Map.Entry<DnsQuestion, Entry> next = all.next();
            if (next.getValue().keptUntilMs < earliest) {
                earliest = next.getValue().keptUntilMs;
                victim = next.getKey();
            }
        }
        if (victim != null && entries.remove(victim) != null && earliest > nowMs) {
            counts.count(DnsCounter.CACHE_EVICTIONS);
        }
    }

    int size() {
        return entries.size();
    }

    void clear() {
        entries.clear();
    }
}
