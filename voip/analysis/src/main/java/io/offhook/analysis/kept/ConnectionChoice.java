package io.offhook.analysis.kept;

import java.util.Arrays;

/**
 * Which TCP connections are kept: those of SIP, from their handshake on. A connection is chosen by its first bytes, or by what
 * the analysis finds in it; what is neither costs a few small packets. Bounded: of very many connections, those without
 * packets for the longest time are forgotten, and chosen anew by what begins a message. Single-threaded; allocates nothing.
 */
final class ConnectionChoice {
    /** A segment that opens a connection. */
    static final byte OPENS = 3;
    /** One without payload, or with a keep-alive. */
    static final byte EMPTY = 4;
    /** One that begins with what is certainly of SIP: a message, a WebSocket for SIP, TLS at its port. */
    static final byte SIP = 5;
    /** One that begins with TLS which keys may open. */
    static final byte TLS = 6;
    /** Any other. */
    static final byte PAYLOAD = 7;

    private static final int SLOTS = 1 << 17;
    private static final int MOST = SLOTS / 2;
    private static final int PROBES = 16;

    private static final byte KEPT = Byte.MAX_VALUE;

    /** Packets of a connection about which nothing is known yet. */
    private static final byte OPENING = 8;

    /** Packets of TLS, in which SIP must have been found. */
    private static final byte CANDIDATE = 100;

    /** By hash: {@link #KEPT}, or how many more packets are kept. */
    private long[] young = new long[SLOTS];

    private byte[] youngStates = new byte[SLOTS];
    private long[] old = new long[SLOTS];
    private byte[] oldStates = new byte[SLOTS];
    private int count;

    /** The analysis found messages or media in a connection. */
    void found(long connection) {
        put(connection, KEPT);
    }

    /** Whether a segment of a connection is kept. */
    boolean keeps(long connection, byte look) {
        byte state = state(connection);
        if (state == KEPT) {
            return true;
        }
        switch (look) {
            case SIP -> put(connection, KEPT);
            case OPENS -> put(connection, OPENING);
            case TLS -> put(connection, state > OPENING ? (byte) (state - 1) : CANDIDATE);
            case EMPTY -> {
                if (state <= 0) {
                    return false;
                }
                put(connection, (byte) (state - 1));
            }
            default -> {
                if (state <= OPENING) { // its first bytes are not of SIP
                    put(connection, (byte) 0);
                    return false;
                }
                put(connection, (byte) (state - 1));
            }
        }
        return true;
    }

    private byte state(long connection) {
        int at = find(young, connection);
        if (young[at] == connection) {
            return youngStates[at];
        }
        int before = find(old, connection);
        if (old[before] != connection || oldStates[before] == 0) {
            return 0;
        }
        put(connection, oldStates[before]);
        return oldStates[before];
    }

    private void put(long connection, byte state) {
        int at = find(young, connection);
        if (young[at] != connection) {
            if (state == 0) {
                int before = find(old, connection);
                if (old[before] == connection) {
                    oldStates[before] = 0;
                }
                return;
            }
            if (count >= MOST) {
                age();
                at = find(young, connection);
            }
            count += young[at] == 0 ? 1 : 0;
            young[at] = connection;
        }
        youngStates[at] = state;
    }

    private void age() {
        long[] keys = old;
        byte[] states = oldStates;
        old = young;
        oldStates = youngStates;
        young = keys;
        youngStates = states;
        Arrays.fill(young, 0);
        count = 0;
    }

    /** The slot of a connection, an empty one, or one that is taken from another: hashes that collide on purpose cost only each other. */
    private static int find(long[] keys, long connection) {
        int first = (int) (connection >>> 20) & SLOTS - 1;
        for (int i = 0; i < PROBES; i++) {
            int at = first + i & SLOTS - 1;
            if (keys[at] == connection || keys[at] == 0) {
                return at;
            }
        }
        return first;
    }
}
