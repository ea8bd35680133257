package io.offhook.analysis.kept;

import io.offhook.packet.FrameBatch;

/** Receives the frames that are kept, in the order of capture. */
interface KeptFrames {
    /**
     * A frame, which is borrowed until this returns.
     *
     * @param length of what is kept of it, from its beginning
     */
    void frame(FrameBatch batch, int i, int length, long key);

    /** All frames of a round were passed. */
    void endOfRound();
}
