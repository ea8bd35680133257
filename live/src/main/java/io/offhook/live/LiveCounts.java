package io.offhook.live;

/**
 * What became of the packets of a live source, since it was opened. All that the kernel saw and the filter wanted are
 * either delivered, or waiting in the ring, or dropped.
 *
 * @param received packets that the kernel had for this source, dropped ones included
 * @param delivered frames handed over in batches
 * @param filtered frames that the kernel let through for it cannot see their VLAN tag, and the filter then did not want
 * @param ringDrops packets that came while the ring was full: the consumer was too slow
 * @param freezes how often the ring was full
 */
public record LiveCounts(long received, long delivered, long filtered, long ringDrops, long freezes) {
    /** Of nothing yet. */
    public static final LiveCounts NONE = new Builder().build();

    /** All packets that were wanted and are lost. */
    public long drops() {
        return ringDrops;
    }

    /** Of both together. */
    public LiveCounts plus(LiveCounts other) {
        return new LiveCounts(
                received + other.received,
                delivered + other.delivered,
                filtered + other.filtered,
                ringDrops + other.ringDrops,
                freezes + other.freezes);
    }

    /** With another number of frames handed over. */
    LiveCounts withDelivered(long frames) {
        return new LiveCounts(received, frames, filtered, ringDrops, freezes);
    }

    /** They grow. */
    static final class Builder {
        long received;
        long delivered;
        long filtered;
        long ringDrops;
        long freezes;

        LiveCounts build() {
            return new LiveCounts(received, delivered, filtered, ringDrops, freezes);
        }
    }
}
