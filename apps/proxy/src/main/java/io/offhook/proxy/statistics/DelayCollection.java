package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The histograms of all lanes, added up once a second. Guarded by the lock of its owner. */
final class DelayCollection {
    private final DelayHistogram queueDelay = new DelayHistogram(Delays::totalOfInside);
    private final Map<MessageKind, DelayHistogram> timeInProxy = new EnumMap<>(MessageKind.class);
    private final Map<Endpoint, Hop> hops = new LinkedHashMap<>();

    /** What is added up of one next hop. */
    private record Hop(DelayHistogram provisional, DelayHistogram answer) {
        Hop() {
            this(new DelayHistogram(Delays::totalOfResponses), new DelayHistogram(Delays::totalOfResponses));
        }
    }

    /** The totals since the start, of a next hop. */
    record HopTotals(Endpoint hop, Histogram provisional, Histogram answer) {}

    DelayCollection() {
        for (MessageKind kind : MessageKind.values()) {
            timeInProxy.put(kind, new DelayHistogram(Delays::totalOfInside));
        }
    }

    void collect(List<LaneStatistics> lanes, boolean isSecond) {
        queueDelay.collect(lanes.stream().map(LaneStatistics::queueDelays).toList());
        timeInProxy.forEach((kind, histogram) -> histogram.collect(
                lanes.stream().map(lane -> lane.timesInProxy(kind)).toList()));
        Map<Endpoint, List<NeighbourTable.Row>> rows = timed(lanes);
        hops.keySet().retainAll(rows.keySet()); // those that made room for others are forgotten
        rows.forEach((hop, ofHop) -> {
            Hop collected = hops.computeIfAbsent(hop, _ -> new Hop());
            collected.provisional.collect(recorders(ofHop, true));
            collected.answer.collect(recorders(ofHop, false));
        });
        if (isSecond) {
            queueDelay.second();
            timeInProxy.values().forEach(DelayHistogram::second);
            hops.values().forEach(hop -> {
                hop.provisional.second();
                hop.answer.second();
            });
        }
    }

    private static Map<Endpoint, List<NeighbourTable.Row>> timed(List<LaneStatistics> lanes) {
        Map<Endpoint, List<NeighbourTable.Row>> rows = new LinkedHashMap<>();
        for (LaneStatistics lane : lanes) {
            for (NeighbourTable.Row row : lane.neighbours().rows()) {
                if (row.responses() != null
                        && (rows.size() < NeighbourTable.MOST_TIMED || rows.containsKey(row.neighbour()))) {
                    rows.computeIfAbsent(row.neighbour(), _ -> new ArrayList<>())
                            .add(row);
                }
            }
        }
        return rows;
    }

    private static List<SingleWriterRecorder> recorders(List<NeighbourTable.Row> rows, boolean isProvisional) {
        List<SingleWriterRecorder> recorders = new ArrayList<>();
        for (NeighbourTable.Row row : rows) {
            NeighbourTable.Responses responses = row.responses();
            if (responses != null) {
                recorders.add(isProvisional ? responses.provisional() : responses.answer());
            }
        }
        return recorders;
    }

    DelayFigures recentQueueDelay() {
        return DelayFigures.of(queueDelay.recent());
    }

    Map<MessageKind, DelayFigures> recentTimeInProxy() {
        Map<MessageKind, DelayFigures> recent = new EnumMap<>(MessageKind.class);
        timeInProxy.forEach((kind, histogram) -> recent.put(kind, DelayFigures.of(histogram.recent())));
        return recent;
    }

    List<HopFigures> recentHops() {
        List<HopFigures> recent = new ArrayList<>();
        hops.forEach((hop, collected) -> {
            Histogram provisional = collected.provisional.recent();
            Histogram answer = collected.answer.recent();
            if (provisional.getTotalCount() + answer.getTotalCount() > 0) {
                recent.add(new HopFigures(hop, DelayFigures.of(provisional), DelayFigures.of(answer)));
            }
        });
        recent.sort(Comparator.comparingLong((HopFigures hop) -> hop.answer().count())
                .reversed());
        return recent;
    }

    Histogram queueDelayTotal() {
        return queueDelay.total();
    }

    Histogram timeInProxyTotal(MessageKind kind) {
        DelayHistogram histogram = timeInProxy.get(kind);
        return histogram == null ? Delays.totalOfInside() : histogram.total();
    }

    List<HopTotals> hopTotals() {
        List<HopTotals> totals = new ArrayList<>();
        hops.forEach((hop, collected) -> {
            Histogram answer = collected.answer.total();
            Histogram provisional = collected.provisional.total();
            if (answer.getTotalCount() + provisional.getTotalCount() > 0) {
                totals.add(new HopTotals(hop, provisional, answer));
            }
        });
        return totals;
    }
}
