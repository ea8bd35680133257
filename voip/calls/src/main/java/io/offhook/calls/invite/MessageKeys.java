package io.offhook.calls.invite;

import io.offhook.sip.SipMessageView;

/**
 * The keys that assign a message to its dialog and transaction (RFC 3261, 12 and 17.1.3).
 *
 * @param fromTag hash of the From tag; 0 if there is none
 * @param toTag hash of the To tag; 0 if there is none
 * @param cseq CSeq number; -1 if there is none
 * @param branch hash of the branch of the top Via; 0 if there is none
 */
public record MessageKeys(long fromTag, long toTag, long cseq, long branch) {

    /** Reads the keys of a message. */
    public static MessageKeys of(SipMessageView message) {
        return new MessageKeys(
                message.fromTagHash(), message.toTagHash(), message.cseqNumber(), message.topViaBranchHash());
    }

    /** Whether a request belongs to a dialog, early or confirmed. */
    public boolean isInDialog() {
        return toTag != 0;
    }
}
