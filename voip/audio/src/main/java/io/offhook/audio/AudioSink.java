package io.offhook.audio;

import java.io.IOException;

/**
 * Receives the audio of a call, frame by frame: a frame is one sample of each channel. Called by one thread, in order, for
 * all frames of the range that was asked for and no others.
 */
public interface AudioSink {
    /**
     * The next frames.
     *
     * @param caller samples of 16 bits of channel 1: what the caller sent; valid until this returns
     * @param callee likewise of channel 2
     * @param count frames, from element 0 of both
     * @throws IOException if they cannot be written, which ends the run
     */
    void samples(short[] caller, short[] callee, int count) throws IOException;

    /**
     * The next frames, in which both channels are silent.
     *
     * @param count frames, 1 or more
     * @throws IOException if they cannot be written, which ends the run
     */
    default void silence(long count) throws IOException {
        short[] silent = new short[(int) Math.min(count, 4096)];
        for (long left = count; left > 0; left -= silent.length) {
            samples(silent, silent, (int) Math.min(left, silent.length));
        }
    }
}
