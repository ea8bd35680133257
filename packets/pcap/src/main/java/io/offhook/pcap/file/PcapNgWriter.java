package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureOrigin;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.reader.RecordReader;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a pcapng file of one section, little-endian, with nanoseconds. Each link type gets its own interface with its
 * first packet; a live capture, which has a {@link CaptureOrigin}, has its own interfaces, directions and losses.
 * {@link PcapNgBlockWriter} writes any other block.
 *
 * <p>Packets longer than 262,144 bytes are cut to that, because few readers accept longer ones; times before 1970
 * become 1970. Both are counted. Comments longer than an option are truncated. The file is whole once the writer is
 * closed.
 */
public final class PcapNgWriter implements PacketSink {
    private static final int SNAP_LENGTH = RecordReader.USUAL_PACKET_BYTES;
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_TIME_RESOLUTION = 9;
    /** The bytes of the description of an interface: its fixed part, the resolution, and the end of options. */
    private static final int INTERFACE_BYTES = 20 + 8 + 4;

    /** The option isb_endtime of interface statistics. */
    private static final int OPTION_END_TIME = 3;

    private static final int NANOSECONDS = 9;
    private static final String APPLICATION = "Offhook";

    private final PcapNgBlockWriter output;
    /** The origin of a live capture; otherwise null. */
    private final @Nullable PcapNgOrigin origin;

    private int[] linkTypes = new int[4];
    private int interfaceCount;
    private long packets;
    private long packetsCut;
    private long timestampsClamped;
    private boolean isClosed;

    private PcapNgWriter(PcapNgBlockWriter output, @Nullable String comment) {
        this.output = output;
        origin = null;
        output.section(options(comment).text(OPTION_APPLICATION, APPLICATION));
    }

    private PcapNgWriter(PcapNgBlockWriter output, CaptureOrigin origin, long startNs) {
        this.output = output;
        this.origin = new PcapNgOrigin(origin, startNs, output);
        interfaceCount = origin.interfaces().size();
        linkTypes = Arrays.copyOf(linkTypes, Math.max(4, interfaceCount));
        for (int i = 0; i < interfaceCount; i++) {
            linkTypes[i] = origin.interfaces().get(i).captured().linkType();
        }
    }

    /**
     * Creates the file, or truncates an existing one, which must not be one that is being read. The end of its name
     * decides whether it is compressed: see {@link CaptureCompression#ofName}.
     */
    public static PcapNgWriter create(Path file) {
        return new PcapNgWriter(PcapNgBlockWriter.create(file), null);
    }

    /** As {@link #create(Path)}, with a comment on the file. */
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

    /**
     * Writes a live capture to a channel, which is closed with the writer: with its interfaces, the direction of each
     * frame, and its losses; statistics at the end give the packets received and dropped on each interface.
     */
    public static PcapNgWriter to(WritableByteChannel channel, CaptureOrigin origin) {
        return to(new CaptureOutput(channel), origin, origin.startNs());
    }

    /**
     * Writes a live capture to an output, which is closed with the writer.
     *
     * @param startNs when the file begins, which may be one of several; nanoseconds since the epoch
     */
    static PcapNgWriter to(CaptureOutput output, CaptureOrigin origin, long startNs) {
        return new PcapNgWriter(new PcapNgBlockWriter(output), origin, startNs);
    }

    /** Writes to an output, which is closed with the writer. */
    static PcapNgWriter to(CaptureOutput output) {
        return to(output, (String) null);
    }

    /** Writes to an output, which is closed with the writer, with a comment on the whole; none when null or empty. */
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

    @Override
    public void write(FrameBatch batch, int i) {
        PcapNgOrigin live = origin;
        int id = batch.interfaceIndex(i);
        if (live == null || id >= live.interfaces() || linkTypes[id] != batch.linkType(i)) {
            PacketSink.super.write(batch, i);
            return;
        }
        PcapNgOptions options = live.options(id, batch.direction(i), batch.timestampNs(i));
        write(
                id,
                batch.segmentOf(i),
                batch.offset(i),
                batch.capturedLength(i),
                batch.wireLength(i),
                batch.timestampNs(i),
                options);
    }

    @Override
    public void lost(int interfaceIndex, long systemDrops, long ownDrops) {
        if (origin != null) {
            origin.lost(interfaceIndex, systemDrops, ownDrops);
        }
    }

    @Override
    public void time(long nowNs) {
        if (origin != null) {
            origin.time(nowNs);
        }
    }

    /**
     * Writes secrets that decrypt the packets behind them.
     *
     * @param secretsType 0x544c534b for a TLS key log
     */
    public void secrets(int secretsType, byte[] secrets) {
        output.secrets(secretsType, secrets, new PcapNgOptions());
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
        PcapNgOptions options = comment == null ? null : options(comment);
        write(interfaceOf(linkType), segment, offset, capturedLength, wireLength, timestampNs, options);
    }

    private void write(
            int interfaceId,
            MemorySegment segment,
            long offset,
            int capturedLength,
            int wireLength,
            long timestampNs,
            @Nullable PcapNgOptions options) {
        int captured = Math.min(capturedLength, SNAP_LENGTH);
        long time = Math.max(timestampNs, 0);
        output.packet(interfaceId, time, segment, offset, captured, wireLength, options);
        packets++;
        packetsCut += captured < capturedLength ? 1 : 0;
        timestampsClamped += time != timestampNs ? 1 : 0;
    }

    /** Returns the bytes that the next packet of a link type takes besides its own: 0 if its interface is described. */
    int interfaceBytes(int linkType) {
        return indexOf(linkType) < 0 ? INTERFACE_BYTES : 0;
    }

    private int indexOf(int linkType) {
        for (int i = 0; i < interfaceCount; i++) {
            if (linkTypes[i] == linkType) {
                return i;
            }
        }
        return -1;
    }

    private int interfaceOf(int linkType) {
        int known = indexOf(linkType);
        if (known >= 0) {
            return known;
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
     * Records when the capture ended, as interface statistics; to be called after the last packet. The end may be long
     * after that packet, which shows that nothing arrived in between.
     *
     * @param timestampNs nanoseconds since the epoch; a time before 1970 becomes 1970
     */
    public void endOfCapture(long timestampNs) {
        long time = Math.max(0, timestampNs);
        for (int i = 0; i < interfaceCount; i++) {
            output.statistics(i, time, new PcapNgOptions().timestampUnits(OPTION_END_TIME, time));
        }
    }

    /** Returns the packets written so far. */
    public long packets() {
        return packets;
    }

    /**
     * Returns the packets that can be read from the file: all written, or, if a write of a live capture has failed,
     * those before it.
     */
    public long packetsKept() {
        return origin != null && output.hasFailed()
                ? Math.max(0, output.blocksFlushed() - 1 - origin.interfaces())
                : packets;
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

    @Override
    public void flush() {
        output.flush();
    }

    /** Returns the bytes written so far, before compression. */
    public long bytes() {
        return output.bytes();
    }

    /** {@inheritDoc} A live capture ends with the statistics of its interfaces. */
    @Override
    public void close() {
        PcapNgOrigin live = origin;
        if (live != null && !isClosed && !output.hasFailed()) {
            isClosed = true;
            try (output) {
                live.end();
            }
        } else {
            output.close();
        }
    }
}
