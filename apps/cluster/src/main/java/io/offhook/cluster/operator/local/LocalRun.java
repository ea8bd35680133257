package io.offhook.cluster.operator.local;

import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.operator.BindingOperator;
import io.offhook.cluster.operator.CallOperator;
import io.offhook.cluster.operator.CallResult;
import io.offhook.cluster.operator.DialogOperator;
import io.offhook.cluster.operator.EndpointOperator;
import io.offhook.cluster.operator.EventRoutes;
import io.offhook.cluster.operator.Operator;
import io.offhook.cluster.operator.OperatorCount;
import io.offhook.cluster.operator.OperatorKey;
import io.offhook.cluster.operator.OperatorOptions;
import io.offhook.cluster.operator.Output;
import io.offhook.cluster.operator.Stage;
import io.offhook.cluster.operator.StreamOperator;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The graph in one process. Sources are partitions: their events keep their order, those of different ones do not, and the least of
 * their heartbeats is the time. With a random generator, whatever may come next comes next with the same probability; without, what
 * was sent is processed first. For one thread.
 */
public final class LocalRun {
    /** What is under way at most before sources have to wait. */
    private static final int MOST_QUEUED = 20_000;

    private final @Nullable Random random;
    private final Map<Stage, List<Instance>> stages = new EnumMap<>(Stage.class);
    private final Map<Instance, Map<Instance, Channel>> channels = new LinkedHashMap<>();
    private final List<Source> sources = new ArrayList<>();
    private final List<Channel> ready = new ArrayList<>();
    private final Map<OperatorCount, Long> counts = new EnumMap<>(OperatorCount.class);
    private final Map<Long, CallResult> results = new LinkedHashMap<>();
    private final Map<Stage, Long> octetsOf = new EnumMap<>(Stage.class);
    private final Map<Stage, Long> greatestOf = new EnumMap<>(Stage.class);
    private int queued;
    private long events;
    private long messages;
    private long octets;
    private long greatestOctets;

    /** A partition of a probe. */
    private static final class Source implements Output {
        private final Iterator<Event> events;
        private final LocalRun run;
        private final Map<Instance, Channel> out = new LinkedHashMap<>();

        Source(Iterator<Event> events, LocalRun run) {
            this.events = events;
            this.run = run;
        }

        @Override
        public void send(Stage stage, OperatorKey key, OperatorMessage message) {
            run.send(out, stage, key, message);
        }

        @Override
        public void report(CallResult result) {
            throw new IllegalStateException("a source makes no reports");
        }

        @Override
        public void count(OperatorCount what, long number) {
            run.count(what, number);
        }
    }

    /** What an instance sends. */
    private record Sender(LocalRun run, Map<Instance, Channel> out) implements Output {
        @Override
        public void send(Stage stage, OperatorKey key, OperatorMessage message) {
            run.send(out, stage, key, message);
        }

        @Override
        public void report(CallResult result) {
            run.results.put(result.callIdHash(), result);
        }

        @Override
        public void count(OperatorCount what, long number) {
            run.count(what, number);
        }
    }

    /**
     * A graph without sources.
     *
     * @param instances of each operator, 1 or more
     * @param random decides what comes next; null for the order of sending
     */
    public LocalRun(OperatorOptions options, int instances, @Nullable Random random) {
        this.random = random;
        for (Stage stage : Stage.values()) {
            List<Instance> all = new ArrayList<>();
            for (int i = 0; i < instances; i++) {
                all.add(new Instance(stage, operator(stage, options), by -> grow(stage, by)));
            }
            stages.put(stage, all);
        }
        for (List<Instance> from : stages.values()) {
            for (Instance instance : from) {
                Map<Instance, Channel> out = new LinkedHashMap<>();
                stages.forEach((stage, all) -> {
                    if (stage.compareTo(instance.stage) > 0) {
                        all.forEach(to -> out.put(to, connect(to)));
                    }
                });
                channels.put(instance, out);
            }
        }
    }

    private static Operator operator(Stage stage, OperatorOptions options) {
        return switch (stage) {
            case DIALOG -> new DialogOperator(options);
            case STREAM -> new StreamOperator(options);
            case ENDPOINT -> new EndpointOperator();
            case BINDING -> new BindingOperator(options);
            case CALL -> new CallOperator(options);
        };
    }

    private static Channel connect(Instance to) {
        Channel channel = new Channel(to);
        to.inputs.add(channel);
        return channel;
    }

    private void grow(Stage stage, long by) {
        long now = octetsOf.merge(stage, by, Long::sum);
        greatestOf.merge(stage, now, Math::max);
        octets += by;
        greatestOctets = Math.max(greatestOctets, octets);
    }

    private void count(OperatorCount what, long number) {
        counts.merge(what, number, Long::sum);
    }

    /** Adds the events of a partition, in their order and without repeats; before {@link #run}. */
    public void add(Iterator<Event> partition) {
        Source source = new Source(partition, this);
        stages.values().forEach(all -> all.forEach(to -> source.out.put(to, connect(to))));
        sources.add(source);
    }

    private void send(Map<Instance, Channel> out, Stage stage, OperatorKey key, OperatorMessage message) {
        List<Instance> all = stages.getOrDefault(stage, List.of());
        Channel channel = out.get(all.get(key.instance(all.size())));
        if (channel == null) {
            throw new IllegalStateException("nothing is sent back to " + stage);
        }
        messages++;
        put(channel, new Item.Sent(key, MessageCodec.write(message)));
    }

    private void put(Channel channel, Item item) {
        channel.items.add(item);
        queued++;
        if (!channel.isReady) {
            channel.isReady = true;
            ready.add(channel);
        }
    }

    private void putAll(Map<Instance, Channel> out, Item item) {
        out.values().forEach(channel -> put(channel, item));
    }

    /** Processes all events of all sources, to the end of time. */
    public void run() {
        while (step()) {
            // until nothing is left
        }
    }

    /**
     * Does whatever comes next.
     *
     * @return false if nothing is left
     */
    public boolean step() {
        Random shuffled = random;
        int open = queued > MOST_QUEUED ? 0 : sources.size();
        if (ready.isEmpty() && sources.isEmpty()) {
            return false;
        }
        int next;
        if (shuffled != null) {
            next = shuffled.nextInt(ready.size() + open);
        } else {
            next = ready.isEmpty() ? (int) (events % open) : ready.size() - 1;
        }
        if (shuffled == null && ready.isEmpty() || next >= ready.size()) {
            source(shuffled == null ? next : next - ready.size());
        } else {
            process(next);
        }
        return true;
    }

    private void source(int number) {
        Source source = sources.get(number);
        if (!source.events.hasNext()) {
            sources.remove(number);
            putAll(source.out, new Item.Watermark(Long.MAX_VALUE));
            return;
        }
        Event event = source.events.next();
        events++;
        if (EventRoutes.route(event, source)) {
            return;
        }
        stages.getOrDefault(Stage.CALL, List.of()).forEach(to -> {
            Channel channel = source.out.get(to);
            if (channel != null) {
                put(channel, new Item.Capture(event));
            }
        });
        if (event.body() instanceof Heartbeat beat) {
            putAll(source.out, new Item.Watermark(beat.lowWatermarkNs()));
        }
    }

    private void process(int number) {
        Channel channel = ready.get(number);
        Item item = channel.items.remove();
        queued--;
        if (channel.items.isEmpty()) {
            channel.isReady = false;
            ready.set(number, ready.getLast());
            ready.removeLast();
        }
        Instance to = channel.to;
        Map<Instance, Channel> out = channels.getOrDefault(to, Map.of());
        Output output = new Sender(this, out);
        switch (item) {
            case Item.Sent sent -> to.accept(sent.key(), sent.octets(), output);
            case Item.Capture capture -> to.capture(capture.event());
            case Item.Watermark watermark -> {
                channel.watermarkNs = Math.max(channel.watermarkNs, watermark.ns());
                if (to.advance(output)) {
                    putAll(out, new Item.Watermark(to.watermarkNs()));
                }
            }
        }
    }

    /** The last report of each call, by the hash of its Call-ID. */
    public Map<Long, CallResult> results() {
        return results;
    }

    /** What was counted. */
    public long count(OperatorCount what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Events of all sources so far. */
    public long events() {
        return events;
    }

    /** Messages that operators were sent so far. */
    public long messages() {
        return messages;
    }

    /** Octets of state now: values, and names of entries. */
    public long octets() {
        return octets;
    }

    /** The most octets of state at a time. */
    public long greatestOctets() {
        return greatestOctets;
    }

    /** The most octets of state at a time of one operator. */
    public long greatestOctets(Stage stage) {
        return greatestOf.getOrDefault(stage, 0L);
    }

    /** Keys with a state now, of all operators. */
    public long keys() {
        return stages.values().stream()
                .flatMap(List::stream)
                .mapToLong(Instance::keys)
                .sum();
    }
}
