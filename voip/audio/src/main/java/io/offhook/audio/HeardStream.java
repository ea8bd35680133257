package io.offhook.audio;

import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import java.util.List;

/**
 * A stream of a call, and whether it is heard.
 *
 * @param stream as reported
 * @param side whose channel it is in
 * @param state whether it is in the channel
 * @param notes why it is not played, or what of it is not, in words: "G729: no decoder", "encrypted; no key"
 */
public record HeardStream(StreamReport stream, Side side, State state, List<String> notes) {
    /** Whether a stream is heard. */
    public enum State {
        /** It is in its channel. */
        PLAYED,
        /** Its audio is in its channel, but from another stream: behind a relay, or of another leg. */
        ELSEWHERE,
        /** Nothing of it can be decoded. */
        UNREADABLE,
        /** It is not in the range that was played. */
        OUTSIDE
    }

    /** Whether it is in its channel. */
    public boolean isPlayed() {
        return state == State.PLAYED;
    }
}
