package io.offhook.pcap.file;

import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.reader.FaultList;
import io.offhook.pcap.reader.InputBytes;
import io.offhook.pcap.reader.InterfaceTable;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Capture files that are open at the same time: the bytes of each, and the memory, interfaces and faults of all. Opening
 * never fails: see {@link CaptureFiles}.
 */
final class OpenedFiles implements AutoCloseable {
    // shared, since the thread that asks for the next batch may change, and lanes read the frames
    private final Arena arena = Arena.ofShared();
    private final InterfaceTable interfaces = new InterfaceTable();
    private final FaultList faults = new FaultList();
    private final List<InputBytes> inputs;
    private boolean closed;

    /**
     * Opens files.
     *
     * @param paths no patterns; "-" for standard input
     * @param everyBlock whether pcapng files deliver blocks instead of packets: see {@link
     *     io.offhook.pcap.reader.PcapNgReader}
     */
    OpenedFiles(List<String> paths, InputStream standardInput, boolean everyBlock) {
        CaptureOpener opener = new CaptureOpener(arena, interfaces, faults, standardInput, everyBlock);
        List<InputBytes> opened = new ArrayList<>();
        for (String path : paths) {
            opened.add(opener.open(path));
        }
        inputs = List.copyOf(opened);
    }

    /** Returns what buffers of the files are allocated from. */
    Arena arena() {
        return arena;
    }

    InterfaceTable interfaces() {
        return interfaces;
    }

    FaultList faults() {
        return faults;
    }

    /** Returns the files in the order given. */
    List<InputBytes> inputs() {
        return inputs;
    }

    /** Returns the files in the order given, with what was read of each. */
    List<CaptureFile> describe() {
        return inputs.stream().map(InputBytes::describe).toList();
    }

    List<CaptureLoss> losses() {
        return inputs.stream().flatMap(input -> input.losses().stream()).toList();
    }

    /** Returns the latest end of the capture that a file declares; {@link PacketSource#END_NOT_TOLD} if none does. */
    long endNs() {
        long end = PacketSource.END_NOT_TOLD; // loops, because each start takes this way (docs/decisions/0007)
        for (InputBytes input : inputs) {
            end = Math.max(end, input.endNs());
        }
        return end;
    }

    /** Returns whether a file is now shorter than its mapping; that is added to the faults, for each such file. */
    boolean hasLostMemory() {
        boolean isLost = false;
        for (InputBytes input : inputs) {
            isLost |= input.isCutShort();
        }
        return isLost;
    }

    /** Returns the bytes read so far, as they are on disk. Thread-safe. */
    long position() {
        long sum = 0;
        for (InputBytes input : inputs) {
            sum += input.position();
        }
        return sum;
    }

    /** Returns the total size on disk, in bytes; -1 if one of the files is a pipe. */
    long size() {
        long sum = 0;
        for (InputBytes input : inputs) {
            if (input.size() < 0) {
                return -1;
            }
            sum += input.size();
        }
        return sum;
    }

    boolean isClosed() {
        return closed;
    }

    /** Closes the files and frees their memory; no frame may be accessed any more. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            inputs.forEach(InputBytes::close);
            arena.close();
        }
    }
}
