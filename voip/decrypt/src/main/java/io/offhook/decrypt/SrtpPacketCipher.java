package io.offhook.decrypt;

/** Authenticates and decrypts packets under session keys. Single-threaded. */
sealed interface SrtpPacketCipher permits SrtpCounterMode, SrtpGcm {
    /** The packet is not authentic, or too short. */
    int CLOSED = -1;

    /**
     * Opens an RTP packet.
     *
     * @param packet holds it from its first byte on
     * @param header bytes in clear
     * @param length all bytes
     * @param rollovers ROC, 0 to 2^32 - 1
     * @param opened receives it
     * @return bytes of the opened packet, or {@link #CLOSED}
     */
    int rtp(byte[] packet, int header, int length, long rollovers, byte[] opened);

    /** Opens a compound RTCP packet: its first 8 bytes are in clear. */
    int rtcp(byte[] packet, int length, byte[] opened);

    /** Reads 32 bits. */
    static long u32(byte[] bytes, int at) {
        return (bytes[at] & 0xffL) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | bytes[at + 3] & 0xff;
    }

    /** Writes 32 bits. */
    static void putU32(byte[] bytes, int at, long value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    /** Combines 32 bits with those that are there. */
    static void xorU32(byte[] bytes, int at, long value) {
        putU32(bytes, at, u32(bytes, at) ^ value);
    }
}
