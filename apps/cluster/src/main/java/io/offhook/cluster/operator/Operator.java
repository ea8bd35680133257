package io.offhook.cluster.operator;

import io.offhook.cluster.message.OperatorMessage;

/** One stage. Has no state of its own: all is in the {@link Keep} of the key. */
public interface Operator {
    /** Takes a message in. */
    void accept(OperatorKey key, OperatorMessage message, Keep keep, Output output);

    /**
     * A timer that was set.
     *
     * @param atNs its time, nanoseconds since the epoch
     */
    void timer(OperatorKey key, long atNs, Keep keep, Output output);
}
