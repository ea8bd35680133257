package io.offhook.cluster.operator;

import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.rtp.figures.IntervalFigures;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.figures.StreamUpdate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Folds the intervals of a stream into one event that has all of them. */
final class WholeStream {
    private WholeStream() {}

    /**
     * What is known, and an event that came.
     *
     * @param known null if nothing is
     */
    static Event fold(@Nullable Event known, Event event) {
        if (known == null || !(known.body() instanceof StreamInterval before)) {
            return event;
        }
        if (!(event.body() instanceof StreamInterval interval)) {
            throw new IllegalArgumentException("not an interval: " + event.body());
        }
        if (event.origin().sequence() <= known.origin().sequence()) {
            return known;
        }
        StreamUpdate whole = whole(before.update().alone().with(interval.update()));
        StreamInterval folded = new StreamInterval(
                interval.stream(),
                interval.ownerCallId().isEmpty() ? before.ownerCallId() : interval.ownerCallId(),
                whole,
                interval.sample() == null ? before.sample() : interval.sample(),
                interval.unknown());
        return new Event(event.origin(), event.atNs(), event.key(), folded);
    }

    private static StreamUpdate whole(StreamFigures figures) {
        List<IntervalFigures.Interval> closed = figures.intervals().closed();
        List<StreamUpdate.Changed> all = new ArrayList<>(closed.size());
        for (int i = 0; i < closed.size(); i++) {
            if (!closed.get(i).equals(IntervalFigures.MISSING)) {
                all.add(new StreamUpdate.Changed(i, closed.get(i)));
            }
        }
        StreamFigures rest = new StreamFigures(
                figures.buffer(),
                figures.arrival(),
                figures.sequence(),
                figures.losses(),
                figures.media(),
                figures.playout(),
                new IntervalFigures(List.of(), figures.intervals().open()));
        return new StreamUpdate(rest, closed.size(), all);
    }
}
