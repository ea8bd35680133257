package io.offhook.proxy.statistics;

import java.util.List;

/** All metrics of a proxy, in the order of {@link Metric}. */
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
        text.begin(Metric.START_TIME).value(Metric.START_TIME, snapshot.epochMs() / 1000 - snapshot.uptimeSeconds());
        text.begin(Metric.REQUESTS);
        for (MessageCount one : snapshot.messages()) {
            if (one.status() == 0) {
                text.value(Metric.REQUESTS, one.received(), "in", one.method().name());
                text.value(Metric.REQUESTS, one.sent(), "out", one.method().name());
            }
        }
        text.begin(Metric.RESPONSES);
        for (MessageCount one : snapshot.messages()) {
            if (one.status() != 0) {
                String code = String.valueOf(one.status());
                text.value(Metric.RESPONSES, one.received(), "in", one.method().name(), code);
                text.value(Metric.RESPONSES, one.sent(), "out", one.method().name(), code);
            }
        }
        text.begin(Metric.RETRANSMISSIONS);
        for (MessageCount one : snapshot.messages()) {
            String code = String.valueOf(one.status());
            text.value(
                    Metric.RETRANSMISSIONS,
                    one.receivedAgain(),
                    "in",
                    one.method().name(),
                    code);
            text.value(
                    Metric.RETRANSMISSIONS, one.sentAgain(), "out", one.method().name(), code);
        }
    }

    private void neighbours(List<NeighbourFigures> neighbours) {
        text.begin(Metric.NEIGHBOUR_MESSAGES);
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
                text.value(Metric.NEIGHBOUR_MESSAGES, sums[i], name, DIRECTIONS[i / 2], i % 2 == 0 ? "no" : "yes");
            }
        }
    }

    private void transactions() {
        text.begin(Metric.TRANSACTIONS);
        snapshot.transactions()
                .forEach(one -> text.value(
                        Metric.TRANSACTIONS, one.running(), one.kind().word()));
        text.begin(Metric.TRANSACTIONS_BEGAN);
        snapshot.transactions()
                .forEach(one -> text.value(
                        Metric.TRANSACTIONS_BEGAN, one.began(), one.kind().word()));
        text.begin(Metric.TRANSACTIONS_EXPIRED);
        snapshot.transactions()
                .forEach(one -> text.value(
                        Metric.TRANSACTIONS_EXPIRED, one.expired(), one.kind().word()));
    }

    private void calls() {
        CallVolume calls = snapshot.calls();
        text.begin(Metric.CALLS);
        calls.states().forEach((state, count) -> text.value(Metric.CALLS, count, state.word()));
        text.begin(Metric.CALL_ATTEMPTS).value(Metric.CALL_ATTEMPTS, calls.attempts());
        text.begin(Metric.CALLS_ENDED);
        calls.outcomes().forEach((outcome, count) -> text.value(Metric.CALLS_ENDED, count, outcome.word()));
        text.begin(Metric.BUSIEST_HOUR).value(Metric.BUSIEST_HOUR, calls.busiestHour());
        text.begin(Metric.EVENTS);
        snapshot.causes().forEach(one -> text.value(Metric.EVENTS, one.count(), one.group(), one.cause()));
    }

    private void groups(List<GroupFigure> groups) {
        text.begin(Metric.GROUP_MEMBER_STATE);
        for (GroupFigure group : groups) {
            for (MemberFigure member : group.members()) {
                for (String state : MemberFigure.STATES) {
                    long isIt = member.state().equals(state) ? 1 : 0;
                    text.value(Metric.GROUP_MEMBER_STATE, isIt, group.name(), member.uri(), state);
                }
            }
        }
        text.begin(Metric.GROUP_OPTIONS);
        for (GroupFigure group : groups) {
            for (MemberFigure member : group.members()) {
                MemberFigure.Options options = member.options();
                if (options != null) {
                    text.value(Metric.GROUP_OPTIONS, options.sent(), group.name(), member.uri(), "sent");
                    text.value(Metric.GROUP_OPTIONS, options.failed(), group.name(), member.uri(), "failed");
                }
            }
        }
        text.begin(Metric.GROUP_EVENTS);
        for (GroupFigure group : groups) {
            text.value(Metric.GROUP_EVENTS, group.failovers(), group.name(), "failover");
            text.value(Metric.GROUP_EVENTS, group.lastResorts(), group.name(), "last-resort");
            text.value(Metric.GROUP_EVENTS, group.exhausted(), group.name(), "exhausted");
        }
    }

    private void delays(DelayCollection delays) {
        text.begin(Metric.QUEUE_DELAY).histogram(Metric.QUEUE_DELAY, delays.queueDelayTotal());
        text.begin(Metric.TIME_IN_PROXY);
        for (MessageKind kind : MessageKind.values()) {
            text.histogram(Metric.TIME_IN_PROXY, delays.timeInProxyTotal(kind), kind.word());
        }
        List<DelayCollection.HopTotals> hops = delays.hopTotals();
        text.begin(Metric.HOP_PROVISIONAL);
        hops.forEach(hop -> text.histogram(
                Metric.HOP_PROVISIONAL, hop.provisional(), hop.hop().toString()));
        text.begin(Metric.HOP_FINAL);
        hops.forEach(
                hop -> text.histogram(Metric.HOP_FINAL, hop.answer(), hop.hop().toString()));
    }

    private void sockets() {
        List<SocketFigure> sockets = snapshot.sockets();
        text.begin(Metric.SOCKET_BUFFER_ASKED);
        sockets.forEach(one -> text.value(Metric.SOCKET_BUFFER_ASKED, one.receiveBufferAsked(), one.name()));
        text.begin(Metric.SOCKET_BUFFER);
        sockets.forEach(one -> text.value(Metric.SOCKET_BUFFER, one.receiveBufferGiven(), one.name()));
        text.begin(Metric.SOCKET_RECEIVE_QUEUE);
        sockets.forEach(one -> text.value(Metric.SOCKET_RECEIVE_QUEUE, one.receiveQueue(), one.name()));
        text.begin(Metric.SOCKET_SEND_QUEUE);
        sockets.forEach(one -> text.value(Metric.SOCKET_SEND_QUEUE, one.sendQueue(), one.name()));
        text.begin(Metric.SOCKET_DROPS);
        sockets.forEach(one -> text.value(Metric.SOCKET_DROPS, one.drops(), one.name()));
    }

    private void machine() {
        List<CollectorFigure> collectors = snapshot.collectors();
        text.begin(Metric.GC_PAUSES);
        collectors.forEach(one -> text.value(Metric.GC_PAUSES, one.pauses(), one.name()));
        text.begin(Metric.GC_PAUSE_SECONDS);
        collectors.forEach(one -> text.value(Metric.GC_PAUSE_SECONDS, one.totalMs() / 1e3, one.name()));
        text.begin(Metric.GC_LONGEST);
        collectors.forEach(one -> text.value(Metric.GC_LONGEST, one.mostMs() / 1e3, one.name()));
        text.begin(Metric.HEAP_USED).value(Metric.HEAP_USED, snapshot.memory().used());
        text.begin(Metric.HEAP).value(Metric.HEAP, snapshot.memory().committed());
        text.begin(Metric.THREAD_CPU);
        for (ThreadFigure one : snapshot.threads()) {
            text.value(Metric.THREAD_CPU, one.userTicks() / 100.0, one.name(), "user");
            text.value(Metric.THREAD_CPU, one.systemTicks() / 100.0, one.name(), "system");
        }
    }
}
