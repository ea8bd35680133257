package io.offhook.pcap.file;

/** Decides when the next file begins, by {@link RotationLimits}: a function of the packets alone. */
final class Rotation {
    private final RotationLimits limits;
    private long packets;
    private long spanStartNs;
    private boolean begun;

    Rotation(RotationLimits limits) {
        this.limits = limits;
    }

    /**
     * Returns whether a packet has to go to a new file.
     *
     * @param fileBytes the bytes of the current file so far
     * @param packetBytes the bytes that the packet will take there
     */
    boolean isDue(long timestampNs, long fileBytes, long packetBytes) {
        if (limits.isOpen()) {
            return false;
        }
        return limits.packets() > 0 && packets >= limits.packets()
                || limits.bytes() > 0 && packets > 0 && fileBytes + packetBytes > limits.bytes()
                || isSpanOver(timestampNs);
    }

    /** Returns whether the time of the current file is over. */
    boolean isSpanOver(long nowNs) {
        return limits.durationNs() > 0 && begun && packets > 0 && nowNs - spanStartNs >= limits.durationNs();
    }

    /** Records that a new file begins. */
    void next() {
        packets = 0;
    }

    /** Records a packet of the current file. */
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
