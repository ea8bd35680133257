package io.offhook.calls;

import io.offhook.rtp.ReceptionInterval;
import io.offhook.rtp.StreamInterval;
import io.offhook.rtp.quality.Rating;
import org.jspecify.annotations.Nullable;

/**
 * Five seconds of a stream and how they sounded.
 *
 * @param interval its counts
 * @param rating by the E-model with the delay of the whole stream, or why there is none
 * @param farEnd what the receiver reported meanwhile by RTCP; null if nothing, or if reports are not kept one by one
 */
public record RatedInterval(
        StreamInterval interval, Rating rating, @Nullable ReceptionInterval farEnd) {}
