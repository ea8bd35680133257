package io.offhook.sip.proxy;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A network on simulated time that delays messages by 1 to 20 ms. A good one keeps their order on each path; a bad one loses,
 * duplicates and reorders them.
 */
final class SimNetwork {
    /** A host, which receives messages. */
    interface Host {
        void receive(String from, byte[] message);
    }

    private record Event(long atNs, long number, Runnable action) {}

    private static final long MS = 1_000_000;

    final Random random;
    final boolean isBad;
    long nowNs = 1_000 * MS;
    private final double loss;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNs).thenComparingLong(Event::number));
    private final Map<String, Host> hosts = new HashMap<>();
    private final Map<String, Long> lastArrival = new HashMap<>();
    private long number;
    long messages;

    SimNetwork(long seed, double loss) {
        random = new Random(seed);
        this.loss = loss;
        isBad = loss > 0;
    }

    void add(String address, Host host) {
        hosts.put(address, host);
    }

    void after(long ms, Runnable action) {
        events.add(new Event(nowNs + ms * MS, number++, action));
    }

    void send(String from, String to, byte[] message) {
        messages++;
        if (random.nextDouble() >= loss) {
            deliver(from, to, message);
        }
        if (random.nextDouble() < loss / 2) {
            deliver(from, to, message);
        }
    }

    private void deliver(String from, String to, byte[] message) {
        long arrival = nowNs + (1 + random.nextInt(20)) * MS + random.nextInt(1_000_000);
        String path = from + to;
        if (!isBad) {
            arrival = Math.max(arrival, lastArrival.getOrDefault(path, 0L) + 1);
            lastArrival.put(path, arrival);
        }
        Host host = hosts.get(to);
        if (host == null) {
            throw new AssertionError("nobody is at " + to);
        }
        events.add(new Event(arrival, number++, () -> host.receive(from, message)));
    }

    /** When something happens next; {@link Long#MAX_VALUE} for never. */
    long nextNs() {
        Event next = events.peek();
        return next == null ? Long.MAX_VALUE : next.atNs();
    }

    void step() {
        Event event = events.remove();
        nowNs = Math.max(nowNs, event.atNs());
        event.action().run();
    }
}
