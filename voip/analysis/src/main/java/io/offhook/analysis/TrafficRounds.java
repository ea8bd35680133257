package io.offhook.analysis;

import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.buffer.BorrowingThreads;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Feeds sinks of traffic with messages and packets that arrive one by one instead of in frames, such as those that
 * agents send by HEP. Reports them to the same sinks, in the same order, as a {@link Pipeline} does what it decodes.
 *
 * <pre>{@code
 * try (TrafficRounds rounds = TrafficRounds.to(assembly)) {
 *     // on the threads of transports:
 *     rounds.add(message);
 * } // reports what is left
 * }</pre>
 *
 * <p>Any thread may add. What is added is copied, sorted by time, then by arrival, and reported on a thread of its own:
 * a round lasts 50 ms from its first event, or until it has 65,536 events or 32 MiB. In the place of frames events are
 * numbered, from 1, in the order of their report. So the result is a function of what arrives in which round, whatever
 * the number of threads that add. Time may go back from one round to the next if events arrive late.
 *
 * <p>While one round is reported, the next is filled; if that is full too, further events are refused and counted. An
 * exception of a sink costs it what it was given, counts in {@link #report()}, and ends nothing, unless the sink
 * {@linkplain TrafficSink#endsRun ends the run}: then all further events are refused, and {@link #close()} throws it.
 *
 * <p>Takes at most 128 MiB of native memory, as the largest rounds so far needed it; closing frees it.
 */
public final class TrafficRounds implements AutoCloseable {
    private static final int MOST_EVENTS = 1 << 16;
    private static final long ROUND_NS = 50_000_000L;

    private final Arena arena = Arena.ofShared();
    private final Failures failures = new Failures();
    private final TrafficFan traffic;
    private final long roundNs;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    /** A round begins, is full, or is the last one. */
    private final Condition change = lock.newCondition();
    /** Takes what arrives. */
    private EventRound filling;
    /** Full and not yet being reported. */
    private @Nullable EventRound full;
    /** Empty, to be filled next; null while it is full or being reported. */
    private @Nullable EventRound spare;

    private final PlacedCount refused = new PlacedCount();
    private boolean isClosed;
    private @Nullable Throwable ended;
    private long events;
    private long bytes;
    private long firstNs;
    private long lastNs;
    /** Of the reporting thread. */
    private long latestNs = Long.MIN_VALUE;

    private TrafficRounds(List<TrafficSink> sinks, int mostEvents, long roundNs) {
        this.roundNs = roundNs;
        traffic = new TrafficFan(sinks, failures);
        filling = new EventRound(arena, mostEvents);
        spare = new EventRound(arena, mostEvents);
        thread = Thread.ofPlatform().daemon().name("offhook-rounds").unstarted(this::work);
    }

    /** Begins the rounds of some sinks, on a thread of their own. */
    public static TrafficRounds to(TrafficSink... sinks) {
        return begin(List.of(sinks), MOST_EVENTS, ROUND_NS);
    }

    /**
     * @param roundNs how long a round lasts from its first event on
     */
    static TrafficRounds begin(List<TrafficSink> sinks, int mostEvents, long roundNs) {
        TrafficRounds rounds = new TrafficRounds(sinks, mostEvents, roundNs);
        rounds.thread.start();
        return rounds;
    }

    /**
     * Adds a SIP message; its bytes are copied, its frame number is replaced.
     *
     * @return false if it was refused: the sinks do not keep up, or the rounds have ended
     */
    public boolean add(SipPacket message) {
        lock.lock();
        try {
            if (isRefused(message.length(), message.timestampNs())) {
                return false;
            }
            filling.add(message);
            return added();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a compound RTCP packet, as {@link #add(SipPacket)}. */
    public boolean add(RtcpPacket packet) {
        lock.lock();
        try {
            if (isRefused(packet.length(), packet.timestampNs())) {
                return false;
            }
            filling.add(packet);
            return added();
        } finally {
            lock.unlock();
        }
    }

    /** Adds figures that somebody else measured, as {@link #add(SipPacket)}. */
    public boolean add(MediaReport report) {
        lock.lock();
        try {
            if (isRefused(0, report.timestampNs())) {
                return false;
            }
            filling.add(report);
            return added();
        } finally {
            lock.unlock();
        }
    }

    private boolean isRefused(int length, long timestampNs) {
        if (!isClosed && ended == null) {
            if (!filling.hasRoom(length) && !filling.isEmpty()) {
                putAside();
            }
            if (filling.hasRoom(length)) {
                return false;
            }
        }
        refused.add(0, timestampNs);
        return true;
    }

    private boolean added() {
        if (filling.size() == 1) {
            change.signal();
        }
        if (filling.isFull()) {
            putAside();
        }
        return true;
    }

    /** Ends the round that is being filled, if there is another one to fill. */
    private void putAside() {
        EventRound next = spare;
        if (next != null) {
            full = filling;
            filling = next;
            spare = null;
            change.signal();
        }
    }

    private void work() {
        try {
            for (EventRound round = next(); round != null; round = next()) {
                round.sort();
                report(round);
                round.clear();
                giveBack(round);
            }
        } catch (RunEndedException e) {
            end(e.thrown());
        } catch (RuntimeException | Error e) {
            end(e);
        }
    }

    /** Waits for the end of a round and takes it; null if none will follow. */
    private @Nullable EventRound next() {
        lock.lock();
        try {
            while (full == null) {
                if (filling.isEmpty() && isClosed) {
                    return null;
                }
                long restNs = filling.beganNs() + roundNs - System.nanoTime();
                if (filling.isEmpty()) {
                    change.awaitUninterruptibly();
                } else if (restNs <= 0 || isClosed) {
                    putAside();
                } else {
                    change.awaitNanos(restNs);
                }
            }
            EventRound taken = full;
            full = null;
            return taken;
        } catch (InterruptedException e) {
            throw new IllegalStateException("a sink interrupted the thread that reports rounds", e);
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(EventRound round) {
        lock.lock();
        try {
            spare = round;
            if (filling.isFull()) {
                putAside();
            }
        } finally {
            lock.unlock();
        }
    }

    private void report(EventRound round) {
        long before = count(round);
        if (before == 0) {
            traffic.begin(round.firstNs());
        }
        round.report(traffic, before);
        latestNs = Math.max(latestNs, round.lastNs());
        traffic.endOfRound(latestNs, before + round.size());
    }

    /** Returns how many events the rounds before had. */
    private long count(EventRound round) {
        lock.lock();
        try {
            long before = events;
            firstNs = before == 0 ? round.firstNs() : firstNs;
            lastNs = round.lastNs();
            events += round.size();
            bytes += round.bytes();
            return before;
        } finally {
            lock.unlock();
        }
    }

    private void end(Throwable thrown) {
        lock.lock();
        try {
            ended = thrown;
        } finally {
            lock.unlock();
        }
    }

    /**
     * What was reported so far, events in the place of frames. Of events that were refused there is a counter, {@code
     * refusedEvents}.
     */
    public PipelineReport report() {
        PipelineCounters counters = new PipelineCounters();
        counters.failures(failures);
        lock.lock();
        try {
            counters.count("refusedEvents", refused);
            return new PipelineReport(events, bytes, firstNs, lastNs, counters.all(), failures.first());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reports what is left, waits for the sinks, and frees the memory. What is added from now on is refused.
     *
     * @throws RuntimeException what a sink ended the rounds with
     */
    @Override
    public void close() {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("a sink cannot close the rounds that feed it");
        }
        lock.lock();
        try {
            isClosed = true;
            change.signal();
        } finally {
            lock.unlock();
        }
        BorrowingThreads.join(thread);
        free();
        if (ended instanceof RuntimeException thrown) {
            throw thrown;
        }
        if (ended instanceof Error error) {
            throw error;
        }
    }

    private synchronized void free() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
