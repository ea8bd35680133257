package io.offhook.proxy.control;

import io.offhook.proxy.line.JsonLine;
import io.offhook.proxy.statistics.CallVolume;
import io.offhook.proxy.statistics.DelayFigures;
import io.offhook.proxy.statistics.MessageCount;
import io.offhook.proxy.statistics.NeighbourFigures;
import io.offhook.proxy.statistics.ProxyStatistics;
import io.offhook.proxy.statistics.StatisticsSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * {@code stats}: everything that is counted, as one object. {@code stats messages}: the messages of each neighbour, an object
 * each, with what vanished on the way.
 */
public final class StatisticsCommand implements ControlCommand {
    private final ProxyStatistics statistics;

    /** Shows these statistics. */
    public StatisticsCommand(ProxyStatistics statistics) {
        this.statistics = statistics;
    }

    @Override
    public String name() {
        return "stats";
    }

    @Override
    public void run(ControlRequest request, ControlAnswer answer) throws IOException {
        if (request.words().equals(List.of("messages"))) {
            for (NeighbourFigures neighbour : statistics.neighbours()) {
                write(answer.line().object(), neighbour);
                answer.send();
            }
            return;
        }
        if (!request.words().isEmpty()) {
            throw new ControlException("stats takes no word but messages");
        }
        StatisticsSnapshot snapshot = statistics.snapshot();
        JsonLine json = answer.line().object();
        json.field("atMs", snapshot.epochMs()).field("uptimeSeconds", snapshot.uptimeSeconds());
        calls(json, snapshot.calls());
        transactions(json, snapshot);
        messages(json.array("messages"), snapshot.messages());
        delays(json, snapshot);
        machine(json, snapshot);
        json.end();
        answer.send();
    }

    private static void calls(JsonLine json, CallVolume calls) {
        json.object("calls")
                .field("attempts", calls.attempts())
                .field("perSecond", calls.perSecond(), 1)
                .field("lastHour", calls.lastHour())
                .field("busiestHour", calls.busiestHour());
        json.object("states");
        calls.states().forEach((state, count) -> json.field(state.word(), count));
        json.end().object("outcomes");
        calls.outcomes().forEach((outcome, count) -> json.field(outcome.word(), count));
        json.end().end();
    }

    private static void transactions(JsonLine json, StatisticsSnapshot snapshot) {
        json.array("transactions");
        snapshot.transactions()
                .forEach(one -> json.object()
                        .field("kind", one.kind().word())
                        .field("running", one.running())
                        .field("began", one.began())
                        .field("expired", one.expired())
                        .end());
        json.end().array("causes");
        snapshot.causes()
                .forEach(one -> json.object()
                        .field("group", one.group())
                        .field("cause", one.cause())
                        .field("count", one.count())
                        .end());
        json.end();
    }

    private static void messages(JsonLine json, List<MessageCount> counts) {
        for (MessageCount one : counts) {
            json.object()
                    .field("method", one.method().name())
                    .field("status", one.status())
                    .field("received", one.received())
                    .field("receivedAgain", one.receivedAgain())
                    .field("sent", one.sent())
                    .field("sentAgain", one.sentAgain())
                    .end();
        }
        json.end();
    }

    private static void write(JsonLine json, NeighbourFigures figures) {
        json.field(
                "neighbour",
                figures.neighbour() == null ? null : figures.neighbour().toString());
        messages(json.array("messages"), figures.messages());
        json.array("losses");
        figures.losses()
                .forEach(loss -> json.object()
                        .field(
                                "lost",
                                loss.lost().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .field("method", loss.method().name())
                        .field("again", loss.again())
                        .field("unrepaired", loss.unrepaired())
                        .end());
        json.end().end();
    }

    private static void delays(JsonLine json, StatisticsSnapshot snapshot) {
        delay(json, "queueDelay", snapshot.queueDelay());
        json.array("timeInProxy");
        snapshot.timeInProxy().forEach((kind, figures) -> {
            if (figures.count() > 0) {
                json.object().field("kind", kind.word());
                delay(json, "delay", figures);
                json.end();
            }
        });
        json.end().array("hops");
        snapshot.hops().forEach(hop -> {
            json.object().field("hop", hop.hop().toString());
            delay(json, "provisional", hop.provisional());
            delay(json, "final", hop.answer());
            json.end();
        });
        json.end();
    }

    private static void delay(JsonLine json, String name, DelayFigures figures) {
        json.object(name)
                .field("count", figures.count())
                .field("p50Us", figures.medianNs() / 1e3, 1)
                .field("p99Us", figures.p99Ns() / 1e3, 1)
                .field("p999Us", figures.p999Ns() / 1e3, 1)
                .field("maxUs", figures.mostNs() / 1e3, 1)
                .end();
    }

    private static void machine(JsonLine json, StatisticsSnapshot snapshot) {
        json.array("sockets");
        snapshot.sockets()
                .forEach(one -> json.object()
                        .field("name", one.name())
                        .field("receiveBufferAsked", one.receiveBufferAsked())
                        .field("receiveBufferGiven", one.receiveBufferGiven())
                        .field("receiveQueue", one.receiveQueue())
                        .field("sendQueue", one.sendQueue())
                        .field("drops", one.drops())
                        .end());
        json.end().array("collectors");
        snapshot.collectors()
                .forEach(one -> json.object()
                        .field("name", one.name())
                        .field("pauses", one.pauses())
                        .field("totalMs", one.totalMs())
                        .field("longestMs", one.mostMs())
                        .end());
        json.end().array("threads");
        snapshot.threads()
                .forEach(one -> json.object()
                        .field("name", one.name())
                        .field("threads", one.threads())
                        .field("userMs", one.userTicks() * 10)
                        .field("systemMs", one.systemTicks() * 10)
                        .end());
        json.end()
                .object("memory")
                .field("used", snapshot.memory().used())
                .field("committed", snapshot.memory().committed())
                .field("most", snapshot.memory().most())
                .end();
    }
}
