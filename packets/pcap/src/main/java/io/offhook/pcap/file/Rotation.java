package io.offhook.pcap.file;

/** Tells when the next file is due, by {@link RotationLimits}: a function of the packets alone. */
final class Rotation {
    private final RotationLimits limits;
    private long packets;
    private long spanStartNs;
    private boolean begun;

    Rotation(RotationLimits limits) {
        this.limits = limits;
    }

    /**
     * Whether a packet has to go to a new file.
     *
     * @param fileBytes of the file so far
     * @param packetBytes that it will take there
     */
    boolean isDue(long timestampNs, long fileBytes, long packetBytes) {
        if (limits.isOpen()) {
            return false;
        }
        return limits.packets() > 0 && packets >= limits.packets()
                || limits.bytes() > 0 && packets > 0 && fileBytes + packetBytes > limits.bytes()
                || isSpanOver(timestampNs);
    }

    /** Whether the time of the file at hand is over. */
    boolean isSpanOver(long nowNs) {
        return limits.durationNs() > 0 && begun && packets > 0 && nowNs - spanStartNs >= limits.durationNs();
    }

    /** A new file begins. */
    void next() {
        packets = 0;
    }

    /** A packet went to the file at hand. */
    void packet(long timestampNs) {
        packets++;
        long duration = limits.durationNs();
        if (!begun) {
            begun = true;
            spanStartNs = timestampNs;
        } else if (duration > 0 && timestampNs - spanStartNs >= duration) {
            spanStartNs += (timestampNs - spanStartNs) / duration * duration;
        }
    }
}
