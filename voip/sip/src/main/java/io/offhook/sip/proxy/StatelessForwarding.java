package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUriView;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ViaReply;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
            return send(request, source, plan.flow(), loop, null);
        }
        plan.nextHop(request.octets(), uri);
        if (!plan.hasNextHop() && core.policy().needsLocation(uri)) {
            Kept kept = new Kept(request, source, loop);
            core.policy().locate(uri.toUri(), nowNs, (target, atNs) -> located(kept, target, atNs));
            return true;
        }
        return switch (nextHop.read(uri)) {
            case ADDRESS -> !nextHop.isOwn(nextHop.hop()) && send(request, source, nextHop.hop(), loop, null);
            case NAME -> {
                resolve(new Kept(request, source, loop), uri.toString(), null, nowNs);
                yield true;
            }
            default -> {
                core.counters().unroutable++;
                yield false;
            }
        };
    }

    /** A request that waits for where it goes. */
    private static final class Kept {
        private final byte[] octets;
        private final SipHop source;
        private final int loop;

        Kept(SipMessageView request, SipHop source, int loop) {
            octets = Arrays.copyOfRange(request.octets(), request.offset(), request.offset() + request.length());
            this.source = new SipHop().set(source);
            this.loop = loop;
        }
    }

    private void located(Kept request, @Nullable ForkTarget target, long nowNs) {
        if (target == null) {
            core.counters().unroutable++;
        } else if (target.hop() != null) {
            send(request, target.hop(), target);
        } else if (nextHop.read(target.nextHop()) == HopAddress.Kind.ADDRESS && !nextHop.isOwn(nextHop.hop())) {
            send(request, nextHop.hop(), target);
        } else {
            resolve(request, target.nextHop(), target, nowNs);
        }
    }

    private void resolve(Kept request, String name, @Nullable ForkTarget target, long nowNs) {
        nextHop.resolver().resolve(name, nowNs, (hops, _) -> {
            if (hops.isEmpty()) {
                core.counters().unroutable++;
            } else {
                send(request, hops.getFirst(), target);
            }
        });
    }

    private void send(Kept request, SipHop hop, @Nullable ForkTarget target) {
        to.set(hop);
        later.wrap(request.octets, 0, request.octets.length);
        core.plan(later, request.source);
        send(later, request.source, to, request.loop, target);
    }

    private boolean send(SipMessageView request, SipHop source, SipHop hop, int loop, @Nullable ForkTarget target) {
        RoutePlan plan = core.plan();
        to.set(hop);
        if (!nextHop.selectListener(to, plan.listener() >= 0 ? plan.listener() : source.listener())) {
            core.counters().unroutable++;
            return false;
        }
        if (target == null) {
            messages.target(plan.target(), plan.targetOffset(), plan.targetLength(), 1);
        } else {
            byte[] requestUri = target.uriOctets();
            messages.target(requestUri, 0, requestUri.length, 1);
        }
        messages.tokens(false, false);
        messages.body(null);
        OctetWriter branch = messages.beginRequest(request, to);
        core.transactions().writeStatelessBranch(request, loop, branch);
        OctetWriter out = messages.endRequest(
                request, plan, source, to, target, core.policy().changesOf(request));
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
