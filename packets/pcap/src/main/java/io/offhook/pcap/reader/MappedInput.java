package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A plain file, mapped as a whole: its frames are referenced in place. */
public final class MappedInput extends FileInput {
    private boolean isCutShort;
    private volatile long position;

    /** Creates the input of a file that is mapped as a whole; damage found while reading is added to {@code faults}. */
    public MappedInput(String path, MemorySegment file, RecordReader reader, FaultList faults) {
        super(path, CaptureCompression.NONE, file.byteSize(), reader, faults);
        window.segment = file;
        window.limit = file.byteSize();
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
        position = ended ? window.limit : window.position;
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
            if (now < size()) {
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

    @Override
    public boolean isMapped() {
        return true;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void close() {}
}
