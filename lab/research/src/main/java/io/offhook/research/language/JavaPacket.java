package io.offhook.research.language;

/** {@code struct packet} of language.c as a Java object. Its fields are unsigned, so they are widened as unsigned numbers. */
final class JavaPacket {
    long product;
    long timestamp;
    int captured;
    int wire;
    short port;
    byte ttl;

    /** Sets five fields, multiplies them, and stores the product. */
    void set(long[] draws, long at) {
        timestamp = draws[Draws.index(at)];
        captured = (int) draws[Draws.index(at + 1)];
        wire = (int) draws[Draws.index(at + 2)];
        port = (short) draws[Draws.index(at + 3)];
        ttl = (byte) draws[Draws.index(at + 4)];
        product = timestamp
                * Integer.toUnsignedLong(captured)
                * Integer.toUnsignedLong(wire)
                * Short.toUnsignedLong(port)
                * Byte.toUnsignedLong(ttl);
    }

    long digest(long hash) {
        long mixed = 31 * hash + product;
        mixed = 31 * mixed + timestamp;
        mixed = 31 * mixed + captured;
        mixed = 31 * mixed + wire;
        mixed = 31 * mixed + port;
        return 31 * mixed + ttl;
    }
}
