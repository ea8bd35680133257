package io.offhook.research.sharing;

import static io.offhook.research.TheUnsafe.UNSAFE;

import io.offhook.packet.NetworkOrder;
import io.offhook.research.Rounds.Work;
import java.lang.foreign.MemorySegment;

/**
 * In place and without views, but with what the views check of a packet's bytes: version, lengths, that headers end where
 * bytes end. What the checks cost by themselves is the difference to the same technique without them.
 */
final class CheckedWork {
    private CheckedWork() {}

    /** By Unsafe: the checks of the bytes, and none of the memory. */
    static final class ByUnsafe implements Work {
        private final Pools pools = Pools.inNativeMemory();
        private final long[] addresses = pools.addresses();

        @Override
        public long round(int number) {
            long sum = 0;
            for (int step = 0; step < SharingTechniques.STEPS; step++) {
                long offset = Pools.offset(step);
                for (long place : addresses) {
                    sum += change(place + offset);
                }
            }
            return sum;
        }

        @SuppressWarnings("removal")
        private static long change(long address) {
            int first = UNSAFE.getByte(address) & 0xff;
            int total = UnsafeWork.u16(address + 2);
            long udp = address + headerLength(first, total, Pools.STRIDE);
            checkUdp(payloadLength(first, total, Pools.STRIDE), UnsafeWork.u16(udp + 4));
            int ttl = UNSAFE.getByte(address + Header.TTL) & 0xff;
            int identification = UnsafeWork.u16(address + Header.IDENTIFICATION);
            long source = UnsafeWork.u32(address + Header.SOURCE);
            int sourcePort = UnsafeWork.u16(udp);
            UNSAFE.putByte(address + Header.TTL, (byte) (ttl - 1));
            UnsafeWork.putU16(address + Header.IDENTIFICATION, identification + 1);
            UnsafeWork.putU32(address + Header.SOURCE, source + 1);
            UnsafeWork.putU16(udp, sourcePort + 1);
            return ttl + identification + source + sourcePort;
        }

        @Override
        public long digest() {
            return pools.digest();
        }
    }

    /** At base and offset: the checks of the bytes, and those of the JDK: that memory is alive and accesses are in bounds. */
    static final class AtBaseAndOffset implements Work {
        private final Pools pools = Pools.inNativeMemory();

        @Override
        public long round(int number) {
            long sum = 0;
            for (int step = 0; step < SharingTechniques.STEPS; step++) {
                long offset = Pools.offset(step);
                for (MemorySegment place : pools.segments) {
                    sum += change(place, offset);
                }
            }
            return sum;
        }

        private static long change(MemorySegment base, long offset) {
            int first = NetworkOrder.u8(base, offset);
            int total = NetworkOrder.u16(base, offset + 2);
            long udp = offset + headerLength(first, total, Pools.STRIDE);
            checkUdp(payloadLength(first, total, Pools.STRIDE), NetworkOrder.u16(base, udp + 4));
            int ttl = NetworkOrder.u8(base, offset + Header.TTL);
            int identification = NetworkOrder.u16(base, offset + Header.IDENTIFICATION);
            long source = NetworkOrder.u32(base, offset + Header.SOURCE);
            int sourcePort = NetworkOrder.u16(base, udp);
            NetworkOrder.putU8(base, offset + Header.TTL, ttl - 1);
            NetworkOrder.putU16(base, offset + Header.IDENTIFICATION, identification + 1);
            NetworkOrder.putU32(base, offset + Header.SOURCE, source + 1);
            NetworkOrder.putU16(base, udp, sourcePort + 1);
            return ttl + identification + source + sourcePort;
        }

        @Override
        public long digest() {
            return pools.digest();
        }
    }

    private static int headerLength(int first, int total, int length) {
        int header = (first & 15) << 2;
        if (first >>> 4 != 4 || header < Header.UDP || total != 0 && total < header || length < header) {
            throw new IllegalStateException("no IPv4 header: version and words " + first + ", total length " + total);
        }
        return header;
    }

    private static int payloadLength(int first, int total, int length) {
        return (total == 0 ? length : Math.min(total, length)) - ((first & 15) << 2);
    }

    private static void checkUdp(int left, int datagramLength) {
        if (left < 8 || datagramLength != 0 && datagramLength < 8) {
            throw new IllegalStateException("no UDP header: length " + datagramLength + " in " + left + " bytes");
        }
    }
}
