package io.offhook.cluster.event;

import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamUpdate;
import org.jspecify.annotations.Nullable;

/**
 * What changed of a stream. Of what is inside of the figures, fields that this release does not know are not kept: they are
 * passed on by whoever passes the octets of the event on.
 *
 * @param stream its name
 * @param ownerCallId of the call whose SDP named its codecs at the probe; empty if there was none yet
 * @param update to be folded into what came before
 * @param sample packets by which it is recognised, in the place of those before; null if these are still all
 * @param unknown what this release does not know of it
 */
public record StreamInterval(
        StreamId stream,
        String ownerCallId,
        StreamUpdate update,
        @Nullable SampleFigures sample,
        Octets unknown) implements EventBody {
    /** The greatest number of intervals of a stream, a day. */
    public static final int INTERVALS = 17_280;

    /** Checks sizes and ranges. */
    public StreamInterval {
        Limits.text("owner_call_id", ownerCallId, Limits.TEXT);
        Limits.range("intervals", update.closed(), 0, INTERVALS);
        for (StreamUpdate.Changed changed : update.changed()) {
            Limits.range("index", changed.index(), 0, update.closed() - 1L);
        }
    }
}
