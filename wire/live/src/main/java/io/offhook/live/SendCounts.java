package io.offhook.live;

import io.offhook.live.engine.Count;

/**
 * What became of the frames given to a live sink since it was opened. Each was sent, waits in the ring, or was refused:
 * offered = sent + {@link #refused()} + {@link #waiting()}.
 *
 * @param offered frames given to the sink
 * @param sent frames that the kernel took and handed to the driver or its queue
 * @param sentBytes their bytes
 * @param tooLong refused: longer than the MTU, the link header and a VLAN tag
 * @param tooShort refused: shorter than the link header
 * @param otherLinkType refused: the link type is not that of the interface
 * @param interfaceDown refused: the interface was down or gone
 * @param stalled refused: the driver accepted nothing for a second
 * @param malformed refused by the kernel for another reason
 * @param busy how often the queue or the driver had no room, and the frame was sent again
 */
public record SendCounts(
        long offered,
        long sent,
        long sentBytes,
        long tooLong,
        long tooShort,
        long otherLinkType,
        long interfaceDown,
        long stalled,
        long malformed,
        long busy) {
    /** Returns the frames that were not sent and never will be. */
    public long refused() {
        return tooLong + tooShort + otherLinkType + interfaceDown + stalled + malformed;
    }

    /** Returns the frames in the ring that the kernel has not taken yet. */
    public long waiting() {
        return offered - sent - refused();
    }

    /** Counts that grow. One thread writes, any may read; a reader may see a frame as waiting that was just sent. */
    public static final class Builder {
        private final Count offered = new Count();
        private final Count sent = new Count();
        private final Count sentBytes = new Count();
        /** {@link SendCounts#tooLong()}, in frames. */
        public final Count tooLong = new Count();
        /** {@link SendCounts#tooShort()}, in frames. */
        public final Count tooShort = new Count();
        /** {@link SendCounts#otherLinkType()}, in frames. */
        public final Count otherLinkType = new Count();
        /** {@link SendCounts#interfaceDown()}, in frames. */
        public final Count interfaceDown = new Count();
        /** {@link SendCounts#stalled()}, in frames. */
        public final Count stalled = new Count();
        /** {@link SendCounts#malformed()}, in frames. */
        public final Count malformed = new Count();
        /** {@link SendCounts#busy()}, in times. */
        public final Count busy = new Count();

        /** Creates counts that are all 0. */
        public Builder() {}

        /** Adds one frame to {@link SendCounts#offered()}. */
        public void offered() {
            offered.add(1);
        }

        /** Adds frames to {@link SendCounts#sent()}, and their bytes to {@link SendCounts#sentBytes()}. */
        public void sent(long frames, long bytes) {
            sent.add(frames);
            sentBytes.add(bytes);
        }

        /** Returns the counts as they are now; any thread may call it. */
        public SendCounts build() {
            // minuends are read last, so that the number of waiting frames is never negative
            long sentFrames = sent.get();
            long sentInBytes = sentBytes.get();
            SendCounts refusals = new SendCounts(
                    0,
                    sentFrames,
                    sentInBytes,
                    tooLong.get(),
                    tooShort.get(),
                    otherLinkType.get(),
                    interfaceDown.get(),
                    stalled.get(),
                    malformed.get(),
                    busy.get());
            return refusals.withOffered(offered.get());
        }
    }

    private SendCounts withOffered(long frames) {
        return new SendCounts(
                frames, sent, sentBytes, tooLong, tooShort, otherLinkType, interfaceDown, stalled, malformed, busy);
    }
}
