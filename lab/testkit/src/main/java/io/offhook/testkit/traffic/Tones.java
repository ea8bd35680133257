package io.offhook.testkit.traffic;

import java.util.Random;

/** Payloads: a pure tone where the format is simple enough to write one (G.711), else random bytes that fit the format. */
final class Tones {
    private Tones() {}

    /**
     * A payload that can be repeated packet after packet without a click: a tone whose periods fill 20 ms, at -12 dBm0.
     */
    static byte[] payload(SentCodec codec, Random random) {
        byte[] bytes = new byte[codec.payloadBytes()];
        boolean aLaw = codec.name().equals("PCMA");
        if (!aLaw && !codec.name().equals("PCMU")) {
            random.nextBytes(bytes);
            if (codec.name().equals("opus")) {
                bytes[0] = 0x78; // TOC: CELT, fullband, 20 ms, mono, one frame
            }
            if (codec.name().equals("H264")) {
                bytes[0] = 0x7c; // FU-A (RFC 6184): a piece from the middle of a picture
                bytes[1] = 0x05;
            }
            return bytes;
        }
        int hertz = 50 * (6 + random.nextInt(12));
        for (int i = 0; i < bytes.length; i++) {
            int sample = (int) Math.round(8000 * Math.sin(2 * Math.PI * hertz * i / 8000));
            bytes[i] = aLaw ? aLaw(sample) : muLaw(sample);
        }
        return bytes;
    }

    /** The octet of a sample, cut to 16 bits, by the law of a G.711 codec. */
    static byte encode(SentCodec codec, int sample) {
        int cut = Math.clamp(sample, -32_768, 32_767);
        return codec.name().equals("PCMA") ? aLaw(cut) : muLaw(cut);
    }

    /** ITU-T G.711, mu-law, of a 16-bit sample. */
    static byte muLaw(int sample) {
        int magnitude = Math.min(Math.abs(sample), 32_635) + 132;
        int exponent = 31 - Integer.numberOfLeadingZeros(magnitude) - 7;
        int mantissa = magnitude >> exponent + 3 & 15;
        return (byte) ~((sample < 0 ? 0x80 : 0) | exponent << 4 | mantissa);
    }

    /** ITU-T G.711, A-law, of a 16-bit sample. */
    static byte aLaw(int sample) {
        int magnitude = Math.min(sample < 0 ? ~sample : sample, 32_767) >> 3;
        int exponent = Math.max(0, 31 - Integer.numberOfLeadingZeros(Math.max(magnitude, 1)) - 4);
        int mantissa = (exponent == 0 ? magnitude >> 1 : magnitude >> exponent) & 15;
        return (byte) (((sample < 0 ? 0 : 0x80) | exponent << 4 | mantissa) ^ 0x55);
    }
}
