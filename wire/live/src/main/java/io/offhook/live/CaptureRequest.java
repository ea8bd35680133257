package io.offhook.live;

/**
 * What to capture, and how; the same for all backends.
 *
 * @param name the name of the interface or device
 * @param filter an expression of pcap-filter(7); empty for all packets
 * @param snapLength the most bytes captured of a packet, 1 to 262,144
 * @param bufferBytes the memory for packets that arrive while nobody reads, at least 1
 * @param reception which frames the interface receives
 * @param idleStrategy what the capturing thread does while no packets arrive
 * @param clock the clock of the timestamps
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
     * Which frames the interface receives.
     *
     * @param isPromiscuous whether it receives frames for other machines, too
     * @param isMonitor whether a wireless interface receives everything on its channel
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

    /**
     * Creates a request for all packets, whole, with a buffer of 64 MiB and kernel timestamps; the thread sleeps while
     * idle.
     */
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

    /** Returns a copy with a filter, an expression of pcap-filter(7). */
    public CaptureRequest withFilter(String expression) {
        return new CaptureRequest(name, expression, snapLength, bufferBytes, reception, idleStrategy, clock);
    }

    /** Returns whether it requests a feature. */
    public boolean asksFor(CaptureFeature feature) {
        return switch (feature) {
            case IDLE_STRATEGY -> idleStrategy != IdleStrategy.PARK;
            case MONITOR_MODE -> reception.isMonitor();
            case HARDWARE_CLOCK -> clock == TimestampClock.HARDWARE;
        };
    }

    /**
     * Checks that a backend supports what is requested.
     *
     * @throws CaptureRefusedException if it does not
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
