package io.offhook.live.libpcap;

/**
 * How to capture from an interface with libpcap.
 *
 * @param interfaceName the name as libpcap lists it ({@link LibpcapInterface}); {@code any} for all interfaces of a
 *     Linux machine
 * @param snapLength the most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether to receive frames for other machines, too
 * @param isMonitor whether to set a wireless interface to monitor mode (rfmon): all frames of its channel, with radio
 *     headers
 * @param bufferBytes the size of the kernel's buffer, by which a consumer may lag behind, 64 KiB to 1 GiB
 * @param timeoutMs the milliseconds after which packets are delivered even if there are few, 1 to 10,000
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

    /**
     * Creates options for all packets, whole, without monitor mode, with a buffer of 64 MiB, delivered after 10 ms at
     * the latest.
     */
    public static LibpcapOptions of(String interfaceName) {
        return new LibpcapOptions(interfaceName, MAX_SNAP_LENGTH, true, false, 64 << 20, 10);
    }

    /** Returns a copy with another snap length in bytes. */
    public LibpcapOptions withSnapLength(int bytes) {
        return new LibpcapOptions(interfaceName, bytes, isPromiscuous, isMonitor, bufferBytes, timeoutMs);
    }

    /** Returns a copy with or without frames for other machines. */
    public LibpcapOptions withPromiscuous(boolean isPromiscuous) {
        return new LibpcapOptions(interfaceName, snapLength, isPromiscuous, isMonitor, bufferBytes, timeoutMs);
    }

    /** Returns a copy with or without monitor mode. */
    public LibpcapOptions withMonitor(boolean isMonitor) {
        return new LibpcapOptions(interfaceName, snapLength, isPromiscuous, isMonitor, bufferBytes, timeoutMs);
    }

    /** Returns a copy with another buffer size in bytes. */
    public LibpcapOptions withBuffer(int bytes) {
        return new LibpcapOptions(interfaceName, snapLength, isPromiscuous, isMonitor, bytes, timeoutMs);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
