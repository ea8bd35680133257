package io.offhook.rtp;

/** What the E-model says of a stream: a {@link Quality}, or that there is none and why. */
public sealed interface Rating permits Quality, Rating.Unrated {
    /** The codec that was rated, or could not be. */
    String codec();

    /**
     * No rating.
     *
     * @param codec encoding name, as far as known
     * @param reason why, as half a sentence
     */
    record Unrated(String codec, String reason) implements Rating {}
}
