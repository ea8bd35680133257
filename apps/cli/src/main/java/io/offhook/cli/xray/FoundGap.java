package io.offhook.cli.xray;

import org.jspecify.annotations.Nullable;

/**
 * A time in which something that came in had no effect outside yet.
 *
 * @param came what came in
 * @param sent what the process sent for it; null if nothing within the limit
 * @param fromNs its begin: when the message came in, or when the process sent 100 Trying and went on to pass the request on
 * @param toNs its end: when the answer was sent, or the limit
 * @param isContinued whether it begins with 100 Trying
 * @param repeats how often the message came in again meanwhile
 */
record FoundGap(
        SeenMessage came, @Nullable SeenMessage sent, long fromNs, long toNs, boolean isContinued, int repeats) {
    long ns() {
        return toNs - fromNs;
    }

    boolean isAnswered() {
        return sent != null;
    }

    /** "INVITE", or "100 Trying for INVITE". */
    String from() {
        return isContinued ? "100 Trying for " + came.label() : came.label();
    }

    /** "200 OK", or "no answer". */
    String to() {
        return sent == null ? "no answer" : sent.label();
    }
}
