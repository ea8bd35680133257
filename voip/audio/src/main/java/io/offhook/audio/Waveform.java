package io.offhook.audio;

import io.offhook.calls.Side;

/** An overview of audio: the lowest and the highest sample of each bin of a channel, 16 bits. */
public final class Waveform {
    private final int rate;
    private final long framesPerBin;
    private final short[][] lows;
    private final short[][] highs;

    /**
     * @param rate frames a second
     * @param framesPerBin how many frames a bin stands for
     * @param lows the lowest sample of each bin of the caller's channel and of the callee's
     * @param highs likewise the highest
     */
    Waveform(int rate, long framesPerBin, short[][] lows, short[][] highs) {
        this.rate = rate;
        this.framesPerBin = framesPerBin;
        this.lows = lows;
        this.highs = highs;
    }

    /** Frames a second. */
    public int rate() {
        return rate;
    }

    /** How many frames a bin stands for, 1 or more; the last may have fewer. */
    public long framesPerBin() {
        return framesPerBin;
    }

    /** The number of bins. */
    public int bins() {
        return lows[0].length;
    }

    /** The time that a bin stands for, in milliseconds. */
    public double binMs() {
        return framesPerBin * 1000.0 / rate;
    }

    /** The lowest samples of a channel, one a bin; a copy. */
    public short[] low(Side side) {
        return lows[side == Side.CALLER ? 0 : 1].clone();
    }

    /** The highest samples of a channel, one a bin; a copy. */
    public short[] high(Side side) {
        return highs[side == Side.CALLER ? 0 : 1].clone();
    }
}
