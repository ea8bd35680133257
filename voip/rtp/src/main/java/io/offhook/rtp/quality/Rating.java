package io.offhook.rtp.quality;

/** The result of the E-model for a stream: a {@link Quality}, or the reason why there is none. */
public sealed interface Rating permits Quality, Rating.Unrated {
    /** The encoding name of the codec, rated or not. */
    String codec();

    /**
     * A stream without a rating.
     *
     * @param codec the encoding name, as far as known
     * @param reason why there is no rating, as a clause without capital and full stop
     */
    record Unrated(String codec, String reason) implements Rating {}
}
