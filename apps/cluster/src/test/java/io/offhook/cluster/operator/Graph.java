package io.offhook.cluster.operator;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.CallReport;
import io.offhook.calls.join.JoinOptions;
import io.offhook.cluster.calls.Events;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventKey;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.operator.local.LocalRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Runs of the operators over the events of probes. */
final class Graph {
    static final AnalysisOptions USUAL =
            AnalysisOptions.defaults().withLanes(1).withKeptCalls(2000).withJoins(JoinOptions.DEFAULT.withJoins(false));

    private Graph() {}

    /** The events of a probe as partitions, as its keys have it. */
    static List<List<Event>> partitions(List<Event> events, int number) {
        List<List<Event>> partitions = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            partitions.add(new ArrayList<>());
        }
        for (Event event : events) {
            if (event.body() instanceof Heartbeat) {
                partitions.forEach(partition -> partition.add(event));
            } else {
                partitions.get(EventKey.partition(event.key(), number)).add(event);
            }
        }
        return partitions;
    }

    static OperatorOptions options(AnalysisOptions options) {
        return OperatorOptions.of(options.media(), options.limits());
    }

    /** A run that has ended. */
    static LocalRun run(AnalysisOptions options, int instances, long seed, List<List<Event>> partitions) {
        LocalRun run = new LocalRun(options(options), instances, new Random(seed));
        partitions.forEach(partition -> run.add(partition.iterator()));
        run.run();
        return run;
    }

    /** The last reports of all calls, in the order of capture. */
    static List<CallReport> calls(LocalRun run) {
        return run.results().values().stream()
                .map(CallResult::call)
                .sorted(Comparator.comparingLong(CallReport::firstFrame))
                .toList();
    }

    static String json(List<CallReport> calls) {
        return Events.json(calls, List.of());
    }
}
