package io.offhook.rtp;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a payload type stands for: the encoding name and parameters of an SDP {@code a=rtpmap} line (RFC 8866, 6.6) or
 * of the static table (RFC 3551).
 *
 * @param encodingName as written in SDP: PCMU, G729, opus
 * @param clockRate ticks of the RTP timestamp a second; 0 when unknown
 * @param channels 1 or more; what SDP leaves out is 1
 */
public record Codec(String encodingName, int clockRate, int channels) {
    /** A codec with a clock rate in Hz. */
    public Codec {
        Objects.requireNonNull(encodingName, "encodingName");
        if (clockRate < 0) {
            throw new IllegalArgumentException("clockRate " + clockRate + " is below 0");
        }
        if (channels < 1) {
            throw new IllegalArgumentException("channels " + channels + " is below 1");
        }
    }

    /** One channel. */
    public Codec(String encodingName, int clockRate) {
        this(encodingName, clockRate, 1);
    }

    /** By hand, for a record's own comes out of method handles, which take 8 ms of a start to make. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Codec codec
                && clockRate == codec.clockRate
                && channels == codec.channels
                && encodingName.equals(codec.encodingName);
    }

    @Override
    public int hashCode() {
        return (encodingName.hashCode() * 31 + clockRate) * 31 + channels;
    }

    /** Whether it carries key presses and other events instead of media (RFC 4733). */
    public boolean isTelephoneEvent() {
        return encodingName.equalsIgnoreCase("telephone-event");
    }

    /** Whether it describes background noise instead of speech (RFC 3389). */
    public boolean isComfortNoise() {
        return encodingName.equalsIgnoreCase("CN");
    }

    /** The encoding name in upper case: encoding names are compared without regard to case (RFC 8866, 6.6). */
    String key() {
        return encodingName.toUpperCase(Locale.ROOT);
    }
}
