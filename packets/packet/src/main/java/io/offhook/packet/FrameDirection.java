package io.offhook.packet;

/** The direction of a frame, as seen by the capturing machine. */
public enum FrameDirection {
    /** Unknown: most capture files do not record it. */
    UNKNOWN,
    /** The machine received it. */
    INCOMING,
    /** The machine sent it. */
    OUTGOING
}
