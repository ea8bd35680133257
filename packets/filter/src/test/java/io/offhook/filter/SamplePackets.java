package io.offhook.filter;

import java.util.SplittableRandom;

/** Ethernet frames of values that random expressions ask for, most of them long enough: the same ones for the same seed. */
final class SamplePackets {
    private static final int[] TYPES = {0x0800, 0x86dd, 0x0806, 0x8100, 0x8864, 0x8847, 60};
    private static final byte[] PROTOCOLS = {6, 17, 1, 58, 44, 50, -124};

    private final SplittableRandom random;

    SamplePackets(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Up to 128 bytes; one in four is shorter. */
    byte[] next() {
        byte[] packet = new byte[random.nextInt(4) == 0 ? random.nextInt(1, 128) : 128];
        fill(packet);
        return packet;
    }

    /** Any bytes, small ones more often; then a type, a version and a protocol that go together. */
    void fill(byte[] packet) {
        for (int i = 0; i < packet.length; i++) {
            packet[i] = (byte) random.nextInt(random.nextBoolean() ? 8 : 256);
        }
        int type = TYPES[random.nextInt(TYPES.length)];
        put(packet, 12, type >> 8);
        put(packet, 13, type);
        put(packet, 14, type == 0x0800 ? 0x45 : 0x60);
        put(packet, type == 0x0800 ? 23 : 20, PROTOCOLS[random.nextInt(PROTOCOLS.length)]);
        if (random.nextBoolean()) {
            put(packet, 20, 0); // no later fragment
            put(packet, 21, 0);
        }
    }

    private static void put(byte[] packet, int at, int value) {
        if (at < packet.length) {
            packet[at] = (byte) value;
        }
    }
}
