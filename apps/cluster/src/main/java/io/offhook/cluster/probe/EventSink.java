package io.offhook.cluster.probe;

import io.offhook.cluster.event.EventBody;

/** Where a probe puts its events. It numbers them, in the order in which they come. */
public interface EventSink {
    /** The partitions that it has, 1 or more: heartbeats go to each. */
    int partitions();

    /**
     * Puts what has a key into the partition of that key.
     *
     * @param atNs when it happened, nanoseconds since the epoch
     * @param key see {@link io.offhook.cluster.event.EventKey}
     * @return false if the event is lost
     * @throws IllegalArgumentException if it is longer than events may be: it is lost, and has used no number
     */
    boolean send(long atNs, long key, EventBody body);

    /**
     * Puts what concerns the probe itself into a partition.
     *
     * @param partition 0 or more, below {@link #partitions}
     * @param atNs when it happened, nanoseconds since the epoch
     * @return false if the event is lost
     */
    boolean sendTo(int partition, long atNs, EventBody body);
}
