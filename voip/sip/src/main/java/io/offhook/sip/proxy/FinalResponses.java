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
    private static final int UNAVAILABLE = 503;

    private final ForwardedMessages messages;
    private final ProxyCounters counters;
    private final SipMessageView chosen = new SipMessageView();
    private final SipMessageView other = new SipMessageView();

    FinalResponses(ForwardedMessages messages, ProxyCounters counters) {
        this.messages = messages;
        this.counters = counters;
    }

    /** Sends the response of the only branch. */
    void single(ServerTransaction server, SipMessageView response, int status, long nowNs) {
        send(server, response, status, List.of(), nowNs);
    }

    /** Sends the response of the best branch, which was kept. */
    void best(ServerTransaction server, ProxyBranch best, List<ProxyBranch> all, long nowNs) {
        byte[] octets = best.response;
        if (octets != null) {
            chosen.wrap(octets, 0, octets.length);
            boolean isChallenge = isChallenge(best.status);
            List<ProxyBranch> others = isChallenge
                    ? all.stream()
                            .filter(branch -> branch != best && isChallenge(branch.status))
                            .toList()
                    : List.of();
            send(server, chosen, best.status, others, nowNs);
        }
    }

    private void send(
            ServerTransaction server, SipMessageView response, int status, List<ProxyBranch> challenges, long nowNs) {
        MessageEdits edits = messages.beginResponse(response);
        if (edits == null) {
            return;
        }
        if (status == UNAVAILABLE) {
            int from = response.offset() + CODE;
            edits.at(from, lineEnd(response) - from).put(ERROR);
        }
        for (int i = 0; i < challenges.size(); i++) {
            addChallenges(challenges.get(i), edits.at(response.headersEnd(), 0));
        }
        OctetWriter out = messages.endResponse(response, server.source());
        if (status == 408 && !server.isInvite()) {
            server.abandon();
        } else if (out != null) {
            counters.responsesForwarded++;
            server.respond(out, status == UNAVAILABLE ? 500 : status, nowNs);
        }
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
