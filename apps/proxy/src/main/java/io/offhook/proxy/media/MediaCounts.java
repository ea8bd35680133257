package io.offhook.proxy.media;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the media relay. Thread-safe. */
public final class MediaCounts {
    private final Map<MediaCounter, LongAdder> counts = new EnumMap<>(MediaCounter.class);

    MediaCounts() {
        for (MediaCounter counter : MediaCounter.values()) {
            counts.put(counter, new LongAdder());
        }
    }

    void count(MediaCounter counter) {
        LongAdder adder = counts.get(counter);
        if (adder != null) {
            adder.increment();
        }
    }

    /** The value of a counter. */
    public long get(MediaCounter counter) {
        LongAdder adder = counts.get(counter);
        return adder == null ? 0 : adder.sum();
    }
}
