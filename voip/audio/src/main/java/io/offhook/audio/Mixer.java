package io.offhook.audio;

import io.offhook.calls.Side;
import java.io.IOException;

/**
 * Adds up the streams of each channel in a window of the axis of time, and passes what is behind it to a sink. Samples that
 * come when their place was passed on already, or that are beyond the window, are dropped.
 */
final class Mixer {
    private static final int BLOCK = 4096;
    private static final int WINDOW_S = 6;

    private final long fromFrame;
    private final long untilFrame;
    private final AudioSink sink;
    private final int[][] sums;
    private final int mask;
    private final short[][] block = new short[2][BLOCK];
    private long base;
    /** Behind the last sample that was added. */
    private long end;

    private long dropped;

    /**
     * @param rate frames a second
     * @param fromFrame the first that is passed on
     * @param untilFrame the one behind the last
     */
    Mixer(int rate, long fromFrame, long untilFrame, AudioSink sink) {
        this.fromFrame = fromFrame;
        this.untilFrame = untilFrame;
        this.sink = sink;
        int size = Integer.highestOneBit(WINDOW_S * rate) << 1;
        sums = new int[2][size];
        mask = size - 1;
    }

    /** Adds a sample of a channel. */
    void add(Side side, long frame, int sample) {
        if (frame >= base && frame < base + sums[0].length) {
            sums[side == Side.CALLER ? 0 : 1][(int) frame & mask] += sample;
            end = Math.max(end, frame + 1);
        } else if (frame >= 0) {
            dropped++;
        }
    }

    /** Samples that came when their place was passed on already, or beyond the window. */
    long dropped() {
        return dropped;
    }

    /** Passes on all frames before one; nothing may be added to them any more. */
    void flush(long before) throws IOException {
        while (base < before) {
            if (base >= end) {
                silence(before);
                return;
            }
            int count = (int) Math.min(BLOCK, before - base);
            take(count);
            int skipped = Math.clamp(fromFrame - base, 0, count);
            int passed = Math.clamp(untilFrame - base, 0, count) - skipped;
            base += count;
            if (passed > 0) {
                pass(skipped, passed);
            }
        }
    }

    private void take(int count) {
        for (int channel = 0; channel < 2; channel++) {
            int[] from = sums[channel];
            short[] to = block[channel];
            for (int i = 0; i < count; i++) {
                int at = (int) (base + i) & mask;
                to[i] = (short) Math.clamp(from[at], Short.MIN_VALUE, Short.MAX_VALUE);
                from[at] = 0;
            }
        }
    }

    private void pass(int from, int count) throws IOException {
        if (from > 0) {
            for (short[] channel : block) {
                System.arraycopy(channel, from, channel, 0, count);
            }
        }
        sink.samples(block[0], block[1], count);
    }

    private void silence(long before) throws IOException {
        long from = Math.max(base, fromFrame);
        long until = Math.min(before, untilFrame);
        base = before;
        if (from < until) {
            sink.silence(until - from);
        }
    }
}
