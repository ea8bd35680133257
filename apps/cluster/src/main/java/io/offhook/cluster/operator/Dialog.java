package io.offhook.cluster.operator;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.ProblemLimits;
import io.offhook.calls.join.JoinOptions;
import io.offhook.cluster.calls.CallEvents;
import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.message.SeenEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The messages of one Call-ID as they are kept, and an assembly that they are fed to. */
final class Dialog {
    /** The most messages of one Call-ID, and the most octets of them. */
    static final int MOST_MESSAGES = 4096;

    static final long MOST_OCTETS = 4 << 20;

    /** With room for the streams of one call: four each. */
    private static final int CALLS = 64;

    private static final String MESSAGES = "messages";

    private Dialog() {}

    /**
     * Keeps a message.
     *
     * @return how many there are; 0 if there is no room for it, which is counted
     */
    static long keep(SeenEvent message, Keep keep, Output output) {
        byte[] octets = MessageCodec.write(message);
        long count = keep.number("count", 0) + 1;
        long size = keep.number("octets", 0) + octets.length;
        if (count > MOST_MESSAGES || size > MOST_OCTETS) {
            output.count(OperatorCount.DROPPED_MESSAGES, 1);
            return 0;
        }
        keep.put("count", count);
        keep.put("octets", size);
        keep.append(MESSAGES, octets);
        return count;
    }

    /** Whether an event is older than the state of its call would be, which is gone or was never there; counts that. */
    static boolean isTooLate(Event event, Keep keep, OperatorOptions options, Output output) {
        boolean isTooLate = keep.watermarkNs() != Long.MAX_VALUE
                && event.atNs() + options.retainNs() < keep.watermarkNs()
                && keep.value("last") == null;
        if (isTooLate) {
            output.count(OperatorCount.TOO_LATE_EVENTS, 1);
        }
        return isTooLate;
    }

    /** All that were kept: those of a probe in the order in which they came. */
    static List<Event> messages(Keep keep) {
        List<Event> messages = new ArrayList<>();
        for (byte[] octets : keep.list(MESSAGES)) {
            messages.add(event(octets));
        }
        messages.sort(
                Comparator.<Event, String>comparing(event -> event.origin().probe())
                        .thenComparingLong(event -> event.origin().incarnation()));
        return messages;
    }

    static Event event(byte[] octets) {
        if (MessageCodec.read(octets) instanceof SeenEvent seen) {
            return seen.event();
        }
        throw new IllegalArgumentException("no event is kept");
    }

    /** An assembly of one call. */
    static CallAssembly assembly(MediaOptions media, ProblemLimits limits) {
        return new CallAssembly(CALLS, 1, 1, media, limits, JoinOptions.DEFAULT.withJoins(false), null);
    }

    /** An assembly that messages were fed to. */
    static CallAssembly assembly(List<Event> messages, OperatorOptions options) {
        CallEvents events = new CallEvents();
        messages.forEach(events::add);
        CallAssembly assembly = assembly(options.media(), options.limits());
        long _ = events.feed(assembly, 1);
        return assembly;
    }
}
