package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUriView;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ViaReply;
import java.util.Arrays;

/**
 * Forwards what has no transaction (RFC 3261, 16.11): the ACK to a 2xx, a CANCEL that matches nothing, and the response to the
 * latter. Reused.
 */
final class StatelessForwarding {
    private final ProxyCore core;
    private final ForwardedMessages messages;
    private final NextHop nextHop;
    private final SipUriView uri = new SipUriView();
    private final SipViaView via = new SipViaView();
    private final ViaReply reply = new ViaReply();
    private final SipHop to = new SipHop();
    private final SipMessageView later = new SipMessageView();

    StatelessForwarding(ProxyCore core, ForwardedMessages messages, NextHop nextHop) {
        this.core = core;
        this.messages = messages;
        this.nextHop = nextHop;
    }

    /** Forwards a request, whose plan was made; false if it leads nowhere, or back to us. */
    boolean request(SipMessageView request, SipHop source, int loop, long nowNs) {
        RoutePlan plan = core.plan();
        if (plan.hasFlow()) {
            return send(request, source, plan.flow(), loop);
        }
        plan.nextHop(request.octets(), uri);
        return switch (nextHop.read(uri)) {
            case ADDRESS -> !nextHop.isOwn(nextHop.hop()) && send(request, source, nextHop.hop(), loop);
            case NAME -> {
                resolve(request, source, loop, nowNs);
                yield true;
            }
            default -> {
                core.counters().unroutable++;
                yield false;
            }
        };
    }

    private void resolve(SipMessageView request, SipHop source, int loop, long nowNs) {
        byte[] copy = Arrays.copyOfRange(request.octets(), request.offset(), request.offset() + request.length());
        SipHop from = new SipHop().set(source);
        nextHop.resolver().resolve(uri.toString(), nowNs, (hops, atNs) -> {
            if (hops.isEmpty()) {
                core.counters().unroutable++;
                return;
            }
            later.wrap(copy, 0, copy.length);
            core.plan(later, from);
            send(later, from, hops.getFirst(), loop);
        });
    }

    private boolean send(SipMessageView request, SipHop source, SipHop hop, int loop) {
        RoutePlan plan = core.plan();
        to.set(hop);
        if (!nextHop.selectListener(to, plan.listener() >= 0 ? plan.listener() : source.listener())) {
            core.counters().unroutable++;
            return false;
        }
        messages.target(plan.target(), plan.targetOffset(), plan.targetLength(), 1);
        messages.tokens(false, false);
        messages.body(null);
        OctetWriter branch = messages.beginRequest(request, to);
        core.transactions().writeStatelessBranch(request, loop, branch);
        OctetWriter out = messages.endRequest(request, plan, source, to, null, HeaderChanges.NONE);
        if (out == null || !core.transactions().sendStateless(to, out, request.method(), 0)) {
            core.counters().undeliverable++;
            return false;
        }
        if (request.method() == SipMethod.ACK) {
            core.counters().acksForwarded++;
        } else {
            core.counters().statelessForwarded++;
        }
        return true;
    }

    /** Forwards a response by the Via below ours (RFC 3261, 18.2.2). */
    void response(SipMessageView response) {
        // nothing else that we forward without a transaction is answered
        if (response.cseqMethod() != SipMethod.CANCEL || !response.secondVia(via)) {
            return;
        }
        if (!reply.computeFromReceived(via, response.octets(), to)) {
            core.counters().unroutable++;
            return;
        }
        SipHop hop = reply.hop();
        if (!nextHop.selectListener(hop, -1)) {
            core.counters().unroutable++;
            return;
        }
        OctetWriter out = messages.response(response, hop, HeaderChanges.NONE);
        if (out != null && core.transactions().sendStateless(hop, out, response.cseqMethod(), response.statusCode())) {
            core.counters().statelessForwarded++;
        }
    }
}
