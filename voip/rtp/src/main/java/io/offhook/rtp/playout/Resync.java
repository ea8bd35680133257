package io.offhook.rtp.playout;

/** Why a buffer began anew, forgetting what it knew of the path. */
public enum Resync {
    /** The first packet of the stream. */
    FIRST,
    /** The sender started over with other numbers. */
    RESTART,
    /** The transit time changed by 10 s or more, or the clock of the media is another. */
    JUMP,
    /** A packet came 1 s or more after it was to be played. */
    LATE,
    /** A packet came 1 s or more before the buffer had room for it. */
    EARLY,
    /** Everything was too late for 200 ms: the sender paused with its clock standing, or the path became slower. */
    STARVED
}
