package io.offhook.web.metrics;

import io.offhook.metrics.MetricsText;
import io.offhook.store.WriterCounts;
import io.offhook.web.alert.Alerts;
import io.offhook.web.api.ProcessMemory;
import io.offhook.web.data.CallData;
import io.offhook.web.data.InputState;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Writes all metrics, in the order of {@link ServedMetric}. */
final class MetricsDocument {
    /** Inputs that have values of their own; the others are counted together. */
    private static final int MOST_INPUTS = 64;

    private static final String OTHERS = "others";
    private static final double MS_PER_SECOND = 1e3;

    private final MetricsResource.Sources sources;
    private final HighWater highWater;
    private final long startedMs;
    private final MetricsText text = new MetricsText();

    MetricsDocument(MetricsResource.Sources sources, HighWater highWater, long startedMs) {
        this.sources = sources;
        this.highWater = highWater;
        this.startedMs = startedMs;
    }

    String text() {
        text.begin(ServedMetric.BUILD_INFO).value(ServedMetric.BUILD_INFO, 1, sources.version());
        text.begin(ServedMetric.START_TIME).value(ServedMetric.START_TIME, startedMs / MS_PER_SECOND);
        calls(sources.calls().figures());
        capture();
        store();
        http();
        alerts(sources.alerts().figures());
        machine();
        return text.toString();
    }

    private void calls(EndedCalls figures) {
        text.begin(ServedMetric.RUNNING_CALLS)
                .value(ServedMetric.RUNNING_CALLS, sources.calls().running());
        text.begin(ServedMetric.CALLS);
        figures.outcomes.forEach((outcome, count) -> text.value(ServedMetric.CALLS, count.sum(), outcome.label()));
        text.begin(ServedMetric.ATTEMPTS).value(ServedMetric.ATTEMPTS, figures.attempts.sum());
        text.begin(ServedMetric.ANSWERED).value(ServedMetric.ANSWERED, figures.answered.sum());
        text.begin(ServedMetric.EFFECTIVE).value(ServedMetric.EFFECTIVE, figures.effective.sum());
        text.begin(ServedMetric.BAD).value(ServedMetric.BAD, figures.bad.sum());
        text.begin(ServedMetric.PROBLEMS);
        figures.problems.forEach((kind, count) -> text.value(ServedMetric.PROBLEMS, count.sum(), kind.label()));
        text.begin(ServedMetric.SET_UP).histogram(ServedMetric.SET_UP, figures.setUp.buckets());
        text.begin(ServedMetric.DURATION).histogram(ServedMetric.DURATION, figures.duration.buckets());
        text.begin(ServedMetric.MOS);
        figures.mos.forEach((scale, histogram) -> text.histogram(ServedMetric.MOS, histogram.buckets(), scale.label()));
    }

    private void capture() {
        List<InputState> inputs = sources.data().inputs();
        inputs(ServedMetric.PACKETS, inputs, InputState::packets);
        inputs(ServedMetric.BYTES, inputs, InputState::bytes);
        inputDrops(inputs);
        refused(inputs);
        CallMetrics.Messages messages = sources.calls().messages();
        text.begin(ServedMetric.MESSAGES);
        counter(ServedMetric.MESSAGES, messages.requests(), "request");
        counter(ServedMetric.MESSAGES, messages.responses(), "response");
        text.begin(ServedMetric.DROPS);
        Map<String, Long> drops = new LinkedHashMap<>();
        for (CallData.Drop drop : sources.data().drops()) {
            drops.merge(drop.cause(), drop.count(), Long::sum);
        }
        drops.forEach((cause, count) -> counter(ServedMetric.DROPS, count, cause));
    }

    private void inputs(ServedMetric metric, List<InputState> inputs, ToLongFunction<InputState> value) {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (InputState input : inputs) {
            boolean isApart = sums.size() < MOST_INPUTS || sums.containsKey(input.name());
            sums.merge(isApart ? input.name() : OTHERS, value.applyAsLong(input), Long::sum);
        }
        text.begin(metric);
        sums.forEach((name, sum) -> counter(metric, sum, name));
    }

    private void refused(List<InputState> inputs) {
        text.begin(ServedMetric.INPUT_REFUSED);
        int written = 0;
        for (InputState input : inputs) {
            if (input.kind() == InputState.Kind.HEP && written++ < MOST_INPUTS) {
                refused(input.name(), "wrong key", input.counts().wrongKey());
                refused(input.name(), "malformed", input.counts().malformed());
            }
        }
    }

    private void refused(String input, String cause, long count) {
        long most = highWater.of(ServedMetric.INPUT_REFUSED, input + ' ' + cause, count);
        text.value(ServedMetric.INPUT_REFUSED, most, input, cause);
    }

    private void inputDrops(List<InputState> inputs) {
        text.begin(ServedMetric.INPUT_DROPS);
        int written = 0;
        for (InputState input : inputs) {
            if (input.kind() != InputState.Kind.FILE && written++ < MOST_INPUTS) {
                inputDrops(input.name(), "kernel", input.counts().kernelDrops());
                inputDrops(input.name(), "ring", input.counts().ringDrops());
            }
        }
    }

    private void inputDrops(String input, String cause, long count) {
        long most = highWater.of(ServedMetric.INPUT_DROPS, input + ' ' + cause, count);
        text.value(ServedMetric.INPUT_DROPS, most, input, cause);
    }

    private void counter(ServedMetric metric, long value, String label) {
        text.value(metric, highWater.of(metric, label, value), label);
    }

    private void store() {
        WriterCounts counts = sources.calls().written();
        text.begin(ServedMetric.STORE_WRITTEN);
        text.value(ServedMetric.STORE_WRITTEN, counts.written().calls(), "calls");
        text.value(ServedMetric.STORE_WRITTEN, counts.written().messages(), "messages");
        text.value(ServedMetric.STORE_WRITTEN, counts.written().registrations(), "registrations");
        text.begin(ServedMetric.STORE_LOST);
        text.value(ServedMetric.STORE_LOST, counts.lost().calls(), "calls");
        text.value(ServedMetric.STORE_LOST, counts.lost().messages(), "messages");
        text.value(ServedMetric.STORE_LOST, counts.lost().registrations(), "registrations");
        text.begin(ServedMetric.STORE_FAILED).value(ServedMetric.STORE_FAILED, counts.failedWrites());
        text.begin(ServedMetric.STORE_QUEUE).value(ServedMetric.STORE_QUEUE, counts.queuedBytes());
    }

    private void http() {
        text.begin(ServedMetric.HTTP_REQUESTS);
        sources.http()
                .requests()
                .forEach((key, count) ->
                        text.value(ServedMetric.HTTP_REQUESTS, count.sum(), key.route(), String.valueOf(key.code())));
        text.begin(ServedMetric.HTTP_DURATION)
                .histogram(ServedMetric.HTTP_DURATION, sources.http().duration().buckets());
    }

    private void alerts(Alerts.Figures figures) {
        text.begin(ServedMetric.ALERTS_ACTIVE);
        figures.rules().forEach(rule -> text.value(ServedMetric.ALERTS_ACTIVE, rule.isRaised() ? 1 : 0, rule.rule()));
        text.begin(ServedMetric.ALERT_NOTICES);
        for (Alerts.TargetFigure target : figures.targets()) {
            text.value(ServedMetric.ALERT_NOTICES, target.sent(), target.target(), "sent");
            text.value(ServedMetric.ALERT_NOTICES, target.failed(), target.target(), "failed");
            text.value(ServedMetric.ALERT_NOTICES, target.dropped(), target.target(), "dropped");
        }
        text.begin(ServedMetric.ALERTS_SUPPRESSED).value(ServedMetric.ALERTS_SUPPRESSED, figures.suppressed());
        text.begin(ServedMetric.ALERT_FAILURES).value(ServedMetric.ALERT_FAILURES, figures.failures());
    }

    private void machine() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        area(ServedMetric.MEMORY_USED, memory, MemoryUsage::getUsed);
        area(ServedMetric.MEMORY_COMMITTED, memory, MemoryUsage::getCommitted);
        area(ServedMetric.MEMORY_MOST, memory, MemoryUsage::getMax);
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        text.begin(ServedMetric.GC_COUNT);
        collectors.forEach(
                one -> text.value(ServedMetric.GC_COUNT, Math.max(0, one.getCollectionCount()), one.getName()));
        text.begin(ServedMetric.GC_TIME);
        collectors.forEach(one ->
                text.value(ServedMetric.GC_TIME, Math.max(0, one.getCollectionTime()) / MS_PER_SECOND, one.getName()));
        text.begin(ServedMetric.PROCESS_MEMORY).value(ServedMetric.PROCESS_MEMORY, ProcessMemory.residentBytes());
        text.begin(ServedMetric.PROCESS_CPU);
        ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .ifPresent(took -> text.value(ServedMetric.PROCESS_CPU, took.toMillis() / MS_PER_SECOND));
    }

    private void area(ServedMetric metric, MemoryMXBean memory, ToLongFunction<MemoryUsage> value) {
        text.begin(metric);
        text.value(metric, value.applyAsLong(memory.getHeapMemoryUsage()), "heap");
        text.value(metric, value.applyAsLong(memory.getNonHeapMemoryUsage()), "nonheap");
    }
}
