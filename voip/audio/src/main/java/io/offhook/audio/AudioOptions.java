package io.offhook.audio;

import io.offhook.calls.StreamReport;
import io.offhook.rtp.PayloadOpener;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What of a call is played.
 *
 * @param openers gives what opens the packets of an encrypted stream; null if there is no key for it. Asked once a stream by
 *     {@link CallAudio#of}, and again each time it is played, as an opener has state
 * @param fromMs where the range begins, in milliseconds from the first packet; 0 or more
 * @param untilMs where it ends; above {@code fromMs}, {@link Long#MAX_VALUE} for the end of the call
 */
public record AudioOptions(Function<StreamReport, @Nullable PayloadOpener> openers, long fromMs, long untilMs) {
    /** The whole call, without keys. */
    public static final AudioOptions DEFAULT = new AudioOptions(_ -> null, 0, Long.MAX_VALUE);

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it is empty or begins before 0
     */
    public AudioOptions {
        if (fromMs < 0 || untilMs <= fromMs) {
            throw new IllegalArgumentException(
                    "the range from " + fromMs + " to " + untilMs + " ms is empty or begins before 0");
        }
    }

    /** The same options but for this one. */
    public AudioOptions withOpeners(Function<StreamReport, @Nullable PayloadOpener> openers) {
        return new AudioOptions(openers, fromMs, untilMs);
    }

    /** The same options but for the range. */
    public AudioOptions withRange(long fromMs, long untilMs) {
        return new AudioOptions(openers, fromMs, untilMs);
    }
}
