package io.offhook.rtp.tones;

import io.offhook.rtp.Codec;
import org.jspecify.annotations.Nullable;

/** The two laws of ITU-T G.711, which turn an octet into a sample of 16 bits at 8000 Hz. */
public enum G711 {
    /** mu-law, in North America and Japan. */
    PCMU {
        @Override
        public int sample(int octet) {
            int bits = ~octet & 0xff;
            int magnitude = ((bits & 15) << 3) + BIAS << (bits >> 4 & 7);
            return (bits & 0x80) == 0 ? magnitude - BIAS : BIAS - magnitude;
        }
    },
    /** A-law, elsewhere. */
    PCMA {
        @Override
        public int sample(int octet) {
            int bits = octet ^ 0x55;
            int exponent = bits >> 4 & 7;
            int magnitude = ((bits & 15) << 4) + 8;
            magnitude = exponent == 0 ? magnitude : magnitude + 0x100 << exponent - 1;
            return (bits & 0x80) == 0 ? -magnitude : magnitude;
        }
    };

    /** Samples a second. */
    public static final int RATE = 8000;

    private static final int BIAS = 0x84;

    /**
     * The law of a codec of RTP (RFC 3551, 4.5.14).
     *
     * @return null if the codec is neither law, or has another clock or more than one channel
     */
    public static @Nullable G711 of(Codec codec) {
        if (codec.clockRate() != RATE || codec.channels() != 1) {
            return null;
        }
        return switch (codec.key()) {
            case "PCMU" -> PCMU;
            case "PCMA" -> PCMA;
            default -> null;
        };
    }

    /**
     * The sample of an octet, -32768 to 32767.
     *
     * @param octet 0 to 255
     */
    public abstract int sample(int octet);
}
