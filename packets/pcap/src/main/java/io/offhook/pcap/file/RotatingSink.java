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
 * Writes frames to a series of capture files, each complete once the next begins: for a capture without end. {@link
 * RotationLimits} decide when the next file begins and how many are kept. No file is created before the first frame.
 */
public final class RotatingSink implements PacketSink {
    private static final int PCAPNG_PACKET = 32;
    private static final int PCAP_PACKET = 16;

    private final FileSeries series;
    private final CaptureFormat format;
    private final Rotation rotation;
    private final @Nullable CaptureOrigin origin;
    private final CaptureOutput output = CaptureOutput.unopened();

    /** For each interface, the packets lost while there was no file. */
    private final long[] earlySystemDrops;

    private final long[] earlyOwnDrops;

    private @Nullable PacketSink sink;
    private long packets;
    private long keptBefore;
    private long bytesBefore;
    private boolean closed;

    /** @param format pcapng, or pcap with microseconds or nanoseconds */
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
     * Creates a sink without a file.
     *
     * @param name the name of the files: see {@link FileSeries}
     * @param format {@link CaptureFormat#PCAPNG}, {@link CaptureFormat#PCAP} or {@link CaptureFormat#PCAP_NANOSECOND}
     */
    public static RotatingSink create(Path name, CaptureFormat format, RotationLimits limits) {
        checkWritten(format);
        return new RotatingSink(new FileSeries(name, limits.files()), format, limits, null);
    }

    /**
     * Creates a sink for a live capture: each pcapng file has the capture's interfaces, the direction of each frame,
     * and the losses while the file was written, as with {@link PcapNgWriter#to(java.nio.channels.WritableByteChannel,
     * CaptureOrigin)}.
     *
     * @param series a series without files
     * @param format as for {@link #create(Path, CaptureFormat, RotationLimits)}
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
                        "format " + format.label() + " can only be read; choose pcap, nsecpcap or pcapng");
        };
    }

    /** {@inheritDoc} In pcap, the first frame determines the link type of a file, and all others must have the same. */
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

    /** Returns the sink of the file that a packet goes to, after beginning a new one if the current one is full. */
    private PacketSink sink(int capturedLength, long timestampNs, int linkType) {
        if (closed) {
            throw new IllegalStateException("the sink is closed");
        }
        long bytes = format == CaptureFormat.PCAPNG
                ? PCAPNG_PACKET + PcapNgBlock.padded(capturedLength) + originBytes()
                : PCAP_PACKET + capturedLength;
        PacketSink open = sink;
        if (open instanceof PcapNgWriter writer) {
            bytes += writer.interfaceBytes(linkType);
        }
        if (open == null || rotation.isDue(timestampNs, output.written(), bytes)) {
            endFile();
            open = begin(timestampNs, linkType);
        }
        return open;
    }

    /** Returns the most bytes that the options of a live capture's packet, and the statistics at the end, may take. */
    private long originBytes() {
        CaptureOrigin live = origin;
        return live == null
                ? 0
                : PcapNgOrigin.PACKET_OPTIONS_BYTES
                        + (long) PcapNgOrigin.STATISTICS_BYTES
                                * live.interfaces().size();
    }

    private PacketSink begin(long timestampNs, int linkType) {
        PcapWriter.checkedLinkType(linkType); // before a file is created that nobody would close
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

    /** Reports the losses from before the first file to the file that has begun. */
    private void tellEarly(PacketSink begun) {
        for (int i = 0; i < earlyOwnDrops.length; i++) {
            begun.lost(i, earlySystemDrops[i], earlyOwnDrops[i]);
            earlySystemDrops[i] = 0;
            earlyOwnDrops[i] = 0;
        }
    }

    /** {@inheritDoc} The current file ends if its time is over. */
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
     * Ends the current file if its time is over although no frame came; a live capture calls it from time to time.
     *
     * @param nowNs nanoseconds since the epoch, by the clock of the frames
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

    /** Returns the frames written so far, to all files. */
    public long packets() {
        return packets;
    }

    /**
     * Returns the packets that can be read from the files, including deleted ones: all written, or, if a write has
     * failed, those before it.
     */
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

    /** Returns the bytes of all files so far, before compression. */
    public long bytes() {
        return bytesBefore + (sink == null ? 0 : output.written());
    }

    /** Returns the number of files created so far, including deleted ones. */
    public long files() {
        return series.count();
    }

    /** Returns the file created last, or null. */
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
