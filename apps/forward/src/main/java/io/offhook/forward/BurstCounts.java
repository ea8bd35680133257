package io.offhook.forward;

/** What became of packets that a lane's stages made or kept. Written by the lane. */
final class BurstCounts {
    /** Packets made. */
    long originated;
    /** Packets that were to be made, and had no buffer. */
    long noBuffer;
    /** Packets kept for later. */
    long held;
    /** Of those, the ones that went on or were dropped then. */
    long restored;
}
