package io.offhook.audio.codec;

import io.offhook.rtp.tones.G711;

/** ITU-T G.711, an octet a sample at 8 kHz (RFC 3551, 4.5.14). */
final class G711Decoder implements AudioDecoder {
    private final G711 law;

    G711Decoder(G711 law) {
        this.law = law;
    }

    @Override
    public int rate() {
        return G711.RATE;
    }

    @Override
    public int decode(byte[] payload, int length, short[] to) {
        int samples = Math.min(length, to.length);
        for (int i = 0; i < samples; i++) {
            to[i] = (short) law.sample(payload[i] & 0xff);
        }
        return samples;
    }
}
