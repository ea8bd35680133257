package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.PacketSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to many capture files at once, one for each group, such as a call or a flow. At most one file is open
 * at any time: frames are collected in memory and, when that is full, appended to their files one after the other.
 *
 * <p>Compressed files consist of several gzip members or zstd frames. Single-threaded. A failed write throws {@link
 * UncheckedIOException}. The files are complete once the sink is closed.
 */
public final class GroupedSink implements AutoCloseable {
    /** The most bytes collected in memory before they are appended to the files. */
    private static final long MOST_PENDING_BYTES = 64L << 20;

    private static final int LEAST_ROOM = 1024;

    private final FileSeries series;
    private final CaptureFormat format;
    private final int mostGroups;
    private final long mostPendingBytes;
    private final CaptureOutput output = CaptureOutput.unopened();
    private final Map<Integer, Group> groups = new TreeMap<>();

    private @Nullable Group current;
    private long pendingBytes;
    private long bytes;
    private long packets;
    private boolean isClosed;

    /** A file, and the bytes to be appended to it. */
    private final class Group implements WritableByteChannel {
        private final Path file;
        private @Nullable PacketSink writer;
        private byte[] pending = {};
        private int length;
        private boolean isMade;

        Group(Path file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = source.remaining();
            if (pending.length - length < count) {
                int size = Math.max(Math.max(LEAST_ROOM, 2 * pending.length), length + count);
                pendingBytes += size - pending.length;
                pending = Arrays.copyOf(pending, size);
            }
            source.get(pending, length, count);
            length += count;
            bytes += count;
            return count;
        }

        void append() {
            if (length == 0 && isMade) {
                return;
            }
            StandardOpenOption how = isMade ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
            try (WritableByteChannel channel = series.compression()
                    .compress(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how))) {
                isMade = true;
                for (ByteBuffer left = ByteBuffer.wrap(pending, 0, length); left.hasRemaining(); ) {
                    channel.write(left);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
            } finally {
                pendingBytes -= pending.length;
                pending = new byte[0];
                length = 0;
            }
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private GroupedSink(FileSeries series, CaptureFormat format, int mostGroups, long mostPendingBytes) {
        this.series = series;
        this.format = RotatingSink.checkWritten(format);
        this.mostGroups = mostGroups;
        this.mostPendingBytes = mostPendingBytes;
    }

    /**
     * Creates a sink without files.
     *
     * @param series determines the names, by number and first packet, and the compression
     * @param format {@link CaptureFormat#PCAPNG}, {@link CaptureFormat#PCAP} or {@link CaptureFormat#PCAP_NANOSECOND}
     * @param mostGroups the most groups there may be; each takes a few hundred bytes of memory
     */
    public static GroupedSink create(FileSeries series, CaptureFormat format, int mostGroups) {
        return new GroupedSink(series, format, mostGroups, MOST_PENDING_BYTES);
    }

    static GroupedSink create(FileSeries series, CaptureFormat format, int mostGroups, long mostPendingBytes) {
        return new GroupedSink(series, format, mostGroups, mostPendingBytes);
    }

    /** Returns whether a frame of the group was written. */
    public boolean has(int group) {
        return groups.containsKey(group);
    }

    /** Returns whether no further group can be added. */
    public boolean isFull() {
        return groups.size() >= mostGroups;
    }

    /**
     * Writes frame {@code i} of a batch. The first frame of a group determines the name of its file and, in pcap, the
     * link type.
     *
     * @param group the number of the group, 0 or more
     * @param comment a comment on the whole pcapng file, used with its first frame; null for none
     * @throws IllegalArgumentException if this would exceed the most groups
     * @throws LinkTypeException if a pcap file has another link type
     */
    public void write(int group, @Nullable String comment, FrameBatch batch, int i) {
        write(
                group,
                comment,
                batch.segmentOf(i),
                batch.offset(i),
                batch.capturedLength(i),
                batch.wireLength(i),
                batch.timestampNs(i),
                batch.linkType(i));
    }

    void write(
            int group,
            @Nullable String comment,
            MemorySegment segment,
            long offset,
            int capturedLength,
            int wireLength,
            long timestampNs,
            int linkType) {
        if (isClosed) {
            throw new IllegalStateException("the sink is closed");
        }
        PacketSink writer = writer(group, comment, timestampNs, linkType);
        writer.write(segment, offset, capturedLength, wireLength, timestampNs, linkType);
        packets++;
        if (pendingBytes > mostPendingBytes) {
            flush();
        }
    }

    private PacketSink writer(int number, @Nullable String comment, long timestampNs, int linkType) {
        Group group = groups.get(number);
        if (group == null) {
            if (isFull()) {
                throw new IllegalArgumentException("more than " + mostGroups + " groups, the limit of this sink");
            }
            group = new Group(series.file(number, timestampNs));
            groups.put(number, group);
        }
        if (group != current) {
            output.redirect(group);
            current = group;
        }
        PacketSink writer = group.writer;
        if (writer == null) {
            writer = format == CaptureFormat.PCAPNG
                    ? PcapNgWriter.to(output, comment)
                    : PcapWriter.to(output, format, linkType);
            group.writer = writer;
        }
        return writer;
    }

    /** Appends everything collected to the files. */
    public void flush() {
        output.flushWhole();
        groups.values().forEach(Group::append);
    }

    /** Records in each pcapng file when the capture ended: see {@link PcapNgWriter#endOfCapture}. */
    public void endOfCapture(long timestampNs) {
        for (Group group : groups.values()) {
            if (group.writer instanceof PcapNgWriter writer) {
                output.redirect(group);
                current = group;
                writer.endOfCapture(timestampNs);
                if (pendingBytes > mostPendingBytes) {
                    flush();
                }
            }
        }
    }

    /** Returns the frames written so far, to all files. */
    public long packets() {
        return packets;
    }

    /** Returns the frames that were truncated because they are longer than a file may hold. */
    public long packetsCut() {
        return sum(PcapWriter::packetsCut, PcapNgWriter::packetsCut);
    }

    /** Returns the frames with a time that the format cannot express, set to the end of its range. */
    public long timestampsClamped() {
        return sum(PcapWriter::timestampsClamped, PcapNgWriter::timestampsClamped);
    }

    /** Returns the frames whose time was finer than the unit of the format. */
    public long timestampsCut() {
        return sum(PcapWriter::timestampsCut, _ -> 0);
    }

    private long sum(ToLongFunction<PcapWriter> ofPcap, ToLongFunction<PcapNgWriter> ofPcapNg) {
        long sum = 0;
        for (Group group : groups.values()) {
            PacketSink writer = group.writer;
            if (writer instanceof PcapWriter pcap) {
                sum += ofPcap.applyAsLong(pcap);
            } else if (writer instanceof PcapNgWriter pcapNg) {
                sum += ofPcapNg.applyAsLong(pcapNg);
            }
        }
        return sum;
    }

    /** Returns the number of files so far. */
    public int files() {
        return groups.size();
    }

    /** Returns the bytes of all files, before compression, up to the last {@link #flush}. */
    public long bytes() {
        return bytes;
    }

    /** Returns the bytes waiting in memory. */
    long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            flush();
        }
    }
}
