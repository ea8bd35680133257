package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of all lanes, added up for whoever asks: commands, metrics, a screen. A thread of its own reads the lanes
 * once a second, for rates and histograms; figures of these are at most a second old, counters are those of the moment.
 */
public final class ProxyStatistics implements AutoCloseable {
    private static final int RATE_SECONDS = 10;

    private final List<LaneStatistics> lanes;
    private final InstantSource clock;
    private final long startMs;
    private final List<SocketWatch> sockets = new CopyOnWriteArrayList<>();
    private final List<CauseCounters<?>> common = new CopyOnWriteArrayList<>();
    private final List<CauseWatch> causeWatches = new CopyOnWriteArrayList<>();
    private final CollectorWatch collectors = new CollectorWatch();
    private final Object lock = new Object();
    private final CallRates rates = new CallRates();
    private final DelayCollection delays = new DelayCollection();
    private @Nullable Thread thread;

    /**
     * Statistics that are all 0.
     *
     * @param lanes the number of lanes
     * @param neighbours the most neighbours that each lane counts apart, 16 to 65,536
     * @param clock the time of snapshots
     */
    public ProxyStatistics(int lanes, int neighbours, InstantSource clock) {
        List<LaneStatistics> all = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            all.add(new LaneStatistics(neighbours));
        }
        this.lanes = List.copyOf(all);
        this.clock = clock;
        startMs = clock.millis();
    }

    /** Starts the thread that reads the lanes once a second. */
    public void start() {
        thread = Thread.ofVirtual().name("offhook-statistics").start(this::run);
    }

    private void run() {
        long next = System.nanoTime();
        while (true) {
            next += 1_000_000_000L;
            try {
                Thread.sleep(Math.max(1, (next - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                return;
            }
            second();
        }
    }

    /** What its thread does once a second. */
    void second() {
        synchronized (lock) {
            rates.second(attempts());
            delays.collect(lanes, true);
        }
    }

    /** The statistics of a lane, for its thread to write. */
    public LaneStatistics lane(int lane) {
        return lanes.get(lane);
    }

    /** Adds a source of figures of sockets. */
    public void add(SocketWatch watch) {
        sockets.add(watch);
    }

    /** Adds counters by cause that are kept elsewhere. */
    public void addCauses(CauseWatch watch) {
        causeWatches.add(watch);
    }

    /**
     * Adds a group of counters that no lane writes, but one other thread.
     *
     * @param <E> the causes
     * @return the group
     */
    public <E extends Enum<E>> CauseCounters<E> add(CauseCounters<E> group) {
        common.add(group);
        return group;
    }

    /** All figures as they are now. */
    public StatisticsSnapshot snapshot() {
        long nowMs = clock.millis();
        List<SocketFigure> socketFigures = socketFigures();
        synchronized (lock) {
            delays.collect(lanes, false);
            return new StatisticsSnapshot(
                    nowMs,
                    Math.max(0, (nowMs - startMs) / 1000),
                    calls(),
                    transactions(),
                    messages(),
                    causes(),
                    delays.recentQueueDelay(),
                    delays.recentTimeInProxy(),
                    delays.recentHops(),
                    socketFigures,
                    collectors.figures(),
                    ThreadFigure.read(Path.of("/proc/self/task")),
                    MemoryFigures.now());
        }
    }

    private List<SocketFigure> socketFigures() {
        List<SocketFigure> figures = new ArrayList<>();
        sockets.forEach(watch -> figures.addAll(watch.sockets()));
        return figures;
    }

    private long attempts() {
        long attempts = 0;
        for (LaneStatistics lane : lanes) {
            attempts += lane.callAttempts();
        }
        return attempts;
    }

    private CallVolume calls() {
        Map<CallState, Long> states = new EnumMap<>(CallState.class);
        Map<CallOutcome, Long> outcomes = new EnumMap<>(CallOutcome.class);
        for (CallState state : CallState.values()) {
            // a lane may move a call while this reads: never less than none
            states.put(
                    state,
                    Math.max(
                            0,
                            lanes.stream().mapToLong(lane -> lane.calls(state)).sum()));
        }
        for (CallOutcome outcome : CallOutcome.values()) {
            outcomes.put(
                    outcome,
                    lanes.stream().mapToLong(lane -> lane.calls(outcome)).sum());
        }
        return new CallVolume(
                attempts(), rates.perSecond(RATE_SECONDS), rates.lastHour(), rates.busiestHour(), states, outcomes);
    }

    private List<TransactionFigures> transactions() {
        List<TransactionFigures> figures = new ArrayList<>();
        for (TransactionKind kind : TransactionKind.values()) {
            long began = 0;
            long ended = 0;
            long expired = 0;
            for (LaneStatistics lane : lanes) {
                ended += lane.transactionsEnded(kind); // first, so that no end is counted without its beginning
                expired += lane.transactionsExpired(kind);
                began += lane.transactionsBegan(kind);
            }
            figures.add(new TransactionFigures(kind, began, Math.max(0, began - ended), expired));
        }
        return figures;
    }

    @SuppressWarnings("EnumOrdinal") // used as an index only
    private List<MessageCount> messages() {
        List<MessageCount> counts = new ArrayList<>();
        for (int key = 0; key < MessageKey.END; key++) {
            long[] sums = new long[MessageWay.COUNT];
            boolean isAny = false;
            for (MessageWay way : MessageWay.values()) {
                for (LaneStatistics lane : lanes) {
                    sums[way.ordinal()] += lane.messages(key, way);
                }
                isAny |= sums[way.ordinal()] != 0;
            }
            if (isAny) {
                counts.add(new MessageCount(
                        MessageKey.method(key), MessageKey.status(key), sums[0], sums[1], sums[2], sums[3]));
            }
        }
        return counts;
    }

    private List<CauseFigure> causes() {
        Map<String, Map<String, Long>> groups = new TreeMap<>();
        List<CauseCounters<?>> all = new ArrayList<>(common);
        lanes.forEach(lane -> all.addAll(lane.causes()));
        for (CauseCounters<?> counters : all) {
            Map<String, Long> ofGroup = groups.computeIfAbsent(counters.group(), _ -> new LinkedHashMap<>());
            for (int i = 0; i < counters.size(); i++) {
                ofGroup.merge(counters.word(i), counters.get(i), Long::sum);
            }
        }
        for (CauseWatch watch : causeWatches) {
            for (CauseFigure one : watch.causes()) {
                groups.computeIfAbsent(one.group(), _ -> new LinkedHashMap<>())
                        .merge(one.cause(), one.count(), Long::sum);
            }
        }
        List<CauseFigure> figures = new ArrayList<>();
        groups.forEach(
                (group, counts) -> counts.forEach((cause, count) -> figures.add(new CauseFigure(group, cause, count))));
        return figures;
    }

    /** The messages between the proxy and each neighbour, and what vanished; the busiest neighbour first. */
    public List<NeighbourFigures> neighbours() {
        Map<Endpoint, Map<Integer, MessageCount>> counts = new LinkedHashMap<>();
        for (LaneStatistics lane : lanes) {
            List<NeighbourTable.Row> rows = lane.neighbours().rows();
            for (NeighbourTable.Row row : rows) {
                Map<Integer, MessageCount> ofNeighbour = counts.computeIfAbsent(row.neighbour(), _ -> new TreeMap<>());
                for (MessageCount count : row.messages().counts()) {
                    ofNeighbour.merge(MessageKey.of(count.method(), count.status()), count, MessageCount::plus);
                }
            }
        }
        List<NeighbourFigures> figures = new ArrayList<>();
        counts.forEach((neighbour, ofNeighbour) -> {
            if (!ofNeighbour.isEmpty()) {
                Endpoint named = neighbour.isUnspecified() && neighbour.port() == 0 ? null : neighbour;
                figures.add(NeighbourFigures.of(named, List.copyOf(ofNeighbour.values())));
            }
        });
        figures.sort((a, b) -> Long.compare(volume(b), volume(a)));
        return figures;
    }

    private static long volume(NeighbourFigures figures) {
        return figures.messages().stream()
                .mapToLong(one -> one.received() + one.receivedAgain() + one.sent() + one.sentAgain())
                .sum();
    }

    /** Reads histograms since the start, while nothing else does. */
    <R> R withDelays(Function<DelayCollection, R> reading) {
        synchronized (lock) {
            delays.collect(lanes, false);
            return reading.apply(delays);
        }
    }

    /** Ends the thread; counters can still be read. */
    @Override
    public void close() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
        collectors.close();
    }
}
