package io.offhook.web.alert;

import io.offhook.web.data.CallData;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates rules every five seconds, less often if the queries take long, on a thread of its own. What fails is counted, and
 * disturbs nobody.
 */
public final class Alerts implements AutoCloseable {
    private static final long EVERY_NS = 5_000_000_000L;

    /** Of one processor, queries take a tenth at most. */
    private static final int REST_PER_WORK = 9;

    private final CallData data;
    private final List<RuleState> states = new ArrayList<>();
    private final Map<String, TargetQueue> queues = new TreeMap<>();
    private final HourLimit limit;
    private final AtomicLong suppressed = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile List<Alert> current = List.of();
    private volatile boolean isClosed;
    private long unsaid;
    private @Nullable Connection connection;
    private @Nullable Thread thread;

    private Alerts(AlertConfig config, CallData data, TargetQueue.Pause pause) {
        this.data = data;
        limit = new HourLimit(config.mostAnHour());
        for (AlertRule rule : config.rules()) {
            states.add(new RuleState(rule));
        }
        config.targets()
                .forEach((name, target) -> queues.put(name, new TargetQueue(name, NoticeSender.of(target), pause)));
    }

    /** Begins to evaluate, if there are rules. */
    public static Alerts start(AlertConfig config, CallData data) {
        Alerts alerts = stopped(config, data, ns -> Thread.sleep(Duration.ofNanos(ns)));
        if (!config.rules().isEmpty()) {
            alerts.thread = Thread.ofPlatform().daemon().name("offhook-alerts").start(alerts::run);
        }
        return alerts;
    }

    /** How many rules there are. */
    int rules() {
        return states.size();
    }

    /** For tests, which evaluate by a clock of their own. */
    static Alerts stopped(AlertConfig config, CallData data, TargetQueue.Pause pause) {
        return new Alerts(config, data, pause);
    }

    private void run() {
        while (!isClosed) {
            long sinceNs = System.nanoTime();
            evaluate(System.currentTimeMillis() * 1_000_000L);
            LockSupport.parkNanos(Math.max(EVERY_NS, REST_PER_WORK * (System.nanoTime() - sinceNs)));
        }
    }

    /** Evaluates all rules once. */
    void evaluate(long nowNs) {
        List<Alert> raised = new ArrayList<>();
        for (RuleState state : states) {
            AlertQueries.Measured measured = measure(state.rule(), nowNs);
            if (measured != null) {
                RuleState.Event event = state.step(measured, nowNs);
                say(event, state, measured, nowNs);
            }
            if (state.isRaised()) {
                raised.add(measured == null ? before(state) : Alert.of(state.rule(), state.raisedNs(), measured));
            }
        }
        current = List.copyOf(raised);
    }

    /** What was shown of an alert that cannot be measured now. */
    private Alert before(RuleState state) {
        for (Alert alert : current) {
            if (alert.name().equals(state.rule().name())) {
                return alert;
            }
        }
        return Alert.of(state.rule(), state.raisedNs(), new AlertQueries.Measured(Double.NaN, 0, null, null));
    }

    private AlertQueries.@Nullable Measured measure(AlertRule rule, long nowNs) {
        try {
            Connection open = connection;
            if (open == null) {
                open = data.connect();
                connection = open;
            }
            return AlertQueries.measure(open, rule, nowNs);
        } catch (SQLException _) {
            failures.incrementAndGet();
            disconnect();
            return null;
        }
    }

    private void disconnect() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException _) {
                // the next one is a new one
            }
        }
    }

    private void say(RuleState.Event event, RuleState state, AlertQueries.Measured measured, long nowNs) {
        if (event == RuleState.Event.NOTHING) {
            return;
        }
        if (event == RuleState.Event.HELD_BACK || !limit.passes(nowNs)) {
            suppressed.incrementAndGet();
            unsaid++;
            return;
        }
        Notice notice = new Notice(
                Notice.State.valueOf(event.name()), Alert.of(state.rule(), state.raisedNs(), measured), nowNs, unsaid);
        unsaid = 0;
        for (String name : state.rule().to()) {
            TargetQueue queue = queues.get(name);
            if (queue != null) {
                queue.add(notice);
            }
        }
    }

    /** The alerts that are raised now. */
    public List<Alert> current() {
        return current;
    }

    /** The figures of alerts, for metrics. */
    public Figures figures() {
        List<RuleFigure> rules = new ArrayList<>();
        for (RuleState state : states) {
            String name = state.rule().name();
            rules.add(new RuleFigure(
                    name, current.stream().anyMatch(alert -> alert.name().equals(name))));
        }
        List<TargetFigure> targets = new ArrayList<>();
        queues.forEach((name, queue) -> {
            TargetQueue.Counts counts = queue.counts();
            targets.add(new TargetFigure(name, counts.sent(), counts.failed(), counts.dropped(), counts.lastFailure()));
        });
        return new Figures(rules, targets, suppressed.get(), failures.get());
    }

    /**
     * How alerts are doing.
     *
     * @param rules all of them
     * @param targets all of them
     * @param suppressed notices held back by {@code repeat} or by the limit an hour
     * @param failures evaluations of a rule that failed
     */
    public record Figures(List<RuleFigure> rules, List<TargetFigure> targets, long suppressed, long failures) {}

    /**
     * How a rule stands.
     *
     * @param rule its name
     * @param isRaised whether its alert is raised
     */
    public record RuleFigure(String rule, boolean isRaised) {}

    /**
     * What became of the notices to a target.
     *
     * @param target its name
     * @param sent notices that arrived
     * @param failed those that did not, after all attempts
     * @param dropped those that had no room in the queue
     * @param lastFailure why an attempt failed last; null if none did
     */
    public record TargetFigure(
            String target,
            long sent,
            long failed,
            long dropped,
            @Nullable String lastFailure) {}

    /** Ends at once; notices that wait are not sent. */
    @Override
    public void close() {
        isClosed = true;
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
            try {
                running.join(5000);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        queues.values().forEach(TargetQueue::close);
        disconnect();
    }
}
