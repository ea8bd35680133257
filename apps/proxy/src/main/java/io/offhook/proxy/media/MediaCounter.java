package io.offhook.proxy.media;

/** What {@link MediaRelay} counts. */
public enum MediaCounter {
    /** Calls whose media were to be relayed. */
    CALLS,
    /** Requests answered 503, because no engine did what was asked. */
    REQUESTS_REFUSED,
    /** Messages that were passed on with the session description that they had, because no engine did what was asked. */
    PASSED_UNCHANGED,
    /** Messages that did not wait for an answer any longer. */
    LATE,
    /** Commands that were to be sent, pings of silent engines not included. */
    COMMANDS,
    /** Datagrams sent again because no answer came. */
    RETRANSMISSIONS,
    /** Commands that an engine did not answer. */
    TIMEOUTS,
    /** Commands that another engine got because one was silent or full. */
    FAILOVERS,
    /** Commands that failed because no engine answered. */
    UNANSWERED,
    /** Commands that an engine refused. */
    ERRORS,
    /** Commands refused because too many were open. */
    REFUSED,
    /** Datagrams that are no answers. */
    MALFORMED,
    /** Answers that nobody waits for: late ones, and those to commands that were sent again. */
    UNEXPECTED,
    /** Calls forgotten to make room. */
    CALLS_FORGOTTEN
}
