package io.offhook.cluster.message;

import io.offhook.cluster.event.Event;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a call with all of its figures, in the place of those before.
 *
 * @param callIdHash of the call
 * @param stream which one
 * @param begin its beginning; null, as the next one, if it is no longer of this call
 * @param interval an interval event that has all intervals
 */
public record BoundStream(
        long callIdHash,
        StreamName stream,
        @Nullable Event begin,
        @Nullable Event interval) implements OperatorMessage {
    /** Checks that both or neither are there. */
    public BoundStream {
        if ((begin == null) != (interval == null)) {
            throw new IllegalArgumentException("a stream has a beginning and figures, or neither");
        }
    }
}
