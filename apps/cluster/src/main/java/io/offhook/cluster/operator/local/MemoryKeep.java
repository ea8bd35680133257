package io.offhook.cluster.operator.local;

import io.offhook.cluster.operator.Keep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The state of one key in memory; what goes in and out are copies. Counts its octets: names, and what is in them. */
final class MemoryKeep implements Keep {
    private final LongConsumer timers;
    private final LongSupplier watermark;
    private final LongConsumer size;
    private final Map<String, byte[]> values = new HashMap<>();
    private final Map<String, List<byte[]>> lists = new HashMap<>();
    private final Map<String, Map<String, byte[]>> maps = new HashMap<>();
    private long octets;

    /**
     * An empty state.
     *
     * @param timers sets timers
     * @param watermark answers the time
     * @param size is given by how many octets the state grows
     */
    MemoryKeep(LongConsumer timers, LongSupplier watermark, LongConsumer size) {
        this.timers = timers;
        this.watermark = watermark;
        this.size = size;
    }

    private void grow(long by) {
        octets += by;
        size.accept(by);
    }

    private static long octets(String name, byte @Nullable [] value) {
        return value == null ? 0 : name.length() + value.length;
    }

    @Override
    public byte @Nullable [] value(String name) {
        byte[] value = values.get(name);
        return value == null ? null : value.clone();
    }

    @Override
    public void put(String name, byte[] value) {
        grow(octets(name, value) - octets(name, values.put(name, value.clone())));
    }

    @Override
    public List<byte[]> list(String name) {
        List<byte[]> copies = new ArrayList<>();
        lists.getOrDefault(name, List.of()).forEach(value -> copies.add(value.clone()));
        return copies;
    }

    @Override
    public void append(String name, byte[] value) {
        lists.computeIfAbsent(name, _ -> new ArrayList<>()).add(value.clone());
        grow(value.length);
    }

    @Override
    public void removeList(String name) {
        List<byte[]> removed = lists.remove(name);
        if (removed != null) {
            removed.forEach(value -> grow(-value.length));
        }
    }

    @Override
    public Map<String, byte[]> map(String name) {
        Map<String, byte[]> copies = new LinkedHashMap<>();
        maps.getOrDefault(name, Map.of()).forEach((of, value) -> copies.put(of, value.clone()));
        return copies;
    }

    @Override
    public byte @Nullable [] entry(String name, String of) {
        byte[] value = maps.getOrDefault(name, Map.of()).get(of);
        return value == null ? null : value.clone();
    }

    @Override
    public void put(String name, String of, byte[] value) {
        byte[] before = maps.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(of, value.clone());
        grow(octets(of, value) - octets(of, before));
    }

    @Override
    public void remove(String name, String of) {
        Map<String, byte[]> map = maps.get(name);
        if (map != null) {
            grow(-octets(of, map.remove(of)));
        }
    }

    @Override
    public void timer(long atNs) {
        timers.accept(atNs);
    }

    @Override
    public long watermarkNs() {
        return watermark.getAsLong();
    }

    @Override
    public void clear() {
        values.clear();
        lists.clear();
        maps.clear();
        grow(-octets);
    }

    boolean isEmpty() {
        return values.isEmpty() && lists.isEmpty() && maps.isEmpty();
    }
}
