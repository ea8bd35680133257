package io.offhook.store;

/**
 * Packets or messages that a capture lost itself.
 *
 * @param countedNs when they were counted, nanoseconds since the epoch
 * @param place where: an interface, a file, a queue
 * @param cause why, as the name of a counter
 * @param count how many since they were counted the last time, above 0
 */
public record CaptureDrop(long countedNs, String place, String cause, long count) {
    /** Checks the count. */
    public CaptureDrop {
        if (count < 1) {
            throw new IllegalArgumentException("count " + count + " is below 1");
        }
    }
}
