package io.offhook.forward.stage;

/**
 * The translations of first fragments, for the later fragments of their packets, which have no ports (RFC 4787,
 * REQ-14). Bounded: with many fragmented packets at a time, the oldest is evicted. Each lane has its own instance.
 */
final class NatFragments {
    /** No first fragment arrived recently. */
    static final long UNKNOWN = -2;

    private static final int SLOTS = 1024;
    private static final int WAYS = 4;
    /** The reassembly time-out of RFC 791. */
    private static final long LIFETIME_NS = 15_000_000_000L;

    private final long[] addresses = new long[SLOTS];
    private final int[] identifications = new int[SLOTS];
    private final long[] values = new long[SLOTS];
    private final long[] notedNs = new long[SLOTS];

    /**
     * Remembers the translation of a packet.
     *
     * @param addresses source and destination as received
     * @param identification the identification, with the protocol
     * @param value the value that {@link #find} returns: the result of {@link NatTable}
     */
    void note(long addresses, int identification, long value, long nowNs) {
        int first = bucket(addresses, identification);
        int at = first;
        long oldest = -1;
        for (int i = first; i < first + WAYS; i++) {
            if (this.addresses[i] == addresses && identifications[i] == identification) {
                at = i;
                break;
            }
            long age = this.addresses[i] == 0 ? Long.MAX_VALUE : nowNs - notedNs[i];
            if (age > oldest) {
                oldest = age;
                at = i;
            }
        }
        this.addresses[at] = addresses;
        identifications[at] = identification;
        values[at] = value;
        notedNs[at] = nowNs;
    }

    /** The translation of a packet, or {@link #UNKNOWN}. */
    long find(long addresses, int identification, long nowNs) {
        int first = bucket(addresses, identification);
        for (int i = first; i < first + WAYS; i++) {
            if (this.addresses[i] == addresses && identifications[i] == identification) {
                return nowNs - notedNs[i] > LIFETIME_NS ? UNKNOWN : values[i];
            }
        }
        return UNKNOWN;
    }

    private static int bucket(long addresses, int identification) {
        long hash = (addresses * 0xff51afd7ed558ccdL ^ identification) * 0xc4ceb9fe1a85ec53L;
        return (int) (hash >>> 40 & SLOTS / WAYS - 1) * WAYS;
    }
}
