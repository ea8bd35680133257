package io.offhook.proxy.media;

import io.offhook.proxy.lane.LaneTask;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.proxy.BodyRewriter;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeldMessage;
import io.offhook.sip.proxy.ResponseContext;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one lane whose media are relayed. Offers and answers are held until the engine has made others of them; what
 * ends media is sent beside the messages, which do not wait for it. On the lane's thread.
 */
public final class MediaCalls implements BodyRewriter {
    private static final long MS = 1_000_000;
    private static final long LONGEST_PATIENCE = 10_000 * MS;
    /** Beyond what an engine needs at most: for the way to its thread and back. */
    private static final long SPARE_PATIENCE = 500 * MS;
    /** A call of which nothing was heard for so long has lost its BYE. */
    private static final long FORGOTTEN = 12 * 3_600_000 * MS;

    /** Which calls are relayed, and how. */
    @FunctionalInterface
    public interface Choice {
        /**
         * The profile of a branch of an INVITE outside of dialogs; null if its media are not relayed.
         *
         * @param target where it goes; null if it goes by its Route or Request-URI
         */
        MediaConfig.@Nullable Profile profile(
                ResponseContext context, @Nullable ForkTarget target, SipMessageView invite);
    }

    /** Runs what must run on the lane's thread. Thread-safe. */
    @FunctionalInterface
    public interface Mailbox {
        /** Takes a task; false if too much waits already. */
        boolean execute(LaneTask task);
    }

    /** What is known of a held message: its call, and its branch if it is the INVITE that began the call. */
    private record Pending(MediaCall call, MediaCall.@Nullable Branch branch, boolean isRequest) {}

    private final MediaRelay relay;
    private final Choice choice;
    private final Mailbox lane;
    /** By Call-ID, in the order of their last messages. */
    private final Map<String, MediaCall> calls = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<HeldMessage, Pending> pending = new HashMap<>();
    private final SipMessageView view = new SipMessageView();

    /** Creates a lane without calls. */
    public MediaCalls(MediaRelay relay, Choice choice, Mailbox lane) {
        this.relay = relay;
        this.choice = choice;
        this.lane = lane;
    }

    // ---- messages

    @Override
    public boolean request(
            ResponseContext context,
            @Nullable ForkTarget target,
            int branch,
            SipMessageView request,
            HeldMessage held,
            long nowNs) {
        SipMethod method = request.method();
        if (!carriesMedia(method) && method != SipMethod.BYE) {
            return false;
        }
        boolean begins = method == SipMethod.INVITE && !context.isInDialog();
        MediaCall.Branch first = begins ? MediaCall.branch(context, branch) : null;
        MediaCall call = first == null ? find(request, nowNs) : begin(context, target, request, first, nowNs);
        if (call == null) {
            return false;
        }
        MediaRequest command = call.rules.onMessage(request, call.label(first));
        if (method == SipMethod.BYE) {
            end(call, request, command);
            return false;
        }
        return command != null && send(command, new Pending(call, first, true), request, held);
    }

    private static boolean carriesMedia(SipMethod method) {
        return method == SipMethod.INVITE || method == SipMethod.UPDATE || method == SipMethod.PRACK;
    }

    @Override
    public boolean response(
            ResponseContext context, int branch, SipMessageView response, HeldMessage held, long nowNs) {
        MediaCall call = carriesMedia(response.cseqMethod()) ? find(response, nowNs) : null;
        if (call == null) {
            return false;
        }
        boolean begins = response.cseqMethod() == SipMethod.INVITE && !context.isInDialog();
        MediaCall.Branch first = begins ? MediaCall.branch(context, branch) : null;
        if (first != null && !isRelayed(call, first, response)) {
            return false;
        }
        MediaRequest command = call.rules.onMessage(response, call.label(first));
        return command != null && send(command, new Pending(call, first, false), response, held);
    }

    /** What a response to the INVITE that began a call means; false if it is not for the engine. */
    private boolean isRelayed(MediaCall call, MediaCall.Branch branch, SipMessageView response) {
        int status = response.statusCode();
        boolean isSuccess = status >= 200 && status < 300;
        if (!call.has(branch)) {
            if (isSuccess && !call.isAnswered()) {
                end(call); // somebody has answered whose media are not relayed
            }
            return false;
        }
        if (isSuccess) {
            for (MediaCall.Branch lost : call.answered(response, branch)) {
                send(call.rules.branchFailed(call.label(lost)), call);
            }
        }
        return status < 300; // of the failure of all branches, failed is notified
    }

    @Override
    public boolean ack(SipMessageView ack, HeldMessage held, long nowNs) {
        MediaCall call = find(ack, nowNs);
        MediaRequest command = call == null ? null : call.rules.onMessage(ack, "");
        return call != null && command != null && send(command, new Pending(call, null, false), ack, held);
    }

    @Override
    public void failed(ResponseContext context, long nowNs) {
        MediaCall call = context.request(view) ? find(view, nowNs) : null;
        if (call != null && call.isSetUpBy(context)) {
            end(call);
        }
    }

    // ---- calls

    private @Nullable MediaCall find(SipMessageView message, long nowNs) {
        MediaCall call = calls.isEmpty() ? null : calls.get(message.callId());
        if (call != null) {
            call.lastNs = nowNs;
        }
        return call;
    }

    private @Nullable MediaCall begin(
            ResponseContext context,
            @Nullable ForkTarget target,
            SipMessageView invite,
            MediaCall.Branch branch,
            long nowNs) {
        MediaConfig.Profile profile = choice.profile(context, target, invite);
        if (profile == null) {
            return null;
        }
        MediaCall call = find(invite, nowNs);
        if (call == null) {
            makeRoom(nowNs);
            call = new MediaCall(invite.callId(), profile, relay.config().isByBranch());
            call.lastNs = nowNs;
            calls.put(call.callId, call);
            relay.counts().count(MediaCounter.CALLS);
        }
        call.add(branch);
        return call;
    }

    private void makeRoom(long nowNs) {
        Iterator<MediaCall> silent = calls.values().iterator();
        if (silent.hasNext()) {
            MediaCall oldest = silent.next();
            if (calls.size() >= relay.config().limits().calls() || nowNs - oldest.lastNs > FORGOTTEN) {
                silent.remove();
                relay.counts().count(MediaCounter.CALLS_FORGOTTEN);
            }
        }
    }

    private void end(MediaCall call, SipMessageView bye, @Nullable MediaRequest command) {
        if (call.ends(bye)) {
            calls.remove(call.callId);
        }
        send(command, call);
    }

    /** Ends the media of a call: those that an engine is just preparing as soon as it has answered. */
    private void end(MediaCall call) {
        calls.remove(call.callId);
        if (call.openCommands > 0) {
            call.isOver = true;
        } else {
            send(call.rules.expired(), call);
        }
    }

    // ---- commands

    /** Sends what no message waits for. */
    private void send(@Nullable MediaRequest command, MediaCall call) {
        if (command != null) {
            relay.send(command, call.profile);
        }
    }

    private boolean send(MediaRequest command, Pending of, SipMessageView message, HeldMessage held) {
        int offset = of.call.rules.sdpOffset() - message.bodyOffset();
        int length = of.call.rules.sdpLength();
        of.call.openCommands++;
        pending.put(held, of);
        // without room in the mailbox, the message is let go when it has waited for too long
        relay.send(command, of.call.profile)
                .thenAccept(reply -> lane.execute(nowNs -> answered(of, held, offset, length, reply, nowNs)));
        return true;
    }

    private void answered(Pending of, HeldMessage held, int offset, int length, MediaReply reply, long nowNs) {
        MediaCall call = of.call;
        call.openCommands--;
        if (call.isOver && call.openCommands == 0) {
            send(call.rules.expired(), call);
        }
        if (pending.remove(held) == null) {
            return; // it did not wait for so long
        }
        if (reply.isOk() && !reply.sdp().isEmpty()) {
            held.replace(offset, length, reply.sdpOctets(), nowNs);
            return;
        }
        if (of.branch != null && of.isRequest && call.remove(of.branch)) {
            calls.remove(call.callId, call);
        }
        giveUp(of, held, nowNs);
    }

    @Override
    public void expired(HeldMessage held, long nowNs) {
        Pending of = pending.remove(held);
        if (of == null) {
            return;
        }
        relay.counts().count(MediaCounter.LATE);
        if (of.branch != null && of.isRequest && of.call.remove(of.branch)) {
            end(of.call);
        }
        giveUp(of, held, nowNs);
    }

    /** What becomes of a message without an engine. Only a request can be refused. */
    private void giveUp(Pending of, HeldMessage held, long nowNs) {
        if (of.isRequest && relay.onFailure() == MediaConfig.FailurePolicy.REFUSE) {
            relay.counts().count(MediaCounter.REQUESTS_REFUSED);
            held.refuse(503, "Media Relay Unavailable", nowNs);
        } else {
            relay.counts().count(MediaCounter.PASSED_UNCHANGED);
            held.pass(nowNs);
        }
    }

    @Override
    public long patienceNs() {
        MediaConfig config = relay.config();
        MediaConfig.Limits limits = config.limits();
        long longest =
                (long) limits.retryMs() * limits.tries() * config.engines().size() * MS;
        return Math.min(longest + SPARE_PATIENCE, LONGEST_PATIENCE);
    }
}
