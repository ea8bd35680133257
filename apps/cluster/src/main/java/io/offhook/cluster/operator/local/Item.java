package io.offhook.cluster.operator.local;

import io.offhook.cluster.event.Event;
import io.offhook.cluster.operator.OperatorKey;

/** What passes from one instance to another. */
sealed interface Item {
    /** A message of a key, as octets. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Sent(OperatorKey key, byte[] octets) implements Item {}

    /** Nothing earlier follows. */
    record Watermark(long ns) implements Item {}

    /** An event that concerns a capture as a whole. */
    record Capture(Event event) implements Item {}
}
