package io.offhook.proxy.statistics;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that a proxy counts, at one moment; {@link ProxyStatistics#neighbours} has the messages by neighbour.
 *
 * @param epochMs the moment, milliseconds since 1970
 * @param uptimeSeconds since the start
 * @param calls calls by state and outcome, and their rates
 * @param transactions by kind
 * @param messages by method and status
 * @param causes counters by cause
 * @param queueDelay between a message's arrival and its turn, over the last half minute to minute
 * @param timeInProxy from its turn to its departure, by kind, over the same time
 * @param hops response times of next hops, the busiest first
 * @param sockets queues and drops
 * @param collectors pauses of the garbage collector
 * @param threads processor time, the busiest first
 * @param memory the heap
 */
public record StatisticsSnapshot(
        long epochMs,
        long uptimeSeconds,
        CallVolume calls,
        List<TransactionFigures> transactions,
        List<MessageCount> messages,
        List<CauseFigure> causes,
        DelayFigures queueDelay,
        Map<MessageKind, DelayFigures> timeInProxy,
        List<HopFigures> hops,
        List<SocketFigure> sockets,
        List<CollectorFigure> collectors,
        List<ThreadFigure> threads,
        MemoryFigures memory) {
    /** Copies lists and map. */
    public StatisticsSnapshot {
        transactions = List.copyOf(transactions);
        messages = List.copyOf(messages);
        causes = List.copyOf(causes);
        timeInProxy = Collections.unmodifiableMap(new EnumMap<>(timeInProxy));
        hops = List.copyOf(hops);
        sockets = List.copyOf(sockets);
        collectors = List.copyOf(collectors);
        threads = List.copyOf(threads);
    }
}
