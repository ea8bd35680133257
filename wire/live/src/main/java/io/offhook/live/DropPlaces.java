package io.offhook.live;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.LossList;
import java.util.List;

/**
 * The frames between which packets were dropped. The kernel only counts drops, so a loss is placed between two readings
 * of its counter; the frames of that time are delivered later, since they wait in the ring, and give the loss its frame
 * numbers.
 */
final class DropPlaces {
    private final LossList losses;

    private long waiting;
    private long fromNs;
    private long untilNs;
    private long firstFrame;
    private long lastFrame;

    /** Creates a list without losses, for the interface of this name. */
    DropPlaces(String interfaceName) {
        losses = new LossList(interfaceName);
    }

    /** Records packets that were dropped between two times, by the clock of the frames. */
    void add(long packets, long fromNs, long untilNs) {
        if (packets == 0) {
            return;
        }
        if (waiting == 0) {
            this.fromNs = fromNs;
            firstFrame = lastFrame;
        }
        waiting += packets;
        this.untilNs = untilNs;
    }

    /** Records the frames that are delivered next. */
    void frames(FrameBatch batch) {
        int count = batch.count();
        if (count == 0) {
            return;
        }
        if (waiting > 0) {
            place(batch, count);
        }
        lastFrame = batch.number(count - 1);
    }

    private void place(FrameBatch batch, int count) {
        for (int i = 0; i < count; i++) {
            long ns = batch.timestampNs(i);
            if (ns < fromNs) {
                firstFrame = batch.number(i);
            } else if (ns > untilNs) {
                end(batch.number(i));
                return;
            }
        }
    }

    /** Records that no more frames will be delivered. */
    void end() {
        if (waiting > 0) {
            end(lastFrame);
        }
    }

    private void end(long frame) {
        losses.add(waiting, firstFrame, frame, fromNs, untilNs);
        waiting = 0;
    }

    /** Returns the losses that have a place so far, in the order of time; later ones are not added to it. */
    List<CaptureLoss> losses() {
        return losses.snapshot();
    }
}
