package io.offhook.calls.relay;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A relay that takes one side's audio in and lets nothing out on the other side. What the other side sends passes, and is
 * captured before the relay and behind it: so the capture would have what goes the other way.
 *
 * @param into the audio that does not come out
 * @param back what the other side sends to the relay
 */
public record SilentRelay(StreamPoint into, StreamPoint back) {
    /** The shortest time in which both sides send, in nanoseconds, and the packets of either in it. */
    private static final long SHORTEST_NS = 2_000_000_000L;

    private static final long FEWEST_PACKETS = 50;

    /** Where the audio was to go. */
    public Endpoint towards() {
        return back.source();
    }

    /**
     * Looks for the relay that loses all audio of one side.
     *
     * @param audio all audio streams of a call
     * @param isFromCaller whose audio
     * @return null if there is none
     */
    public static @Nullable SilentRelay of(List<StreamPoint> audio, boolean isFromCaller) {
        StreamPoint into = null;
        List<StreamPoint> backs = new ArrayList<>(2);
        for (StreamPoint point : audio) {
            if (point.isFromCaller() != isFromCaller) {
                backs.add(point);
            } else if (into != null && (into.leadsTo(point) || point.leadsTo(into) || !into.isToHostOf(point))) {
                return null; // it comes out, or there are several ways
            } else if (into == null
                    || point.statistics().packets() > into.statistics().packets()) {
                into = point;
            }
        }
        return into == null ? null : of(into, backs);
    }

    private static @Nullable SilentRelay of(StreamPoint into, List<StreamPoint> backs) {
        for (StreamPoint back : backs) {
            // to the relay, and not from the one whose audio is missing
            if (!back.isToHostOf(into) || into.isFromHostOf(back) || !isTogether(into, back)) {
                continue;
            }
            for (StreamPoint out : backs) {
                if (back.leadsTo(out) && out.leadsTo(into) && isTogether(back, out)) {
                    return new SilentRelay(into, back);
                }
            }
        }
        return null;
    }

    private static boolean isTogether(StreamPoint one, StreamPoint other) {
        long fromNs = Math.max(one.statistics().firstNs(), other.statistics().firstNs());
        long untilNs = Math.min(one.statistics().lastNs(), other.statistics().lastNs());
        return untilNs - fromNs >= SHORTEST_NS
                && Math.min(one.statistics().distinct(), other.statistics().distinct()) >= FEWEST_PACKETS
                && one.isComplete()
                && other.isComplete();
    }
}
