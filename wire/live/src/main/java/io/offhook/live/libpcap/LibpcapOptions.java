package io.offhook.live.libpcap;

/**
 * How an interface is captured from by libpcap.
 *
 * @param interfaceName as libpcap lists it ({@link LibpcapInterface}); {@code any} for all of a Linux machine
 * @param snapLength most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether frames for other machines are wanted, too
 * @param isMonitor whether a wireless interface is to be set to monitor mode (rfmon): all frames of its channel, with radio
 *     headers
 * @param bufferBytes of the kernel, which a consumer may fall behind, 64 KiB to 1 GiB
 * @param timeoutMs after how many milliseconds packets are handed over though few have come, 1 to 10,000
 */
public record LibpcapOptions(
        String interfaceName,
        int snapLength,
        boolean isPromiscuous,
        boolean isMonitor,
        int bufferBytes,
        int timeoutMs) {
    private static final int MAX_SNAP_LENGTH = 262_144;
    static final int MAX_BUFFER = 1 << 30;

    /** Checks the ranges. */
    public LibpcapOptions {
        check("snapLength", snapLength, 1, MAX_SNAP_LENGTH);
        check("bufferBytes", bufferBytes, 64 << 10, MAX_BUFFER);
        check("timeoutMs", timeoutMs, 1, 10_000);
    }

    /** Whole packets, all that pass, no monitor mode, 64 MiB, handed over after 10 ms at the latest. */
    public static LibpcapOptions of(String interfaceName) {
        return new LibpcapOptions(interfaceName, MAX_SNAP_LENGTH, true, false, 64 << 20, 10);
    }

    /** With another snap length. */
    public LibpcapOptions withSnapLength(int bytes) {
        return new LibpcapOptions(interfaceName, bytes, isPromiscuous, isMonitor, bufferBytes, timeoutMs);
    }

    /** With frames for other machines, or without. */
    public LibpcapOptions withPromiscuous(boolean isPromiscuous) {
        return new LibpcapOptions(interfaceName, snapLength, isPromiscuous, isMonitor, bufferBytes, timeoutMs);
    }

    /** In monitor mode, or not. */
    public LibpcapOptions withMonitor(boolean isMonitor) {
        return new LibpcapOptions(interfaceName, snapLength, isPromiscuous, isMonitor, bufferBytes, timeoutMs);
    }

    /** With another buffer. */
    public LibpcapOptions withBuffer(int bytes) {
        return new LibpcapOptions(interfaceName, snapLength, isPromiscuous, isMonitor, bytes, timeoutMs);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
