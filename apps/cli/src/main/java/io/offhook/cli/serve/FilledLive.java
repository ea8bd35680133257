package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallWatcher;
import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.inputs.SeenInputs;
import io.offhook.calls.CallReport;
import io.offhook.calls.statistics.MissedEnd;
import io.offhook.cli.input.OwnDrops;
import io.offhook.decrypt.EventKeys;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.live.PlacedLanes;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.store.CallStore;
import io.offhook.store.CallWriter;
import io.offhook.store.CaptureDrop;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CapturePoints;
import io.offhook.web.data.InputState;
import io.offhook.web.metrics.CallMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes calls into a database while they happen. */
final class FilledLive implements ServedCalls.Filling, CallWatcher {
    /** So often the calls that go on are written anew, for their figures. */
    private static final int LOOKS_PER_REFRESH = 10;

    /** If more go on at a time, they are written when something happens to them only. */
    private static final int MOST_REFRESHED = 5000;

    private final String name;
    private @Nullable SeenInputs seen;
    private @Nullable EventKeys events;
    private final MeasuredSource source;
    private final CallWriter writer;
    private final CallMetrics metrics;
    private final PlacedLanes lanes;
    private final Map<String, Long> counted = new HashMap<>();
    private volatile Shown shown = new Shown(List.of(), InputState.State.LISTENING);
    private volatile CallData.RunningCalls running = CallData.RunningCalls.NONE;
    private volatile @Nullable KeptOnDisk kept;
    private volatile @Nullable KeptOnDisk compared;
    private volatile @Nullable CapturePoints points;
    private int looks;

    /** What the last look showed. */
    private record Shown(List<CallData.Drop> drops, InputState.State state) {}

    /**
     * Creates it.
     *
     * @param name of the interfaces, for display and for the column {@code source}
     * @param metrics counts the calls
     * @param placement the processors for the lanes
     */
    FilledLive(
            String name,
            MeasuredSource source,
            CallWriter writer,
            CallMetrics metrics,
            LanePlacement placement,
            int lanes) {
        this.name = name;
        this.source = source;
        this.writer = writer;
        this.metrics = metrics;
        metrics.writtenBy(writer::counts);
        this.lanes = new PlacedLanes(placement, "serve", lanes);
    }

    /** Calls are written with the key presses that this reads inside their SRTP. */
    void reading(EventKeys keyPresses) {
        events = keyPresses;
    }

    /** Calls are noted with the inputs at which they were seen, in the place of all, unless this is null. */
    void seenAt(@Nullable SeenInputs inputs) {
        seen = inputs;
    }

    /** Packets are kept meanwhile, unless this is null. */
    void keeping(@Nullable KeptOnDisk packets) {
        kept = packets;
    }

    /**
     * From now on, the inputs are compared with each other.
     *
     * @param packets by which; null if they are not
     * @param isOneClock whether one clock stamps the packets of all interfaces
     */
    void comparing(@Nullable KeptOnDisk packets, boolean isOneClock) {
        compared = packets;
        points = packets == null ? null : packets.points(source.names(), isOneClock);
    }

    @Override
    public @Nullable CapturePoints points() {
        return points;
    }

    @Override
    public ServedCalls.@Nullable Packets packets() {
        return kept;
    }

    @Override
    public long nowNs() {
        return Times.epochNs();
    }

    /** A call is one row. */
    @Override
    public boolean joinsLegs() {
        return true;
    }

    @Override
    public void lane(int lane, boolean begins) {
        lanes.lane(lane, begins);
    }

    @Override
    public void waits(boolean begins) {
        PlacedLanes.waits(begins);
    }

    @Override
    public void look(AnalysisResult standing, List<CallReport> changed) {
        lanes.sample();
        running(standing.calls());
        write(changed);
        metrics.look(standing.capture(), standing.calls(), changed, nowNs());
        if (++looks % LOOKS_PER_REFRESH == 0) {
            refresh(standing);
            writer.registrations(standing.registrations(), nowNs(), name);
        }
        show(standing.capture(), InputState.State.LISTENING);
    }

    private void write(List<CallReport> asCounted) {
        EventKeys read = events;
        List<CallReport> calls =
                read == null ? asCounted : asCounted.stream().map(read::in).toList();
        SeenInputs inputs = seen;
        if (inputs == null) {
            writer.calls(calls, name);
            return;
        }
        Map<Long, List<CallReport>> byInputs = new LinkedHashMap<>();
        for (CallReport call : calls) {
            byInputs.computeIfAbsent(inputs.of(call), _ -> new ArrayList<>()).add(call);
        }
        byInputs.forEach((at, together) -> writer.calls(together, at == 0 ? name : source.names(at)));
    }

    /** Notes which calls go on; what the analysis has forgotten does not. */
    private void running(List<CallReport> standing) {
        long nowNs = nowNs();
        Set<Long> ids = new HashSet<>();
        for (CallReport call : standing) {
            if (MissedEnd.isRunning(call, nowNs)) {
                ids.add(CallStore.id(call));
            }
        }
        if (!ids.equals(running.ids())) {
            running = new CallData.RunningCalls(running.version() + 1, ids);
        }
    }

    private void refresh(AnalysisResult standing) {
        List<CallReport> running = new ArrayList<>();
        for (CallReport call : standing.calls()) {
            if (!call.streams().isEmpty() && MissedEnd.isRunning(call, nowNs())) {
                running.add(call);
            }
        }
        if (running.size() <= MOST_REFRESHED) {
            write(running);
        }
    }

    /** Writes all as it stands at the end. */
    void end(AnalysisResult result) {
        write(result.calls());
        running = new CallData.RunningCalls(running.version() + 1, Set.of());
        metrics.end(result.capture(), result.calls());
        writer.registrations(result.registrations(), nowNs(), name);
        show(result.capture(), InputState.State.DONE);
    }

    private void show(CaptureReport capture, InputState.State state) {
        LiveCounts counts = source.counts();
        List<CaptureDrop> grown = new ArrayList<>();
        List<CallData.Drop> drops = new ArrayList<>();
        drops.add(new CallData.Drop("dropped by the kernel", counts.kernelDrops()));
        drops.add(new CallData.Drop("dropped by the ring", counts.ringDrops()));
        for (InputState input : source.inputs(state, null)) {
            grown(input.name(), "kernelDrops", input.counts().kernelDrops(), grown);
            grown(input.name(), "ringDrops", input.counts().ringDrops(), grown);
        }
        for (CaptureReport.Counter counter : capture.counters()) {
            if (OwnDrops.isDrop(counter)) {
                drops.add(new CallData.Drop(Words.ofCamelCase(counter.name()), counter.count()));
                grown(name, counter.name(), counter.count(), grown);
            }
        }
        if (!grown.isEmpty()) {
            writer.drops(grown, name);
        }
        shown = new Shown(List.copyOf(drops), state);
    }

    /** Adds what was dropped since this was last called, at an input or in the analysis of all. */
    private void grown(String place, String cause, long count, List<CaptureDrop> grown) {
        String key = place + ' ' + cause;
        long before = counted.getOrDefault(key, 0L);
        if (count > before) {
            counted.put(key, count);
            grown.add(new CaptureDrop(nowNs(), place, cause, count - before));
        }
    }

    @Override
    public long revision() {
        return writer.counts().written().calls() + running.version();
    }

    @Override
    public CallData.RunningCalls running() {
        return running;
    }

    @Override
    public List<InputState> inputs() {
        return source.inputs(shown.state(), failure());
    }

    private @Nullable String failure() {
        String failure = writer.counts().lastFailure();
        KeptOnDisk packets = kept;
        return failure == null && packets != null ? packets.failure() : failure;
    }

    @Override
    public List<CallData.Drop> drops() {
        List<CallData.Drop> all = new ArrayList<>(shown.drops());
        all.add(new CallData.Drop("not written to the database", lost()));
        KeptOnDisk packets = kept == null ? compared : kept;
        if (packets != null) {
            packets.drops(all);
        }
        return all;
    }

    @Override
    public long lost() {
        return writer.counts().lost().sum();
    }

    @Override
    public long queuedBytes() {
        return writer.counts().queuedBytes();
    }
}
