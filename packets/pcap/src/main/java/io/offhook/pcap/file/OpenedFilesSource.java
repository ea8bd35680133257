package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.util.List;

/** The frames of opened files, in an order that a subclass decides, numbered from 1. */
abstract sealed class OpenedFilesSource implements CaptureFileSource permits SingleFileSource, MergedFileSource {
    private final OpenedFiles files;
    private long nextNumber = 1;

    OpenedFilesSource(OpenedFiles files) {
        this.files = files;
    }

    @Override
    public final boolean next(FrameBatch batch) {
        if (files.isClosed()) {
            throw new IllegalStateException("the source is closed");
        }
        batch.clear(nextNumber);
        fill(batch);
        nextNumber += batch.count();
        return batch.count() > 0;
    }

    /** Adds the next frames to a batch that was just cleared; adding none means that there are no more. */
    abstract void fill(FrameBatch batch);

    final boolean isClosed() {
        return files.isClosed();
    }

    /** Returns the number of the next frame. */
    final long nextNumber() {
        return nextNumber;
    }

    /** Counts frames that were delivered without {@link #next}. */
    final void passed(long frames) {
        nextNumber += frames;
    }

    @Override
    public final List<CaptureInterface> interfaces() {
        return files.interfaces().snapshot();
    }

    @Override
    public final List<CaptureFault> faults() {
        return files.faults().snapshot();
    }

    @Override
    public final List<CaptureLoss> losses() {
        return files.losses();
    }

    @Override
    public final long endNs() {
        return files.endNs();
    }

    @Override
    public final boolean hasLostMemory() {
        return files.hasLostMemory();
    }

    @Override
    public final List<CaptureFile> files() {
        return files.describe();
    }

    @Override
    public final long position() {
        return files.position();
    }

    @Override
    public final long size() {
        return files.size();
    }

    @Override
    public final void close() {
        files.close();
    }
}
