package io.offhook.calls;

import java.util.ArrayList;
import java.util.List;

/** Spans of time, ascending and apart from each other; nanoseconds since the epoch. Immutable. */
final class Spans {
    static final Spans NONE = new Spans(List.of());

    /** A span; {@code untilNs} does not belong to it. */
    record Span(long fromNs, long untilNs) {
        long ns() {
            return untilNs - fromNs;
        }
    }

    private final List<Span> spans;

    private Spans(List<Span> spans) {
        this.spans = spans;
    }

    /** One span; none if it is empty. */
    static Spans of(long fromNs, long untilNs) {
        return fromNs < untilNs ? new Spans(List.of(new Span(fromNs, untilNs))) : NONE;
    }

    /** All of these, joined where they meet. */
    static Spans union(List<Span> parts) {
        List<Span> sorted = new ArrayList<>(parts);
        sorted.sort((a, b) -> Long.compare(a.fromNs, b.fromNs));
        List<Span> joined = new ArrayList<>();
        for (Span span : sorted) {
            Span last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && span.fromNs <= last.untilNs) {
                joined.set(joined.size() - 1, new Span(last.fromNs, Math.max(last.untilNs, span.untilNs)));
            } else {
                joined.add(span);
            }
        }
        return new Spans(joined);
    }

    /** These without others. */
    Spans without(Spans others) {
        List<Span> left = new ArrayList<>();
        for (Span span : spans) {
            long fromNs = span.fromNs;
            for (Span other : others.spans) {
                if (other.untilNs > fromNs && other.fromNs < span.untilNs) {
                    if (other.fromNs > fromNs) {
                        left.add(new Span(fromNs, other.fromNs));
                    }
                    fromNs = other.untilNs;
                }
            }
            if (fromNs < span.untilNs) {
                left.add(new Span(fromNs, span.untilNs));
            }
        }
        return new Spans(left);
    }

    /** The parts between two times. */
    Spans within(long fromNs, long untilNs) {
        List<Span> parts = new ArrayList<>();
        for (Span span : spans) {
            long from = Math.max(span.fromNs, fromNs);
            long until = Math.min(span.untilNs, untilNs);
            if (from < until) {
                parts.add(new Span(from, until));
            }
        }
        return new Spans(parts);
    }

    List<Span> list() {
        return spans;
    }

    /** All of it. */
    long ns() {
        long sum = 0;
        for (Span span : spans) {
            sum += span.ns();
        }
        return sum;
    }

    /** The longest; an empty one if there is none. */
    Span longest() {
        Span longest = new Span(0, 0);
        for (Span span : spans) {
            longest = span.ns() > longest.ns() ? span : longest;
        }
        return longest;
    }

    boolean isEmpty() {
        return spans.isEmpty();
    }
}
