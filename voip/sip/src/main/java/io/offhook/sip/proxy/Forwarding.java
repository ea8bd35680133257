package io.offhook.sip.proxy;

import io.offhook.sip.ReasonPhrases;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ClientTransaction;
import io.offhook.sip.transaction.ServerTransaction;
import io.offhook.sip.transaction.Timer;
import java.nio.charset.StandardCharsets;
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
    private static final int FLOW_FAILED = 430;
    private static final int NONE = 480;
    private static final int TERMINATED = 487;
    private static final int ERROR = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int DECLINED_BY_ALL = 600;

    private static final byte[] NO_REASON = new byte[0];
    private static final byte[] ELSEWHERE = ascii("SIP;cause=200;text=\"Call completed elsewhere\"");
    private static final byte[] EVERYWHERE = ascii("SIP;cause=600;text=\"Busy everywhere\"");

    private final ProxyCore core;
    private final ProxySettings settings;
    private final ForwardedMessages messages;
    private final BranchSender sender;
    private final FinalResponses finals;
    private final OwnResponses own;
    private final CallNotices notices;
    private final ChallengeAnswers challenges;
    private final ArrayList<ProxyBranch> freeBranches = new ArrayList<>();

    Forwarding(ProxyCore core, ProxySetup setup, ForwardedMessages messages, NextHop nextHop, OwnResponses own) {
        this.core = core;
        this.settings = setup.settings();
        this.messages = messages;
        this.own = own;
        notices = new CallNotices(setup.observer(), core.bodies());
        sender = new BranchSender(core, this, settings, messages, nextHop, notices);
        challenges = new ChallengeAnswers(core);
        finals = new FinalResponses(messages, notices, core.counters());
    }

    CallNotices notices() {
        return notices;
    }

    // targets

    void relay(ResponseContext context, long nowNs) {
        ProxyBranch branch = addBranch(context, null, context.breadth);
        sender.start(branch, nowNs);
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
            int end = context.branches.size();
            // one that cannot be sent may have started the next set already
            for (int i = from; i < end && !context.answered; i++) {
                sender.start(context.branches.get(i), nowNs);
            }
        }
        concludeIfDone(context, nowNs);
    }

    /** Goes on with a branch whose request was held. */
    void start(ProxyBranch branch, long nowNs) {
        sender.start(branch, nowNs);
    }

    /** Answers a request whose targets must not be tried, or no longer. */
    void refuse(ResponseContext context, int status, String reason, long nowNs) {
        context.laterSets.clear();
        cancelOthers(context, null, NO_REASON, nowNs);
        core.reply(context, status, reason, "", nowNs);
    }

    private ProxyBranch addBranch(ResponseContext context, @Nullable ForkTarget target, long breadth) {
        ProxyBranch branch = freeBranches.isEmpty() ? newBranch() : freeBranches.removeLast();
        branch.begin(context, target, breadth);
        context.branches.add(branch);
        branch.number = ++context.started;
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

    // what comes back

    void response(ProxyBranch branch, SipMessageView response, long nowNs) {
        ResponseContext context = branch.context;
        if (context == null) {
            return;
        }
        notices.received(branch, response, nowNs);
        int status = response.statusCode();
        sender.heard(branch, response, status);
        if (status > TRYING && status < REDIRECTION && branch.target != null) {
            responded(branch.target, status, nowNs);
        }
        if (status < OK) {
            provisional(branch, context, response, status, nowNs);
        } else if (status < REDIRECTION) {
            success(branch, context, response, status, nowNs);
        } else if (branch.done) {
            core.counters().responsesDropped++;
        } else if (status == UNAVAILABLE && mayTryNext(branch, context)) {
            sender.next(branch, nowNs);
        } else if (challenges.answers(branch, context, response)) {
            stopTimer(branch);
            sender.sendWithCredentials(branch, nowNs);
        } else if (!fallsBack(branch, context, status, response, nowNs)) {
            failure(branch, context, response, status, nowNs);
        }
    }

    private static void responded(ForkTarget target, int status, long nowNs) {
        TargetFallback fallback = target.fallback();
        if (fallback != null) {
            fallback.responded(status, nowNs);
        }
    }

    /** Tries another way to the target, if its fallback knows one. */
    private boolean fallsBack(
            ProxyBranch branch, ResponseContext context, int status, @Nullable SipMessageView response, long nowNs) {
        ForkTarget target = branch.target;
        TargetFallback fallback = target == null ? null : target.fallback();
        if (fallback == null || context.answered || branch.cancelled) {
            return false;
        }
        long retryAfterS = response == null ? -1 : response.retryAfter();
        ForkTarget next = fallback.after(status, response == null, retryAfterS, nowNs);
        if (next == null) {
            return false;
        }
        stopTimer(branch);
        branch.tryInstead(next);
        sender.start(branch, nowNs);
        return true;
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
        // of a request other than INVITE there may be none but 100 (RFC 4320, 4.1)
        if (server == null || !server.isInvite() || !server.isPending() || context.answered) {
            core.counters().responsesDropped++;
            return;
        }
        forward(context, server, branch, response, status, nowNs);
    }

    private void success(ProxyBranch branch, ResponseContext context, SipMessageView response, int status, long nowNs) {
        boolean isFirst = !context.answered;
        stopTimer(branch);
        branch.finish(status, response, false);
        ServerTransaction server = context.server;
        if (server != null && (isFirst || server.state() == ServerTransaction.State.ACCEPTED)) {
            if (isFirst || context.isInvite) {
                forward(context, server, branch, response, status, nowNs);
            }
        } else if (context.isInvite) {
            passLate(context, branch, response, nowNs);
        }
        context.answered = true;
        if (isFirst) {
            context.laterSets.clear();
            cancelOthers(context, branch, ELSEWHERE, nowNs);
        }
    }

    /** After another final response, a 2xx still goes back, without the transaction (16.7 steps 5 and 9). */
    private void passLate(ResponseContext context, ProxyBranch branch, SipMessageView response, long nowNs) {
        OctetWriter out = messages.response(response, context.replyTo, context.responseChanges());
        if (out != null && own.pass(context.replyTo, out, response.statusCode())) {
            core.counters().responsesForwarded++;
            notices.late(context, branch, response, nowNs);
        }
    }

    private void failure(ProxyBranch branch, ResponseContext context, SipMessageView response, int status, long nowNs) {
        stopTimer(branch);
        boolean mustWait = context.branches.size() > 1 || !context.laterSets.isEmpty();
        boolean recurses = status < 400
                && settings.recursesOn3xx()
                && context.started < settings.mostBranches()
                && !context.answered
                && !branch.cancelled
                && addContacts(context, response);
        branch.finish(recurses ? 0 : status, response, mustWait);
        if (context.answered) {
            return;
        }
        if (status >= DECLINED_BY_ALL) {
            context.laterSets.clear();
            cancelOthers(context, branch, EVERYWHERE, nowNs);
        }
        if (mustWait || recurses) {
            forkNext(context, nowNs);
            return;
        }
        context.answered = true;
        if (!finals.single(context, branch, response, nowNs)) {
            answer(context, BAD_GATEWAY, nowNs);
        }
    }

    /** A place did not answer, or could not be reached: the next one is tried. */
    void placeFailed(ProxyBranch branch, int status, long nowNs) {
        ResponseContext context = branch.context;
        if (context == null || branch.done) {
            return;
        }
        // the sender of another request has given up, too, when none has answered in time
        boolean isTooLate = status == TIMEOUT && context.server != null && !context.server.isInvite();
        boolean isTcpTrial = branch.usesTcp && status == UNAVAILABLE && !branch.cancelled && !context.answered;
        if (isTcpTrial) {
            sender.sendByUdp(branch, nowNs);
            return;
        }
        sender.heardNothing(branch, status);
        if (mayTryNext(branch, context) && !isTooLate) {
            sender.next(branch, nowNs);
        } else if (isTooLate || !fallsBack(branch, context, status, null, nowNs)) {
            giveUp(branch, branch.byFlow && status == UNAVAILABLE ? FLOW_FAILED : status, nowNs);
        }
    }

    /** A branch is over without a response: the next targets are tried, or the request is concluded. */
    void giveUp(ProxyBranch branch, int status, long nowNs) {
        ResponseContext context = branch.context;
        stopTimer(branch);
        branch.finish(branch.cancelled ? TERMINATED : status, null, false);
        if (context != null && !context.answered) {
            forkNext(context, nowNs);
        }
    }

    private static boolean mayTryNext(ProxyBranch branch, ResponseContext context) {
        return branch.hasMorePlaces() && !context.answered && !branch.cancelled;
    }

    /** The contacts of a 3xx become targets, in the order of q, none twice (16.5). */
    private boolean addContacts(ResponseContext context, SipMessageView response) {
        core.prepare(context);
        List<ForkTarget> targets =
                RedirectTargets.of(response, context.branches, core.plan().targetText(), context.laterSets);
        // they come before the sets of the policy: each is an alternative to the target that named it
        for (ForkTarget target : targets.reversed()) {
            context.laterSets.addFirst(List.of(target));
        }
        return !targets.isEmpty();
    }

    private void forward(
            ResponseContext context,
            ServerTransaction server,
            ProxyBranch branch,
            SipMessageView response,
            int status,
            long nowNs) {
        OctetWriter out = messages.response(response, server.source(), context.responseChanges());
        if (out != null) {
            core.counters().responsesForwarded++;
            notices.forwarded(context, branch, response, status, nowNs);
            server.respond(out, status, nowNs);
        } else if (status >= OK) {
            answer(context, BAD_GATEWAY, nowNs);
        }
    }

    /** The proxy itself gives the final response. */
    private void answer(ResponseContext context, int status, long nowNs) {
        ServerTransaction server = context.server;
        SipMessageView request = core.prepare(context);
        if (server != null && request != null) {
            // 503 would say that the proxy itself is overloaded (16.7 step 6)
            boolean isNextHop = status == UNAVAILABLE;
            int sent = isNextHop ? ERROR : status;
            String reason = isNextHop ? "Next Hop Unavailable" : ReasonPhrases.of(sent);
            notices.given(context, sent, nowNs);
            own.send(server, request, sent, reason, "", nowNs);
        }
    }

    // the end

    private void concludeIfDone(ResponseContext context, long nowNs) {
        ServerTransaction server = context.server;
        if (server == null || context.answered || context.hasPendingBranch() || !context.laterSets.isEmpty()) {
            return;
        }
        context.answered = true;
        ProxyBranch best = BestResponse.choose(context.branches, server.isInvite());
        int status = best == null ? NONE : best.status;
        if (context.cancelled && (best == null || best.local)) {
            status = TERMINATED;
        }
        if (status == TIMEOUT && !server.isInvite()) {
            // nobody may answer 408 to other requests (RFC 4320, 4.2)
            notices.concluded(context, status, nowNs);
            server.stayQuiet(nowNs);
        } else if (best == null || best.response == null) {
            answer(context, status, nowNs);
        } else if (!finals.best(context, best, nowNs)) {
            answer(context, BAD_GATEWAY, nowNs);
        }
    }

    /**
     * The sender has cancelled the request (16.10).
     *
     * @param reason the value of its Reason (RFC 3326); empty for none
     */
    void cancel(ResponseContext context, byte[] reason, long nowNs) {
        ServerTransaction server = context.server;
        if (context.cancelled || context.answered || server == null || !server.isPending()) {
            return;
        }
        context.cancelled = true;
        context.laterSets.clear();
        cancelOthers(context, null, reason, nowNs);
        concludeIfDone(context, nowNs);
    }

    private void cancelOthers(ResponseContext context, @Nullable ProxyBranch except, byte[] reason, long nowNs) {
        for (int i = 0; i < context.branches.size(); i++) {
            ProxyBranch branch = context.branches.get(i);
            if (branch != except && !branch.done) {
                cancel(branch, reason, nowNs);
            }
        }
    }

    private void cancel(ProxyBranch branch, byte[] reason, long nowNs) {
        branch.cancelled = true;
        branch.cancelReason = reason;
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
        if (client != null && client.isInvite() && client.sendCancel(branch.cancelReason, nowNs)) {
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
            branch.cancelReason = NO_REASON;
            sendCancel(branch, nowNs);
            return;
        }
        ResponseContext context = branch.context;
        // one that was cancelled here rather than by the sender has timed out
        branch.cancelled = context != null && context.cancelled;
        giveUp(branch, TIMEOUT, nowNs);
        client.abandon();
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

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
