package io.offhook.cluster.operator;

import io.offhook.cluster.message.OperatorMessage;

/** Where an operator sends to. */
public interface Output {
    /** Sends to another operator. */
    void send(Stage stage, OperatorKey key, OperatorMessage message);

    /** A report of a call, in the place of those before. */
    void report(CallResult result);

    /** Counts something. */
    void count(OperatorCount what, long number);
}
