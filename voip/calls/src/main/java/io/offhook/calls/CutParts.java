package io.offhook.calls;

import java.util.ArrayList;
import java.util.List;

/** What is known of messages of a call whose Call-ID was cut off: their frames, and the longest part of the Call-ID. */
final class CutParts {
    /** The most frames kept; ladders show as many messages. */
    private static final int MOST_FRAMES = 20_000;

    private List<Long> frames = List.of();
    private String longest = "";

    /** Notes a message; {@code part} is what was captured of its Call-ID. */
    void add(long frame, String part) {
        if (frames.isEmpty()) {
            frames = new ArrayList<>();
        }
        if (frames.size() < MOST_FRAMES) {
            frames.add(frame);
        }
        if (part.length() > longest.length()) {
            longest = KeptText.cut(part);
        }
    }

    /** The frames of the messages, in the order of the capture. */
    List<Long> frames() {
        return List.copyOf(frames);
    }

    /** The longest part of the Call-ID; "" if nothing of it was captured. */
    String longest() {
        return longest;
    }
}
