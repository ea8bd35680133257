package io.offhook.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a pcapng file of one section, little-endian, with nanoseconds. Each link type gets an interface of its own when
 * its first packet comes. {@link PcapNgBlockWriter} is for those who have more to tell.
 *
 * <p>Packets longer than 262,144 bytes are cut to that, since few readers take longer ones; times before 1970 become 1970.
 * Both are counted. Comments longer than an option can hold lose their end. The file is whole once the writer is closed.
 */
public final class PcapNgWriter implements PacketSink {
    private static final int SNAP_LENGTH = RecordReader.USUAL_PACKET_BYTES;
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_TIME_RESOLUTION = 9;
    /** Of interface statistics: isb_endtime. */
    private static final int OPTION_END_TIME = 3;

    private static final int NANOSECONDS = 9;
    private static final String APPLICATION = "Offhook";

    private final PcapNgBlockWriter output;

    private int[] linkTypes = new int[4];
    private int interfaceCount;
    private long packets;
    private long packetsCut;
    private long timestampsClamped;

    private PcapNgWriter(PcapNgBlockWriter output, @Nullable String comment) {
        this.output = output;
        output.section(options(comment).text(OPTION_APPLICATION, APPLICATION));
    }

    /**
     * Makes the file, or empties the one that is there; it must not be one that is being read. Its name says whether it is
     * compressed: see {@link CaptureCompression#ofName}.
     */
    public static PcapNgWriter create(Path file) {
        return new PcapNgWriter(PcapNgBlockWriter.create(file), null);
    }

    /** As {@link #create(Path)}, with a comment on the whole. */
    public static PcapNgWriter create(Path file, String comment) {
        return new PcapNgWriter(PcapNgBlockWriter.create(file), comment);
    }

    /** Writes to a channel, which is closed with the writer. */
    public static PcapNgWriter to(WritableByteChannel channel) {
        return new PcapNgWriter(new PcapNgBlockWriter(new CaptureOutput(channel)), null);
    }

    /** As {@link #to(WritableByteChannel)}, with a comment on the whole. */
    public static PcapNgWriter to(WritableByteChannel channel, String comment) {
        return new PcapNgWriter(new PcapNgBlockWriter(new CaptureOutput(channel)), comment);
    }

    static PcapNgWriter to(CaptureOutput output) {
        return to(output, null);
    }

    static PcapNgWriter to(CaptureOutput output, @Nullable String comment) {
        return new PcapNgWriter(new PcapNgBlockWriter(output), comment);
    }

    private static PcapNgOptions options(@Nullable String comment) {
        PcapNgOptions options = new PcapNgOptions();
        return comment == null || comment.isEmpty() ? options : options.comment(comment);
    }

    @Override
    public void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType) {
        write(segment, offset, capturedLength, wireLength, timestampNs, linkType, null);
    }

    /** Writes one frame with a comment on it. */
    public void write(
            MemorySegment segment,
            long offset,
            int capturedLength,
            int wireLength,
            long timestampNs,
            int linkType,
            @Nullable String comment) {
        int captured = Math.min(capturedLength, SNAP_LENGTH);
        long time = Math.max(timestampNs, 0);
        int interfaceId = interfaceOf(linkType);
        PcapNgOptions options = comment == null ? null : options(comment);
        output.packet(interfaceId, time, segment, offset, captured, wireLength, options);
        packets++;
        packetsCut += captured < capturedLength ? 1 : 0;
        timestampsClamped += time != timestampNs ? 1 : 0;
    }

    private int interfaceOf(int linkType) {
        for (int i = 0; i < interfaceCount; i++) {
            if (linkTypes[i] == linkType) {
                return i;
            }
        }
        if (interfaceCount == linkTypes.length) {
            linkTypes = Arrays.copyOf(linkTypes, interfaceCount * 2);
        }
        linkTypes[interfaceCount] = PcapWriter.checkedLinkType(linkType);
        interfaceCount++;
        return output.interfaceDescription(
                linkType, SNAP_LENGTH, new PcapNgOptions().u8(OPTION_TIME_RESOLUTION, NANOSECONDS));
    }

    /**
     * Says when capturing ended, as interface statistics: for the end, once all packets are written. It may be long after
     * the last of them, and that nothing came until then is knowledge too.
     *
     * @param timestampNs nanoseconds since the epoch; before 1970 becomes 1970
     */
    public void endOfCapture(long timestampNs) {
        long time = Math.max(0, timestampNs);
        for (int i = 0; i < interfaceCount; i++) {
            output.statistics(i, time, new PcapNgOptions().timestampUnits(OPTION_END_TIME, time));
        }
    }

    /** Packets written so far. */
    public long packets() {
        return packets;
    }

    /** Packets of which the end is missing, since they are longer than a file may hold. */
    public long packetsCut() {
        return packetsCut;
    }

    /** Packets whose time lay outside of what the file can hold, and was set to the nearest that it can. */
    public long timestampsClamped() {
        return timestampsClamped;
    }

    @Override
    public void flush() {
        output.flush();
    }

    /** Bytes written so far, before compression. */
    public long bytes() {
        return output.bytes();
    }

    @Override
    public void close() {
        output.close();
    }
}
