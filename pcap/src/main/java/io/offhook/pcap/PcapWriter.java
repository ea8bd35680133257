package io.offhook.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * Writes a classic pcap file with nanoseconds, little-endian, of one link type.
 *
 * <p>Packets longer than 262,144 bytes are cut to that, since no reader takes longer ones; times before 1970 or after
 * 2106, which the format does not have, become the end of that range. Both are counted. The file is whole once the writer
 * is closed.
 */
public final class PcapWriter implements PacketSink {
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int SNAP_LENGTH = RecordReader.USUAL_PACKET_BYTES;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long LAST_TIMESTAMP_NS = 0xffff_ffffL * NS_PER_SECOND + NS_PER_SECOND - 1;

    private final CaptureOutput output;
    private final int linkType;

    private long packets;
    private long packetsCut;
    private long timestampsClamped;

    private PcapWriter(CaptureOutput output, int linkType) {
        this.output = output;
        this.linkType = linkType;
        output.putU32(MAGIC_NANOSECONDS);
        output.putU16(2);
        output.putU16(4);
        output.putBits64(0);
        output.putU32(SNAP_LENGTH);
        output.putU32(linkType);
    }

    /**
     * Makes the file, or empties the one that is there; it must not be one that is being read.
     *
     * @param linkType a {@link io.offhook.packet.LinkType} value, that of every packet
     */
    public static PcapWriter create(Path file, int linkType) {
        checkedLinkType(linkType);
        return new PcapWriter(CaptureOutput.create(file), linkType);
    }

    /** Writes to a channel, which is closed with the writer. */
    public static PcapWriter to(WritableByteChannel channel, int linkType) {
        return new PcapWriter(new CaptureOutput(channel), checkedLinkType(linkType));
    }

    static int checkedLinkType(int linkType) {
        if (linkType < 0 || linkType > 0xffff) {
            throw new IllegalArgumentException("linkType " + linkType + " is not within 0 to 65535");
        }
        return linkType;
    }

    /** {@inheritDoc} The link type must be that of the file: pcap has one, pcapng many. */
    @Override
    public void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType) {
        if (linkType != this.linkType) {
            throw new IllegalArgumentException("linkType " + linkType + " in a pcap file of link type " + this.linkType
                    + ": write pcapng, which takes several");
        }
        int length = Math.min(capturedLength, SNAP_LENGTH);
        long time = Math.clamp(timestampNs, 0, LAST_TIMESTAMP_NS);
        output.putU32(time / NS_PER_SECOND);
        output.putU32(time % NS_PER_SECOND);
        output.putU32(length);
        output.putU32(wireLength);
        output.put(segment, offset, length);
        packets++;
        packetsCut += length < capturedLength ? 1 : 0;
        timestampsClamped += time != timestampNs ? 1 : 0;
    }

    public long packets() {
        return packets;
    }

    /** Packets of which the end is missing, since they are longer than a file may hold. */
    public long packetsCut() {
        return packetsCut;
    }

    public long timestampsClamped() {
        return timestampsClamped;
    }

    @Override
    public void close() {
        output.close();
    }
}
