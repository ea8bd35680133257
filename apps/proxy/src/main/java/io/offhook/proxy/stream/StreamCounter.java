package io.offhook.proxy.stream;

/** What {@link SipConnections} counts. {@link #label()} is the name in JSON and text output. */
public enum StreamCounter {
    /** Flows accepted. */
    ACCEPTED("streamFlowsAccepted"),
    /** Flows begun from here. */
    BEGUN("streamFlowsBegun"),
    /** Messages sent over a flow that was found by its peer's address. */
    REUSED("streamFlowsReused"),
    /** Messages received. */
    RECEIVED("streamMessagesReceived"),
    /** Messages queued to be sent. */
    SENT("streamMessagesSent"),
    /** Messages refused because a queue was full or the flow was closed. */
    REFUSED("streamMessagesRefused"),
    /** Messages that were queued when their flow ended. */
    UNSENT("streamMessagesUnsent"),
    /** Keep-alives answered (RFC 5626, 4.4.1). */
    PINGS("streamPings"),
    /** Answers to keep-alives, or halves of them. */
    PONGS("streamPongs"),
    /** Faulty requests that were answered before their flow was closed. */
    FAULTS_ANSWERED("streamFaultsAnswered"),
    /** Aliases taken (RFC 5923). */
    ALIASES("streamAliases"),
    /** Aliases refused because no certificate proves who asks. */
    ALIASES_REFUSED("streamAliasesRefused");

    private final String label;

    StreamCounter(String label) {
        this.label = label;
    }

    /** The name of the counter in JSON and text output. */
    public String label() {
        return label;
    }
}
