package io.offhook.rtp;

/**
 * Up to where somebody has the figures of a stream, so that {@link RtpStream#figuresSince} needs not to repeat all intervals.
 * Takes about 30 octets, and 16 for each interval that lost packets. Belongs to one stream; single-threaded.
 */
public final class FiguresMark {
    /** Intervals that were closed. */
    int closed;

    /** What the intervals had lost; not changed by anybody. */
    IntervalLosses losses = IntervalLosses.NONE;

    /** Before anything was taken. */
    public FiguresMark() {}
}
