package io.offhook.audio.codec;

import io.offhook.rtp.Codec;
import io.offhook.rtp.tones.G711;
import org.jspecify.annotations.Nullable;

/**
 * The codecs that have a decoder: PCMU, PCMA, G722, G726-16 to G726-40 and AAL2-G726-16 to AAL2-G726-40, GSM, opus, L16. By
 * their names in SDP, as different codecs may share one payload type.
 */
public final class Decoders {
    private static final int MOST_CHANNELS = 8;

    private Decoders() {}

    /**
     * A new decoder, in its initial state.
     *
     * @return null if there is none for the codec, or not with this clock or number of channels
     */
    public static @Nullable AudioDecoder of(Codec codec) {
        G711 law = G711.of(codec);
        if (law != null) {
            return new G711Decoder(law);
        }
        return switch (codec.key()) {
            case "OPUS" -> codec.clockRate() == 48_000 ? new OpusPackets() : null;
            case "L16" ->
                isSampleRate(codec.clockRate()) && codec.channels() <= MOST_CHANNELS
                        ? new L16Decoder(codec.clockRate(), codec.channels())
                        : null;
            default -> codec.clockRate() == 8000 && codec.channels() == 1 ? narrow(codec.key()) : null;
        };
    }

    /** The sample rate of the decoder of a codec, in Hz; 0 if there is none. Makes no decoder. */
    public static int rate(Codec codec) {
        return switch (codec.key()) {
            case "OPUS" -> codec.clockRate() == 48_000 ? 48_000 : 0;
            default -> {
                AudioDecoder decoder = of(codec);
                yield decoder == null ? 0 : decoder.rate();
            }
        };
    }

    private static @Nullable AudioDecoder narrow(String key) {
        return switch (key) {
            case "G722" -> new G722Decoder();
            case "GSM" -> new GsmDecoder();
            case "G726-16", "G726-24", "G726-32", "G726-40" -> new G726Decoder(bits(key), false);
            case "AAL2-G726-16", "AAL2-G726-24", "AAL2-G726-32", "AAL2-G726-40" -> new G726Decoder(bits(key), true);
            default -> null;
        };
    }

    /** Bits a sample, of a name that ends in kbit/s at 8 kHz. */
    private static int bits(String key) {
        return Integer.parseInt(key.substring(key.length() - 2)) / 8;
    }

    private static boolean isSampleRate(int hz) {
        return switch (hz) {
            case 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000 -> true;
            default -> false;
        };
    }
}
