package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureOrigin;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Frames to capture files that follow each other, each whole by itself once the next begins: for a capture that goes on
 * without end. When the next file is due, and how many are kept, say {@link RotationLimits}. No file is made before the
 * first frame.
 */
public final class RotatingSink implements PacketSink {
    private static final int PCAPNG_PACKET = 32;
    private static final int PCAP_PACKET = 16;

    private final FileSeries series;
    private final CaptureFormat format;
    private final Rotation rotation;
    private final @Nullable CaptureOrigin origin;
    private final CaptureOutput output = CaptureOutput.unopened();

    /** Of each interface what was lost while there was no file. */
    private final long[] earlySystemDrops;

    private final long[] earlyOwnDrops;

    private @Nullable PacketSink sink;
    private long packets;
    private long keptBefore;
    private long bytesBefore;
    private boolean closed;

    /** @param format pcapng, or pcap with micro- or nanoseconds */
    private RotatingSink(
            FileSeries series, CaptureFormat format, RotationLimits limits, @Nullable CaptureOrigin origin) {
        this.series = series;
        this.format = format;
        this.origin = origin;
        rotation = new Rotation(limits);
        int interfaces = origin == null ? 0 : origin.interfaces().size();
        earlySystemDrops = new long[interfaces];
        earlyOwnDrops = new long[interfaces];
    }

    /**
     * A sink without a file yet.
     *
     * @param name of the files: see {@link FileSeries}
     * @param format {@link CaptureFormat#PCAPNG}, {@link CaptureFormat#PCAP} or {@link CaptureFormat#PCAP_NANOSECOND}
     */
    public static RotatingSink create(Path name, CaptureFormat format, RotationLimits limits) {
        checkWritten(format);
        return new RotatingSink(new FileSeries(name, limits.files()), format, limits, null);
    }

    /**
     * For a live capture: in pcapng each file has its interfaces, the direction of each frame, and what was lost while it
     * was written, as {@link PcapNgWriter#to(java.nio.channels.WritableByteChannel, CaptureOrigin)} has it.
     *
     * @param series that has no file yet
     * @param format as {@link #create(Path, CaptureFormat, RotationLimits)} takes it
     */
    public static RotatingSink create(
            FileSeries series, CaptureFormat format, RotationLimits limits, CaptureOrigin origin) {
        checkWritten(format);
        return new RotatingSink(series, format, limits, origin);
    }

    static CaptureFormat checkWritten(CaptureFormat format) {
        return switch (format) {
            case PCAP, PCAP_NANOSECOND, PCAPNG -> format;
            case PCAP_MODIFIED, SNOOP ->
                throw new IllegalArgumentException(
                        "format " + format.label() + " is read only; pcap, nsecpcap and pcapng are written");
        };
    }

    /** {@inheritDoc} In pcap, the link type of a file is that of its first frame, and every other has to be the same. */
    @Override
    public void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType) {
        sink(capturedLength, timestampNs, linkType)
                .write(segment, offset, capturedLength, wireLength, timestampNs, linkType);
        written(timestampNs);
    }

    @Override
    public void write(FrameBatch batch, int i) {
        long timestampNs = batch.timestampNs(i);
        sink(batch.capturedLength(i), timestampNs, batch.linkType(i)).write(batch, i);
        written(timestampNs);
    }

    private void written(long timestampNs) {
        rotation.packet(timestampNs);
        packets++;
    }

    /** Of the file that a packet goes to, which begins with it where the one before is full. */
    private PacketSink sink(int capturedLength, long timestampNs, int linkType) {
        if (closed) {
            throw new IllegalStateException("the sink is closed");
        }
        long bytes = format == CaptureFormat.PCAPNG
                ? PCAPNG_PACKET + PcapNgBlock.padded(capturedLength) + originBytes()
                : PCAP_PACKET + capturedLength;
        PacketSink open = sink;
        if (open == null || rotation.isDue(timestampNs, output.written(), bytes)) {
            endFile();
            open = begin(timestampNs, linkType);
        }
        return open;
    }

    /** What a packet of a live capture may have as options, and the file at its end. */
    private long originBytes() {
        CaptureOrigin live = origin;
        return live == null
                ? 0
                : PcapNgOrigin.PACKET_OPTIONS_BYTES
                        + (long) PcapNgOrigin.STATISTICS_BYTES
                                * live.interfaces().size();
    }

    private PacketSink begin(long timestampNs, int linkType) {
        PcapWriter.checkedLinkType(linkType); // before there is a file that nobody would close
        CaptureOrigin live = origin;
        boolean isFirst = series.count() == 0;
        output.start(series.next(timestampNs));
        PacketSink begun;
        if (format != CaptureFormat.PCAPNG) {
            begun = PcapWriter.to(output, format, linkType);
        } else if (live == null) {
            begun = PcapNgWriter.to(output);
        } else {
            begun = PcapNgWriter.to(output, live, isFirst ? live.startNs() : timestampNs);
        }
        tellEarly(begun);
        sink = begun;
        return begun;
    }

    @Override
    public void lost(int interfaceIndex, long systemDrops, long ownDrops) {
        PacketSink open = sink;
        if (open != null) {
            open.lost(interfaceIndex, systemDrops, ownDrops);
        } else if (interfaceIndex < earlyOwnDrops.length) {
            earlySystemDrops[interfaceIndex] += systemDrops;
            earlyOwnDrops[interfaceIndex] += ownDrops;
        }
    }

    /** The file that has begun is the one that tells. */
    private void tellEarly(PacketSink begun) {
        for (int i = 0; i < earlyOwnDrops.length; i++) {
            begun.lost(i, earlySystemDrops[i], earlyOwnDrops[i]);
            earlySystemDrops[i] = 0;
            earlyOwnDrops[i] = 0;
        }
    }

    /** {@inheritDoc} The file at hand ends where its time is over. */
    @Override
    public void time(long nowNs) {
        PacketSink open = sink;
        if (open != null) {
            open.time(nowNs);
        }
        endIfDue(nowNs);
    }

    private void endFile() {
        PacketSink open = sink;
        if (open != null) {
            rotation.next();
            try {
                open.close();
            } finally {
                keptBefore += keptNow();
                bytesBefore += output.written();
                sink = null;
            }
        }
    }

    /**
     * Ends the file at hand where its time is over, though no frame came: for a live capture, now and then.
     *
     * @param nowNs nanoseconds since the epoch, by the clock that frames have their times from
     */
    public void endIfDue(long nowNs) {
        if (rotation.isSpanOver(nowNs)) {
            endFile();
        }
    }

    @Override
    public void flush() {
        PacketSink open = sink;
        if (open != null) {
            open.flush();
        }
    }

    /** Frames written so far, to all files. */
    public long packets() {
        return packets;
    }

    /** Packets that there are, or were before their file was deleted: all that were written, or those before a failure. */
    public long packetsKept() {
        return keptBefore + keptNow();
    }

    private long keptNow() {
        return switch (sink) {
            case PcapNgWriter writer -> writer.packetsKept();
            case PcapWriter writer -> writer.packetsKept();
            case null, default -> 0;
        };
    }

    /** Bytes of all files so far, before compression. */
    public long bytes() {
        return bytesBefore + (sink == null ? 0 : output.written());
    }

    /** Files made so far, deleted ones included. */
    public long files() {
        return series.count();
    }

    /** The file that was made last, or null. */
    public @Nullable Path file() {
        return series.last();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            endFile();
        }
    }
}
