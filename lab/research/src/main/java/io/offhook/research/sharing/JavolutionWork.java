package io.offhook.research.sharing;

import io.offhook.research.Rounds.Work;
import java.nio.ByteBuffer;
import javolution.io.Struct;

/** Javolution's Struct: fields declared as a structure of C, over a buffer in which it is moved from packet to packet. */
final class JavolutionWork implements Work {
    private final Pools pools;
    private final ByteBuffer[] buffers;
    private final PacketStruct packet = new PacketStruct();

    JavolutionWork(Pools pools) {
        this.pools = pools;
        buffers = pools.buffers();
    }

    /** The structure of {@link Header}; big-endian and aligned as C has it, which are its defaults. */
    static final class PacketStruct extends Struct {
        final Unsigned8 versionWords = new Unsigned8();
        final Unsigned8 trafficClass = new Unsigned8();
        final Unsigned16 totalLength = new Unsigned16();
        final Unsigned16 identification = new Unsigned16();
        final Unsigned16 flagsOffset = new Unsigned16();
        final Unsigned8 ttl = new Unsigned8();
        final Unsigned8 protocol = new Unsigned8();
        final Unsigned16 checksum = new Unsigned16();
        final Unsigned32 source = new Unsigned32();
        final Unsigned32 destination = new Unsigned32();
        final Unsigned16 sourcePort = new Unsigned16();
        final Unsigned16 destinationPort = new Unsigned16();
        final Unsigned16 length = new Unsigned16();
        final Unsigned16 udpChecksum = new Unsigned16();
    }

    @Override
    public long round(int number) {
        long sum = 0;
        for (int step = 0; step < SharingTechniques.STEPS; step++) {
            int offset = (int) Pools.offset(step);
            for (ByteBuffer place : buffers) {
                packet.setByteBuffer(place, offset);
                sum += change(packet);
            }
        }
        return sum;
    }

    private static long change(PacketStruct packet) {
        int ttl = packet.ttl.get();
        int identification = packet.identification.get();
        long source = packet.source.get();
        int sourcePort = packet.sourcePort.get();
        packet.ttl.set((short) (ttl - 1));
        packet.identification.set(identification + 1);
        packet.source.set(source + 1);
        packet.sourcePort.set(sourcePort + 1);
        return ttl + identification + source + sourcePort;
    }

    @Override
    public long digest() {
        return pools.digest();
    }
}
