package io.offhook.live;

/**
 * What is to be captured, and how: the same for all backends.
 *
 * @param name of the interface or the device
 * @param filter of pcap-filter(7); empty for all packets
 * @param snapLength most bytes captured of a packet, 1 to 262,144
 * @param bufferBytes for packets that come while nobody reads, 1 or more
 * @param reception which frames the interface is to take
 * @param idleStrategy what the thread that captures does while nothing comes
 * @param clock by which frames are stamped
 */
public record CaptureRequest(
        String name,
        String filter,
        int snapLength,
        long bufferBytes,
        Reception reception,
        IdleStrategy idleStrategy,
        TimestampClock clock) {
    private static final int MAX_SNAP_LENGTH = 262_144;
    private static final long DEFAULT_BUFFER = 64L << 20;

    /**
     * Which frames.
     *
     * @param isPromiscuous whether those for other machines, too
     * @param isMonitor whether a wireless interface is to hear all of its channel
     */
    public record Reception(boolean isPromiscuous, boolean isMonitor) {}

    /** Checks the ranges. */
    public CaptureRequest {
        if (snapLength < 1 || snapLength > MAX_SNAP_LENGTH) {
            throw new IllegalArgumentException("snapLength " + snapLength + " is outside 1 to " + MAX_SNAP_LENGTH);
        }
        if (bufferBytes < 1) {
            throw new IllegalArgumentException("bufferBytes " + bufferBytes + " is below 1");
        }
    }

    /** Whole packets, all that pass, 64 MiB, stamped by the kernel; the thread sleeps while nothing comes. */
    public static CaptureRequest of(String name) {
        return new CaptureRequest(
                name,
                "",
                MAX_SNAP_LENGTH,
                DEFAULT_BUFFER,
                new Reception(true, false),
                IdleStrategy.PARK,
                TimestampClock.KERNEL);
    }

    /** With a filter of pcap-filter(7). */
    public CaptureRequest withFilter(String expression) {
        return new CaptureRequest(name, expression, snapLength, bufferBytes, reception, idleStrategy, clock);
    }

    /** Whether it asks for that. */
    public boolean asksFor(CaptureFeature feature) {
        return switch (feature) {
            case IDLE_STRATEGY -> idleStrategy != IdleStrategy.PARK;
            case MONITOR_MODE -> reception.isMonitor();
            case HARDWARE_CLOCK -> clock == TimestampClock.HARDWARE;
        };
    }

    /**
     * Checks that a backend has what is asked for.
     *
     * @throws CaptureRefusedException where it has not
     */
    public void checkFor(CaptureBackend backend) {
        for (CaptureFeature feature : CaptureFeature.values()) {
            if (asksFor(feature) && !backend.features().contains(feature)) {
                throw new CaptureRefusedException(backend.name() + " does not have " + feature, null);
            }
        }
        if (bufferBytes > backend.mostBufferBytes()) {
            throw new CaptureRefusedException(
                    "bufferBytes " + bufferBytes + " is above " + backend.mostBufferBytes() + ", the most of "
                            + backend.name(),
                    null);
        }
    }
}
