package io.offhook.cluster.message;

import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.StreamId;

/**
 * A stream among those of all probes and incarnations.
 *
 * @param probe its name
 * @param incarnation of the probe
 * @param stream its name there
 */
public record StreamName(String probe, long incarnation, StreamId stream) {
    /** The name of a stream of an event. */
    public static StreamName of(EventOrigin origin, StreamId stream) {
        return new StreamName(origin.probe(), origin.incarnation(), stream);
    }

    /** A name in text: different streams have different ones. */
    public String text() {
        return Long.toHexString(stream.hash())
                + '.'
                + stream.ordinal()
                + '.'
                + Long.toHexString(incarnation)
                + '.'
                + probe;
    }
}
