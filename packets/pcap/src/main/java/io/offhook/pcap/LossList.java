package io.offhook.pcap;

import java.util.ArrayList;
import java.util.List;

/**
 * The losses that one file or live source reports, in that order. Losses before consecutive packets are merged into
 * one. Once {@link #MOST} are listed, further ones are merged into the last: its range is then wider than necessary,
 * and no packet is left out.
 */
public final class LossList {
    /** The most losses that are listed one by one. */
    public static final int MOST = 1024;

    /** More than any capture can lose: a larger count is not credible, and sums must not overflow. */
    private static final long MOST_PACKETS = 1L << 48;

    private final String file;
    private final List<CaptureLoss> losses = new ArrayList<>();
    /** Whether the last one consists of losses from one packet to the next. */
    private boolean lastIsRun;

    /**
     * Creates an empty list.
     *
     * @param file the path of the file, as given; for a live source, the name of the interface
     */
    public LossList(String file) {
        this.file = file;
    }

    /** Adds a loss, as {@link CaptureLoss} describes it; the two times may be in either order. */
    public void add(long packets, long firstFrame, long lastFrame, long oneNs, long otherNs) {
        if (packets <= 0) {
            return;
        }
        CaptureLoss loss = new CaptureLoss(
                file,
                Math.min(packets, MOST_PACKETS),
                firstFrame,
                lastFrame,
                Math.min(oneNs, otherNs),
                Math.max(oneNs, otherNs));
        boolean isStep = firstFrame > 0 && lastFrame - firstFrame <= 1;
        boolean goesOn = isStep && lastIsRun && losses.getLast().lastFrame() == firstFrame;
        lastIsRun = isStep;
        if (goesOn || losses.size() == MOST) {
            losses.add(both(losses.removeLast(), loss));
        } else {
            losses.add(loss);
        }
    }

    private static CaptureLoss both(CaptureLoss one, CaptureLoss other) {
        return new CaptureLoss(
                one.file(),
                Math.min(one.packets() + other.packets(), MOST_PACKETS),
                Math.min(one.firstFrame(), other.firstFrame()),
                Math.max(one.lastFrame(), other.lastFrame()),
                Math.min(one.fromNs(), other.fromNs()),
                Math.max(one.untilNs(), other.untilNs()));
    }

    /** Returns an unmodifiable copy of the losses listed so far. */
    public List<CaptureLoss> snapshot() {
        return List.copyOf(losses);
    }
}
