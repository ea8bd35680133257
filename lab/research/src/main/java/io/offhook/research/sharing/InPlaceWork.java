package io.offhook.research.sharing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.packet.NetworkOrder;
import io.offhook.research.Rounds.Work;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/** The packet is read and written where it lies, by the API that every user of the JDK may use. */
final class InPlaceWork {
    private InPlaceWork() {}

    /** Reads, changes and writes back a packet, and says the sum of what it read. */
    @FunctionalInterface
    private interface Change {
        long apply(MemorySegment base, long offset);
    }

    /** Over all places in turn. */
    private record OverSegments(Pools pools, Change change) implements Work {
        @Override
        public long round(int number) {
            long sum = 0;
            for (int step = 0; step < SharingTechniques.STEPS; step++) {
                long offset = Pools.offset(step);
                for (MemorySegment place : pools.segments) {
                    sum += change.apply(place, offset);
                }
            }
            return sum;
        }

        @Override
        public long digest() {
            return pools.digest();
        }
    }

    /** A segment a packet, and VarHandles of its structure. */
    static Work structure() {
        return new OverSegments(
                Pools.inNativeMemory(), (base, offset) -> Handles.change(base.asSlice(offset, Pools.STRIDE)));
    }

    /** Base segment and offset, by the way the product does it. */
    static Work baseAndOffset(Pools pools) {
        return new OverSegments(pools, InPlaceWork::changeAtOffset);
    }

    private static long changeAtOffset(MemorySegment base, long offset) {
        int ttl = NetworkOrder.u8(base, offset + Header.TTL);
        int identification = NetworkOrder.u16(base, offset + Header.IDENTIFICATION);
        long source = NetworkOrder.u32(base, offset + Header.SOURCE);
        int sourcePort = NetworkOrder.u16(base, offset + Header.SOURCE_PORT);
        write(base, offset, ttl, identification, source, sourcePort);
        return ttl + identification + source + sourcePort;
    }

    static void write(MemorySegment base, long offset, int ttl, int identification, long source, int sourcePort) {
        NetworkOrder.putU8(base, offset + Header.TTL, ttl - 1);
        NetworkOrder.putU16(base, offset + Header.IDENTIFICATION, identification + 1);
        NetworkOrder.putU32(base, offset + Header.SOURCE, source + 1);
        NetworkOrder.putU16(base, offset + Header.SOURCE_PORT, sourcePort + 1);
    }

    private static final class Handles {
        private static final VarHandle TTL = Header.handle("ttl");
        private static final VarHandle IDENTIFICATION = Header.handle("identification");
        private static final VarHandle SOURCE = Header.handle("source");
        private static final VarHandle SOURCE_PORT = Header.handle("source_port");

        private Handles() {}

        static long change(MemorySegment packet) {
            int ttl = (byte) TTL.get(packet, 0L) & 0xff;
            int identification = (short) IDENTIFICATION.get(packet, 0L) & 0xffff;
            long source = (int) SOURCE.get(packet, 0L) & 0xffff_ffffL;
            int sourcePort = (short) SOURCE_PORT.get(packet, 0L) & 0xffff;
            TTL.set(packet, 0L, (byte) (ttl - 1));
            IDENTIFICATION.set(packet, 0L, (short) (identification + 1));
            SOURCE.set(packet, 0L, (int) (source + 1));
            SOURCE_PORT.set(packet, 0L, (short) (sourcePort + 1));
            return ttl + identification + source + sourcePort;
        }
    }

    /** A buffer over each place, nothing copied. */
    static final class Buffers implements Work {
        private final Pools pools;
        private final ByteBuffer[] buffers;

        Buffers(Pools pools) {
            this.pools = pools;
            buffers = pools.buffers();
        }

        @Override
        public long round(int number) {
            long sum = 0;
            for (int step = 0; step < SharingTechniques.STEPS; step++) {
                int offset = (int) Pools.offset(step);
                for (ByteBuffer place : buffers) {
                    sum += CopyingWork.change(place, offset);
                }
            }
            return sum;
        }

        @Override
        public long digest() {
            return pools.digest();
        }
    }

    /** C alone, a call a round. */
    static final class InC implements Work {
        private static final MethodHandle CHANGE_ALL = SharingNatives.CODE.downcall(
                "offhook_change_all",
                FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

        private final Pools pools = Pools.inNativeMemory();
        private final MemorySegment places = Arena.global().allocateFrom(JAVA_LONG, pools.addresses());

        @Override
        public long round(int number) {
            try {
                return (long) CHANGE_ALL.invokeExact(
                        places, (long) Pools.PLACES, (long) Pools.SLOTS, (long) Pools.STRIDE, (long)
                                SharingTechniques.PACKETS);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long digest() {
            return pools.digest();
        }
    }
}
