package io.offhook.transport;

/**
 * Which lane a call belongs to: a hash of the value of its Call-ID, so that all messages of a dialog reach the same lane,
 * and the calls of one busy neighbour spread over all lanes. The kernel computes the same for the datagrams of shared sockets
 * ({@link DatagramOptions#selectsLanes}).
 *
 * <p>The hash is FNV-1a over the first {@value #MAX_OCTETS} octets, and a mix of its bits.
 */
public final class CallIdLane {
    /** The octets of a Call-ID that are hashed; further ones make no difference. */
    public static final int MAX_OCTETS = 128;

    static final int BASIS = 0x811c9dc5;
    static final int PRIME = 0x01000193;
    static final int MIX = 0x85ebca6b;

    private CallIdLane() {}

    /**
     * The lane of a Call-ID.
     *
     * @param octets holds the value, without the blanks before it
     * @param from the first octet
     * @param end behind the last one
     * @param lanes the number of lanes, at least 1
     * @return 0 to {@code lanes - 1}
     */
    public static int of(byte[] octets, int from, int end, int lanes) {
        int hash = BASIS;
        for (int i = from; i < end && i - from < MAX_OCTETS; i++) {
            hash = (hash ^ octets[i] & 0xff) * PRIME;
        }
        hash ^= hash >>> 16;
        hash *= MIX;
        hash ^= hash >>> 13;
        return (int) ((hash & 0xffff_ffffL) * lanes >>> 32);
    }
}
