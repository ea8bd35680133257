package io.offhook.proxy.media;

import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.statistics.CauseWatch;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the media relay. Thread-safe. */
public final class MediaCounts implements CauseWatch {
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

    @Override
    public List<CauseFigure> causes() {
        return counts.entrySet().stream()
                .map(each -> new CauseFigure(
                        "media",
                        each.getKey().name().toLowerCase(Locale.ROOT),
                        each.getValue().sum()))
                .toList();
    }

    /** The value of a counter. */
    public long get(MediaCounter counter) {
        LongAdder adder = counts.get(counter);
        return adder == null ? 0 : adder.sum();
    }
}
