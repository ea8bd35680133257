package io.offhook.audio.codec;

/**
 * Uncompressed samples of 16 bits, big-endian, channels interleaved (RFC 3551, 4.5.11). The channels are averaged. Octets
 * behind the last whole set of samples are left out.
 */
final class L16Decoder implements AudioDecoder {
    private final int rate;
    private final int channels;

    L16Decoder(int rate, int channels) {
        this.rate = rate;
        this.channels = channels;
    }

    @Override
    public int rate() {
        return rate;
    }

    @Override
    public int decode(byte[] payload, int length, short[] to) {
        int samples = Math.min(length / (2 * channels), to.length);
        int at = 0;
        for (int i = 0; i < samples; i++) {
            int sum = 0;
            for (int channel = 0; channel < channels; channel++) {
                sum += payload[at] << 8 | payload[at + 1] & 0xff;
                at += 2;
            }
            to[i] = (short) (sum / channels);
        }
        return samples;
    }
}
