package io.offhook.calls;

import io.offhook.rtp.StreamInterval;
import io.offhook.rtp.quality.Rating;

/**
 * Five seconds of a stream and how they sounded.
 *
 * @param interval its counts
 * @param rating by the E-model with the delay of the whole stream, or why there is none
 */
public record RatedInterval(StreamInterval interval, Rating rating) {}
