package io.offhook.rtp;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The codec of a payload type: the encoding name and parameters of an SDP {@code a=rtpmap} line (RFC 8866, 6.6) or of
 * the static table (RFC 3551).
 *
 * @param encodingName as written in SDP: PCMU, G729, opus
 * @param clockRate the clock rate of RTP timestamps, in Hz; 0 if unknown
 * @param channels 1 or more; 1 if SDP omits it
 * @param parameters of an {@code a=fmtp} line (RFC 8866, 6.15), without the payload type; "" if there are none
 */
public record Codec(String encodingName, int clockRate, int channels, String parameters) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the clock rate is negative or there are no channels
     */
    public Codec {
        Objects.requireNonNull(encodingName, "encodingName");
        Objects.requireNonNull(parameters, "parameters");
        if (clockRate < 0) {
            throw new IllegalArgumentException("clockRate " + clockRate + " Hz is below 0");
        }
        if (channels < 1) {
            throw new IllegalArgumentException("channels " + channels + " is below 1");
        }
    }

    /** Creates a codec with one channel. */
    public Codec(String encodingName, int clockRate) {
        this(encodingName, clockRate, 1, "");
    }

    /** Creates a codec without parameters. */
    public Codec(String encodingName, int clockRate, int channels) {
        this(encodingName, clockRate, channels, "");
    }

    /** Written by hand, because the generated method is linked through method handles, which costs 8 ms at start. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Codec codec
                && clockRate == codec.clockRate
                && channels == codec.channels
                && encodingName.equals(codec.encodingName)
                && parameters.equals(codec.parameters);
    }

    @Override
    public int hashCode() {
        return (encodingName.hashCode() * 31 + clockRate) * 31 + channels;
    }

    /** Whether the codec carries key presses and other events instead of media (RFC 4733). */
    public boolean isTelephoneEvent() {
        return encodingName.equalsIgnoreCase("telephone-event");
    }

    /** Whether the codec describes background noise instead of speech (RFC 3389). */
    public boolean isComfortNoise() {
        return encodingName.equalsIgnoreCase("CN");
    }

    /** The encoding name in upper case, because encoding names are case-insensitive (RFC 8866, 6.6). */
    public String key() {
        for (int i = 0; i < encodingName.length(); i++) {
            char c = encodingName.charAt(i);
            if (c >= 'a' && c <= 'z' || c > 0x7f) {
                return encodingName.toUpperCase(Locale.ROOT);
            }
        }
        return encodingName;
    }
}
