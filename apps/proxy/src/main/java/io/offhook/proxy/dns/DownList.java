package io.offhook.proxy.dns;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Destinations that failed lately, which are tried last until their time is over (RFC 3263, 4.3). Bounded: of one more
 * nothing is remembered, which is counted. Thread-safe; asking allocates nothing while no destination is down.
 */
public final class DownList {
    /** How a destination failed. */
    public enum Failure {
        /** The message could not be sent, no connection was made, or an ICMP error came. */
        TRANSPORT,
        /** It answered 503. */
        UNAVAILABLE,
        /** It did not answer at all: timer B or F. */
        TIMEOUT
    }

    private record Key(SipTransport transport, IpAddress address, int port) {}

    private final Map<Key, Long> untilMs = new ConcurrentHashMap<>();
    private final Map<Failure, LongAdder> failures = new EnumMap<>(Failure.class);
    private final LongAdder forgotten = new LongAdder();
    private volatile long holdMs;
    private volatile int limit;

    /**
     * Creates an empty list.
     *
     * @param holdMs how long a destination is tried last, in milliseconds
     * @param limit the most destinations that are remembered
     */
    public DownList(long holdMs, int limit) {
        this.holdMs = holdMs;
        this.limit = limit;
        for (Failure failure : Failure.values()) {
            failures.put(failure, new LongAdder());
        }
    }

    /** Goes on with other bounds, for what fails from now on. */
    public void configure(long changedHoldMs, int changedLimit) {
        holdMs = changedHoldMs;
        limit = changedLimit;
    }

    /**
     * Notes that a destination failed.
     *
     * @param retryAfterMs how long it asked to be left alone (Retry-After of a 503), in milliseconds; 0 if it did not. At
     *     most ten times the usual time counts: a server must not be able to disappear for a day by one answer
     * @param nowMs the time, in milliseconds since the epoch
     */
    public void failed(Destination destination, Failure how, long retryAfterMs, long nowMs) {
        LongAdder count = failures.get(how);
        if (count != null) {
            count.increment();
        }
        long forMs = Math.max(holdMs, Math.min(retryAfterMs, 10 * holdMs));
        if (forMs == 0) {
            return;
        }
        Key key = key(destination);
        if (untilMs.size() >= limit && !untilMs.containsKey(key)) {
            untilMs.values().removeIf(until -> until <= nowMs);
            if (untilMs.size() >= limit) {
                forgotten.increment();
                return;
            }
        }
        untilMs.merge(key, nowMs + forMs, Math::max);
    }

    /** Notes that a destination answered: it is not down any more. */
    public void answered(Destination destination) {
        if (!untilMs.isEmpty()) {
            untilMs.remove(key(destination));
        }
    }

    /** Whether a destination failed lately. */
    public boolean isDown(Destination destination, long nowMs) {
        return !untilMs.isEmpty() && isDown(key(destination), nowMs);
    }

    private boolean isDown(Key key, long nowMs) {
        Long until = untilMs.get(key);
        if (until != null && until <= nowMs) {
            untilMs.remove(key, until);
            return false;
        }
        return until != null;
    }

    private static Key key(Destination destination) {
        return new Key(destination.transport(), destination.address(), destination.port());
    }

    /** The same destinations, those that failed lately last; otherwise the order stays. */
    public List<Destination> lastIfDown(List<Destination> destinations, long nowMs) {
        if (untilMs.isEmpty() || destinations.size() < 2) {
            return destinations;
        }
        List<Destination> ordered = new ArrayList<>(destinations.size());
        List<Destination> down = new ArrayList<>();
        for (Destination destination : destinations) {
            (isDown(destination, nowMs) ? down : ordered).add(destination);
        }
        ordered.addAll(down);
        return ordered;
    }

    /** How often a destination failed in this way. */
    public long failures(Failure how) {
        LongAdder count = failures.get(how);
        return count == null ? 0 : count.sum();
    }

    /** Failures that were not remembered because the list was full. */
    public long forgotten() {
        return forgotten.sum();
    }

    /** How many destinations are remembered. */
    public int size() {
        return untilMs.size();
    }
}
