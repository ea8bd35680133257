package io.offhook.cli.capture;

import io.offhook.linux.lanes.LaneMeter;
import io.offhook.live.LanePlacement;
import io.offhook.live.PlacedLanes;
import io.offhook.pcap.file.QueuedSink;
import org.jspecify.annotations.Nullable;

/** The thread that writes packets to disk, as a lane: in its place, and with its queue published. */
final class WriterLane implements QueuedSink.Life {
    private final LanePlacement.Place place;
    private final long bufferBytes;
    private @Nullable LaneMeter meter;

    /** The queue that it takes from, whose drops are this lane's; set once it is there. */
    volatile @Nullable QueuedSink sink;

    WriterLane(LanePlacement.Place place, long bufferBytes) {
        this.place = place;
        this.bufferBytes = bufferBytes;
    }

    @Override
    public void begins() {
        place.enter();
        meter = LaneMeter.current();
        if (meter != null) {
            meter.queue("bytes to write", Long.highestOneBit(bufferBytes)); // as the queue rounds it
        }
    }

    @Override
    public void ends() {
        place.leave();
    }

    @Override
    public void waits(boolean begins) {
        if (meter != null) {
            drops(meter);
            PlacedLanes.waits(begins);
        }
    }

    @Override
    public void wrote(int frames, long waitingBytes) {
        LaneMeter own = meter;
        if (own != null) {
            own.depth(waitingBytes);
            drops(own);
            own.polled(System.nanoTime(), frames);
        }
    }

    private void drops(LaneMeter own) {
        QueuedSink queue = sink;
        if (queue != null) {
            own.drops(queue.drops());
        }
    }
}
