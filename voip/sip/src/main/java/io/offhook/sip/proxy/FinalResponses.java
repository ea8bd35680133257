package io.offhook.sip.proxy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.edit.MessageEdits;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ServerTransaction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Sends the chosen final response back (RFC 3261, 16.7 steps 6 to 9): the challenges of all branches in one, and a 503 as a
 * 500, because it speaks of a server that the sender does not know. Reused.
 */
final class FinalResponses {
    private static final byte[] ERROR = "500 Server Internal Error".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LINE_END = "\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int CODE = "SIP/2.0 ".length();
    private static final int TIMEOUT = 408;
    private static final int UNAVAILABLE = 503;

    private final ForwardedMessages messages;
    private final CallNotices notices;
    private final ProxyCounters counters;
    private final SipMessageView chosen = new SipMessageView();
    private final SipMessageView other = new SipMessageView();

    FinalResponses(ForwardedMessages messages, CallNotices notices, ProxyCounters counters) {
        this.messages = messages;
        this.notices = notices;
        this.counters = counters;
    }

    /** Sends the response of the only branch; false if it cannot be passed on. */
    boolean single(ResponseContext context, ProxyBranch branch, SipMessageView response, long nowNs) {
        return send(context, branch, response, List.of(), nowNs);
    }

    /** Sends the response of the best branch, which was kept; false if it cannot be passed on. */
    boolean best(ResponseContext context, ProxyBranch best, long nowNs) {
        byte[] octets = best.response;
        if (octets == null) {
            return false;
        }
        chosen.wrap(octets, 0, octets.length);
        List<ProxyBranch> others = isChallenge(best.status)
                ? context.branches.stream()
                        .filter(branch -> branch != best && isChallenge(branch.status))
                        .toList()
                : List.of();
        return send(context, best, chosen, others, nowNs);
    }

    private boolean send(
            ResponseContext context,
            ProxyBranch branch,
            SipMessageView response,
            List<ProxyBranch> challenges,
            long nowNs) {
        ServerTransaction server = context.server;
        if (server == null) {
            return true;
        }
        int received = response.statusCode();
        int status = received == UNAVAILABLE ? 500 : received;
        if (status == TIMEOUT && !server.isInvite()) {
            notices.concluded(context, status, nowNs);
            server.stayQuiet(nowNs);
            return true;
        }
        MessageEdits edits = messages.beginResponse(response);
        if (edits == null) {
            return false;
        }
        if (received == UNAVAILABLE) {
            int from = response.offset() + CODE;
            edits.at(from, lineEnd(response) - from).put(ERROR);
        }
        for (int i = 0; i < challenges.size(); i++) {
            addChallenges(challenges.get(i), edits.at(response.headersEnd(), 0));
        }
        OctetWriter out = messages.endResponse(response, server.source(), context.responseChanges());
        if (out == null) {
            return false;
        }
        counters.responsesForwarded++;
        notices.forwarded(context, branch, response, status, nowNs);
        server.respond(out, status, nowNs);
        return true;
    }

    private void addChallenges(ProxyBranch branch, OctetWriter out) {
        byte[] octets = branch.response;
        if (octets == null) {
            return;
        }
        other.wrap(octets, 0, octets.length);
        for (int i = 0; i < other.headerCount(); i++) {
            SipHeader header = other.header(i);
            if (header == SipHeader.WWW_AUTHENTICATE || header == SipHeader.PROXY_AUTHENTICATE) {
                int from = other.nameOffset(i);
                out.put(octets, from, other.valueOffset(i) + other.valueLength(i) - from)
                        .put(LINE_END);
            }
        }
    }

    private static int lineEnd(SipMessageView message) {
        int at = message.offset();
        byte[] octets = message.octets();
        while (octets[at] != '\r' && octets[at] != '\n') {
            at++;
        }
        return at;
    }

    private static boolean isChallenge(int status) {
        return status == 401 || status == 407;
    }
}
