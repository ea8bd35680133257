package io.offhook.cluster.file;

import io.offhook.cluster.event.EventOrigin;
import java.util.HashMap;
import java.util.Map;

/**
 * The last number of each probe, incarnation and partition: an event that is not above it is a repeat, and what lies between is
 * lost, as docs/EVENTS.md says. For one thread.
 */
public final class Sequences {
    private record Partition(String probe, long incarnation, int partition) {}

    private final Map<Partition, Long> last = new HashMap<>();
    private long repeated;
    private long missing;

    /** Nothing was seen. */
    public Sequences() {}

    /** Whether an event is new. */
    public boolean isNew(EventOrigin origin) {
        Partition partition = new Partition(origin.probe(), origin.incarnation(), origin.partition());
        long before = last.getOrDefault(partition, 0L);
        if (origin.sequence() <= before) {
            repeated++;
            return false;
        }
        missing += origin.sequence() - before - 1;
        last.put(partition, origin.sequence());
        return true;
    }

    /** Events that came more than once. */
    public long repeated() {
        return repeated;
    }

    /** Events that did not come, by the numbers of others. */
    public long missing() {
        return missing;
    }
}
