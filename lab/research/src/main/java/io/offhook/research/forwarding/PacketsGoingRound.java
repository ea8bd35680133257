package io.offhook.research.forwarding;

import io.offhook.dpdk.MbufTemplate;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The routes and packets of forwarding.c, drawn in the same order from the same seed. */
final class PacketsGoingRound {
    private static final int HEADER_BYTES = 20;

    private final int[] networks = new int[JavaForwarding.HOPS];
    private final int[] depths = new int[JavaForwarding.HOPS];
    private long state = 0x0ff400c;

    PacketsGoingRound() {
        for (int hop = 0; hop < networks.length; hop++) {
            depths[hop] = 12 + hop % 17;
            networks[hop] = draw() & ~(-1 >>> depths[hop]);
        }
    }

    private int draw() {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (int) (state >>> 32);
    }

    void addRoutes(Routes routes) {
        for (int hop = 0; hop < networks.length; hop++) {
            routes.add(networks[hop], depths[hop], hop);
        }
    }

    /** Sends the packets into the first ring. */
    void fill(JavaForwarding forwarding) {
        for (int number = 0; number < ForwardingTechniques.GOING_ROUND; number++) {
            int low = draw() & 15; // within a /28
            forwarding.begin(frame(number, networks[number % networks.length] | low));
        }
    }

    private static MbufTemplate frame(int number, int destination) {
        byte[] frame = new byte[JavaForwarding.FRAME_BYTES];
        for (int i = 0; i < 12; i++) {
            frame[i] = (byte) (2 + number * 7 + i);
        }
        frame[0] = 2;
        frame[6] = 2;
        frame[12] = 8;
        frame[14] = 0x45;
        frame[17] = 46;
        frame[18] = (byte) (number >>> 8);
        frame[19] = (byte) number;
        frame[22] = (byte) (2 + number % 62);
        frame[23] = 17;
        put(frame, 26, 0x0a000000 + number);
        put(frame, 30, destination);
        MbufTemplate template = MbufTemplate.of(frame);
        int sum = checksum(template.data(), 14);
        template.data().set(ValueLayout.JAVA_BYTE, 24, (byte) (sum >>> 8));
        template.data().set(ValueLayout.JAVA_BYTE, 25, (byte) sum);
        return template;
    }

    private static void put(byte[] frame, int at, int value) {
        for (int i = 0; i < 4; i++) {
            frame[at + i] = (byte) (value >>> 24 - 8 * i);
        }
    }

    /** Returns the checksum of a header of 20 bytes whose checksum field is 0. */
    static int checksum(MemorySegment memory, long header) {
        int sum = 0;
        for (int i = 0; i < HEADER_BYTES; i += 2) {
            sum += (short) JavaForwarding.U16.get(memory, header + i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = (sum & 0xffff) + (sum >>> 16);
        return ~sum & 0xffff;
    }
}
