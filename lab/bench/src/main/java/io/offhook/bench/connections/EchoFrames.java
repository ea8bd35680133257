package io.offhook.bench.connections;

/** Frames of the benchmark: two bytes with the length of what follows, big-endian, then that. */
final class EchoFrames {
    static final int HEADER_BYTES = 2;
    static final int MOST_BYTES = HEADER_BYTES + 0xffff;

    private EchoFrames() {}

    /** The length of the whole frame at the beginning of the bytes; 0 if it is not complete. */
    static int complete(byte[] octets, int offset, int available) {
        if (available < HEADER_BYTES) {
            return 0;
        }
        int length = HEADER_BYTES + ((octets[offset] & 0xff) << 8 | octets[offset + 1] & 0xff);
        return available < length ? 0 : length;
    }

    /** The bytes of all whole frames at the beginning. */
    static int allComplete(byte[] octets, int offset, int available) {
        int at = 0;
        for (int length = complete(octets, offset, available); length > 0; ) {
            at += length;
            length = complete(octets, offset + at, available - at);
        }
        return at;
    }

    /** A frame with so many bytes of payload. */
    static byte[] frame(int payloadBytes) {
        byte[] frame = new byte[HEADER_BYTES + payloadBytes];
        frame[0] = (byte) (payloadBytes >>> 8);
        frame[1] = (byte) payloadBytes;
        for (int i = HEADER_BYTES; i < frame.length; i++) {
            frame[i] = (byte) i;
        }
        return frame;
    }
}
