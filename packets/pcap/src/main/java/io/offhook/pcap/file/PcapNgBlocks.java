package io.offhook.pcap.file;

import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PacketSource;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.util.List;

/**
 * The blocks of one pcapng file in their order, of any type: for what a {@link PacketSource} does not deliver, such as
 * comments, names, statistics, secrets, and the options of packets.
 *
 * <pre>{@code
 * try (PcapNgBlocks blocks = PcapNgBlocks.open("capture.pcapng")) {
 *     while (blocks.next()) {
 *         if (blocks.block().type() == PcapNgBlock.NAME_RESOLUTION) { ... }
 *     }
 * }
 * }</pre>
 *
 * <p>Damage ends the blocks, as it ends the packets of a source. A packet on an interface that is not described is left
 * out, as there. Single-threaded.
 */
public final class PcapNgBlocks implements AutoCloseable {
    private final OpenedFiles files;
    private final RecordCursor cursor;

    private PcapNgBlocks(String path) {
        files = new OpenedFiles(List.of(path), new FileInputStream(FileDescriptor.in), true);
        cursor = new RecordCursor(files, 0, RecordCursor.MANY_RECORDS);
        CaptureFormat format = cursor.input().describe().format();
        if (format != null && format != CaptureFormat.PCAPNG) {
            files.faults()
                    .add(new CaptureFault(
                            Kind.UNKNOWN_FORMAT, path, 0, "pcapng was expected, " + format.label() + " found"));
        }
    }

    /**
     * Opens a file, plain or compressed; "-" for standard input. If it does not exist or is not pcapng, that is a
     * fault, and there are no blocks.
     */
    public static PcapNgBlocks open(String path) {
        return new PcapNgBlocks(path);
    }

    /**
     * Moves to the next block.
     *
     * @return false if there are no more
     */
    public boolean next() {
        if (files.isClosed()) {
            throw new IllegalStateException("the file is closed");
        }
        return cursor.next() && cursor.isPcapNg();
    }

    /** Returns the current block: the same view each time, valid until the next call of {@link #next}. */
    public PcapNgBlockView block() {
        return cursor.block();
    }

    /** Returns the time of a packet in nanoseconds since the epoch; for another block, that of the packet before it. */
    public long timestampNs() {
        return cursor.timestampNs();
    }

    /** Returns what was damaged, unreadable or cut off so far. */
    public List<CaptureFault> faults() {
        return files.faults().snapshot();
    }

    @Override
    public void close() {
        files.close();
    }
}
