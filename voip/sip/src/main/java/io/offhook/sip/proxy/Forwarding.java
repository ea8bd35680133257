package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUriView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ClientTransaction;
import io.offhook.sip.transaction.ServerTransaction;
import io.offhook.sip.transaction.Timer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests on, branch by branch, and decides which responses go back (RFC 3261, 16.6 to 16.10).
 *
 * <pre>
 *  fork -> branches at once -> each: places one after the other (RFC 3263)
 *       100 ends here, 101-199 and 2xx go back at once, a 2xx or 6xx cancels the others,
 *       other finals wait until all branches have one; then the next set of targets, or the best of them goes back
 * </pre>
 */
final class Forwarding {
    private static final int TRYING = 100;
    private static final int OK = 200;
    private static final int REDIRECTION = 300;
    private static final int TIMEOUT = 408;
    private static final int TERMINATED = 487;
    private static final int UNAVAILABLE = 503;
    private static final int TOO_LARGE = 513;
    private static final int DECLINED_BY_ALL = 600;

    private final ProxyCore core;
    private final ProxySettings settings;
    private final ForwardedMessages messages;
    private final NextHop nextHop;
    private final FinalResponses finals;
    private final OwnResponses own;
    private final SipUriView uri = new SipUriView();
    private final SipHop to = new SipHop();
    private final ArrayList<ProxyBranch> freeBranches = new ArrayList<>();

    Forwarding(ProxyCore core, ProxySetup setup, ForwardedMessages messages, NextHop nextHop, OwnResponses own) {
        this.core = core;
        this.settings = setup.settings();
        this.messages = messages;
        this.nextHop = nextHop;
        this.own = own;
        finals = new FinalResponses(messages, core.counters());
    }

    // targets

    void relay(ResponseContext context, long nowNs) {
        ProxyBranch branch = addBranch(context, null, context.breadth);
        start(branch, nowNs);
        concludeIfDone(context, nowNs);
    }

    /** Starts the next set of targets; concludes the request if there is none. */
    void forkNext(ResponseContext context, long nowNs) {
        while (!context.answered && !context.hasPendingBranch() && !context.laterSets.isEmpty()) {
            List<ForkTarget> set = context.laterSets.removeFirst();
            int room = settings.mostBranches() - context.started;
            int atOnce = (int) Math.min(Math.min(set.size(), room), context.breadth);
            if (atOnce < set.size() && room > atOnce) {
                context.laterSets.addFirst(set.subList(atOnce, set.size()));
            }
            int from = context.branches.size();
            for (ForkTarget target : set.subList(0, Math.max(atOnce, 0))) {
                addBranch(context, target, Math.max(context.breadth / atOnce, 1));
            }
            for (int i = from; i < context.branches.size() && !context.answered; i++) {
                start(context.branches.get(i), nowNs);
            }
        }
        concludeIfDone(context, nowNs);
    }

    private ProxyBranch addBranch(ResponseContext context, @Nullable ForkTarget target, long breadth) {
        ProxyBranch branch = freeBranches.isEmpty() ? newBranch() : freeBranches.removeLast();
        branch.begin(context, target, breadth);
        context.branches.add(branch);
        context.started++;
        return branch;
    }

    private ProxyBranch newBranch() {
        BranchTimer timer = new BranchTimer();
        ProxyBranch branch = new ProxyBranch(timer);
        timer.branch = branch;
        return branch;
    }

    /** Timer C of one branch. */
    private final class BranchTimer implements Timer.Owner {
        private @Nullable ProxyBranch branch;

        @Override
        public void expired(Timer timer, long nowNs) {
            ProxyBranch of = branch;
            if (of != null) {
                rangTooLong(of, nowNs);
            }
        }
    }

    // sending

    private void start(ProxyBranch branch, long nowNs) {
        ResponseContext context = branch.context;
        SipMessageView request = context == null ? null : core.prepare(context);
        if (context == null || request == null) {
            branch.finish(TIMEOUT, null, false);
            return;
        }
        RoutePlan plan = core.plan();
        ForkTarget target = branch.target;
        if (target != null && target.hop() != null) {
            send(branch, request, target.hop(), nowNs);
            return;
        }
        if (target == null && plan.hasFlow()) {
            send(branch, request, plan.flow(), nowNs);
            return;
        }
        HopAddress.Kind kind;
        if (target == null) {
            plan.nextHop(request.octets(), uri);
            kind = nextHop.read(uri);
        } else {
            kind = nextHop.read(target.nextHop());
        }
        switch (kind) {
            case ADDRESS -> send(branch, request, nextHop.hop(), nowNs);
            case NAME -> resolve(branch, context, target == null ? uri.toString() : target.nextHop(), nowNs);
            default -> {
                core.counters().unroutable++;
                branch.finish(416, null, false);
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
            if (branch.done || context.server == null) {
                return;
            }
            branch.places = hops;
            branch.nextPlace = 0;
            if (hops.isEmpty()) {
                core.counters().unroutable++;
            }
            placeFailed(branch, UNAVAILABLE, atNs);
        });
    }

    /** Sends to a place; the branch is over if it cannot be sent. */
    private void send(ProxyBranch branch, SipMessageView request, SipHop place, long nowNs) {
        ResponseContext context = branch.context;
        if (context == null) {
            return;
        }
        to.set(place);
        SipHop source = context.source();
        if (!nextHop.selectListener(to, source.listener())) {
            core.counters().unroutable++;
            placeFailed(branch, UNAVAILABLE, nowNs);
            return;
        }
        SipMethod method = request.method();
        ClientTransaction client = core.transactions().newClient(method, to);
        if (client == null) {
            branch.finish(UNAVAILABLE, null, false);
            return;
        }
        OctetWriter out = write(branch, context, request, client);
        if (out == null) {
            core.transactions().discard(client);
            branch.finish(TOO_LARGE, null, false);
            return;
        }
        branch.client = client;
        client.owner(branch);
        context.clients++;
        core.counters().requestsForwarded++;
        if (method == SipMethod.INVITE) {
            core.transactions().wheel().start(branch.timerC, nowNs + settings.timerC());
        }
        client.send(out, nowNs);
    }

    private @Nullable OctetWriter write(
            ProxyBranch branch, ResponseContext context, SipMessageView request, ClientTransaction client) {
        ForkTarget target = branch.target;
        RoutePlan plan = core.plan();
        if (target == null) {
            messages.target(request.octets(), plan.targetOffset(), plan.targetLength(), branch.breadth);
        } else {
            byte[] octets = target.uriOctets();
            messages.target(octets, 0, octets.length, branch.breadth);
        }
        SipHop source = context.source();
        boolean forHop =
                target != null && target.hop() != null && target.routes().isEmpty();
        messages.tokens(core.policy().needsFlowToken(request, source), forHop);
        OctetWriter token = messages.beginRequest(request, client.hop());
        client.writeBranch(context.loop, token);
        return messages.endRequest(request, plan, source, client.hop(), target);
    }

    // what comes back

    void response(ProxyBranch branch, SipMessageView response, long nowNs) {
        ResponseContext context = branch.context;
        if (context == null) {
            return;
        }
        int status = response.statusCode();
        if (status < OK) {
            provisional(branch, context, response, status, nowNs);
        } else if (status < REDIRECTION) {
            success(branch, context, response, status, nowNs);
        } else if (branch.done) {
            core.counters().provisionalsDropped++;
        } else if (status == UNAVAILABLE && branch.hasMorePlaces() && !context.answered && !branch.cancelled) {
            nextPlace(branch, nowNs);
        } else {
            failure(branch, context, response, status, nowNs);
        }
    }

    private void provisional(
            ProxyBranch branch, ResponseContext context, SipMessageView response, int status, long nowNs) {
        if (branch.cancelled) {
            sendCancel(branch, nowNs);
        }
        if (status == TRYING || branch.done) {
            return;
        }
        if (branch.timerC.isRunning() && !branch.cancelled) {
            core.transactions().wheel().start(branch.timerC, nowNs + settings.timerC());
        }
        ServerTransaction server = context.server;
        if (server == null || !server.isPending() || context.answered) {
            core.counters().provisionalsDropped++;
            return;
        }
        forward(server, response, status, nowNs);
    }

    private void success(ProxyBranch branch, ResponseContext context, SipMessageView response, int status, long nowNs) {
        ServerTransaction server = context.server;
        boolean isFirst = !context.answered;
        stopTimer(branch);
        branch.finish(status, response, false);
        context.answered = true;
        if (server != null && (isFirst || server.isInvite())) {
            if (isFirst || server.state() == ServerTransaction.State.ACCEPTED) {
                forward(server, response, status, nowNs);
            } else {
                OctetWriter out = messages.response(response, server.source());
                if (out != null) {
                    // after another final response, a 2xx still goes back (16.7 step 5)
                    server.pass(out);
                    core.counters().responsesForwarded++;
                }
            }
        }
        if (isFirst) {
            cancelOthers(context, branch, nowNs);
        }
    }

    private void failure(ProxyBranch branch, ResponseContext context, SipMessageView response, int status, long nowNs) {
        stopTimer(branch);
        boolean mustWait = context.branches.size() > 1 || !context.laterSets.isEmpty();
        boolean recurses = status < 400
                && settings.recursesOn3xx()
                && !context.answered
                && !branch.cancelled
                && addContacts(context, response);
        branch.finish(recurses ? 0 : status, response, mustWait);
        if (context.answered) {
            return;
        }
        if (status >= DECLINED_BY_ALL) {
            context.laterSets.clear();
            cancelOthers(context, branch, nowNs);
        }
        if (!mustWait && !recurses) {
            context.answered = true;
            ServerTransaction server = context.server;
            if (server != null) {
                finals.single(server, response, status, nowNs);
            }
            return;
        }
        forkNext(context, nowNs);
    }

    /** A place did not answer, or could not be reached: the next one is tried. */
    void placeFailed(ProxyBranch branch, int status, long nowNs) {
        ResponseContext context = branch.context;
        if (context == null || branch.done) {
            return;
        }
        if (branch.hasMorePlaces() && !context.answered && !branch.cancelled) {
            nextPlace(branch, nowNs);
            return;
        }
        stopTimer(branch);
        branch.finish(branch.cancelled ? TERMINATED : status, null, false);
        if (!context.answered && !context.hasPendingBranch()) {
            forkNext(context, nowNs);
        }
    }

    private void nextPlace(ProxyBranch branch, long nowNs) {
        ResponseContext context = branch.context;
        SipMessageView request = context == null ? null : core.prepare(context);
        SipHop place = branch.places.get(branch.nextPlace++);
        if (request == null) {
            branch.finish(TIMEOUT, null, false);
            return;
        }
        send(branch, request, place, nowNs);
    }

    /** The contacts of a 3xx become targets, in the order of q, none twice (16.5). */
    private boolean addContacts(ResponseContext context, SipMessageView response) {
        List<ForkTarget> targets = RedirectTargets.of(response, context.branches);
        for (ForkTarget target : targets) {
            context.laterSets.addLast(List.of(target));
        }
        return !targets.isEmpty();
    }

    private void forward(ServerTransaction server, SipMessageView response, int status, long nowNs) {
        OctetWriter out = messages.response(response, server.source());
        if (out != null) {
            core.counters().responsesForwarded++;
            server.respond(out, status, nowNs);
        }
    }

    // the end

    private void concludeIfDone(ResponseContext context, long nowNs) {
        ServerTransaction server = context.server;
        if (server == null || context.answered || context.hasPendingBranch() || !context.laterSets.isEmpty()) {
            return;
        }
        context.answered = true;
        ProxyBranch best = BestResponse.choose(context.branches);
        int status = best == null ? 480 : best.status;
        if (context.cancelled && (best == null || best.local)) {
            status = TERMINATED;
        }
        if (status == TIMEOUT && !server.isInvite()) {
            // nobody may answer 408 to other requests (RFC 4320, 4.2)
            server.abandon();
        } else if (best != null && best.response != null) {
            finals.best(server, best, context.branches, nowNs);
        } else {
            SipMessageView request = core.prepare(context);
            if (request != null) {
                int sent = status == UNAVAILABLE ? 500 : status;
                own.send(server, request, sent, OwnReasons.of(status), "", nowNs);
            }
        }
    }

    /** The sender has cancelled the request (16.10). */
    void cancel(ResponseContext context, long nowNs) {
        ServerTransaction server = context.server;
        if (context.cancelled || context.answered || server == null || !server.isPending()) {
            return;
        }
        context.cancelled = true;
        context.laterSets.clear();
        cancelOthers(context, null, nowNs);
        concludeIfDone(context, nowNs);
    }

    private void cancelOthers(ResponseContext context, @Nullable ProxyBranch except, long nowNs) {
        for (int i = 0; i < context.branches.size(); i++) {
            ProxyBranch branch = context.branches.get(i);
            if (branch != except && !branch.done) {
                cancel(branch, nowNs);
            }
        }
    }

    private void cancel(ProxyBranch branch, long nowNs) {
        branch.cancelled = true;
        ClientTransaction client = branch.client;
        if (client == null) {
            branch.resolving = false;
            branch.finish(TERMINATED, null, false);
        } else if (client.isProceeding()) {
            sendCancel(branch, nowNs);
        }
        // else it waits for the first provisional response
    }

    private void sendCancel(ProxyBranch branch, long nowNs) {
        ClientTransaction client = branch.client;
        if (client != null && client.isInvite() && client.isProceeding()) {
            client.sendCancel(nowNs);
            // a callee that answers neither the CANCEL nor the INVITE is given up (9.1)
            long timeout = core.transactions().timers().timeout();
            core.transactions().wheel().start(branch.timerC, nowNs + timeout);
        }
    }

    /** Timer C (16.8): the callee is cancelled; if that has no effect, it is given up. */
    private void rangTooLong(ProxyBranch branch, long nowNs) {
        ClientTransaction client = branch.client;
        if (client == null || branch.done) {
            return;
        }
        if (client.isProceeding() && !branch.cancelled) {
            branch.cancelled = true;
            sendCancel(branch, nowNs);
            return;
        }
        branch.done = false;
        branch.cancelled = false;
        client.abandon();
        placeFailed(branch, TIMEOUT, nowNs);
    }

    private void stopTimer(ProxyBranch branch) {
        core.transactions().wheel().stop(branch.timerC);
    }

    /** Takes the branches of a request back, whose transactions are all over. */
    void release(ResponseContext context) {
        for (int i = 0; i < context.branches.size(); i++) {
            ProxyBranch branch = context.branches.get(i);
            stopTimer(branch);
            branch.end();
            freeBranches.add(branch);
        }
        context.branches.clear();
    }

    /** Drops half of what is free. */
    void trim() {
        int keep = freeBranches.size() / 2;
        while (freeBranches.size() > keep) {
            freeBranches.removeLast();
        }
        if (keep == 0) {
            freeBranches.trimToSize();
        }
    }
}
