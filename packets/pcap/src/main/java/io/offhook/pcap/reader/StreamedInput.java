package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;

/**
 * A pipe or a compressed file, read in pieces into the batch's own buffer. The incomplete record after the last whole
 * one is carried over to the next batch, which has another buffer or whose frames were released.
 */
public final class StreamedInput extends FileInput {
    /** The buffer of a batch with a large capacity; it grows for a packet that does not fit. */
    private static final int MOST_BUFFER_BYTES = 4 << 20;

    private static final int LEAST_BUFFER_BYTES = 64 << 10;
    private static final int USUAL_FRAME_BYTES = 256;
    /**
     * The most bytes per read, at most a quarter of a buffer, so that little is left over by a full batch and copied.
     */
    private static final int MOST_PIECE_BYTES = 256 << 10;

    private static final int LEAST_PIECE_BYTES = 4 << 10;

    private final PeekableChannel raw;
    private final ReadableByteChannel channel;
    private final Arena arena;
    private final BatchBuffers buffers;

    private MemorySegment carried = MemorySegment.NULL;
    private long carriedBytes;
    /** The position in the file of the carried bytes, or else of the channel's next ones. */
    private long carriedOffset;
    /** The bytes of the channel to skip before the next one that the reader needs to see. */
    private long toPassOver;

    private int pieceBytes;

    private boolean channelEnded;
    private boolean closed;

    /**
     * Creates an input that reads {@code channel}, the decompressed bytes of {@code raw}. {@code size} is in bytes on
     * disk, -1 if unknown; buffers are allocated from {@code arena}.
     */
    public StreamedInput(
            String path,
            CaptureCompression compression,
            long size,
            PeekableChannel raw,
            ReadableByteChannel channel,
            RecordReader reader,
            FaultList faults,
            Arena arena) {
        super(path, compression, size, reader, faults);
        this.raw = raw;
        this.channel = channel;
        this.arena = arena;
        buffers = new BatchBuffers(arena);
    }

    @Override
    public void fill(FrameBatch batch) {
        if (ended) {
            return;
        }
        takeBuffer(batch);
        int segmentIndex = batch.addSegment(window.segment);
        while (true) {
            int wanted = reader.read(window, segmentIndex, batch);
            if (wanted == 0) {
                ended = reader.ended();
                break;
            }
            if (channelEnded) {
                end(reader.cutOff(window));
                break;
            }
            if (batch.count() > 0 && raw.isDry()) {
                break; // frames that are here need not wait for a slow sender
            }
            if (!hasRoom(wanted)) {
                if (batch.count() > 0) {
                    break;
                }
                makeRoom(wanted, batch);
                segmentIndex = batch.addSegment(window.segment);
            }
            readPiece();
            if (ended) {
                break;
            }
        }
        if (ended) {
            close();
        } else {
            carryOver();
        }
    }

    private void takeBuffer(FrameBatch batch) {
        long least = Math.clamp((long) batch.capacity() * USUAL_FRAME_BYTES, LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES);
        pieceBytes = Math.clamp((long) batch.capacity() * (USUAL_FRAME_BYTES / 4), LEAST_PIECE_BYTES, MOST_PIECE_BYTES);
        window.segment = buffers.give(batch, Math.max(least, carriedBytes));
        MemorySegment.copy(carried, 0, window.segment, 0, carriedBytes);
        window.origin = carriedOffset;
        window.position = toPassOver;
        window.limit = carriedBytes;
    }

    private boolean hasRoom(int wanted) {
        // skipped bytes need room only for reading
        return window.position > window.limit
                ? window.limit < window.segment.byteSize()
                : window.position + wanted <= window.segment.byteSize();
    }

    /** Makes room while no frame refers to the buffer: moves the bytes to its start, or to a larger one. */
    private void makeRoom(int wanted, FrameBatch batch) {
        MemorySegment from = window.segment;
        long kept = Math.max(window.available(), 0);
        if (wanted > from.byteSize()) {
            window.segment = buffers.give(batch, wanted);
        }
        MemorySegment.copy(from, window.limit - kept, window.segment, 0, kept);
        long moved = window.limit - kept;
        window.origin += moved;
        window.position -= moved;
        window.limit = kept;
    }

    private void readPiece() {
        long start = window.limit;
        long room = Math.min(window.segment.byteSize() - start, pieceBytes);
        try {
            int count = channel.read(window.segment.asSlice(start, room).asByteBuffer());
            if (count < 0) {
                channelEnded = true;
                return;
            }
            window.limit += count;
        } catch (DamagedStreamException e) {
            Kind kind = e.isCutOff() ? Kind.CUT_OFF : Kind.DAMAGED;
            end(new CaptureFault(kind, path, window.fileOffset(window.limit), String.valueOf(e.getMessage())));
        } catch (IOException e) {
            end(new CaptureFault(Kind.UNREADABLE, path, window.fileOffset(window.limit), "reading failed: " + e));
        }
        if (window.position >= window.limit) {
            // all of it is skipped: the next piece takes its place
            long passed = window.limit - start;
            window.origin += passed;
            window.position -= passed;
            window.limit = start;
        }
    }

    private void carryOver() {
        carriedBytes = Math.max(window.available(), 0);
        toPassOver = Math.max(-window.available(), 0);
        if (carriedBytes > carried.byteSize()) {
            carried = arena.allocate(RecordReader.grown(carried.byteSize(), carriedBytes));
        }
        long from = window.limit - carriedBytes;
        MemorySegment.copy(window.segment, from, carried, 0, carriedBytes);
        carriedOffset = window.fileOffset(from);
    }

    @Override
    public boolean isMapped() {
        return false;
    }

    @Override
    public long position() {
        return raw.taken();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            faults.add(new CaptureFault(Kind.UNREADABLE, path, -1, "closing failed: " + e));
        }
    }
}
