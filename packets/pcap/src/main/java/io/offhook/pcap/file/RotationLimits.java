package io.offhook.pcap.file;

/**
 * When a capture file is full and the next one begins, and how many are kept. Of several limits the one that is met first
 * counts; 0 is none.
 *
 * @param bytes that a file may have, before compression; a packet that is larger by itself gets a file of its own
 * @param durationNs nanoseconds of packet time, counted from the first packet of the first file on: each file holds those
 *     of one such span, and a span without packets has no file. A packet that is older than its file stays in it
 * @param packets that a file may have
 * @param files that are kept, the oldest being deleted; 0 keeps all
 */
public record RotationLimits(long bytes, long durationNs, long packets, int files) {
    /** One file without end. */
    public static final RotationLimits NONE = new RotationLimits(0, 0, 0, 0);

    /** Checks the ranges. */
    public RotationLimits {
        checkNotNegative("bytes", bytes);
        checkNotNegative("durationNs", durationNs);
        checkNotNegative("packets", packets);
        checkNotNegative("files", files);
    }

    private static void checkNotNegative(String what, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " " + value + " is below 0");
        }
    }

    /** Whether there is only ever one file. */
    boolean isOpen() {
        return bytes == 0 && durationNs == 0 && packets == 0;
    }
}
