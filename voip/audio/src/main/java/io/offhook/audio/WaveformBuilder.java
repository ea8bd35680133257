package io.offhook.audio;

import java.util.Arrays;

/** Makes a {@link Waveform} of the audio it receives. Takes 8 bytes a bin. */
public final class WaveformBuilder implements AudioSink {
    /** The most bins. */
    public static final int MOST_BINS = 100_000;

    private final int rate;
    private final long framesPerBin;
    private final short[][] lows;
    private final short[][] highs;
    private long frame;

    /**
     * Creates one for a known length.
     *
     * @param rate frames a second
     * @param frames that will follow, as {@link CallAudio#frames} has them
     * @param bins the most bins wanted, 1 to {@value #MOST_BINS}; there are fewer if there are fewer frames
     */
    public WaveformBuilder(int rate, long frames, int bins) {
        if (bins < 1 || bins > MOST_BINS) {
            throw new IllegalArgumentException("bins " + bins + " is outside 1 to " + MOST_BINS);
        }
        this.rate = rate;
        framesPerBin = Math.max(1, Math.ceilDiv(frames, bins));
        int made = (int) Math.ceilDiv(frames, framesPerBin);
        lows = new short[2][made];
        highs = new short[2][made];
        for (int channel = 0; channel < 2; channel++) {
            Arrays.fill(lows[channel], Short.MAX_VALUE);
            Arrays.fill(highs[channel], Short.MIN_VALUE);
        }
    }

    @Override
    public void samples(short[] caller, short[] callee, int count) {
        for (int i = 0; i < count; i++) {
            int bin = (int) (frame++ / framesPerBin);
            if (bin >= lows[0].length) {
                return;
            }
            note(0, bin, caller[i]);
            note(1, bin, callee[i]);
        }
    }

    private void note(int channel, int bin, short sample) {
        lows[channel][bin] = (short) Math.min(lows[channel][bin], sample);
        highs[channel][bin] = (short) Math.max(highs[channel][bin], sample);
    }

    @Override
    public void silence(long count) {
        long until = frame + count;
        while (frame < until) {
            int bin = (int) (frame / framesPerBin);
            if (bin < lows[0].length) {
                note(0, bin, (short) 0);
                note(1, bin, (short) 0);
            }
            frame = Math.min(until, (frame / framesPerBin + 1) * framesPerBin);
        }
    }

    /** The overview; bins that received nothing are silent. */
    public Waveform waveform() {
        for (int channel = 0; channel < 2; channel++) {
            for (int bin = 0; bin < lows[channel].length; bin++) {
                if (lows[channel][bin] > highs[channel][bin]) {
                    lows[channel][bin] = 0;
                    highs[channel][bin] = 0;
                }
            }
        }
        return new Waveform(rate, framesPerBin, lows, highs);
    }
}
