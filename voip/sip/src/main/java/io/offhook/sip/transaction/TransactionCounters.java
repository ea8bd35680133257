package io.offhook.sip.transaction;

/** What a layer has counted; written by its thread, and read by it or by those that it hands the object to. */
public final class TransactionCounters {
    private long requests;
    private long responses;
    private long requestsAgain;
    private long responsesAgain;
    private long requestsRepeated;
    private long responsesRepeated;
    private long strays;
    private long lateResponses;
    private long unacknowledged;
    private long timeouts;
    private long transportFailures;
    private long rejected;
    private long limited;

    TransactionCounters() {}

    void countRequest() {
        requests++;
    }

    void countResponse() {
        responses++;
    }

    void countRequestAgain() {
        requestsAgain++;
    }

    void countResponseAgain() {
        responsesAgain++;
    }

    void countRequestRepeated() {
        requestsRepeated++;
    }

    void countResponseRepeated() {
        responsesRepeated++;
    }

    void countStray() {
        strays++;
    }

    void countLateResponse() {
        lateResponses++;
    }

    void countUnacknowledged() {
        unacknowledged++;
    }

    void countTimeout() {
        timeouts++;
    }

    void countTransportFailure() {
        transportFailures++;
    }

    void countRejected() {
        rejected++;
    }

    void countLimited() {
        limited++;
    }

    /** Requests received, retransmissions included. */
    public long requests() {
        return requests;
    }

    /** Responses received, retransmissions included. */
    public long responses() {
        return responses;
    }

    /** Requests received again, and absorbed. */
    public long requestsAgain() {
        return requestsAgain;
    }

    /** Responses received again, and absorbed. */
    public long responsesAgain() {
        return responsesAgain;
    }

    /** Requests that we sent again, because no response had come. */
    public long requestsRepeated() {
        return requestsRepeated;
    }

    /** Responses that we sent again, because the request came again or no ACK had come. */
    public long responsesRepeated() {
        return responsesRepeated;
    }

    /** Responses to no transaction, and those that come too late; dropped (RFC 6026, 7.2). */
    public long strays() {
        return strays;
    }

    /** Responses that the user gave after a final one; not sent. */
    public long lateResponses() {
        return lateResponses;
    }

    /** Final responses to INVITE that nobody acknowledged (timer H). */
    public long unacknowledged() {
        return unacknowledged;
    }

    /** Requests without a final response (timers B and F). */
    public long timeouts() {
        return timeouts;
    }

    /** Requests that the transport could not deliver. */
    public long transportFailures() {
        return transportFailures;
    }

    /** Messages that no transaction could take, by {@link MessageFault}. */
    public long rejected() {
        return rejected;
    }

    /** Requests refused at a limit. */
    public long limited() {
        return limited;
    }
}
