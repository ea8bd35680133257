package io.offhook.pcap.file;

/**
 * When a capture file is full and the next one begins, and how many files are kept. Of several limits, the first one
 * reached applies; 0 means no limit.
 *
 * @param bytes the most bytes of a file, before compression; a larger packet gets a file of its own
 * @param durationNs the length in nanoseconds of packet time of the spans that are counted from the first packet of the
 *     first file: each file holds the packets of one span, and a span without packets has no file. A packet older than
 *     its file's span stays in the file
 * @param packets the most packets of a file
 * @param files the most files to keep; the oldest is deleted. 0 keeps all
 */
public record RotationLimits(long bytes, long durationNs, long packets, int files) {
    /** A single file without limits. */
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

    /** Returns whether there is never a second file. */
    boolean isOpen() {
        return bytes == 0 && durationNs == 0 && packets == 0;
    }
}
