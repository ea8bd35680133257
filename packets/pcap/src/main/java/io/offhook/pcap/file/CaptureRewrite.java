package io.offhook.pcap.file;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.FileTruncatedException;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.reader.RecordReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites capture files: converts their format, edits packets, merges several files by time, or splits them. Whatever
 * the target format can hold is kept. From pcapng to pcapng that is every block and option, in their sections and byte
 * order, and timestamps in their own units: without edits, the bytes are the same.
 *
 * <pre>{@code
 * try (CaptureRewrite rewrite = CaptureRewrite.open(List.of("a.pcapng", "b.pcap"), System.in)) {
 *     rewrite.edit(packet -> packet.wireLength() > 1000);
 *     rewrite.to(new FileSeries(Path.of("large.pcapng"), 0), RotationLimits.NONE);
 * }
 * }</pre>
 *
 * <p>Files are read as {@link CaptureFiles} reads them, in bounded memory whatever their size. Damage is reported by
 * {@link #faults()}, and everything before it is written. Single-threaded, except for {@link #position()}.
 */
public final class CaptureRewrite implements AutoCloseable {
    private final OpenedFiles files;
    private final List<RecordCursor> cursors = new ArrayList<>();
    private final PriorityQueue<RecordCursor> queue = new PriorityQueue<>(RecordCursor::compare);
    private final EditedPacket packet = new EditedPacket();

    private CaptureFormat format = CaptureFormat.PCAPNG;
    private boolean isFinest;
    private @Nullable PacketEdit edit;
    private long packetsRead;
    private long packetsWritten;
    private boolean isRun;

    private CaptureRewrite(List<String> paths, InputStream standardInput) {
        files = new OpenedFiles(paths, standardInput, true);
        int records = paths.size() == 1 ? RecordCursor.MANY_RECORDS : RecordCursor.FEW_RECORDS;
        for (int rank = 0; rank < paths.size(); rank++) {
            cursors.add(new RecordCursor(files, rank, records));
        }
    }

    /**
     * Opens the files to read. This never fails: see {@link CaptureFiles}.
     *
     * @param pathsOrPatterns as for {@link CaptureFiles#expand}, at least one
     */
    public static CaptureRewrite open(List<String> pathsOrPatterns, InputStream standardInput) {
        List<String> paths = CaptureFiles.expand(pathsOrPatterns);
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("no file is named; at least one is needed");
        }
        return new CaptureRewrite(paths, standardInput);
    }

    /**
     * Sets the format to write; the default is pcapng.
     *
     * @param format {@link CaptureFormat#PCAPNG}; {@link CaptureFormat#PCAP}, with nanoseconds if an interface
     *     described before the first packet has timestamps finer than microseconds; or {@link
     *     CaptureFormat#PCAP_NANOSECOND}, always with nanoseconds
     */
    public void format(CaptureFormat format) {
        this.format = RotatingSink.checkWritten(format);
        isFinest = format == CaptureFormat.PCAP_NANOSECOND;
    }

    /** Sets the edit that is applied to each packet; by default packets stay as they are. */
    public void edit(PacketEdit edit) {
        this.edit = edit;
    }

    /**
     * Reads everything and writes it to one file, which is closed in any case.
     *
     * @throws LinkTypeException if pcap is to be written and the packets have several link types
     * @throws FileTruncatedException if another process truncates a mapped file before all its packets were written;
     *     the output may then end within a packet
     * @throws java.io.UncheckedIOException if it cannot be written
     */
    public CaptureRewriteReport to(WritableByteChannel channel) {
        try (channel) { // even if writing cannot begin
            return run(channel, null, RotationLimits.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException("closing a capture failed: " + e.getMessage(), e);
        }
    }

    /**
     * As {@link #to(WritableByteChannel)}, into a file, which is created, or replaced if it exists. The end of its name decides
     * whether it is compressed: see {@link CaptureCompression#ofName}.
     *
     * @throws IllegalArgumentException if it is one of the files that are read
     */
    public CaptureRewriteReport to(Path file) {
        for (CaptureFile each : files()) {
            if (isSame(file, each.path())) {
                throw new IllegalArgumentException(file + " is being read; write to another file");
            }
        }
        return to(CaptureOutput.channel(file, CaptureCompression.ofName(file.toString())));
    }

    private static boolean isSame(Path file, String input) {
        try {
            return Files.isSameFile(file, Path.of(input));
        } catch (IOException | InvalidPathException e) {
            return false; // one of them does not exist
        }
    }

    /** As {@link #to(WritableByteChannel)}, but into a series of files. */
    public CaptureRewriteReport to(FileSeries series, RotationLimits limits) {
        return run(null, series, limits);
    }

    private CaptureRewriteReport run(
            @Nullable WritableByteChannel channel, @Nullable FileSeries series, RotationLimits limits) {
        if (isRun || files.isClosed()) {
            throw new IllegalStateException("the rewrite has already run or is closed; open another");
        }
        isRun = true;
        try {
            return rewrite(channel, series, limits);
        } catch (InternalError e) {
            if (!files.hasLostMemory()) {
                throw e;
            }
            throw FileTruncatedException.of(faults(), e);
        }
    }

    private CaptureRewriteReport rewrite(
            @Nullable WritableByteChannel channel, @Nullable FileSeries series, RotationLimits limits) {
        for (RecordCursor cursor : cursors) {
            if (cursor.next()) {
                queue.add(cursor);
            }
        }
        RecordSink sink = sink(series != null);
        long bytes = 0;
        try {
            FirstFile first = series == null ? null : new FirstFile(series, firstNs());
            sink.start(first == null ? Objects.requireNonNull(channel) : first);
            for (RecordCursor cursor : cursors) {
                if (!queue.contains(cursor)) {
                    sink.ended(cursor);
                }
            }
            bytes = copyAll(sink, series, first, new Rotation(limits));
        } finally {
            sink.finish();
        }
        long leftOut = 0;
        for (RecordCursor cursor : cursors) {
            leftOut += cursor.input().describe().packetsLeftOut();
        }
        return new CaptureRewriteReport(
                format,
                new CaptureRewriteReport.Packets(packetsRead, packetsWritten, leftOut, sink.packetsCut()),
                new CaptureRewriteReport.Timestamps(sink.timestampsClamped(), sink.timestampsCut()),
                new CaptureRewriteReport.Blocks(sink.blocksWritten(), sink.blocksLeftOut(), sink.optionsLeftOut()),
                series == null ? 1 : series.count(),
                bytes + sink.bytes());
    }

    /** @return the bytes of all files except the last */
    private long copyAll(RecordSink sink, @Nullable FileSeries series, @Nullable FirstFile first, Rotation rotation) {
        PacketEdit edit = this.edit;
        long bytes = 0;
        RecordCursor cursor = queue.poll();
        while (cursor != null) {
            if (!cursor.isPacket()) {
                sink.block(cursor);
            } else {
                packet.set(cursor, ++packetsRead);
                if (edit == null || edit.edit(packet)) {
                    long timestampNs = packet.timestampNs();
                    if (first != null && packetsWritten == 0) {
                        first.begin(timestampNs);
                    }
                    if (series != null && rotation.isDue(timestampNs, sink.bytes(), sink.sizeOf(cursor, packet))) {
                        sink.finish();
                        bytes += sink.bytes();
                        sink.start(series.next(timestampNs));
                        rotation.next();
                    }
                    sink.packet(cursor, packet);
                    rotation.packet(timestampNs);
                    packetsWritten++;
                }
                if (edit != null && edit.isDone()) {
                    break; // the sender of a pipe may take long to send another record
                }
            }
            cursor = nextOf(cursor, sink);
        }
        return bytes;
    }

    /** Returns the cursor whose record comes after the one at this cursor. */
    private @Nullable RecordCursor nextOf(RecordCursor cursor, RecordSink sink) {
        if (!cursor.next()) {
            sink.ended(cursor);
            return queue.poll();
        }
        RecordCursor other = queue.peek();
        if (other == null || RecordCursor.compare(cursor, other) < 0) {
            return cursor;
        }
        queue.add(cursor);
        return queue.poll();
    }

    private RecordSink sink(boolean isSplit) {
        if (format == CaptureFormat.PCAPNG) {
            return pcapNgSink(isSplit);
        }
        boolean isFine = isFinest;
        long snapLength = 0;
        boolean isUnlimited = false;
        for (CaptureInterface known : files.interfaces().snapshot()) {
            isFine |= known.timestampUnitsPerSecond() > 1_000_000;
            snapLength = Math.max(snapLength, known.snapLength());
            isUnlimited |= known.snapLength() == 0;
        }
        format = isFine ? CaptureFormat.PCAP_NANOSECOND : CaptureFormat.PCAP;
        boolean isDeclared = !isUnlimited && snapLength > 0;
        long reported = isDeclared ? snapLength : Math.max(snapLength, RecordReader.USUAL_PACKET_BYTES);
        return new PcapRecordSink(format, files.interfaces(), reported);
    }

    private RecordSink pcapNgSink(boolean isSplit) {
        CopyRules rules = new CopyRules(edit != null || isSplit || cursors.size() > 1, edit);
        if (cursors.size() == 1 && cursors.getFirst().isPcapNg()) {
            return new PcapNgCopySink(rules, isSplit, files.interfaces());
        }
        ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        for (RecordCursor cursor : cursors.reversed()) {
            order = cursor.isPcapNg() && queue.contains(cursor) ? cursor.block().order() : order;
        }
        return new PcapNgMergeSink(cursors, order, rules, isSplit, files.interfaces());
    }

    /** Returns the time of the first packet, if one was read ahead. */
    private long firstNs() {
        long earliest = Long.MAX_VALUE;
        for (RecordCursor cursor : cursors) {
            long ns = cursor.aheadNs();
            earliest = ns < 0 ? earliest : Math.min(earliest, ns);
        }
        return earliest == Long.MAX_VALUE ? 0 : earliest;
    }

    /** Returns what was damaged, unreadable or cut off so far. */
    public List<CaptureFault> faults() {
        return files.faults().snapshot();
    }

    /** Returns the files in the order given, with what was read of each. */
    public List<CaptureFile> files() {
        return files.describe();
    }

    /** Returns the bytes read so far, as they are on disk. Thread-safe. */
    public long position() {
        return files.position();
    }

    /** Returns the total size on disk of all files, in bytes; -1 if one of them is a pipe. */
    public long size() {
        return files.size();
    }

    @Override
    public void close() {
        files.close();
    }
}
