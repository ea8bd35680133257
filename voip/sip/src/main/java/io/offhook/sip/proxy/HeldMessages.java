package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.edit.MessageEdits;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ServerTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds messages while a {@link BodyRewriter} works on their bodies, and keeps what follows with the same Call-ID behind them.
 *
 * <pre>
 *  request ---> decided on ---> branch ---> rewriter? --no--> sent
 *  response, ACK -------------------------> rewriter? --no--> forwarded
 *      |                                       | yes
 *      | something of the call is held         v
 *      +-----> behind it <--- one by one --- held ---> passed, changed or refused
 * </pre>
 *
 * <p>CANCEL and 100 are not kept behind: they overtake nothing that goes their way. What comes again while it waits is
 * absorbed. A context is not released while a message of it waits.
 */
final class HeldMessages {
    /** The most messages behind the held ones of a call; and the most octets of all copies. */
    static final int MOST_BEHIND = 32;

    static final int MOST_OCTETS = 1 << 24;
    private static final int MESSAGE_LIMIT = 65_535;
    private static final int TRYING = 100;
    private static final int REDIRECTION = 300;

    private final ProxyCore core;
    private final BodyRewriter rewriter;
    private final ProxyCounters counters;
    private final Map<Long, HeldCall> calls = new HashMap<>();
    private final SipMessageView next = new SipMessageView();
    private final SipMessageView passed = new SipMessageView();
    private final MessageEdits edits = new MessageEdits();
    private final OctetWriter out = new OctetWriter(MESSAGE_LIMIT);
    private @Nullable HeldMessage spare;
    private int octets;

    HeldMessages(ProxyCore core, BodyRewriter rewriter) {
        this.core = core;
        this.rewriter = rewriter;
        counters = core.counters();
    }

    // what arrives

    /** Takes over a new request that must stay behind something; false if it may be processed. */
    boolean keepsBehind(ServerTransaction transaction, SipMessageView request, long nowNs) {
        HeldCall call = callOf(request);
        if (call == null) {
            return false;
        }
        if (call.behind.size() >= MOST_BEHIND) {
            counters.heldRefused++;
            core.own().send(transaction, request, 503, "Too Many Requests Wait", "Retry-After: 2\r\n", nowNs);
        } else {
            counters.heldBehind++;
            call.behind.add(new HeldCall.Request(transaction));
        }
        return true;
    }

    /** Takes over a response that waits, or has come before and waits still; false if it is to be forwarded. */
    boolean takes(ProxyBranch branch, SipMessageView response, long nowNs) {
        ResponseContext context = branch.context;
        if (context == null || response.statusCode() == TRYING) {
            return false;
        }
        HeldCall call = callOf(response);
        if (call == null) {
            return holdsResponse(branch, context, response, nowNs);
        }
        if (call.has(branch, response)) {
            counters.heldAgain++;
        } else if (hasRoom(call, response)) {
            context.held++;
            counters.heldBehind++;
            call.behind.add(new HeldCall.Response(branch, context, copy(response)));
        } else {
            counters.heldRefused++;
            // what comes again, or says little, is dropped; a final response that does neither overtakes the others
            return response.cseqMethod() == SipMethod.INVITE && response.statusCode() < REDIRECTION;
        }
        return true;
    }

    /** Takes over an ACK to a 2xx that waits, or has come before and waits still; false if it is to be forwarded. */
    boolean takes(SipMessageView ack, SipHop source, long nowNs) {
        HeldCall call = callOf(ack);
        if (call == null) {
            return holdsAck(ack, source, nowNs);
        }
        if (call.has(null, ack)) {
            counters.heldAgain++;
        } else if (hasRoom(call, ack)) {
            counters.heldBehind++;
            call.behind.add(new HeldCall.Ack(copy(ack), new SipHop().set(source)));
        } else {
            counters.heldRefused++; // it comes again with the next 2xx
        }
        return true;
    }

    /** Takes back an INVITE that was kept behind others and is cancelled; false if it was not. */
    boolean withdraws(ServerTransaction invite) {
        for (HeldCall call : calls.values()) {
            if (call.behind.removeIf(each -> each instanceof HeldCall.Request of && of.transaction() == invite)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable HeldCall callOf(SipMessageView message) {
        return calls.isEmpty() ? null : calls.get(message.callIdHash());
    }

    private boolean hasRoom(HeldCall call, SipMessageView message) {
        return call.behind.size() < MOST_BEHIND && octets + message.length() <= MOST_OCTETS;
    }

    private byte[] copy(SipMessageView message) {
        octets += message.length();
        return Arrays.copyOfRange(message.octets(), message.offset(), message.offset() + message.length());
    }

    // asking the rewriter

    /** Asks about the request of a branch; true if the branch goes on, or has gone on, by {@link Forwarding#start}. */
    boolean holdsRequest(ProxyBranch branch, ResponseContext context, SipMessageView request, long nowNs) {
        HeldMessage held = next(branch, context, request);
        held.isRequest = true;
        boolean isTaken = rewriter.request(context, branch.target, branch.number, request, held, nowNs);
        return isTaken(held, isTaken, request, nowNs);
    }

    private boolean holdsResponse(ProxyBranch branch, ResponseContext context, SipMessageView response, long nowNs) {
        if (octets + response.length() > MOST_OCTETS) {
            counters.heldRefused++;
            return false;
        }
        HeldMessage held = next(branch, context, response);
        return isTaken(held, rewriter.response(context, branch.number, response, held, nowNs), response, nowNs);
    }

    private boolean holdsAck(SipMessageView ack, SipHop source, long nowNs) {
        if (octets + ack.length() > MOST_OCTETS) {
            counters.heldRefused++;
            return false;
        }
        HeldMessage held = next(null, null, ack);
        held.source.set(source);
        return isTaken(held, rewriter.ack(ack, held, nowNs), ack, nowNs);
    }

    /** Made anew only after one was taken over. */
    private HeldMessage next(@Nullable ProxyBranch branch, @Nullable ResponseContext context, SipMessageView message) {
        HeldMessage held = spare == null ? new HeldMessage(this) : spare;
        spare = null;
        held.branch = branch;
        held.context = context;
        held.current = message;
        held.isRequest = false;
        return held;
    }

    private boolean isTaken(HeldMessage held, boolean isTaken, SipMessageView message, long nowNs) {
        held.current = null;
        if (!isTaken) {
            spare = held;
        } else if (held.isOpen()) {
            hold(held, message, nowNs);
        }
        return isTaken;
    }

    private void hold(HeldMessage held, SipMessageView message, long nowNs) {
        counters.held++;
        if (!held.isRequest) {
            held.octets = copy(message);
        }
        if (held.context != null) {
            held.context.held++;
        }
        HeldCall call = calls.computeIfAbsent(message.callIdHash(), this::newCall);
        held.call = call;
        call.held.add(held);
        core.transactions().wheel().start(call.timer, nowNs + rewriter.patienceNs());
    }

    private HeldCall newCall(long hash) {
        return new HeldCall(hash, (_, nowNs) -> expired(hash, nowNs));
    }

    private void expired(long hash, long nowNs) {
        HeldCall call = calls.get(hash);
        if (call == null) {
            return;
        }
        for (HeldMessage each : new ArrayList<>(call.held)) {
            counters.heldExpired++;
            rewriter.expired(each, nowNs);
            each.pass(nowNs); // in any case
        }
        call.isMoving = false; // also after an internal error, which must not keep the rest for ever
        moveOn(call, nowNs);
    }

    // letting go

    void pass(HeldMessage held, @Nullable BodyChange change, long nowNs) {
        ProxyBranch branch = held.branch;
        ResponseContext context = held.context;
        try {
            if (branch == null || context == null) {
                core.forwardAck(changed(held, change), held.source, nowNs);
            } else if (!held.isRequest) {
                core.forwarding().response(branch, changed(held, change), nowNs);
            } else if (branch.context == context && !branch.done) {
                branch.change = change;
                core.forwarding().start(branch, nowNs);
            }
        } finally {
            settle(held, nowNs);
        }
    }

    void refuse(HeldMessage held, int status, String reason, long nowNs) {
        ResponseContext context = held.context;
        if (!held.isRequest || context == null) {
            pass(held, null, nowNs);
            return;
        }
        if (!context.answered) {
            core.forwarding().refuse(context, status, reason, nowNs);
        }
        settle(held, nowNs);
    }

    /** The message with its change; as it came if it would be too long. */
    private SipMessageView changed(HeldMessage held, @Nullable BodyChange change) {
        SipMessageView message = held.current;
        byte[] own = held.octets;
        if (message == null && own != null) {
            passed.wrap(own, 0, own.length);
            message = passed;
        }
        if (message == null) {
            throw new IllegalStateException("a held message has no octets");
        }
        if (change == null) {
            return message;
        }
        edits.start(message);
        change.record(message, edits);
        out.clear();
        if (edits.writeTo(out)) {
            passed.wrap(out.octets(), 0, out.length());
            return passed;
        }
        return message;
    }

    /** What was held is gone: its context may end, and what is behind goes on. */
    private void settle(HeldMessage held, long nowNs) {
        HeldCall call = held.call;
        if (call == null) {
            return; // its rewriter let it go at once
        }
        held.call = null;
        byte[] own = held.octets;
        octets -= own == null ? 0 : own.length;
        call.held.remove(held);
        if (held.context != null) {
            core.letGo(held.context);
        }
        moveOn(call, nowNs);
    }

    private void moveOn(HeldCall call, long nowNs) {
        if (call.isMoving) {
            return;
        }
        call.isMoving = true;
        while (call.held.isEmpty() && !call.behind.isEmpty()) {
            process(call.behind.remove(), nowNs);
        }
        call.isMoving = false;
        if (call.isOver()) {
            core.transactions().wheel().stop(call.timer);
            calls.remove(call.hash, call);
        }
    }

    private void process(HeldCall.Behind behind, long nowNs) {
        switch (behind) {
            case HeldCall.Request request -> {
                if (request.transaction().request(next)) {
                    core.process(request.transaction(), next, nowNs);
                }
            }
            case HeldCall.Response response -> {
                byte[] own = response.octets();
                octets -= own.length;
                next.wrap(own, 0, own.length);
                if (!holdsResponse(response.branch(), response.context(), next, nowNs)) {
                    core.forwarding().response(response.branch(), next, nowNs);
                }
                core.letGo(response.context());
            }
            case HeldCall.Ack ack -> {
                byte[] own = ack.octets();
                octets -= own.length;
                next.wrap(own, 0, own.length);
                if (!holdsAck(next, ack.source(), nowNs)) {
                    core.forwardAck(next, ack.source(), nowNs);
                }
            }
        }
    }
}
