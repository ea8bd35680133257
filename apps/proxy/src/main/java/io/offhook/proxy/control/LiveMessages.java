package io.offhook.proxy.control;

import java.util.List;

/**
 * What the proxy remembers of the messages of a call.
 *
 * @param messages the last ones, the oldest first
 * @param forgotten how many there were besides
 */
public record LiveMessages(List<LiveMessage> messages, long forgotten) {
    /** Of a call of which nothing is remembered. */
    public static final LiveMessages NONE = new LiveMessages(List.of(), 0);

    /** Copies the list. */
    public LiveMessages {
        messages = List.copyOf(messages);
    }
}
