package io.offhook.proxy.policy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.proxy.ResponseContext;

/**
 * Asks senders for credentials (RFC 3261, 22.3). Thread-safe. The registrar asks by itself.
 *
 * @param verifier checks them
 */
public record Authentication(DigestVerifier verifier) {
    /** Verifies a request, and answers it unless it is authentic. */
    DigestVerdict verify(ResponseContext context, SipMessageView request, String realm, long nowMs, long nowNs) {
        SipHop source = context.source();
        DigestVerdict verdict = verifier.verify(request, SipHeader.PROXY_AUTHORIZATION, realm, source.address(), nowMs);
        if (verdict.isAuthentic()) {
            return verdict;
        }
        if (verdict.isBadRequest()) {
            context.reply(400, "Bad Credentials", "", nowNs);
            return verdict;
        }
        StringBuilder headers = new StringBuilder();
        for (String challenge : verifier.challenges(request, realm, source.address(), verdict.isStale(), nowMs)) {
            headers.append("Proxy-Authenticate: ").append(challenge).append("\r\n");
        }
        context.reply(407, "Proxy Authentication Required", headers.toString(), nowNs);
        return verdict;
    }
}
