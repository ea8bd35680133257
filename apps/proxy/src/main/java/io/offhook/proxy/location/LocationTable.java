package io.offhook.proxy.location;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Bindings by address of record. Any thread reads; one thread, the writer, changes.
 *
 * <p>An entry is in one bucket: that of the second in which its first binding expires. So expiry looks at what expires, and
 * at nothing else. Entries of a bucket are linked through themselves, since there is one for each registered user.
 */
final class LocationTable {
    private static final Binding[] NONE = new Binding[0];

    private static final class Entry {
        final AddressOfRecord addressOfRecord;
        volatile Binding[] bindings = NONE;
        long bucket;

        @Nullable
        Entry previous;

        @Nullable
        Entry next;

        Entry(AddressOfRecord addressOfRecord) {
            this.addressOfRecord = addressOfRecord;
        }
    }

    private final Map<AddressOfRecord, Entry> entries = new ConcurrentHashMap<>();
    /** Each domain once, however many users it has. */
    private final Map<String, String> domains = new HashMap<>();

    private final TreeMap<Long, Entry> buckets = new TreeMap<>();
    private final AtomicLong bindingCount = new AtomicLong();

    /** The bindings, expired ones included; empty if there are none. */
    List<Binding> get(AddressOfRecord addressOfRecord) {
        Entry entry = entries.get(addressOfRecord);
        return entry == null ? List.of() : List.of(entry.bindings);
    }

    /** Replaces the bindings; the writer only. */
    void put(AddressOfRecord addressOfRecord, List<Binding> bindings) {
        Entry entry = entries.get(addressOfRecord);
        if (entry == null && bindings.isEmpty()) {
            return;
        }
        if (entry == null) {
            entry = new Entry(new AddressOfRecord(addressOfRecord.user(), domain(addressOfRecord.domain())));
        } else {
            unlink(entry);
        }
        bindingCount.addAndGet(bindings.size() - entry.bindings.length);
        entry.bindings = bindings.toArray(NONE);
        if (bindings.isEmpty()) {
            entries.remove(addressOfRecord);
            return;
        }
        link(entry);
        entries.putIfAbsent(entry.addressOfRecord, entry);
    }

    private String domain(String domain) {
        if (domains.size() > 10_000) {
            domains.clear();
        }
        return domains.computeIfAbsent(domain, name -> name);
    }

    private void link(Entry entry) {
        long firstMs = Arrays.stream(entry.bindings)
                .mapToLong(Binding::expiresAtMs)
                .min()
                .orElse(0);
        entry.bucket = firstMs / 1000 + 1;
        entry.next = buckets.put(entry.bucket, entry);
        if (entry.next != null) {
            entry.next.previous = entry;
        }
    }

    private void unlink(Entry entry) {
        if (entry.next != null) {
            entry.next.previous = entry.previous;
        }
        if (entry.previous != null) {
            entry.previous.next = entry.next;
        } else if (entry.next != null) {
            buckets.put(entry.bucket, entry.next);
        } else {
            buckets.remove(entry.bucket);
        }
        entry.previous = null;
        entry.next = null;
    }

    /**
     * Removes what has expired, bucket by bucket; the writer only.
     *
     * @param most the most entries that are looked at, so that this never takes long
     * @return the bindings removed
     */
    int expire(long nowMs, int most) {
        int removed = 0;
        for (int i = 0; i < most && !buckets.isEmpty() && buckets.firstKey() <= nowMs / 1000; i++) {
            Entry entry = buckets.firstEntry().getValue();
            List<Binding> left = new ArrayList<>(entry.bindings.length);
            for (Binding binding : entry.bindings) {
                if (binding.expiresAtMs() > nowMs) {
                    left.add(binding);
                }
            }
            removed += entry.bindings.length - left.size();
            put(entry.addressOfRecord, left);
        }
        return removed;
    }

    /** Visits all entries, as they are when they are visited; any thread. */
    void forEach(BiConsumer<AddressOfRecord, List<Binding>> visitor) {
        for (Entry entry : entries.values()) {
            Binding[] bindings = entry.bindings;
            if (bindings.length > 0) {
                visitor.accept(entry.addressOfRecord, List.of(bindings));
            }
        }
    }

    int addresses() {
        return entries.size();
    }

    long bindings() {
        return bindingCount.get();
    }
}
