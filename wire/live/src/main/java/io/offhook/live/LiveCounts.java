package io.offhook.live;

/**
 * What became of the packets of a live source since it was opened: {@code received = delivered + filtered + ringDrops +
 * kernelDrops}, plus those that wait in the ring. None waits once the source has ended.
 *
 * @param received packets that the kernel had for this source, including dropped ones
 * @param delivered frames delivered in batches
 * @param filtered frames that reached the ring and were then rejected by the filter, because the kernel could not
 *     decide
 * @param ringDrops packets that arrived while the ring was full: the consumer was too slow
 * @param kernelDrops packets that the kernel or the driver dropped before they could reach the ring: no free buffer, a
 *     queue of the device full; 0 if the backend does not distinguish them from {@code ringDrops}
 * @param freezes how often the ring was full; for AF_XDP, how often the kernel found no free chunk
 */
public record LiveCounts(long received, long delivered, long filtered, long ringDrops, long kernelDrops, long freezes) {
    /** All counts are 0. */
    public static final LiveCounts NONE = new Builder().build();

    /** Returns the packets that were wanted and are lost. */
    public long drops() {
        return ringDrops + kernelDrops;
    }

    /** Returns the sum of both. */
    public LiveCounts plus(LiveCounts other) {
        return new LiveCounts(
                received + other.received,
                delivered + other.delivered,
                filtered + other.filtered,
                ringDrops + other.ringDrops,
                kernelDrops + other.kernelDrops,
                freezes + other.freezes);
    }

    /** Returns a copy with another number of delivered frames. */
    LiveCounts withDelivered(long frames) {
        return new LiveCounts(received, frames, filtered, ringDrops, kernelDrops, freezes);
    }

    /** Counts that grow. One thread at a time. */
    public static final class Builder {
        private long received;
        private long delivered;
        private long filtered;
        private long ringDrops;
        private long kernelDrops;
        private long freezes;

        /** Creates counts that are all 0. */
        public Builder() {}

        /** Returns {@link LiveCounts#received()}, in packets, as it is so far. */
        public long received() {
            return received;
        }

        /** Sets {@link LiveCounts#received}. */
        public void received(long packets) {
            received = packets;
        }

        /** Returns {@link LiveCounts#delivered()}, in frames, as it is so far. */
        public long delivered() {
            return delivered;
        }

        void delivered(long frames) {
            delivered = frames;
        }

        /** Returns {@link LiveCounts#filtered()}, in frames, as it is so far. */
        public long filtered() {
            return filtered;
        }

        void filtered(long frames) {
            filtered = frames;
        }

        /** Returns {@link LiveCounts#ringDrops()}, in packets, as it is so far. */
        public long ringDrops() {
            return ringDrops;
        }

        /** Returns {@link LiveCounts#kernelDrops()}, in packets, as it is so far. */
        public long kernelDrops() {
            return kernelDrops;
        }

        /** Sets {@link LiveCounts#ringDrops} and {@link LiveCounts#kernelDrops}. */
        public void drops(long ring, long kernel) {
            ringDrops = ring;
            kernelDrops = kernel;
        }

        /** Returns {@link LiveCounts#freezes()}, in times, as it is so far. */
        public long freezes() {
            return freezes;
        }

        /** Sets {@link LiveCounts#freezes}. */
        public void freezes(long times) {
            freezes = times;
        }

        /** Returns the counts as they are now; they do not grow with this builder. */
        public LiveCounts build() {
            return new LiveCounts(received, delivered, filtered, ringDrops, kernelDrops, freezes);
        }
    }
}
