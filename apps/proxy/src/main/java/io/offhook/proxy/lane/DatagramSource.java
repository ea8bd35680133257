package io.offhook.proxy.lane;

/** Whether a datagram can be answered: its source may be forged, and an answer must go to one host at most. */
final class DatagramSource {
    private static final long V4_PREFIX = 0xffffL;

    private DatagramSource() {}

    /** Whether an address and port, as {@link io.offhook.packet.IpAddress} has them, are those of one host. */
    static boolean isOneHost(long high, long low, int port) {
        if (port == 0) {
            return false;
        }
        if (high == 0 && low >>> 32 == V4_PREFIX) {
            int first = (int) (low >>> 24) & 0xff;
            return first != 0 && first < 224; // 224/4 is multicast (RFC 5771), 240/4 reserved and broadcast (RFC 1112)
        }
        return high >>> 56 != 0xff && (high | low) != 0; // RFC 4291, 2.7 and 2.5.2
    }
}
