package io.offhook.proxy.statistics;

import io.offhook.metrics.MetricsText;
import java.util.List;

/** All metrics of a proxy, in the order of {@link ProxyMetric}. */
final class Metrics {
    private static final int MOST_NEIGHBOURS = 64;
    private static final String[] DIRECTIONS = {"in", "out"};

    private final StatisticsSnapshot snapshot;
    private final MetricsText text = new MetricsText();

    private Metrics(StatisticsSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** Writes them. */
    static String text(ProxyStatistics statistics) {
        Metrics metrics = new Metrics(statistics.snapshot());
        List<NeighbourFigures> neighbours = statistics.neighbours();
        metrics.messages();
        metrics.neighbours(neighbours.subList(0, Math.min(MOST_NEIGHBOURS, neighbours.size())));
        metrics.transactions();
        metrics.calls();
        metrics.groups(statistics.groups());
        statistics.withDelays(delays -> {
            metrics.delays(delays);
            return metrics;
        });
        metrics.sockets();
        metrics.machine();
        return metrics.text.toString();
    }

    private void messages() {
        text.begin(ProxyMetric.START_TIME)
                .value(ProxyMetric.START_TIME, snapshot.epochMs() / 1000 - snapshot.uptimeSeconds());
        text.begin(ProxyMetric.REQUESTS);
        for (MessageCount one : snapshot.messages()) {
            if (one.status() == 0) {
                text.value(
                        ProxyMetric.REQUESTS, one.received(), "in", one.method().name());
                text.value(ProxyMetric.REQUESTS, one.sent(), "out", one.method().name());
            }
        }
        text.begin(ProxyMetric.RESPONSES);
        for (MessageCount one : snapshot.messages()) {
            if (one.status() != 0) {
                String code = String.valueOf(one.status());
                text.value(
                        ProxyMetric.RESPONSES,
                        one.received(),
                        "in",
                        one.method().name(),
                        code);
                text.value(
                        ProxyMetric.RESPONSES, one.sent(), "out", one.method().name(), code);
            }
        }
        text.begin(ProxyMetric.RETRANSMISSIONS);
        for (MessageCount one : snapshot.messages()) {
            String code = String.valueOf(one.status());
            text.value(
                    ProxyMetric.RETRANSMISSIONS,
                    one.receivedAgain(),
                    "in",
                    one.method().name(),
                    code);
            text.value(
                    ProxyMetric.RETRANSMISSIONS,
                    one.sentAgain(),
                    "out",
                    one.method().name(),
                    code);
        }
    }

    private void neighbours(List<NeighbourFigures> neighbours) {
        text.begin(ProxyMetric.NEIGHBOUR_MESSAGES);
        for (NeighbourFigures one : neighbours) {
            String name = one.neighbour() == null ? "others" : one.neighbour().toString();
            long[] sums = new long[MessageWay.COUNT];
            for (MessageCount count : one.messages()) {
                sums[0] += count.received();
                sums[1] += count.receivedAgain();
                sums[2] += count.sent();
                sums[3] += count.sentAgain();
            }
            for (int i = 0; i < sums.length; i++) {
                text.value(ProxyMetric.NEIGHBOUR_MESSAGES, sums[i], name, DIRECTIONS[i / 2], i % 2 == 0 ? "no" : "yes");
            }
        }
    }

    private void transactions() {
        text.begin(ProxyMetric.TRANSACTIONS);
        snapshot.transactions()
                .forEach(one -> text.value(
                        ProxyMetric.TRANSACTIONS, one.running(), one.kind().word()));
        text.begin(ProxyMetric.TRANSACTIONS_BEGAN);
        snapshot.transactions()
                .forEach(one -> text.value(
                        ProxyMetric.TRANSACTIONS_BEGAN, one.began(), one.kind().word()));
        text.begin(ProxyMetric.TRANSACTIONS_EXPIRED);
        snapshot.transactions()
                .forEach(one -> text.value(
                        ProxyMetric.TRANSACTIONS_EXPIRED,
                        one.expired(),
                        one.kind().word()));
    }

    private void calls() {
        CallVolume calls = snapshot.calls();
        text.begin(ProxyMetric.CALLS);
        calls.states().forEach((state, count) -> text.value(ProxyMetric.CALLS, count, state.word()));
        text.begin(ProxyMetric.CALL_ATTEMPTS).value(ProxyMetric.CALL_ATTEMPTS, calls.attempts());
        text.begin(ProxyMetric.CALLS_ENDED);
        calls.outcomes().forEach((outcome, count) -> text.value(ProxyMetric.CALLS_ENDED, count, outcome.word()));
        text.begin(ProxyMetric.BUSIEST_HOUR).value(ProxyMetric.BUSIEST_HOUR, calls.busiestHour());
        text.begin(ProxyMetric.EVENTS);
        snapshot.causes().forEach(one -> text.value(ProxyMetric.EVENTS, one.count(), one.group(), one.cause()));
    }

    private void groups(List<GroupFigure> groups) {
        text.begin(ProxyMetric.GROUP_MEMBER_STATE);
        for (GroupFigure group : groups) {
            for (MemberFigure member : group.members()) {
                for (String state : MemberFigure.STATES) {
                    long isIt = member.state().equals(state) ? 1 : 0;
                    text.value(ProxyMetric.GROUP_MEMBER_STATE, isIt, group.name(), member.uri(), state);
                }
            }
        }
        text.begin(ProxyMetric.GROUP_OPTIONS);
        for (GroupFigure group : groups) {
            for (MemberFigure member : group.members()) {
                MemberFigure.Options options = member.options();
                if (options != null) {
                    text.value(ProxyMetric.GROUP_OPTIONS, options.sent(), group.name(), member.uri(), "sent");
                    text.value(ProxyMetric.GROUP_OPTIONS, options.failed(), group.name(), member.uri(), "failed");
                }
            }
        }
        text.begin(ProxyMetric.GROUP_EVENTS);
        for (GroupFigure group : groups) {
            text.value(ProxyMetric.GROUP_EVENTS, group.failovers(), group.name(), "failover");
            text.value(ProxyMetric.GROUP_EVENTS, group.lastResorts(), group.name(), "last-resort");
            text.value(ProxyMetric.GROUP_EVENTS, group.exhausted(), group.name(), "exhausted");
        }
    }

    private void delays(DelayCollection delays) {
        text.begin(ProxyMetric.QUEUE_DELAY)
                .histogram(ProxyMetric.QUEUE_DELAY, DelayBuckets.of(delays.queueDelayTotal()));
        text.begin(ProxyMetric.TIME_IN_PROXY);
        for (MessageKind kind : MessageKind.values()) {
            text.histogram(ProxyMetric.TIME_IN_PROXY, DelayBuckets.of(delays.timeInProxyTotal(kind)), kind.word());
        }
        List<DelayCollection.HopTotals> hops = delays.hopTotals();
        text.begin(ProxyMetric.HOP_PROVISIONAL);
        hops.forEach(hop -> text.histogram(
                ProxyMetric.HOP_PROVISIONAL,
                DelayBuckets.of(hop.provisional()),
                hop.hop().toString()));
        text.begin(ProxyMetric.HOP_FINAL);
        hops.forEach(hop -> text.histogram(
                ProxyMetric.HOP_FINAL, DelayBuckets.of(hop.answer()), hop.hop().toString()));
    }

    private void sockets() {
        List<SocketFigure> sockets = snapshot.sockets();
        text.begin(ProxyMetric.SOCKET_BUFFER_ASKED);
        sockets.forEach(one -> text.value(ProxyMetric.SOCKET_BUFFER_ASKED, one.receiveBufferAsked(), one.name()));
        text.begin(ProxyMetric.SOCKET_BUFFER);
        sockets.forEach(one -> text.value(ProxyMetric.SOCKET_BUFFER, one.receiveBufferGiven(), one.name()));
        text.begin(ProxyMetric.SOCKET_RECEIVE_QUEUE);
        sockets.forEach(one -> text.value(ProxyMetric.SOCKET_RECEIVE_QUEUE, one.receiveQueue(), one.name()));
        text.begin(ProxyMetric.SOCKET_SEND_QUEUE);
        sockets.forEach(one -> text.value(ProxyMetric.SOCKET_SEND_QUEUE, one.sendQueue(), one.name()));
        text.begin(ProxyMetric.SOCKET_DROPS);
        sockets.forEach(one -> text.value(ProxyMetric.SOCKET_DROPS, one.drops(), one.name()));
    }

    private void machine() {
        List<CollectorFigure> collectors = snapshot.collectors();
        text.begin(ProxyMetric.GC_PAUSES);
        collectors.forEach(one -> text.value(ProxyMetric.GC_PAUSES, one.pauses(), one.name()));
        text.begin(ProxyMetric.GC_PAUSE_SECONDS);
        collectors.forEach(one -> text.value(ProxyMetric.GC_PAUSE_SECONDS, one.totalMs() / 1e3, one.name()));
        text.begin(ProxyMetric.GC_LONGEST);
        collectors.forEach(one -> text.value(ProxyMetric.GC_LONGEST, one.mostMs() / 1e3, one.name()));
        text.begin(ProxyMetric.HEAP_USED)
                .value(ProxyMetric.HEAP_USED, snapshot.memory().used());
        text.begin(ProxyMetric.HEAP).value(ProxyMetric.HEAP, snapshot.memory().committed());
        text.begin(ProxyMetric.THREAD_CPU);
        for (ThreadFigure one : snapshot.threads()) {
            text.value(ProxyMetric.THREAD_CPU, one.userTicks() / 100.0, one.name(), "user");
            text.value(ProxyMetric.THREAD_CPU, one.systemTicks() / 100.0, one.name(), "system");
        }
    }
}
