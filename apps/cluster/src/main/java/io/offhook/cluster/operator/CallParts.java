package io.offhook.cluster.operator;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.binding.Taking;
import io.offhook.cluster.calls.CallEvents;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.message.BoundStream;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.Takings;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.figures.ArrivalFigures;
import io.offhook.rtp.figures.SequenceFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a report of one call is made of. */
final class CallParts {
    /** A stream as one probe saw it. */
    private record Seen(Event begin, Event interval, StreamBegin stream, StreamInterval figures) {
        boolean isCopyOf(Seen other) {
            return !begin.origin().probe().equals(other.begin.origin().probe())
                    && same(stream.source(), other.stream.source())
                    && same(stream.destination(), other.stream.destination())
                    && stream.ssrc() == other.stream.ssrc()
                    && times().firstNs() <= other.times().lastNs()
                    && other.times().firstNs() <= times().lastNs();
        }

        private static boolean same(Endpoint one, Endpoint other) {
            return one.equals(other);
        }

        ArrivalFigures.Times times() {
            return figures.update().figures().arrival().times();
        }

        /** Packets without copies. */
        long distinct() {
            SequenceFigures counts = figures.update().figures().sequence();
            return counts.packets() - counts.odd().duplicates();
        }
    }

    private static final Comparator<Seen> BEST = Comparator.comparingLong(Seen::distinct)
            .reversed()
            .thenComparing(seen -> seen.begin.origin().probe())
            .thenComparingLong(seen -> seen.begin.origin().incarnation())
            .thenComparingLong(seen -> seen.stream.firstFrame());

    private final long callIdHash;
    private final CallEvents events = new CallEvents();
    private final List<Seen> streams = new ArrayList<>();
    private final List<Taking> takings = new ArrayList<>();
    private long copies;

    CallParts(long callIdHash, List<Event> messages) {
        this.callIdHash = callIdHash;
        messages.forEach(this::add);
    }

    void add(Event event) {
        boolean _ = events.add(event);
    }

    void add(OperatorMessage part) {
        switch (part) {
            case BoundStream bound -> {
                Event begin = bound.begin();
                Event interval = bound.interval();
                if (begin != null
                        && interval != null
                        && begin.body() instanceof StreamBegin stream
                        && interval.body() instanceof StreamInterval figures) {
                    streams.add(new Seen(begin, interval, stream, figures));
                }
            }
            case Takings taken -> takings.addAll(taken.takings());
            default -> throw new IllegalArgumentException("not a part of a call: " + part);
        }
    }

    /**
     * Feeds an assembly. Of a stream that several probes saw, the one counts that saw most of its packets.
     *
     * @return streams that were left out, as their figures are those of none
     */
    long feed(CallAssembly assembly) {
        streams.sort(BEST);
        List<Seen> chosen = new ArrayList<>(streams.size());
        for (Seen stream : streams) {
            if (chosen.stream().anyMatch(stream::isCopyOf)) {
                copies++;
            } else {
                chosen.add(stream);
                add(stream.begin);
                add(stream.interval);
            }
        }
        takings.sort(Comparator.comparingLong(Taking::fromNs));
        events.takenOver(callIdHash, takings);
        return events.feed(assembly, 1);
    }

    /** Streams that were left out, as another probe saw more of them. */
    long copies() {
        return copies;
    }
}
