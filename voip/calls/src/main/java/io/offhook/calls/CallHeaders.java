package io.offhook.calls;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import org.jspecify.annotations.Nullable;

/**
 * What headers say of a call beside its parties: software, identities, and why it ended. Each text is cut to {@value
 * #LIMIT} characters.
 */
final class CallHeaders {
    private static final int LIMIT = 128;

    /** How well a message shows the software of the callee; a proxy or a gateway on the way may have sent others. */
    private static final int FAILURE = 1;

    private static final int RINGING = 2;
    private static final int ANSWER = 3;

    private static final CallReport.Reason NO_REASON = new CallReport.Reason(null, -1, -1);

    private @Nullable String callerSoftware;
    private @Nullable String calleeSoftware;
    private int calleeSoftwareRank;
    private @Nullable String assertedIdentity;
    private @Nullable String diversion;
    private @Nullable String historyInfo;
    private CallReport.Reason reason = NO_REASON;
    private CallReport.Reason reasonOfBye = NO_REASON;

    /** Processes a message that is neither a retransmission nor a copy. */
    void message(SipMessageView message, Side by) {
        if (by == Side.CALLER) {
            if (callerSoftware == null) {
                callerSoftware = software(message);
            }
        } else {
            calleeSoftware(message);
        }
        if (message.isRequest()) {
            request(message, by);
        } else if (message.cseqMethod() == SipMethod.INVITE && message.statusCode() >= 300) {
            reason = with(reason, message);
        }
    }

    private void request(SipMessageView message, Side by) {
        switch (message.method()) {
            case INVITE -> {
                if (by == Side.CALLER) {
                    identities(message);
                }
            }
            case BYE -> {
                reason = with(reason, message);
                reasonOfBye = with(reasonOfBye, message);
            }
            case CANCEL -> reason = with(reason, message);
            default -> {
                // says nothing about the whole call
            }
        }
    }

    private void identities(SipMessageView message) {
        if (assertedIdentity == null) {
            assertedIdentity = kept(message.assertedIdentityUri());
        }
        if (diversion == null) {
            diversion = kept(message.firstValue(SipHeader.DIVERSION));
        }
        if (historyInfo == null) {
            historyInfo = kept(message.firstValue(SipHeader.HISTORY_INFO));
        }
    }

    private void calleeSoftware(SipMessageView message) {
        int rank = rank(message);
        if (rank > calleeSoftwareRank) {
            String software = software(message);
            if (software != null) {
                calleeSoftware = software;
                calleeSoftwareRank = rank;
            }
        }
    }

    private static int rank(SipMessageView message) {
        if (message.isRequest()) {
            return RINGING;
        }
        int status = message.statusCode();
        if (message.cseqMethod() != SipMethod.INVITE) {
            return FAILURE;
        }
        return switch (status / 100) {
            case 1 -> status == 100 ? 0 : RINGING; // each proxy answers with its own 100
            case 2 -> ANSWER;
            default -> FAILURE;
        };
    }

    private static @Nullable String software(SipMessageView message) {
        String server = message.isRequest() ? "" : message.text(SipHeader.SERVER);
        return kept(server.isEmpty() ? message.userAgent() : server);
    }

    /** What is known of the reason; a message adds what is not known yet. */
    private static CallReport.Reason with(CallReport.Reason known, SipMessageView message) {
        if (message.find(SipHeader.REASON, 0) < 0) {
            return known;
        }
        return new CallReport.Reason(
                known.text() == null ? kept(message.reason()) : known.text(),
                known.q850Cause() < 0 ? within(message.reasonCause("Q.850"), 0, 127) : known.q850Cause(),
                known.sipCause() < 0 ? within(message.reasonCause("SIP"), 200, 699) : known.sipCause());
    }

    private static int within(int cause, int least, int greatest) {
        return cause >= least && cause <= greatest ? cause : -1;
    }

    private static @Nullable String kept(String text) {
        if (text.isEmpty()) {
            return null;
        }
        return text.length() <= LIMIT ? text : text.substring(0, LIMIT - 1) + '\u2026';
    }

    /** @param isAnswered then only a BYE says why it ended: a fork is told why its other branches are called off */
    CallReport.Headers report(boolean isAnswered) {
        return new CallReport.Headers(
                callerSoftware,
                calleeSoftware,
                assertedIdentity,
                diversion,
                historyInfo,
                isAnswered ? reasonOfBye : reason);
    }
}
