package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import java.util.List;

/** The frames of another source, to be overridden. */
class WrappedSource implements PacketSource {
    final PacketSource whole;

    WrappedSource(PacketSource whole) {
        this.whole = whole;
    }

    @Override
    public boolean next(FrameBatch batch) {
        return whole.next(batch);
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return whole.interfaces();
    }

    @Override
    public List<CaptureFault> faults() {
        return whole.faults();
    }

    @Override
    public boolean hasLostMemory() {
        return whole.hasLostMemory();
    }

    @Override
    public void close() {
        whole.close();
    }
}
