package io.offhook.analysis.kept;

import io.offhook.packet.FrameBatch;

/** Receives the frames that are kept, in the order of capture. */
interface KeptFrames {
    /** A frame, which is borrowed until this returns. */
    void frame(FrameBatch batch, int i, long key);

    /** All frames of a round were passed. */
    void endOfRound();
}
