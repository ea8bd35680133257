package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUriView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ClientTransaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places of a branch and sends the request there, one after the other until one answers (RFC 3261, 16.6 steps 7 to 10;
 * RFC 3263, 4.3). A long request goes by TCP first (18.1.1). Reused.
 */
final class BranchSender {
    private static final int TIMEOUT = 408;
    private static final int UNKNOWN_SCHEME = 416;
    private static final int UNAVAILABLE = 503;
    private static final int TOO_LARGE = 513;

    private final ProxyCore core;
    private final Forwarding forwarding;
    private final ProxySettings settings;
    private final ForwardedMessages messages;
    private final NextHop nextHop;
    private final CallNotices notices;
    private final SipUriView uri = new SipUriView();
    private final SipHop to = new SipHop();

    BranchSender(
            ProxyCore core,
            Forwarding forwarding,
            ProxySettings settings,
            ForwardedMessages messages,
            NextHop nextHop,
            CallNotices notices) {
        this.core = core;
        this.forwarding = forwarding;
        this.settings = settings;
        this.messages = messages;
        this.nextHop = nextHop;
        this.notices = notices;
    }

    /** Sends the request to the target of a branch, at once or when its name is resolved. */
    void start(ProxyBranch branch, long nowNs) {
        ResponseContext context = branch.context;
        SipMessageView request = context == null ? null : core.prepare(context);
        if (context == null || request == null) {
            forwarding.giveUp(branch, TIMEOUT, nowNs);
            return;
        }
        HeldMessages held = core.held();
        if (held != null && !branch.wasAsked) {
            branch.wasAsked = true;
            if (held.holdsRequest(branch, context, request, nowNs)) {
                return; // it goes on when its body is changed
            }
        }
        RoutePlan plan = core.plan();
        ForkTarget target = branch.target;
        if (target != null && target.hop() != null) {
            send(branch, context, request, target.hop(), nowNs);
            return;
        }
        if (target != null && !target.places().isEmpty()) {
            nextHop.read(target.nextHop());
            branch.mayUseTcp = !nextHop.namesTransport();
            branch.places = target.places();
            branch.nextPlace = 0;
            next(branch, nowNs);
            return;
        }
        if (target == null && plan.hasFlow()) {
            branch.byFlow = true;
            send(branch, context, request, plan.flow(), nowNs);
            return;
        }
        // a Route of the request comes before a target that has none of its own
        ForkTarget deciding = target != null && (target.decidesPlace() || !plan.hasRoute()) ? target : null;
        HopAddress.Kind kind;
        if (deciding == null) {
            plan.nextHop(request.octets(), uri);
            kind = nextHop.read(uri);
        } else {
            kind = nextHop.read(deciding.nextHop());
        }
        branch.mayUseTcp = !nextHop.namesTransport();
        switch (kind) {
            case ADDRESS -> send(branch, context, request, nextHop.hop(), nowNs);
            case NAME -> resolve(branch, context, deciding == null ? uri.toString() : deciding.nextHop(), nowNs);
            default -> {
                core.counters().unroutable++;
                forwarding.giveUp(branch, UNKNOWN_SCHEME, nowNs);
            }
        }
    }

    private void resolve(ProxyBranch branch, ResponseContext context, String name, long nowNs) {
        branch.resolving = true;
        long number = context.number();
        nextHop.resolver().resolve(name, nowNs, (hops, atNs) -> {
            if (branch.context != context || context.number() != number || !branch.resolving) {
                return;
            }
            branch.resolving = false;
            branch.places = hops;
            branch.nextPlace = 0;
            if (hops.isEmpty()) {
                core.counters().unroutable++;
            }
            forwarding.placeFailed(branch, UNAVAILABLE, atNs);
        });
    }

    /** A response came from the place at hand. */
    void heard(ProxyBranch branch, SipMessageView response, int status) {
        SipHop place = branch.place();
        if (place == null) {
            return;
        }
        if (status == UNAVAILABLE) {
            nextHop.resolver().failed(place, status, Math.max(response.retryAfter(), 0));
        } else {
            nextHop.resolver().answered(place);
        }
    }

    /** The place at hand did not answer, or could not be reached. */
    void heardNothing(ProxyBranch branch, int status) {
        SipHop place = branch.place();
        if (place != null && branch.heard == 0) {
            nextHop.resolver().failed(place, status, -1);
        }
    }

    /** Sends to the next of the branch's places. */
    void next(ProxyBranch branch, long nowNs) {
        SipHop place = branch.places.get(branch.nextPlace++);
        branch.usesTcp = false;
        branch.avoidsTcp = false;
        branch.forgetChallenges();
        sendAgain(branch, place, nowNs);
    }

    /** Sends once more to the place at hand, with the credentials of the branch. */
    void sendWithCredentials(ProxyBranch branch, long nowNs) {
        sendAgain(branch, new SipHop().set(branch.hop), nowNs);
    }

    /** Sends by UDP what was too long for it, because TCP failed (18.1.1). */
    void sendByUdp(ProxyBranch branch, long nowNs) {
        List<SipHop> places = branch.places;
        branch.avoidsTcp = true;
        branch.usesTcp = false;
        SipHop place = places.isEmpty() ? new SipHop().set(branch.hop) : places.get(branch.nextPlace - 1);
        place = new SipHop().set(SipTransport.UDP, -1, place.high(), place.low(), place.port());
        sendAgain(branch, place, nowNs);
    }

    private void sendAgain(ProxyBranch branch, SipHop place, long nowNs) {
        ResponseContext context = branch.context;
        SipMessageView request = context == null ? null : core.prepare(context);
        if (context == null || request == null) {
            forwarding.giveUp(branch, TIMEOUT, nowNs);
        } else {
            send(branch, context, request, place, nowNs);
        }
    }

    private void send(ProxyBranch branch, ResponseContext context, SipMessageView request, SipHop place, long nowNs) {
        to.set(place);
        boolean wouldBeByTcp = branch.mayUseTcp && !branch.avoidsTcp && to.transport() == SipTransport.UDP;
        int limit = wouldBeByTcp && nextHop.has(SipTransport.TCP, to) ? settings.tcpAbove() : Integer.MAX_VALUE;
        if (sendTo(branch, context, request, limit, nowNs)) {
            to.set(SipTransport.TCP, -1, place.high(), place.low(), place.port());
            branch.usesTcp = true;
            sendTo(branch, context, request, Integer.MAX_VALUE, nowNs);
        }
    }

    /** Sends to {@link #to}; true, and nothing is done, if the message is longer than the limit. */
    private boolean sendTo(ProxyBranch branch, ResponseContext context, SipMessageView request, int limit, long nowNs) {
        int side = core.plan().listener();
        if (!nextHop.selectListener(to, side >= 0 ? side : context.source().listener())) {
            core.counters().unroutable++;
            forwarding.placeFailed(branch, UNAVAILABLE, nowNs);
            return false;
        }
        ClientTransaction client = core.transactions().newClient(request.method(), to);
        if (client == null) {
            forwarding.giveUp(branch, UNAVAILABLE, nowNs);
            return false;
        }
        OctetWriter out = write(branch, context, request, client);
        if (out == null || out.length() > limit) {
            core.transactions().discard(client);
            if (out == null) {
                forwarding.giveUp(branch, TOO_LARGE, nowNs);
            }
            return out != null;
        }
        branch.client = client;
        branch.hop.set(to);
        branch.sentNs = nowNs;
        branch.heard = 0;
        client.owner(branch);
        context.clients++;
        core.counters().requestsForwarded++;
        notices.requestForwarded(context, request, branch);
        if (request.method() == SipMethod.INVITE) {
            core.transactions().wheel().start(branch.timerC, nowNs + settings.timerC());
        }
        client.send(out, nowNs);
        return false;
    }

    private @Nullable OctetWriter write(
            ProxyBranch branch, ResponseContext context, SipMessageView request, ClientTransaction client) {
        ForkTarget target = branch.target;
        RoutePlan plan = core.plan();
        if (target == null) {
            messages.target(plan.target(), plan.targetOffset(), plan.targetLength(), branch.breadth);
        } else {
            byte[] octets = target.uriOctets();
            messages.target(octets, 0, octets.length, branch.breadth);
        }
        SipHop source = context.source();
        boolean forHop = target != null && core.policy().needsFlowToken(target, client.hop());
        messages.tokens(core.policy().needsFlowToken(request, source), forHop);
        messages.credentials(branch.credentials);
        messages.body(branch.change);
        OctetWriter token = messages.beginRequest(request, client.hop());
        client.writeBranch(context.loop, token);
        return messages.endRequest(request, plan, source, client.hop(), target, context.requestChanges());
    }
}
