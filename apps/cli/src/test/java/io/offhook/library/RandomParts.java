package io.offhook.library;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** IP fragments of few datagrams, and TCP segments of few streams, that overlap, repeat and contradict each other. */
final class RandomParts {
    private static final int IPV4 = 20;
    private static final int IPV6 = 48; // with a fragment header
    private static final int TCP = 20;

    private final Random random;

    RandomParts(Random random) {
        this.random = random;
    }

    /** A packet that begins with its IP header. */
    MemorySegment next(Arena arena) {
        return switch (random.nextInt(3)) {
            case 0 -> fragment4(arena);
            case 1 -> fragment6(arena);
            default -> segment(arena);
        };
    }

    private MemorySegment packet(Arena arena, int headers, int payload) {
        byte[] bytes = new byte[payload];
        random.nextBytes(bytes);
        MemorySegment packet = arena.allocate(headers + payload);
        MemorySegment.copy(bytes, 0, packet, ValueLayout.JAVA_BYTE, headers, payload);
        return packet;
    }

    private void ipv4(MemorySegment packet, int protocol, int source) {
        NetworkOrder.putU8(packet, 0, 0x45);
        NetworkOrder.putU16(packet, 2, (int) packet.byteSize());
        NetworkOrder.putU8(packet, 8, 64);
        NetworkOrder.putU8(packet, 9, protocol);
        NetworkOrder.putU32(packet, 12, 0x0a000000L + source);
        NetworkOrder.putU32(packet, 16, 0x0a000003L - source);
    }

    private MemorySegment fragment4(Arena arena) {
        MemorySegment packet =
                packet(arena, IPV4, 8 * random.nextInt(9) + (random.nextInt(4) == 0 ? random.nextInt(8) : 0));
        ipv4(packet, 17, 1);
        NetworkOrder.putU16(packet, 4, random.nextInt(3));
        NetworkOrder.putU16(packet, 6, (random.nextInt(4) == 0 ? 0 : 0x2000) | random.nextInt(10));
        return packet;
    }

    private MemorySegment fragment6(Arena arena) {
        MemorySegment packet = packet(arena, IPV6, 8 * random.nextInt(9));
        NetworkOrder.putU8(packet, 0, 0x60);
        NetworkOrder.putU16(packet, 4, (int) packet.byteSize() - 40);
        NetworkOrder.putU8(packet, 6, 44);
        NetworkOrder.putU8(packet, 7, 64);
        NetworkOrder.putU8(packet, 23, 1);
        NetworkOrder.putU8(packet, 39, 2);
        NetworkOrder.putU8(packet, 40, 17);
        NetworkOrder.putU16(packet, 42, random.nextInt(10) << 3 | (random.nextInt(4) == 0 ? 0 : 1));
        NetworkOrder.putU32(packet, 44, random.nextInt(3));
        return packet;
    }

    private MemorySegment segment(Arena arena) {
        MemorySegment packet = packet(arena, IPV4 + TCP, random.nextInt(60));
        int sender = 1 + random.nextInt(2);
        ipv4(packet, 6, sender);
        NetworkOrder.putU16(packet, 20, 999 + sender);
        NetworkOrder.putU16(packet, 22, 1002 - sender);
        NetworkOrder.putU32(packet, 24, 0xffff_ff80L + random.nextInt(300) & 0xffff_ffffL);
        NetworkOrder.putU32(packet, 28, 0xffff_ff80L + random.nextInt(300) & 0xffff_ffffL);
        NetworkOrder.putU8(packet, 32, 0x50);
        int rare = random.nextInt(40);
        NetworkOrder.putU8(
                packet, 33, rare == 0 ? 0x02 : rare == 1 ? 0x12 : rare == 2 ? 0x11 : rare == 3 ? 0x04 : 0x10);
        NetworkOrder.putU16(packet, 34, random.nextInt(0x10000));
        return packet;
    }
}
