package io.offhook.research.sharing;

import io.offhook.research.Rounds.Work;
import java.nio.ByteBuffer;

/** The packet is copied to where Java reads it, and back. */
final class CopyingWork {
    private CopyingWork() {}

    /** Hands a packet to an object, or takes it back. */
    @FunctionalInterface
    interface Transfer {
        void move(HeaderObject header, long address);
    }

    /** An object, filled and emptied by somebody else. */
    static final class IntoObject implements Work {
        private final Pools pools = Pools.inNativeMemory();
        private final long[] addresses = pools.addresses();
        private final HeaderObject header = new HeaderObject();
        private final Transfer fill;
        private final Transfer drain;

        IntoObject(Transfer fill, Transfer drain) {
            this.fill = fill;
            this.drain = drain;
        }

        @Override
        public long round(int number) {
            long sum = 0;
            for (int step = 0; step < SharingTechniques.STEPS; step++) {
                long offset = Pools.offset(step);
                for (long place : addresses) {
                    fill.move(header, place + offset);
                    sum += header.change();
                    drain.move(header, place + offset);
                }
            }
            return sum;
        }

        @Override
        public long digest() {
            return pools.digest();
        }
    }

    /** A direct buffer, which native code copies into and out of. */
    static final class IntoByteBuffer implements Work {
        private final Pools pools = Pools.inNativeMemory();
        private final long[] addresses = pools.addresses();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(Pools.STRIDE);

        @Override
        public long round(int number) {
            long sum = 0;
            for (int step = 0; step < SharingTechniques.STEPS; step++) {
                long offset = Pools.offset(step);
                for (long place : addresses) {
                    SharingNatives.copyIn(buffer, place + offset);
                    sum += change(buffer, 0);
                    SharingNatives.copyOut(buffer, place + offset);
                }
            }
            return sum;
        }

        @Override
        public long digest() {
            return pools.digest();
        }
    }

    /** A buffer is big-endian by default. */
    static long change(ByteBuffer buffer, int at) {
        int ttl = buffer.get(at + (int) Header.TTL) & 0xff;
        int identification = buffer.getShort(at + (int) Header.IDENTIFICATION) & 0xffff;
        long source = buffer.getInt(at + (int) Header.SOURCE) & 0xffff_ffffL;
        int sourcePort = buffer.getShort(at + (int) Header.SOURCE_PORT) & 0xffff;
        buffer.put(at + (int) Header.TTL, (byte) (ttl - 1));
        buffer.putShort(at + (int) Header.IDENTIFICATION, (short) (identification + 1));
        buffer.putInt(at + (int) Header.SOURCE, (int) (source + 1));
        buffer.putShort(at + (int) Header.SOURCE_PORT, (short) (sourcePort + 1));
        return ttl + identification + source + sourcePort;
    }
}
