package io.offhook.calls.invite;

import io.offhook.packet.Endpoint;

/** The INVITE on one hop: a client transaction as captured (RFC 3261, 17.1.1); if there were several, the last one. */
public final class InviteLeg {
    /** Stands for a time at which nothing happened. */
    public static final long NEVER = Long.MIN_VALUE;

    /** Stands for a final response of 300 to 699 that was not captured; worse than any that was. */
    public static final int REFUSED = 999;

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
    private long sentNs = NEVER;
    private long progressNs = NEVER;
    private long unreachableNs = NEVER;
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
        finalNs = NEVER;
        sentNs = NEVER;
        progressNs = NEVER;
        responded = false;
        unreachableNs = NEVER;
    }

    /** Notes an ICMP error, which says that the INVITE did not arrive; the first one counts. */
    void unreachable(long timestampNs) {
        unreachableNs = unreachableNs == NEVER ? timestampNs : unreachableNs;
    }

    /** When that came, unless a response came after all; {@link #NEVER} if none did. */
    long unreachableNs() {
        return responded ? NEVER : unreachableNs;
    }

    /** Notes the INVITE itself; the first one counts. */
    void sent(long timestampNs) {
        sentNs = sentNs == NEVER ? timestampNs : sentNs;
    }

    /** Notes a response, or one that was sent again. */
    void responded(int status, long timestampNs) {
        responded = true;
        if (status > 100 && status < 200) {
            progressNs = Math.max(progressNs, timestampNs);
        }
    }

    /** When the INVITE was sent first; {@link #NEVER} if it was not captured. */
    long sentNs() {
        return sentNs;
    }

    /** Whether there was any response, including 100. */
    boolean isResponded() {
        return responded;
    }

    /** The last sign of progress: a provisional response other than 100, otherwise the INVITE. */
    long progressNs() {
        return progressNs == NEVER ? sentNs : progressNs;
    }

    /**
     * Sets the final response; only the first one counts, as a transaction has no other. One that was captured behind its
     * ACK, as directions of TCP may be, takes the place of {@link #REFUSED}.
     */
    public void end(int status, long timestampNs) {
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

    /** The hash of the INVITE's From tag; 0 if it has none. */
    public long fromTag() {
        return fromTag;
    }

    /** The CSeq number of the INVITE. */
    public long cseq() {
        return cseq;
    }

    /** The sender of the INVITE. */
    public Endpoint source() {
        return source;
    }

    /** The receiver of the INVITE. */
    public Endpoint destination() {
        return destination;
    }

    /** Whether the INVITE itself was captured, not only a response to it. */
    public boolean isCaptured() {
        return captured;
    }

    /** Whether a CANCEL of it was captured. */
    public boolean isCancelled() {
        return cancelled;
    }
}
