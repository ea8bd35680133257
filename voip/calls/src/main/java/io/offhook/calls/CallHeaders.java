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

    private @Nullable String callerSoftware;
    private @Nullable String calleeSoftware;
    private int calleeSoftwareRank;
    private @Nullable String assertedIdentity;
    private @Nullable String diversion;
    private @Nullable String historyInfo;
    private @Nullable String reason;
    private int q850Cause = -1;
    private int sipCause = -1;

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
            reason(message);
        }
    }

    private void request(SipMessageView message, Side by) {
        switch (message.method()) {
            case INVITE -> {
                if (by == Side.CALLER) {
                    identities(message);
                }
            }
            case BYE, CANCEL -> reason(message);
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

    private void reason(SipMessageView message) {
        if (message.find(SipHeader.REASON, 0) < 0) {
            return;
        }
        reason = reason == null ? kept(message.reason()) : reason;
        q850Cause = q850Cause < 0 ? within(message.reasonCause("Q.850"), 0, 127) : q850Cause;
        sipCause = sipCause < 0 ? within(message.reasonCause("SIP"), 200, 699) : sipCause;
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

    CallReport.Headers report() {
        return new CallReport.Headers(
                callerSoftware,
                calleeSoftware,
                assertedIdentity,
                diversion,
                historyInfo,
                new CallReport.Reason(reason, q850Cause, sipCause));
    }
}
