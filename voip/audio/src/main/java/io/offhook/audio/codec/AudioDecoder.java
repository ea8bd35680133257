package io.offhook.audio.codec;

import org.jspecify.annotations.Nullable;

/**
 * Turns the payloads of one RTP stream into samples: 16 bits, one channel. Has the state of its codec, so payloads are given
 * in the order of their numbers, by one thread.
 *
 * <p>Bytes from the network never throw: what cannot be decoded gives no samples.
 */
public interface AudioDecoder {
    /** The longest packet that is decoded, in milliseconds; what a longer one has behind that is left out. */
    int MOST_MS = 1000;

    /** Samples a second, which may differ from the clock of RTP (G.722: RFC 3551, 4.5.2). */
    int rate();

    /**
     * Decodes a payload.
     *
     * @param payload its octets, from element 0
     * @param length octets, 0 to {@code payload.length}
     * @param to receives the samples, from element 0; holds {@link #MOST_MS} of them
     * @return the number of samples; 0 if the payload cannot be decoded
     */
    int decode(byte[] payload, int length, short[] to);

    /**
     * Fills a gap before a payload, with what that says of it or what the decoder makes up.
     *
     * @param next the payload behind the gap, which is decoded next; null if there is none
     * @param length octets of {@code next}
     * @param samples the length of the gap
     * @param to receives them, from element 0
     * @return how many were filled, 0 to {@code samples}; the rest is silence. 0 unless the codec can do this
     */
    default int conceal(byte @Nullable [] next, int length, int samples, short[] to) {
        return 0;
    }
}
