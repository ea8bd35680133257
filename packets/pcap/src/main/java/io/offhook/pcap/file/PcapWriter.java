package io.offhook.pcap.file;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.reader.PcapReader;
import io.offhook.pcap.reader.RecordReader;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * Writes a classic pcap file, little-endian, of one link type, with nanoseconds by default.
 *
 * <p>Packets longer than the file's snap length are cut to that, 262,144 bytes by default, because no reader accepts
 * longer ones; times before 1970 or after 2106, which the format cannot express, are set to the end of that range. Both
 * are counted. The file is whole once the writer is closed.
 */
public final class PcapWriter implements PacketSink {
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int MAGIC_MICROSECONDS = 0xa1b2c3d4;
    private static final int RECORD_HEADER = 16;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int NS_PER_MICROSECOND = 1000;
    private static final long LAST_TIMESTAMP_NS = 0xffff_ffffL * NS_PER_SECOND + NS_PER_SECOND - 1;

    private final CaptureOutput output;
    private final int linkType;
    private final int most;
    private final int nsPerUnit;

    private long packets;
    private long packetsCut;
    private long timestampsClamped;
    private long timestampsCut;

    /**
     * @param frameCheckBytes as in {@link CaptureInterface}; the file can declare up to 30, even numbers only
     * @param snapLength the snap length that the file declares; 0 for no limit of its own
     */
    PcapWriter(CaptureOutput output, CaptureFormat format, int linkType, int frameCheckBytes, long snapLength) {
        checkFormat(format);
        this.output = output;
        this.linkType = checkedLinkType(linkType);
        nsPerUnit = format == CaptureFormat.PCAP ? NS_PER_MICROSECOND : 1;
        most = RecordReader.packetLimit(snapLength);
        output.putU32(nsPerUnit == 1 ? MAGIC_NANOSECONDS : MAGIC_MICROSECONDS);
        output.putU16(2);
        output.putU16(4);
        output.putBits64(0);
        output.putU32(snapLength);
        boolean isFrameCheckTold = frameCheckBytes >= 0 && frameCheckBytes <= 30 && frameCheckBytes % 2 == 0;
        output.putU32(
                isFrameCheckTold
                        ? linkType | PcapReader.FRAME_CHECK_TOLD | frameCheckBytes / 2 << PcapReader.FRAME_CHECK_SHIFT
                        : linkType);
    }

    /**
     * Creates the file, or truncates an existing one, which must not be one that is being read. The end of its name
     * decides whether it is compressed: see {@link CaptureCompression#ofName}.
     *
     * @param linkType a {@link io.offhook.packet.LinkType} value, that of every packet
     */
    public static PcapWriter create(Path file, int linkType) {
        return create(file, CaptureFormat.PCAP_NANOSECOND, linkType);
    }

    /**
     * As {@link #create(Path, int)}, with microseconds or nanoseconds.
     *
     * @param format {@link CaptureFormat#PCAP}, which truncates times to microseconds and counts that, or
     *     {@link CaptureFormat#PCAP_NANOSECOND}
     */
    public static PcapWriter create(Path file, CaptureFormat format, int linkType) {
        checkFormat(format); // before a file is created that nobody would close
        checkedLinkType(linkType);
        CaptureCompression compression = CaptureCompression.ofName(file.toString());
        return to(CaptureOutput.channel(file, compression), format, linkType);
    }

    /** Writes to a channel, which is closed with the writer. */
    public static PcapWriter to(WritableByteChannel channel, int linkType) {
        return to(channel, CaptureFormat.PCAP_NANOSECOND, linkType);
    }

    /** As {@link #to(WritableByteChannel, int)}, with microseconds or nanoseconds. */
    public static PcapWriter to(WritableByteChannel channel, CaptureFormat format, int linkType) {
        return to(new CaptureOutput(channel), format, linkType);
    }

    /** As {@link #to(WritableByteChannel, CaptureFormat, int)}, to an output, which is closed with the writer. */
    static PcapWriter to(CaptureOutput output, CaptureFormat format, int linkType) {
        return new PcapWriter(
                output, format, linkType, CaptureInterface.FRAME_CHECK_NOT_TOLD, RecordReader.USUAL_PACKET_BYTES);
    }

    private static void checkFormat(CaptureFormat format) {
        if (format != CaptureFormat.PCAP && format != CaptureFormat.PCAP_NANOSECOND) {
            throw new IllegalArgumentException("format " + format.label() + " is neither pcap nor nsecpcap");
        }
    }

    /** Returns the link type if it is within 0 to 65535; throws {@link IllegalArgumentException} otherwise. */
    static int checkedLinkType(int linkType) {
        if (linkType < 0 || linkType > 0xffff) {
            throw new IllegalArgumentException("linkType " + linkType + " is not within 0 to 65535");
        }
        return linkType;
    }

    /**
     * {@inheritDoc} The link type must be that of the file: pcap has one, pcapng many.
     *
     * @throws LinkTypeException if it differs
     */
    @Override
    public void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType) {
        if (linkType != this.linkType) {
            throw new LinkTypeException(linkType, this.linkType);
        }
        int length = Math.min(capturedLength, most);
        output.endRecord();
        long time = Math.clamp(timestampNs, 0, LAST_TIMESTAMP_NS);
        long fraction = time % NS_PER_SECOND;
        output.putU32(time / NS_PER_SECOND);
        output.putU32(fraction / nsPerUnit);
        output.putU32(length);
        output.putU32(wireLength);
        output.put(segment, offset, length);
        packets++;
        packetsCut += length < capturedLength ? 1 : 0;
        timestampsClamped += time != timestampNs ? 1 : 0;
        timestampsCut += fraction % nsPerUnit != 0 ? 1 : 0;
    }

    /** Returns the bytes that a packet takes in the file. */
    static int sizeOf(int capturedLength, long snapLength) {
        return RECORD_HEADER + Math.min(capturedLength, RecordReader.packetLimit(snapLength));
    }

    /** Returns the packets written so far. */
    public long packets() {
        return packets;
    }

    /** Returns the packets that can be read from the file: all written, or, if a write has failed, those before it. */
    public long packetsKept() {
        return output.hasFailed() ? output.recordsFlushed() : packets;
    }

    /** Returns the packets that were cut because they are longer than the file may hold. */
    public long packetsCut() {
        return packetsCut;
    }

    /**
     * Returns the packets whose time was outside the range of the file, and was set to the nearest end of that range.
     */
    public long timestampsClamped() {
        return timestampsClamped;
    }

    /** Returns the packets whose time was finer than the microseconds of the file. */
    public long timestampsCut() {
        return timestampsCut;
    }

    /** Returns the bytes written so far, before compression. */
    public long bytes() {
        return output.written();
    }

    @Override
    public void flush() {
        output.flushWhole();
    }

    @Override
    public void close() {
        output.close();
    }
}
