package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureLoss;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plain file, mapped as a whole: its frames are referenced in place. */
public final class MappedInput implements InputBytes {
    private final String path;
    private final RecordReader reader;
    private final FaultList faults;
    private final long size;
    private final ByteWindow window = new ByteWindow();

    private boolean ended;
    private boolean isCutShort;
    private volatile long position;

    /** Creates the input of a file that is mapped as a whole; damage found while reading is added to {@code faults}. */
    public MappedInput(String path, MemorySegment file, RecordReader reader, FaultList faults) {
        this.path = path;
        this.reader = reader;
        this.faults = faults;
        size = file.byteSize();
        window.segment = file;
        window.limit = size;
    }

    @Override
    public void fill(FrameBatch batch) {
        if (ended) {
            return;
        }
        try {
            int wanted = reader.read(window, batch.addSegment(window.segment), batch);
            if (wanted > 0) {
                end(reader.cutOff(window));
            } else if (reader.ended()) {
                end(null);
            }
        } catch (InternalError e) {
            // the file was truncated: its mapping has pages without data
            batch.clear(batch.number(0));
            cutShort(window.fileOffset(window.position));
        }
        position = ended ? size : window.position;
    }

    /** Moves to where reading continues after the frames that {@link Stretches} found. */
    void moveTo(long next) {
        window.position = next;
        position = next;
    }

    @Override
    public @Nullable Stretches stretches() {
        return reader instanceof PcapReader pcap ? new Stretches(this, pcap, window.segment) : null;
    }

    @Override
    public boolean isCutShort() {
        try {
            long now = Files.size(Path.of(path));
            if (now < size) {
                cutShort(now);
            }
        } catch (IOException e) {
            // the file was deleted: its mapping stays valid
        }
        return isCutShort;
    }

    private void cutShort(long offset) {
        if (!isCutShort) {
            isCutShort = true;
            end(new CaptureFault(Kind.CUT_OFF, path, offset, "the file was cut shorter while it was read"));
        }
    }

    private void end(@Nullable CaptureFault fault) {
        ended = true;
        faults.add(fault);
    }

    @Override
    public boolean isMapped() {
        return true;
    }

    @Override
    public long endNs() {
        return reader.endNs();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public List<CaptureLoss> losses() {
        return reader.losses();
    }

    @Override
    public CaptureFile describe() {
        return reader.describe(path, CaptureCompression.NONE, size);
    }

    @Override
    public void close() {}
}
