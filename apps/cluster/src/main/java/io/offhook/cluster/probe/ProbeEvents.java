package io.offhook.cluster.probe;

import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.event.EventRange;
import io.offhook.cluster.event.Octets;

/** Passes events to a sink, and counts and announces those that did not get there. */
final class ProbeEvents {
    /** The cause of {@link Drops} for events that could not be sent. */
    static final String UNSENT = "unsentEvents";

    private final EventSink sink;
    private long sent;
    private long unsent;
    private long unannounced;
    private long fromNs;
    private long untilNs;

    ProbeEvents(EventSink sink) {
        this.sink = sink;
    }

    void send(long atNs, long key, EventBody body) {
        boolean isSent;
        try {
            isSent = sink.send(atNs, key, body);
        } catch (IllegalArgumentException e) {
            isSent = false; // too long for an event
        }
        if (isSent) {
            sent++;
        } else {
            lost(atNs);
        }
    }

    /** Sends what concerns the probe itself to all partitions. */
    void sendToAll(long atNs, EventBody body) {
        for (int partition = 0; partition < sink.partitions(); partition++) {
            if (sink.sendTo(partition, atNs, body)) {
                sent++;
            } else {
                lost(atNs);
            }
        }
    }

    /** Counts an event that could not be sent, or not even be made. */
    void lost(long atNs) {
        fromNs = unannounced == 0 ? atNs : Math.min(fromNs, atNs);
        untilNs = unannounced == 0 ? atNs : Math.max(untilNs, atNs);
        unsent++;
        unannounced++;
    }

    /** Announces what was not sent since the last time, in one partition, since counts add up. */
    void announce(long nowNs) {
        if (unannounced == 0) {
            return;
        }
        Drops drops = new Drops(
                Drops.Place.UNSPECIFIED, UNSENT, unannounced, fromNs, untilNs, false, EventRange.NONE, Octets.EMPTY);
        if (sink.sendTo(0, nowNs, drops)) {
            sent++;
            unannounced = 0;
        }
    }

    long sent() {
        return sent;
    }

    long unsent() {
        return unsent;
    }
}
