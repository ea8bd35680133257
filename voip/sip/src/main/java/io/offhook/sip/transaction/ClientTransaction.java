package io.offhook.sip.transaction;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.OctetPool.Octets;
import org.jspecify.annotations.Nullable;

/**
 * A client transaction (RFC 3261, 17.1; RFC 6026, 7.2). It repeats the request, acknowledges final responses other than 2xx
 * to an INVITE, and ends by itself. Valid until {@link TransactionUser#ended(ClientTransaction)}, after which it is used for
 * another request.
 *
 * <pre>
 *  INVITE                                              other requests
 *  CALLING --1xx--> PROCEEDING                         TRYING --1xx--> PROCEEDING
 *     |  2xx           |  2xx                             |  final        |  final
 *     v                v                                  v               v
 *  ACCEPTED --M--> ENDED                                COMPLETED --K--> ENDED
 *     |  300-699: COMPLETED --D--> ENDED                 F: timed out
 *     |  B: timed out
 * </pre>
 */
public final class ClientTransaction implements Timer.Owner {
    /** The states of both kinds of client transaction. */
    public enum State {
        /** Created, and not sent yet. */
        NEW,
        /** Sent, and nothing has come back; called CALLING for an INVITE. */
        TRYING,
        /** A provisional response has come. */
        PROCEEDING,
        /** A final response has come; of an INVITE, 300 to 699. */
        COMPLETED,
        /** A 2xx to an INVITE has come. */
        ACCEPTED,
        /** Over. */
        ENDED
    }

    private static final int OK = 200;
    private static final int REDIRECTION = 300;

    private final TransactionLayer layer;
    private final int slot;
    private final SipHop hop = new SipHop();
    /** Timers A and E. */
    private final Timer repeat = new Timer(this);
    /** Timers B, D, F, K and M. */
    private final Timer end = new Timer(this);

    @Nullable
    ClientTransaction nextFree;

    /** Of those that went to the same place and wait for a response, in a ring: {@link HopTable}. */
    @Nullable
    ClientTransaction older;

    @Nullable
    ClientTransaction newer;

    /** Grows with each transaction of the layer. */
    long number;

    private SipMethod method = SipMethod.OTHER;
    private State state = State.ENDED;
    private long token;
    private boolean expired;
    private long interval;
    private long startedNs;
    /** The request; of an INVITE with a final response, the ACK. */
    private @Nullable Octets message;

    private @Nullable ClientTransaction cancel;
    private boolean hasCancel;
    private @Nullable ClientTransaction invite;
    private @Nullable Object owner;

    ClientTransaction(TransactionLayer layer, int slot) {
        this.layer = layer;
        this.slot = slot;
    }

    void begin(SipMethod method, long token, SipHop to) {
        this.method = method;
        this.token = token;
        hop.set(to);
        hasCancel = false;
        expired = false;
        state = State.NEW;
    }

    void beginCancel(ClientTransaction of) {
        begin(SipMethod.CANCEL, of.token, of.hop);
        invite = of;
        of.cancel = this;
    }

    /** Whether it ended because no final response came (timers B and F). */
    boolean isExpired() {
        return expired;
    }

    int slot() {
        return slot;
    }

    long token() {
        return token;
    }

    @Nullable
    ClientTransaction cancel() {
        return cancel;
    }

    /** Whether it is a CANCEL, which has the branch of its INVITE. */
    boolean isCancel() {
        return invite != null;
    }

    /** The method of the request. */
    public SipMethod method() {
        return method;
    }

    /** Whether the request is an INVITE. */
    public boolean isInvite() {
        return method == SipMethod.INVITE;
    }

    /** The state. */
    public State state() {
        return state;
    }

    /** Where the request goes. */
    public SipHop hop() {
        return hop;
    }

    /** When the request was sent. */
    public long startedNs() {
        return startedNs;
    }

    /** What the user of the layer keeps with this transaction; null until it is set. */
    public @Nullable Object owner() {
        return owner;
    }

    /** Sets what the user of the layer keeps with this transaction. */
    public void owner(@Nullable Object value) {
        owner = value;
    }

    /** Whether no final response has come, and none is missing. */
    public boolean isPending() {
        return state == State.NEW || state == State.TRYING || state == State.PROCEEDING;
    }

    /** Whether a provisional response has come, so that an INVITE may be cancelled (RFC 3261, 9.1). */
    public boolean isProceeding() {
        return state == State.PROCEEDING;
    }

    /** Appends the branch parameter's value for the Via of the request. */
    public void writeBranch(int loop, OctetWriter out) {
        Branch.write(layer.lane(), slot, token, loop, out);
    }

    /**
     * Sends the request. If the transport fails at once, {@link TransactionUser#failed} is called before the method returns.
     */
    public void send(OctetWriter request, long nowNs) {
        if (state != State.NEW) {
            throw new IllegalStateException(this + " was sent before");
        }
        message = layer.keep(request);
        state = State.TRYING;
        startedNs = nowNs;
        TransactionTimers timers = layer.timers();
        layer.wheel().start(end, nowNs + timers.timeout());
        if (!hop.transport().isReliable()) {
            interval = timers.t1();
            layer.wheel().start(repeat, nowNs + interval);
        }
        layer.waiting().add(this);
        if (message == null) {
            // without it nothing could be sent again, acknowledged or cancelled
            layer.counters().countLimited();
            fail(nowNs);
        } else if (!layer.send(hop, request.octets(), request.length(), method, 0, false)) {
            layer.counters().countTransportFailure();
            fail(nowNs);
        }
    }

    /**
     * Sends a CANCEL for this INVITE, which must be {@link #isProceeding}; once only.
     *
     * @param reason the value of Reason (RFC 3326); empty for none
     * @return whether it was sent by this call
     */
    public boolean sendCancel(byte[] reason, long nowNs) {
        Octets request = message;
        if (!isProceeding() || hasCancel || request == null) {
            return false;
        }
        hasCancel = layer.cancel(this, request, reason, nowNs);
        return hasCancel;
    }

    /** Gives up an INVITE without final response, such as one whose CANCEL nobody answered; only its end is reported. */
    public void abandon() {
        if (isPending()) {
            end();
        }
    }

    /** A response has come. */
    void received(SipMessageView response, int status, long nowNs) {
        layer.waiting().remove(this);
        if (isInvite()) {
            receivedToInvite(response, status, nowNs);
        } else {
            receivedToOther(response, status, nowNs);
        }
    }

    private void receivedToInvite(SipMessageView response, int status, long nowNs) {
        if (state == State.ACCEPTED) {
            if (isSuccess(status)) {
                layer.user().response(this, response, nowNs);
            } else {
                layer.counters().countStray();
            }
            return;
        }
        if (state == State.COMPLETED) {
            if (status >= REDIRECTION) {
                layer.counters().countResponseAgain();
                repeatAck();
            } else if (status >= OK) {
                // a proxy further on has forked, and the 2xx of another branch was on its way (16.7 step 5)
                layer.user().response(this, response, nowNs);
            } else {
                layer.counters().countStray();
            }
            return;
        }
        layer.wheel().stop(repeat);
        if (status < OK) {
            layer.wheel().stop(end);
            state = State.PROCEEDING;
            layer.user().response(this, response, nowNs);
            return;
        }
        long timeout = layer.timers().timeout();
        boolean mustEnd = false;
        if (isSuccess(status)) {
            state = State.ACCEPTED;
            forget();
            layer.wheel().start(end, nowNs + timeout);
        } else {
            state = State.COMPLETED;
            acknowledge(response);
            mustEnd = hop.transport().isReliable();
            layer.wheel().start(end, nowNs + timeout);
        }
        layer.user().response(this, response, nowNs);
        if (mustEnd && state == State.COMPLETED) {
            end();
        }
    }

    private void receivedToOther(SipMessageView response, int status, long nowNs) {
        if (!isPending()) {
            layer.counters().countResponseAgain();
            return;
        }
        if (status < OK) {
            state = State.PROCEEDING;
            layer.user().response(this, response, nowNs);
            return;
        }
        layer.wheel().stop(repeat);
        state = State.COMPLETED;
        forget();
        boolean isReliable = hop.transport().isReliable();
        layer.wheel().start(end, nowNs + layer.timers().t4());
        if (!isCancel()) {
            layer.user().response(this, response, nowNs);
        }
        if (isReliable && state == State.COMPLETED) {
            end();
        }
    }

    @Override
    public void expired(Timer timer, long nowNs) {
        if (timer == end) {
            if (isPending()) {
                expired = true;
                layer.counters().countTimeout();
                state = State.COMPLETED;
                if (!isCancel()) {
                    layer.user().timedOut(this, nowNs);
                }
            }
            if (state != State.ENDED) {
                end();
            }
            return;
        }
        Octets request = message;
        if (request == null || !isPending()) {
            return;
        }
        layer.counters().countRequestRepeated();
        interval = isInvite()
                ? 2 * interval
                : Math.min(2 * interval, layer.timers().t2());
        if (state == State.PROCEEDING) {
            interval = layer.timers().t2();
        }
        layer.wheel().start(repeat, nowNs + interval);
        if (!layer.send(hop, request.octets, request.length, method, 0, true)) {
            layer.counters().countTransportFailure();
            fail(nowNs);
        }
    }

    /** The transport has failed: counts as a 503 (RFC 3261, 16.9). */
    void fail(long nowNs) {
        if (!isPending()) {
            return;
        }
        state = State.COMPLETED;
        if (!isCancel()) {
            layer.user().failed(this, nowNs);
        }
        if (state != State.ENDED) {
            end();
        }
    }

    private void acknowledge(SipMessageView response) {
        Octets request = message;
        message = null;
        if (request != null) {
            OctetWriter ack = layer.writeAck(request, response);
            message = layer.keep(ack);
            layer.send(hop, ack.octets(), ack.length(), SipMethod.ACK, 0, false);
            layer.release(request);
        }
    }

    private void repeatAck() {
        Octets ack = message;
        if (ack != null) {
            layer.send(hop, ack.octets, ack.length, SipMethod.ACK, 0, true);
        }
    }

    private void forget() {
        layer.release(message);
        message = null;
    }

    private void end() {
        state = State.ENDED;
        layer.waiting().remove(this);
        layer.wheel().stop(repeat);
        layer.wheel().stop(end);
        forget();
        ClientTransaction of = invite;
        if (of != null) {
            of.cancel = null;
            invite = null;
        }
        ClientTransaction own = cancel;
        if (own != null && own.state != State.ENDED) {
            own.end();
        }
        layer.ended(this, of != null);
    }

    private static boolean isSuccess(int status) {
        return status >= OK && status < REDIRECTION;
    }

    @Override
    public String toString() {
        return method + " to " + hop + ", " + state;
    }
}
