package io.offhook.cluster.probe;

import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.spool.EventOutbox;
import io.offhook.cluster.spool.SpoolStatus;

/** A probe's events go to its spool, from which they are sent. */
public final class SpooledEvents implements EventSink {
    private final EventOutbox outbox;
    private final int partitions;

    /**
     * @param outbox numbers the events
     * @param partitions of its topic, 1 or more
     */
    public SpooledEvents(EventOutbox outbox, int partitions) {
        this.outbox = outbox;
        this.partitions = partitions;
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public boolean send(long atNs, long key, EventBody body) {
        return outbox.send(atNs, key, body) == SpoolStatus.KEPT;
    }

    @Override
    public boolean sendTo(int partition, long atNs, EventBody body) {
        return outbox.sendTo(partition, atNs, body) == SpoolStatus.KEPT;
    }
}
