package io.offhook.sip.proxy;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers challenges where the proxy itself has an account (RFC 3261, 22): the credentials go with the same request on a new
 * branch to the same place. The CSeq stays, because a proxy cannot count for the caller; docs/decisions/0036 has why.
 */
final class ChallengeAnswers {
    private static final int UNAUTHORIZED = 401;
    private static final int PROXY_UNAUTHORIZED = 407;
    /** The most answers of one branch at one place: a challenge, its stale nonce, and one of another server behind it. */
    private static final int MOST_ANSWERS = 3;

    private final ProxyCore core;

    ChallengeAnswers(ProxyCore core) {
        this.core = core;
    }

    /** Makes the credentials of a branch for the challenges of a response; false if the response is to be passed on. */
    boolean answers(ProxyBranch branch, ResponseContext context, SipMessageView response) {
        int status = response.statusCode();
        boolean isChallenge = status == UNAUTHORIZED || status == PROXY_UNAUTHORIZED;
        if (!isChallenge || context.answered || branch.cancelled || branch.done) {
            return false;
        }
        DigestClient account = account(branch, context);
        if (account == null) {
            return false;
        }
        SipMessageView request = core.prepare(context);
        boolean mayAnswer = branch.challengesAnswered < MOST_ANSWERS && request != null;
        if (!mayAnswer || request == null || !account.accept(response, branch.challengesAnswered)) {
            core.counters().challengesRefused++;
            return false;
        }
        List<String> lines = account.authorize(request.methodText(), uri(branch), body(request));
        branch.credentials = (String.join("\r\n", lines) + "\r\n").getBytes(StandardCharsets.UTF_8);
        branch.challengesAnswered++;
        core.counters().challengesAnswered++;
        return true;
    }

    private @Nullable DigestClient account(ProxyBranch branch, ResponseContext context) {
        DigestClient known = branch.account;
        if (known == null) {
            known = core.policy().account(context, branch.target, branch.hop);
            branch.account = known;
        }
        return known;
    }

    /** The Request-URI as it is sent, of a request whose plan was made. */
    private String uri(ProxyBranch branch) {
        ForkTarget target = branch.target;
        return target == null ? core.plan().targetText() : target.uri();
    }

    private static byte[] body(SipMessageView request) {
        int offset = request.bodyOffset();
        return Arrays.copyOfRange(request.octets(), offset, offset + request.bodyLength());
    }
}
