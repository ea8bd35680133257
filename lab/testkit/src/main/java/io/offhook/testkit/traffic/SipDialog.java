package io.offhook.testkit.traffic;

import io.offhook.testkit.truth.Party;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one Call-ID: writes them with the headers that they need, sends them over every hop of the path, and
 * notes them in the ledger. Hops are numbered from the caller's.
 */
final class SipDialog {
    /** What a proxy takes to forward a message. */
    private static final long PROXY_NS = 900_000;

    /** What a message has beyond what every one of its kind has. */
    static final class Extra {
        final List<String[]> headers = new ArrayList<>();

        @Nullable
        IntFunction<byte[]> body;

        String contentType = "application/sdp";
        /** Of a response; null for the callee's own. */
        @Nullable
        String toTag;

        static Extra none() {
            return new Extra();
        }

        Extra header(String name, String value) {
            headers.add(new String[] {name, value});
            return this;
        }

        /** A body that may differ from hop to hop, as media relays make it. */
        Extra body(@Nullable IntFunction<byte[]> byHop) {
            body = byHop;
            return this;
        }

        Extra body(String type, byte[] bytes) {
            contentType = type;
            body = hop -> bytes;
            return this;
        }

        Extra toTag(String tag) {
            toTag = tag;
            return this;
        }
    }

    /** A message as sent: by each hop, and when it was first captured (-1 for never). */
    record Sent(Party from, boolean request, String method, List<byte[]> byHop, long firstNs, boolean captured) {}

    /** A request and what its responses need to know of it. */
    record Transaction(
            Party from, String method, int sequence, String branch, String uri, boolean initial, Sent sent) {}

    private final Random random;
    private final String callId;
    private final CallPlan plan;
    private final UserAgent caller;
    private final UserAgent callee;
    private final List<String> nodes;
    private final List<SipChannel> hops;
    private final CallLedger ledger;
    private final String transport;
    private int callerSequence = 1;
    private int calleeSequence = 1;
    private boolean established;

    /** @param nodes "host:port" of the proxies, from the caller's side */
    SipDialog(
            Random random,
            CallPlan plan,
            UserAgent caller,
            UserAgent callee,
            List<String> nodes,
            List<SipChannel> hops,
            CallLedger ledger) {
        this.random = random;
        this.callId = ledger.callId();
        this.plan = plan;
        this.caller = caller;
        this.callee = callee;
        this.nodes = nodes;
        this.hops = hops;
        this.ledger = ledger;
        this.transport = plan.transport.name();
    }

    /** A number for the next request of {@code from} that is neither ACK nor CANCEL. */
    int nextSequence(Party from) {
        return from == Party.CALLER ? callerSequence++ : calleeSequence++;
    }

    /** From now on requests have a To tag and go to the other end's Contact. */
    void establish() {
        established = true;
    }

    void establishedAt(int callerCount) {
        established = true;
        callerSequence = callerCount;
    }

    String newBranch() {
        return "z9hG4bK" + Integer.toHexString(random.nextInt()) + Integer.toHexString(random.nextInt(0x10000));
    }

    /** Sends a request with a branch of its own. */
    Transaction request(long timeNs, Party from, String method, Extra extra) {
        return request(timeNs, from, method, nextSequence(from), newBranch(), extra);
    }

    Transaction request(long timeNs, Party from, String method, int sequence, String branch, Extra extra) {
        UserAgent own = agent(from);
        UserAgent other = agent(from.other());
        // a CANCEL has the URI and the To of its INVITE, whatever was heard from the other end since
        boolean within = established && !method.equals("CANCEL");
        boolean initial = !within && !method.equals("BYE");
        String uri = within ? target(other) : other.uri(host(other));
        String to = address(other, within ? other.tag : "");
        List<byte[]> byHop = new ArrayList<>();
        for (int hop = 0; hop < hops.size(); hop++) {
            SipMessage message = SipMessage.request(method, uri);
            requestVias(from, branch, hop).forEach(via -> message.header("Via", via));
            boolean recordsRoute = method.equals("INVITE") && initial;
            routes(recordsRoute ? "Record-Route" : "Route", from, hop, message, initial);
            message.header("Max-Forwards", Integer.toString(70 - passed(from, hop)))
                    .header("From", address(own, own.tag))
                    .header("To", to)
                    .header("Call-ID", callId)
                    .header("CSeq", sequence + " " + method);
            if (!method.equals("ACK") && !method.equals("CANCEL") && !method.equals("BYE")) {
                message.header("Contact", "<" + target(own) + ">");
            }
            byHop.add(finish(message, from, method, extra, hop));
        }
        Sent sent = send(timeNs, from, true, method, byHop, false);
        if (sent.captured()) {
            ledger.request(from, method, initial, sent.firstNs());
        }
        return new Transaction(from, method, sequence, branch, uri, initial, sent);
    }

    /** The ACK to a final response other than 2xx: of the same transaction. */
    void acknowledgeFailure(long timeNs, Transaction invite, String toTag) {
        List<byte[]> byHop = new ArrayList<>();
        UserAgent own = agent(invite.from());
        for (int hop = 0; hop < hops.size(); hop++) {
            SipMessage message = SipMessage.request("ACK", invite.uri());
            message.header(
                            "Via",
                            requestVias(invite.from(), invite.branch(), hop).getFirst())
                    .header("Max-Forwards", "70")
                    .header("From", address(own, own.tag))
                    .header("To", address(agent(invite.from().other()), toTag))
                    .header("Call-ID", callId)
                    .header("CSeq", invite.sequence() + " ACK");
            byHop.add(finish(message, invite.from(), "ACK", Extra.none(), hop));
        }
        send(timeNs, invite.from(), true, "ACK", byHop, false);
    }

    /** The ACK to a 2xx: a transaction of its own, end to end. */
    Transaction acknowledge(long timeNs, Transaction invite, Extra extra) {
        return request(timeNs, invite.from(), "ACK", invite.sequence(), newBranch(), extra);
    }

    /** Answers a request. */
    Sent respond(long timeNs, Transaction to, int status, String reason, Extra extra) {
        Party from = to.from().other();
        UserAgent own = agent(from);
        String tag = extra.toTag != null ? extra.toTag : status == 100 ? "" : own.tag;
        List<byte[]> byHop = new ArrayList<>();
        for (int hop = 0; hop < hops.size(); hop++) {
            SipMessage message = SipMessage.response(status, reason);
            for (String via : requestVias(to.from(), to.branch(), hop)) {
                message.header("Via", seenFrom(via, to.from()));
            }
            if (to.method().equals("INVITE") && status > 100 && status < 300) {
                routes("Record-Route", to.from(), hops.size() - 1, message, true);
                message.header("Contact", "<" + target(own) + ">");
            }
            message.header("From", address(agent(to.from()), agent(to.from()).tag))
                    .header("To", address(own, tag))
                    .header("Call-ID", callId)
                    .header("CSeq", to.sequence() + " " + to.method());
            byHop.add(finish(message, from, Integer.toString(status), extra, hop));
        }
        Sent sent = send(timeNs, from, false, to.method(), byHop, false);
        if (to.method().equals("INVITE") && to.initial() && sent.captured()) {
            ledger.inviteResponse(status, tag, sent.firstNs());
        }
        return sent;
    }

    /** Sends the same bytes again, on the hop of the original sender. */
    void repeat(long timeNs, Sent sent) {
        send(timeNs, sent.from(), sent.request(), sent.method(), sent.byHop(), true);
    }

    private Sent send(long timeNs, Party from, boolean request, String method, List<byte[]> byHop, boolean again) {
        long first = Long.MAX_VALUE;
        int last = again ? 1 : hops.size();
        for (int step = 0; step < last; step++) {
            int hop = from == Party.CALLER ? step : hops.size() - 1 - step;
            SipChannel channel = hops.get(hop);
            long at = channel.send(timeNs + step * PROXY_NS, from == Party.CALLER, byHop.get(hop));
            if (at >= 0) {
                ledger.captured(request, transport, channel.copies(), again);
                first = Math.min(first, at);
            }
        }
        boolean captured = first != Long.MAX_VALUE;
        return new Sent(from, request, method, byHop, captured ? first : -1, captured);
    }

    private byte[] finish(SipMessage message, Party from, String kind, Extra extra, int hop) {
        String software = plan.software.getOrDefault(from, "Offhook-Testkit/1.0");
        if (!software.isEmpty()) {
            message.header("User-Agent", software);
        }
        for (CallPlan.AddedHeader added : plan.headers) {
            if (added.of().equals(kind)) {
                message.header(added.name(), added.value());
            }
        }
        extra.headers.forEach(header -> message.header(header[0], header[1]));
        if (extra.body != null) {
            byte[] body = extra.body.apply(hop);
            if (plan.multipart && extra.contentType.equals("application/sdp")) {
                body = multipart(body);
                message.body("multipart/mixed;boundary=\"offhook-part\"", body);
            } else {
                message.body(extra.contentType, body);
            }
            if (plan.contentLength == CallPlan.ContentLength.TOO_LONG) {
                message.contentLength(body.length + 40);
            }
        }
        if (plan.contentLength == CallPlan.ContentLength.MISSING) {
            message.withoutContentLength();
        }
        return message.style(plan.style).bytes();
    }

    private static byte[] multipart(byte[] sdp) {
        return new Octets()
                .text(
                        "--offhook-part\r\nContent-Type: text/plain\r\nContent-Disposition: render;handling=optional\r\n\r\n"
                                + "m=audio 9 is no media here\r\n--offhook-part\r\nContent-Type: application/sdp\r\n\r\n")
                .bytes(sdp)
                .text("\r\n--offhook-part--\r\n")
                .toArray();
    }

    private UserAgent agent(Party party) {
        return party == Party.CALLER ? caller : callee;
    }

    private String host(UserAgent agent) {
        return plan.transport == Transport.WS
                ? agent.party == Party.CALLER ? "ws-caller.invalid" : "example.com"
                : Addresses.inUri(agent.contact);
    }

    private String hostPort(UserAgent agent) {
        return plan.transport == Transport.WS ? host(agent) : host(agent) + ":" + agent.contact.port();
    }

    /** The URI of an end's Contact. */
    private String target(UserAgent agent) {
        String parameter = plan.transport == Transport.UDP
                ? ""
                : ";transport=" + plan.transport.name().toLowerCase(Locale.ROOT);
        return agent.uri(hostPort(agent)) + parameter;
    }

    private String address(UserAgent agent, String tag) {
        String name = agent.displayName.isEmpty() ? "" : "\"" + agent.displayName + "\" ";
        return name + "<" + agent.uri(host(agent)) + ">" + (tag.isEmpty() ? "" : ";tag=" + tag);
    }

    /** How many proxies a message of {@code from} has passed when it is on {@code hop}. */
    private int passed(Party from, int hop) {
        return from == Party.CALLER ? hop : hops.size() - 1 - hop;
    }

    /** The Via values of a request on {@code hop}, the last sender's first. */
    private List<String> requestVias(Party from, String branch, int hop) {
        List<String> vias = new ArrayList<>();
        int passed = passed(from, hop);
        for (int proxy = passed; proxy >= 1; proxy--) {
            String node = nodes.get(from == Party.CALLER ? proxy - 1 : nodes.size() - proxy);
            vias.add("SIP/2.0/" + transport + " " + node + ";branch=" + branch + "." + proxy);
        }
        vias.add("SIP/2.0/" + transport + " " + hostPort(agent(from)) + ";rport;branch=" + branch);
        return vias;
    }

    /** What a server behind the sender's NAT adds to the sender's Via (RFC 3581). */
    private String seenFrom(String via, Party sender) {
        UserAgent agent = agent(sender);
        return agent.behindNat && via.contains(";rport;")
                ? via.replace(
                        ";rport;",
                        ";received=" + Addresses.text(agent.signalling) + ";rport=" + agent.signalling.port() + ";")
                : via;
    }

    private void routes(String header, Party from, int hop, SipMessage message, boolean initial) {
        int passed = passed(from, hop);
        if (header.equals("Record-Route")) {
            for (int proxy = passed; proxy >= 1; proxy--) {
                message.header(header, "<sip:" + nodes.get(proxy - 1) + ";lr>");
            }
        } else if (!initial) {
            for (int proxy = passed + 1; proxy <= nodes.size(); proxy++) {
                String node = nodes.get(from == Party.CALLER ? proxy - 1 : nodes.size() - proxy);
                message.header(header, "<sip:" + node + ";lr>");
            }
        }
    }
}
