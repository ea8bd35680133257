package io.offhook.pcap;

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
    private final CaptureOutput output = CaptureOutput.unopened();

    private @Nullable PacketSink sink;
    private long packets;
    private boolean closed;

    /** @param format pcapng, or pcap with micro- or nanoseconds */
    private RotatingSink(FileSeries series, CaptureFormat format, RotationLimits limits) {
        this.series = series;
        this.format = format;
        rotation = new Rotation(limits);
    }

    /**
     * A sink without a file yet.
     *
     * @param name of the files: see {@link FileSeries}
     * @param format {@link CaptureFormat#PCAPNG}, {@link CaptureFormat#PCAP} or {@link CaptureFormat#PCAP_NANOSECOND}
     */
    public static RotatingSink create(Path name, CaptureFormat format, RotationLimits limits) {
        checkWritten(format);
        return new RotatingSink(new FileSeries(name, limits.files()), format, limits);
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
        if (closed) {
            throw new IllegalStateException("the sink is closed");
        }
        long bytes = format == CaptureFormat.PCAPNG
                ? PCAPNG_PACKET + PcapNgBlock.padded(capturedLength)
                : PCAP_PACKET + capturedLength;
        PacketSink open = sink;
        if (open == null || rotation.isDue(timestampNs, output.written(), bytes)) {
            endFile();
            open = begin(timestampNs, linkType);
        }
        open.write(segment, offset, capturedLength, wireLength, timestampNs, linkType);
        rotation.packet(timestampNs);
        packets++;
    }

    private PacketSink begin(long timestampNs, int linkType) {
        PcapWriter.checkedLinkType(linkType); // before there is a file that nobody would close
        output.start(series.next(timestampNs));
        PacketSink begun =
                format == CaptureFormat.PCAPNG ? PcapNgWriter.to(output) : PcapWriter.to(output, format, linkType);
        sink = begun;
        return begun;
    }

    private void endFile() {
        PacketSink open = sink;
        if (open != null) {
            sink = null;
            rotation.next();
            open.close();
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
