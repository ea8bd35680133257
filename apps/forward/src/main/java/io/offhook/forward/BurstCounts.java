package io.offhook.forward;

/** Counters of packets that a lane's stages created or held. Written by the lane. */
final class BurstCounts {
    /** Packets created. */
    long originated;
    /** Packets that could not be created for want of a buffer. */
    long noBuffer;
    /** Packets held. */
    long held;
    /** Held packets that were forwarded or dropped later. */
    long restored;
}
