package io.offhook.proxy.dns;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of name resolution. Thread-safe. */
public final class DnsCounts {
    private final Map<DnsCounter, LongAdder> counts = new EnumMap<>(DnsCounter.class);

    /** Creates counters at 0. */
    public DnsCounts() {
        for (DnsCounter counter : DnsCounter.values()) {
            counts.put(counter, new LongAdder());
        }
    }

    void count(DnsCounter counter) {
        add(counter, 1);
    }

    void add(DnsCounter counter, long number) {
        LongAdder adder = counts.get(counter);
        if (adder != null) {
            adder.add(number);
        }
    }

    /** The value of a counter. */
    public long get(DnsCounter counter) {
        LongAdder adder = counts.get(counter);
        return adder == null ? 0 : adder.sum();
    }
}
