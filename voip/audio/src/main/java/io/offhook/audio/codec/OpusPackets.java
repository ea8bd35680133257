package io.offhook.audio.codec;

import io.github.jaredmdobson.concentus.OpusDecoder;
import io.github.jaredmdobson.concentus.OpusException;
import org.jspecify.annotations.Nullable;

/**
 * Opus (RFC 6716, RFC 7587) by Concentus, at 48 kHz whatever the bandwidth; two channels are mixed by the decoder. Gaps up to
 * {@value #MOST_CONCEALED} samples are filled: the packet behind one may have a coarse copy of what was lost (in-band FEC),
 * the rest is extrapolated. Of a longer gap the beginning is.
 */
final class OpusPackets implements AudioDecoder {
    private static final int RATE = 48_000;

    /** 120 ms, the longest packet. */
    private static final int MOST_CONCEALED = 5760;

    /** 2.5 ms, the unit of durations. */
    private static final int UNIT = 120;

    private OpusDecoder decoder = create();

    private static OpusDecoder create() {
        try {
            return new OpusDecoder(RATE, 1);
        } catch (OpusException e) {
            throw new IllegalStateException("Concentus has no decoder of one channel at 48 kHz", e);
        }
    }

    @Override
    public int rate() {
        return RATE;
    }

    @Override
    public int decode(byte[] payload, int length, short[] to) {
        return length == 0 ? 0 : decode(payload, length, to, Math.min(MOST_CONCEALED, to.length), false);
    }

    @Override
    public int conceal(byte @Nullable [] next, int length, int samples, short[] to) {
        int most = Math.min(samples, Math.min(MOST_CONCEALED, to.length)) / UNIT * UNIT;
        if (most == 0) {
            return 0;
        }
        boolean isNear = next != null && length > 0 && samples <= MOST_CONCEALED;
        return decode(isNear ? next : null, isNear ? length : 0, to, most, isNear);
    }

    /** The library checks less than it should: what its decoder throws at is a packet that cannot be decoded. */
    private int decode(byte @Nullable [] payload, int length, short[] to, int samples, boolean isForward) {
        try {
            return Math.max(0, decoder.decode(payload, 0, length, to, 0, samples, isForward));
        } catch (OpusException | RuntimeException e) {
            decoder = create(); // its state is unknown
            return 0;
        }
    }
}
