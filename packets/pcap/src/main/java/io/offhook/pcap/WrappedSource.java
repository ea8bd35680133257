package io.offhook.pcap;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.PlacedCount;
import java.util.List;

/**
 * A source around another one, which it answers by and closes. Subclasses override what they change; frames are read in
 * turn, since {@link #concurrently} would pass by an overridden {@link #next}.
 */
public abstract class WrappedSource implements PacketSource {
    private final PacketSource source;

    /**
     * Wraps a source.
     *
     * @param source the source; closing this one closes it
     */
    protected WrappedSource(PacketSource source) {
        this.source = source;
    }

    @Override
    public boolean next(FrameBatch batch) {
        return source.next(batch);
    }

    @Override
    public boolean isLive() {
        return source.isLive();
    }

    @Override
    public void release(FrameBatch batch) {
        source.release(batch);
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return source.interfaces();
    }

    @Override
    public List<CaptureFault> faults() {
        return source.faults();
    }

    @Override
    public List<CaptureLoss> losses() {
        return source.losses();
    }

    @Override
    public PlacedCount filtered() {
        return source.filtered();
    }

    @Override
    public long endNs() {
        return source.endNs();
    }

    @Override
    public boolean hasLostMemory() {
        return source.hasLostMemory();
    }

    @Override
    public void close() {
        source.close();
    }
}
