package io.offhook.proxy.policy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.proxy.ResponseContext;

/**
 * Asks for credentials (RFC 3261, 22): 401 for the registrar, 407 for the proxy. Thread-safe.
 *
 * @param verifier checks them
 * @param realm the realm of all users
 */
public record Authentication(DigestVerifier verifier, String realm) {
    /** What was found; the request has been answered unless it is authentic. */
    record Result(boolean isAuthentic, String user) {
        static final Result REFUSED = new Result(false, "");
    }

    /** Verifies a request, and answers it unless it is authentic. */
    Result verify(
            ResponseContext context, SipMessageView request, boolean isRegistrar, long nowMs, long nowNs) {
        SipHop source = context.source();
        SipHeader header = isRegistrar ? SipHeader.AUTHORIZATION : SipHeader.PROXY_AUTHORIZATION;
        DigestVerdict verdict = verifier.verify(request, header, realm, source.address(), nowMs);
        if (verdict.isAuthentic()) {
            return new Result(true, verdict.username());
        }
        if (verdict.isBadRequest()) {
            context.reply(400, "Bad Credentials", "", nowNs);
            return Result.REFUSED;
        }
        String name = isRegistrar ? "WWW-Authenticate: " : "Proxy-Authenticate: ";
        StringBuilder headers = new StringBuilder();
        for (String challenge : verifier.challenges(realm, source.address(), verdict.isStale(), nowMs)) {
            headers.append(name).append(challenge).append("\r\n");
        }
        context.reply(
                isRegistrar ? 401 : 407,
                isRegistrar ? "Unauthorized" : "Proxy Authentication Required",
                headers.toString(),
                nowNs);
        return Result.REFUSED;
    }
}
