package io.offhook.live;

/**
 * What became of the frames that a live sink was given, since it was opened. Each is either sent, or waits in the ring, or
 * was refused: offered = sent + {@link #refused()} + {@link #waiting()}.
 *
 * @param offered frames that the sink was given
 * @param sent frames that the kernel took and handed to the driver or its queue
 * @param sentBytes of them
 * @param tooLong refused: longer than the MTU, the link header and a VLAN tag
 * @param tooShort refused: shorter than the link header
 * @param otherLinkType refused: of a link type that is not the interface's
 * @param interfaceDown refused: the interface was down, or had gone
 * @param stalled refused: the driver took nothing for a second
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
    /** Frames that were not sent and never will be. */
    public long refused() {
        return tooLong + tooShort + otherLinkType + interfaceDown + stalled + malformed;
    }

    /** Frames in the ring that the kernel has not taken yet. */
    public long waiting() {
        return offered - sent - refused();
    }

    /** They grow. One thread writes, any may read; a reader may see a frame as waiting that was just sent. */
    static final class Builder {
        private final Count offered = new Count();
        private final Count sent = new Count();
        private final Count sentBytes = new Count();
        final Count tooLong = new Count();
        final Count tooShort = new Count();
        final Count otherLinkType = new Count();
        final Count interfaceDown = new Count();
        final Count stalled = new Count();
        final Count malformed = new Count();
        final Count busy = new Count();

        void offered() {
            offered.add(1);
        }

        void sent(long frames, long bytes) {
            sent.add(frames);
            sentBytes.add(bytes);
        }

        SendCounts build() {
            // those that others are taken from come last, so that what waits is never below 0
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
