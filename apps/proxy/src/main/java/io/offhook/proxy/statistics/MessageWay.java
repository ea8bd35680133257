package io.offhook.proxy.statistics;

/** Whether a message came or went, and whether it did for the first time. */
public enum MessageWay {
    /** Came. */
    RECEIVED,
    /** Came again: a retransmission. */
    RECEIVED_AGAIN,
    /** Went. */
    SENT,
    /** Went again: a retransmission, of the proxy or passed on by it. */
    SENT_AGAIN;

    static final int COUNT = 4;
}
