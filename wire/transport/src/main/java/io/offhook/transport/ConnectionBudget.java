package io.offhook.transport;

import io.offhook.packet.IpAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the connections of all loops use together, held against the limits, and what was counted. Thread-safe. */
final class ConnectionBudget {
    private final ConnectionLimits limits;
    private final AtomicInteger connections = new AtomicInteger();
    private final ConcurrentHashMap<IpAddress, Integer> sources = new ConcurrentHashMap<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final AtomicLong unreadBytes = new AtomicLong();
    private final Map<ConnectionCounter, LongAdder> counts = adders(ConnectionCounter.class);
    private final Map<CloseCause, LongAdder> closed = adders(CloseCause.class);

    ConnectionBudget(ConnectionLimits limits) {
        this.limits = limits;
    }

    /** One for each, so that the map is only read afterwards. */
    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> kinds) {
        Map<E, LongAdder> adders = new EnumMap<>(kinds);
        for (E kind : kinds.getEnumConstants()) {
            adders.put(kind, new LongAdder());
        }
        return adders;
    }

    private static <E extends Enum<E>> LongAdder adder(Map<E, LongAdder> adders, E kind) {
        return Objects.requireNonNull(adders.get(kind));
    }

    void count(ConnectionCounter counter) {
        adder(counts, counter).increment();
    }

    void count(ConnectionCounter counter, long amount) {
        adder(counts, counter).add(amount);
    }

    long counted(ConnectionCounter counter) {
        return adder(counts, counter).sum();
    }

    void countClosed(CloseCause cause) {
        adder(closed, cause).increment();
    }

    long closed(CloseCause cause) {
        return adder(closed, cause).sum();
    }

    int openConnections() {
        return connections.get();
    }

    /** Takes a place for a connection; counts and returns false if there is none. */
    boolean takeConnection() {
        if (connections.incrementAndGet() > limits.connections()) {
            connections.decrementAndGet();
            count(ConnectionCounter.REFUSED_LIMIT);
            return false;
        }
        return true;
    }

    /** Takes a place for a connection that has been refused, until its handler knows. */
    void takeConnectionBeyondLimit() {
        connections.incrementAndGet();
    }

    /** As {@link #takeConnection()}, for one that was accepted from a source. */
    boolean takeConnection(IpAddress address) {
        if (!takeConnection()) {
            return false;
        }
        int ofSource = sources.merge(source(address), 1, Integer::sum);
        if (ofSource > limits.connectionsPerSource()) {
            giveBackConnection(address);
            count(ConnectionCounter.REFUSED_SOURCE);
            return false;
        }
        return true;
    }

    void giveBackConnection() {
        connections.decrementAndGet();
    }

    void giveBackConnection(IpAddress address) {
        connections.decrementAndGet();
        sources.computeIfPresent(source(address), (_, count) -> count == 1 ? null : count - 1);
    }

    private static IpAddress source(IpAddress address) {
        return address.isIpv4() ? address : new IpAddress(address.high(), 0);
    }

    boolean takeQueued(int bytes) {
        return take(queuedBytes, bytes, limits.queuedBytesInAll());
    }

    void giveBackQueued(int bytes) {
        queuedBytes.addAndGet(-bytes);
    }

    long queuedBytes() {
        return queuedBytes.get();
    }

    /** @param bytes negative if there are fewer than before */
    boolean takeUnread(int bytes) {
        return take(unreadBytes, bytes, limits.unreadBytesInAll());
    }

    long unreadBytes() {
        return unreadBytes.get();
    }

    private static boolean take(AtomicLong sum, int bytes, long most) {
        if (sum.addAndGet(bytes) > most && bytes > 0) {
            sum.addAndGet(-bytes);
            return false;
        }
        return true;
    }
}
