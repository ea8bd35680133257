package io.offhook.research.sharing;

import static io.offhook.research.TheUnsafe.UNSAFE;

import io.offhook.research.Rounds.Work;
import java.nio.ByteOrder;

/** By {@link io.offhook.research.TheUnsafe}, at addresses. */
@SuppressWarnings("removal")
final class UnsafeWork {
    private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private UnsafeWork() {}

    static int u16(long address) {
        short value = UNSAFE.getShort(address);
        return (SWAP ? Short.reverseBytes(value) : value) & 0xffff;
    }

    static long u32(long address) {
        int value = UNSAFE.getInt(address);
        return (SWAP ? Integer.reverseBytes(value) : value) & 0xffff_ffffL;
    }

    static void putU16(long address, int value) {
        UNSAFE.putShort(address, SWAP ? Short.reverseBytes((short) value) : (short) value);
    }

    static void putU32(long address, long value) {
        UNSAFE.putInt(address, SWAP ? Integer.reverseBytes((int) value) : (int) value);
    }

    static Work intoObject() {
        return new CopyingWork.IntoObject(UnsafeWork::fill, UnsafeWork::drain);
    }

    private static void fill(HeaderObject header, long address) {
        header.ttl = UNSAFE.getByte(address + Header.TTL) & 0xff;
        header.identification = u16(address + Header.IDENTIFICATION);
        header.source = u32(address + Header.SOURCE);
        header.sourcePort = u16(address + Header.SOURCE_PORT);
    }

    private static void drain(HeaderObject header, long address) {
        UNSAFE.putByte(address + Header.TTL, (byte) header.ttl);
        putU16(address + Header.IDENTIFICATION, header.identification);
        putU32(address + Header.SOURCE, header.source);
        putU16(address + Header.SOURCE_PORT, header.sourcePort);
    }

    /** The packet is read and written where it lies. */
    static final class InPlace implements Work {
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

        @Override
        public long digest() {
            return pools.digest();
        }
    }

    private static long change(long address) {
        int ttl = UNSAFE.getByte(address + Header.TTL) & 0xff;
        int identification = u16(address + Header.IDENTIFICATION);
        long source = u32(address + Header.SOURCE);
        int sourcePort = u16(address + Header.SOURCE_PORT);
        UNSAFE.putByte(address + Header.TTL, (byte) (ttl - 1));
        putU16(address + Header.IDENTIFICATION, identification + 1);
        putU32(address + Header.SOURCE, source + 1);
        putU16(address + Header.SOURCE_PORT, sourcePort + 1);
        return ttl + identification + source + sourcePort;
    }
}
