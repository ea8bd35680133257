package io.offhook.sip.transaction;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.OctetPool.Octets;
import org.jspecify.annotations.Nullable;

/**
 * A server transaction (RFC 3261, 17.2; RFC 6026, 7.1). It absorbs retransmitted requests, repeats responses and ends by
 * itself. Valid until {@link TransactionUser#ended(ServerTransaction)}, after which it is used for another request.
 *
 * <pre>
 *  INVITE                                                  other requests
 *  PROCEEDING --2xx-----> ACCEPTED --L--> ENDED            TRYING --1xx--> PROCEEDING
 *      |  300-699                                             |  final        |  final
 *      v                                                      v               v
 *  COMPLETED --ACK--> CONFIRMED --I--> ENDED                COMPLETED --J--> ENDED
 *      |  H: no ACK --> ENDED
 * </pre>
 */
public final class ServerTransaction implements Timer.Owner {
    /** The states of both kinds of server transaction. */
    public enum State {
        /** A request other than INVITE without any response so far. */
        TRYING,
        /** No final response so far. */
        PROCEEDING,
        /** A final response was sent; of an INVITE, 300 to 699 without its ACK. */
        COMPLETED,
        /** The ACK to 300 to 699 has come. */
        CONFIRMED,
        /** A 2xx to an INVITE was sent. */
        ACCEPTED,
        /** Over. */
        ENDED
    }

    private static final int TRYING_STATUS = 100;
    private static final int OK = 200;
    private static final int REDIRECTION = 300;

    private final TransactionLayer layer;
    private final SipHop source = new SipHop();
    private final SipHop replyTo = new SipHop();
    /** Timer G; before a final response, the one that sends 100. */
    private final Timer repeat = new Timer(this);
    /** Timers H, I, J and L. */
    private final Timer end = new Timer(this);

    long keyHigh;
    long keyLow;

    @Nullable
    ServerTransaction nextFree;

    private SipMethod method = SipMethod.OTHER;
    private State state = State.ENDED;
    private int fallbackPort;
    private int status;
    private boolean expired;
    private long interval;
    private @Nullable Octets request;
    private @Nullable Octets response;
    private @Nullable Object owner;

    ServerTransaction(TransactionLayer layer) {
        this.layer = layer;
    }

    void begin(SipMethod method, SipHop from, SipHop replyTo, int fallbackPort, @Nullable Octets request, long nowNs) {
        this.method = method;
        this.request = request;
        this.fallbackPort = fallbackPort;
        source.set(from);
        this.replyTo.set(replyTo);
        status = 0;
        expired = false;
        state = isInvite() ? State.PROCEEDING : State.TRYING;
        TransactionTimers timers = layer.timers();
        layer.wheel().start(repeat, nowNs + (isInvite() ? timers.trying() : timers.lateTrying()));
    }

    /** Whether it ended because no ACK came (timer H). */
    boolean isExpired() {
        return expired;
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

    /** Whether no final response was sent yet. */
    public boolean isPending() {
        return state == State.TRYING || state == State.PROCEEDING;
    }

    /** The status of the last response sent; 0 if there is none. */
    public int status() {
        return status;
    }

    /** Where the request came from. */
    public SipHop source() {
        return source;
    }

    /** Where responses go (RFC 3261, 18.2.2). */
    public SipHop replyTo() {
        return replyTo;
    }

    /** What the user of the layer keeps with this transaction; null until it is set. */
    public @Nullable Object owner() {
        return owner;
    }

    /** Sets what the user of the layer keeps with this transaction. */
    public void owner(@Nullable Object value) {
        owner = value;
    }

    /**
     * Wraps the request as it was received.
     *
     * @return false if it is no longer kept, because a final response was sent
     */
    public boolean request(SipMessageView view) {
        Octets kept = request;
        if (kept == null) {
            return false;
        }
        view.wrap(kept.octets, 0, kept.length);
        return true;
    }

    /**
     * Sends a response and keeps it for retransmissions. After a final response, only further 2xx to an INVITE are sent.
     *
     * @param message the response
     * @param responseStatus its status, 100 to 699
     * @param nowNs the time
     */
    public void respond(OctetWriter message, int responseStatus, long nowNs) {
        respond(message, responseStatus, true, nowNs);
    }

    /**
     * As {@link #respond}, but as long as the sender of an INVITE has had no response at all, it is sent only when the INVITE
     * comes, not by timer G: the sender repeats the INVITE until it has it, and a forged source gets nothing but one answer
     * for each request (RFC 3261, 26.3.2.4).
     */
    public void respondOnce(OctetWriter message, int responseStatus, long nowNs) {
        respond(message, responseStatus, status >= TRYING_STATUS, nowNs);
    }

    private void respond(OctetWriter message, int responseStatus, boolean repeats, long nowNs) {
        boolean isRepeated2xx = state == State.ACCEPTED && isSuccess(responseStatus);
        if (!isPending() && !isRepeated2xx) {
            layer.counters().countLateResponse();
            return;
        }
        status = responseStatus;
        layer.wheel().stop(repeat);
        send(message.octets(), message.length(), isRepeated2xx);
        if (isRepeated2xx) {
            return;
        }
        if (responseStatus < OK) {
            keep(message);
            state = State.PROCEEDING;
            return;
        }
        layer.release(request);
        request = null;
        long timeout = layer.timers().timeout();
        if (isInvite() && isSuccess(responseStatus)) {
            // the user agents repeat it, end to end
            layer.release(response);
            response = null;
            state = State.ACCEPTED;
            layer.wheel().start(end, nowNs + timeout);
            return;
        }
        keep(message);
        state = State.COMPLETED;
        boolean isReliable = source.transport().isReliable();
        if (isInvite()) {
            layer.wheel().start(end, nowNs + timeout);
            if (!isReliable && repeats) {
                interval = layer.timers().t1();
                layer.wheel().start(repeat, nowNs + interval);
            }
        } else if (isReliable) {
            end();
        } else {
            layer.wheel().start(end, nowNs + timeout);
        }
    }

    /** Sends a further 2xx to an INVITE after another final response (RFC 3261, 16.7 step 5), which changes nothing else. */
    public void pass(OctetWriter message) {
        if (state != State.ENDED) {
            send(message.octets(), message.length(), false);
        }
    }

    /**
     * Gives no final response to a request other than INVITE, because its sender has given up or will (RFC 4320, 4.2).
     * Retransmissions are absorbed as long as they may come.
     */
    public void stayQuiet(long nowNs) {
        if (!isPending()) {
            return;
        }
        if (source.transport().isReliable()) {
            end();
            return;
        }
        layer.wheel().stop(repeat);
        layer.release(request);
        layer.release(response);
        request = null;
        response = null;
        state = State.COMPLETED;
        layer.wheel().start(end, nowNs + layer.timers().timeout());
    }

    /** Ends the transaction without a response: the request is forwarded without one (RFC 3261, 16.10). */
    public void abandon() {
        if (state != State.ENDED) {
            end();
        }
    }

    /** The request came again. */
    void repeated(long nowNs) {
        Octets last = response;
        if (last != null && state != State.CONFIRMED) {
            layer.counters().countResponseRepeated();
            send(last.octets, last.length, true);
        } else if (isInvite() && state == State.PROCEEDING) {
            layer.wheel().stop(repeat);
            layer.sendTrying(this, nowNs);
        }
    }

    /** The ACK to a final response other than 2xx has come. */
    void acknowledged(long nowNs) {
        if (state != State.COMPLETED) {
            return;
        }
        layer.wheel().stop(repeat);
        layer.release(response);
        response = null;
        if (source.transport().isReliable()) {
            end();
        } else {
            state = State.CONFIRMED;
            layer.wheel().start(end, nowNs + layer.timers().t4());
        }
    }

    @Override
    public void expired(Timer timer, long nowNs) {
        if (timer == end) {
            if (state == State.COMPLETED && isInvite()) {
                expired = true;
                layer.counters().countUnacknowledged();
            }
            end();
        } else if (isPending()) {
            layer.sendTrying(this, nowNs);
        } else {
            Octets last = response;
            if (last != null) {
                layer.counters().countResponseRepeated();
                send(last.octets, last.length, true);
                interval = Math.min(2 * interval, layer.timers().t2());
                layer.wheel().start(repeat, nowNs + interval);
            }
        }
    }

    /** Whether a 100 is still of use: nothing was answered. */
    boolean needsTrying() {
        return isPending() && status < TRYING_STATUS;
    }

    private void send(byte[] octets, int length, boolean isAgain) {
        if (layer.send(replyTo, octets, length, method, status, isAgain)) {
            return;
        }
        if (replyTo.transport().isReliable()) {
            // the connection is gone: another one to the port of the sender's Via (18.2.2)
            replyTo.port(fallbackPort).connection(0);
            layer.send(replyTo, octets, length, method, status, isAgain);
        }
    }

    private void keep(OctetWriter message) {
        layer.release(response);
        response = layer.keep(message);
    }

    private void end() {
        state = State.ENDED;
        layer.wheel().stop(repeat);
        layer.wheel().stop(end);
        layer.release(request);
        layer.release(response);
        request = null;
        response = null;
        layer.ended(this);
    }

    private static boolean isSuccess(int status) {
        return status >= OK && status < REDIRECTION;
    }

    @Override
    public String toString() {
        return method + " from " + source + ", " + state;
    }
}
