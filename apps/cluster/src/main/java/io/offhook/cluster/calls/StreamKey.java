package io.offhook.cluster.calls;

import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.StreamId;

/** A stream among those of all probes and incarnations. */
record StreamKey(String probe, long incarnation, StreamId stream) {
    static StreamKey of(EventOrigin origin, StreamId stream) {
        return new StreamKey(origin.probe(), origin.incarnation(), stream);
    }
}
