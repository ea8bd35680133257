package io.offhook.analysis;

import io.offhook.packet.PlacedCount;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions that were contained. Each is a bug in this library or in a consumer, and costs only what it happened at.
 * Counted by that, with their places; the first one is kept. Thread-safe.
 */
final class Failures {
    /** What an exception cost. */
    enum Kind {
        /** A packet that could not be decoded. */
        PACKET("failedPackets"),
        /** What was left of one direction of a TCP connection. */
        CONNECTION("failedConnections"),
        /** A SIP message that was not taken into account. */
        MESSAGE("failedMessages"),
        /** An RTP or RTCP packet, or an ICMP error, that was not taken into account. */
        MEDIA("failedMediaPackets"),
        /** The report of a call or a stream. */
        REPORT("failedReports"),
        /** A frame or a round that a consumer did not get to see. */
        CONSUMER("failedConsumers");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** As docs/OUTPUT.md lists it. */
        String label() {
            return label;
        }
    }

    private final Map<Kind, PlacedCount> counts = new EnumMap<>(Kind.class);
    private @Nullable RuntimeException first;
    private long firstFrame;

    /** Counts an exception at a packet. */
    synchronized void add(Kind kind, RuntimeException thrown, long frameNumber, long timestampNs) {
        count(kind).add(frameNumber, timestampNs);
        keepFirst(thrown, frameNumber);
    }

    /** Adds exceptions that were counted elsewhere, and the first of them, if known. */
    synchronized void add(Kind kind, PlacedCount count, @Nullable RuntimeException thrown) {
        if (count.count() > 0) {
            count(kind).add(count);
        }
        if (thrown != null) {
            keepFirst(thrown, count.firstFrame());
        }
    }

    synchronized void add(Failures other) {
        other.counts.forEach((kind, count) -> count(kind).add(count));
        RuntimeException thrown = other.first;
        if (thrown != null) {
            keepFirst(thrown, other.firstFrame);
        }
    }

    private PlacedCount count(Kind kind) {
        return counts.computeIfAbsent(kind, _ -> new PlacedCount());
    }

    private void keepFirst(RuntimeException thrown, long frameNumber) {
        if (first == null || frameNumber < firstFrame) {
            first = thrown;
            firstFrame = frameNumber;
        }
    }

    /** The number and places of such failures. */
    synchronized PlacedCount of(Kind kind) {
        PlacedCount copy = new PlacedCount();
        PlacedCount known = counts.get(kind);
        if (known != null) {
            copy.add(known);
        }
        return copy;
    }

    /** The exception at the lowest frame; null where there was none. */
    synchronized @Nullable RuntimeException first() {
        return first;
    }
}
