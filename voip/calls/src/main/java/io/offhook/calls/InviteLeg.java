package io.offhook.calls;

import io.offhook.packet.Endpoint;

/** The INVITE on one hop: a client transaction as captured (RFC 3261, 17.1.1); if there were several, the last one. */
final class InviteLeg {
    /** Stands for a final response of 300 to 699 that was not captured; worse than any that was. */
    static final int REFUSED = 999;

    final long fromTag;
    Endpoint source;
    Endpoint destination;
    long cseq;
    /** Hash of the top Via's branch; 0 where there is none. */
    long branch;

    /** The attempt of the caller that it belongs to. */
    int attempt;

    /** Whether the INVITE itself was captured, not only a response to it. */
    boolean captured;

    boolean cancelled;
    private long sentNs = Call.NEVER;
    private long progressNs = Call.NEVER;
    private long unreachableNs = Call.NEVER;
    private boolean responded;
    private int finalStatus;
    private long finalNs;

    InviteLeg(MessageKeys keys, Endpoint from, Endpoint to, int inAttempt) {
        fromTag = keys.fromTag();
        source = from;
        destination = to;
        restart(keys, inAttempt);
    }

    /** Starts over with another INVITE on the same hop, without responses. */
    void restart(MessageKeys keys, int inAttempt) {
        cseq = keys.cseq();
        branch = keys.branch();
        attempt = inAttempt;
        cancelled = false;
        finalStatus = 0;
        finalNs = Call.NEVER;
        sentNs = Call.NEVER;
        progressNs = Call.NEVER;
        responded = false;
        unreachableNs = Call.NEVER;
    }

    /** Notes an ICMP error, which says that the INVITE did not arrive; the first one counts. */
    void unreachable(long timestampNs) {
        unreachableNs = unreachableNs == Call.NEVER ? timestampNs : unreachableNs;
    }

    /** When that came, unless a response came after all; {@link Call#NEVER} if none did. */
    long unreachableNs() {
        return responded ? Call.NEVER : unreachableNs;
    }

    /** Notes the INVITE itself; the first one counts. */
    void sent(long timestampNs) {
        sentNs = sentNs == Call.NEVER ? timestampNs : sentNs;
    }

    /** Notes a response, or one that was sent again. */
    void responded(int status, long timestampNs) {
        responded = true;
        if (status > 100 && status < 200) {
            progressNs = Math.max(progressNs, timestampNs);
        }
    }

    /** When the INVITE was sent first; {@link Call#NEVER} if it was not captured. */
    long sentNs() {
        return sentNs;
    }

    /** Whether there was any response, including 100. */
    boolean isResponded() {
        return responded;
    }

    /** The last sign of progress: a provisional response other than 100, otherwise the INVITE. */
    long progressNs() {
        return progressNs == Call.NEVER ? sentNs : progressNs;
    }

    /**
     * Sets the final response; only the first one counts, as a transaction has no other. One that was captured behind its
     * ACK, as directions of TCP may be, takes the place of {@link #REFUSED}.
     */
    void end(int status, long timestampNs) {
        if (finalStatus == 0 || finalStatus == REFUSED) {
            finalStatus = status;
            finalNs = timestampNs;
        }
    }

    /** 200 to 699, or {@link #REFUSED}; 0 while it is pending. */
    int finalStatus() {
        return finalStatus;
    }

    long finalNs() {
        return finalNs;
    }

    /** Whether a message has its From tag and its CSeq. */
    boolean isOf(MessageKeys keys) {
        return fromTag == keys.fromTag() && cseq == keys.cseq();
    }

    boolean isOn(Endpoint from, Endpoint to) {
        return source.equals(from) && destination.equals(to);
    }
}
