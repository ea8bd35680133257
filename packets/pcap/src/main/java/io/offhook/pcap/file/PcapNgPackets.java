package io.offhook.pcap.file;

import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PcapNgBlock;
import java.math.BigInteger;

/** Writes the packets of edited pcapng files, or from other sections, as enhanced packet blocks. */
final class PcapNgPackets {
    private static final int PACKET_HEADER = 28;
    private static final BigInteger NS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

    private final CaptureOutput output;
    private final PcapNgOptionCopy options;

    PcapNgPackets(CaptureOutput output, PcapNgOptionCopy options) {
        this.output = output;
        this.options = options;
    }

    /** Returns the bytes that {@link #write} will write. */
    int sizeOf(PcapNgBlockView block, EditedPacket packet) {
        return PACKET_HEADER
                + (int) PcapNgBlock.padded(packet.capturedLength())
                + optionsLength(block, packet)
                + PcapNgBlock.TRAILER;
    }

    private int optionsLength(PcapNgBlockView block, EditedPacket packet) {
        // most packets have none
        return block.optionsLength() == 0 && block.drops() < 0
                ? 0
                : options.length(block, packet.isChanged(), PcapNgOptionCopy.dropsLength(block));
    }

    /** Writes the packet of a block with its options, and with the number of its interface in the output. */
    void write(PcapNgBlockView block, EditedPacket packet, int interfaceId, long timestampUnits) {
        int length = sizeOf(block, packet);
        int ofOptions = optionsLength(block, packet);
        start(length, packet, interfaceId, timestampUnits, block.wireLength());
        if (ofOptions > 0) {
            options.writeDrops(block);
            options.write(block, packet.isChanged());
            output.putU32(0);
        } else if (block.optionsLength() > 0) {
            options.write(block, packet.isChanged()); // writes none, but counts them
        }
        output.putU32(length);
    }

    /** Returns the bytes that a packet without options takes. */
    static int sizeOf(EditedPacket packet) {
        return PACKET_HEADER + (int) PcapNgBlock.padded(packet.capturedLength()) + PcapNgBlock.TRAILER;
    }

    /** Writes a packet from another format, which has no options. */
    void write(EditedPacket packet, int interfaceId, long timestampUnits) {
        int length = sizeOf(packet);
        start(length, packet, interfaceId, timestampUnits, packet.wireLength());
        output.putU32(length);
    }

    private void start(int length, EditedPacket packet, int interfaceId, long timestampUnits, long wireLength) {
        output.endRecord();
        output.putU32(PcapNgBlock.ENHANCED_PACKET);
        output.putU32(length);
        output.putU32(interfaceId);
        output.putU32(timestampUnits >>> 32);
        output.putU32(timestampUnits);
        output.putU32(packet.capturedLength());
        output.putU32(wireLength);
        output.put(packet.segment(), packet.offset(), packet.capturedLength());
        output.pad(packet.capturedLength());
    }

    /**
     * Writes a simple packet block with changed bytes of the same length; it has no field for a captured length of its
     * own.
     */
    void writeSimple(PcapNgBlockView block, EditedPacket packet) {
        output.endRecord();
        output.put(block.segment(), block.offset(), (int) (block.packetOffset() - block.offset()));
        output.put(packet.segment(), packet.offset(), packet.capturedLength());
        output.pad(packet.capturedLength());
        output.putU32(block.length());
    }

    /**
     * Returns the time to use for a simple packet, which has none: that of the packet before it, in the units of its
     * interface, rounded down.
     */
    static long unitsOf(long timestampNs, CaptureInterface of) {
        BigInteger ns = BigInteger.valueOf(timestampNs)
                .subtract(BigInteger.valueOf(of.timestampOffsetSeconds()).multiply(NS_PER_SECOND));
        return ns.max(BigInteger.ZERO)
                .multiply(BigInteger.valueOf(of.timestampUnitsPerSecond()))
                .divide(NS_PER_SECOND)
                .longValue();
    }
}
