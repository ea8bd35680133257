package io.offhook.packet;

/** Which way a frame went, seen from the machine that captured it. */
public enum FrameDirection {
    /** The source does not tell: files do not, or hardly ever. */
    UNKNOWN,
    /** The machine received it. */
    INCOMING,
    /** The machine sent it. */
    OUTGOING
}
