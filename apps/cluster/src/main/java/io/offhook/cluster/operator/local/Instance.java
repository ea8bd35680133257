package io.offhook.cluster.operator.local;

import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.operator.CallOperator;
import io.offhook.cluster.operator.Operator;
import io.offhook.cluster.operator.OperatorKey;
import io.offhook.cluster.operator.Output;
import io.offhook.cluster.operator.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** One of several instances of an operator, with the states of its keys. */
final class Instance {
    final Stage stage;
    final List<Channel> inputs = new ArrayList<>();
    private final Operator operator;
    private final LongConsumer size;
    private final Map<OperatorKey, MemoryKeep> keys = new HashMap<>();
    private final TreeMap<Long, Set<OperatorKey>> timers = new TreeMap<>();
    private long watermarkNs = Long.MIN_VALUE;

    /** @param size is given by how many octets its state grows */
    Instance(Stage stage, Operator operator, LongConsumer size) {
        this.stage = stage;
        this.operator = operator;
        this.size = size;
    }

    void accept(OperatorKey key, byte[] octets, Output output) {
        MemoryKeep keep = keep(key);
        operator.accept(key, MessageCodec.read(octets), keep, output);
        forgetIfEmpty(key, keep);
    }

    void capture(Event event) {
        if (operator instanceof CallOperator calls) {
            calls.capture(event);
        }
    }

    private MemoryKeep keep(OperatorKey key) {
        return keys.computeIfAbsent(
                key,
                _ -> new MemoryKeep(
                        atNs -> timers.computeIfAbsent(atNs, _ -> new LinkedHashSet<>())
                                .add(key),
                        () -> watermarkNs,
                        size));
    }

    private void forgetIfEmpty(OperatorKey key, MemoryKeep keep) {
        if (keep.isEmpty()) {
            keys.remove(key);
        }
    }

    /** Whether the inputs are all further than before; then timers that are due are called. */
    boolean advance(Output output) {
        long least = Long.MAX_VALUE;
        for (Channel input : inputs) {
            least = Math.min(least, input.watermarkNs);
        }
        if (least <= watermarkNs) {
            return false;
        }
        watermarkNs = least;
        while (!timers.isEmpty() && timers.firstKey() <= watermarkNs) {
            Map.Entry<Long, Set<OperatorKey>> due = timers.pollFirstEntry();
            for (OperatorKey key : due.getValue()) {
                MemoryKeep keep = keep(key);
                operator.timer(key, due.getKey(), keep, output);
                forgetIfEmpty(key, keep);
            }
        }
        return true;
    }

    long watermarkNs() {
        return watermarkNs;
    }

    /** Keys with a state. */
    int keys() {
        return keys.size();
    }
}
