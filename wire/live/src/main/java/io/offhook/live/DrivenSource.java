package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.util.List;

/** A live source around a {@link RingSource}, which adds what is specific to its kind of ring. */
public interface DrivenSource extends LiveSource {
    /** Returns the source that it wraps; always the same. */
    RingSource ring();

    @Override
    default void start() {
        ring().start();
    }

    @Override
    default boolean next(FrameBatch batch) {
        return ring().next(batch);
    }

    @Override
    default void release(FrameBatch batch) {
        ring().release(batch);
    }

    @Override
    default void stop() {
        ring().stop();
    }

    @Override
    default LiveCounts counts() {
        return ring().counts();
    }

    @Override
    default List<String> notes() {
        return ring().notes();
    }

    @Override
    default List<NetworkDevice> devices() {
        return ring().devices();
    }

    @Override
    default List<CaptureInterface> interfaces() {
        return ring().interfaces();
    }

    @Override
    default List<CaptureFault> faults() {
        return ring().faults();
    }

    @Override
    default List<CaptureLoss> losses() {
        return ring().losses();
    }

    @Override
    default void close() {
        ring().close();
    }
}
