package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.ClientTransaction;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * OPTIONS of the proxy itself, which ask whether a neighbour is alive (RFC 3261, 11): client transactions as any other, with
 * the Via of the listener that they leave from. Max-Forwards is that of other requests, 70 by default: a neighbour answers for
 * itself because the URI is its own, while some answer a Max-Forwards of 0 by an error. For the thread of one core.
 */
public final class OptionsRequests {
    /** Receives the result, on the thread of the core, during the call or later. */
    @FunctionalInterface
    public interface Result {
        /**
         * Called once, unless the question was given up.
         *
         * @param status the final status, 200 to 699; 0 if none came from any place, or none could be reached
         * @param nowNs the time
         */
        void answered(int status, long nowNs);
    }

    private static final int OK = 200;
    private static final int LIMIT = 8192;

    private final ProxyCore core;
    private final ProxyIdentity identity;
    private final NextHop nextHop;
    private final int maxForwards;
    private final SplittableRandom random;
    private final SipHop to = new SipHop();
    private final OctetWriter out = new OctetWriter(LIMIT);

    OptionsRequests(ProxyCore core, ProxyIdentity identity, NextHop nextHop, int maxForwards, long seed) {
        this.core = core;
        this.identity = identity;
        this.nextHop = nextHop;
        this.maxForwards = maxForwards;
        random = new SplittableRandom(seed);
    }

    /**
     * Asks a neighbour. Where its name leads to several places, they are asked one after the other until one answers (RFC 3263,
     * 4.3).
     *
     * @param uri a SIP or SIPS URI without headers
     * @param nowNs the time
     * @param result receives the status
     * @return the question, to be given up if it takes too long
     */
    public Question ask(String uri, long nowNs, Result result) {
        Question question = new Question(uri, result);
        switch (nextHop.read(uri)) {
            case ADDRESS -> question.places(List.of(new SipHop().set(nextHop.hop())), nowNs);
            case NAME -> nextHop.resolver().resolve(uri, nowNs, question::places);
            default -> {
                core.counters().unroutable++;
                question.end(0, nowNs);
            }
        }
        return question;
    }

    /** One question to a neighbour. */
    public final class Question implements ProxyCore.ClientUser {
        private final String uri;
        private final Result result;
        private List<SipHop> places = List.of();
        private int nextPlace;
        private @Nullable ClientTransaction client;
        private boolean isOver;

        private Question(String uri, Result result) {
            this.uri = uri;
            this.result = result;
        }

        /** Gives the question up: nothing more is sent, and no result comes. */
        public void giveUp() {
            isOver = true;
            ClientTransaction of = client;
            client = null;
            if (of != null) {
                of.abandon();
            }
        }

        private void places(List<SipHop> found, long nowNs) {
            places = found;
            next(nowNs);
        }

        private void next(long nowNs) {
            while (!isOver && nextPlace < places.size()) {
                if (send(places.get(nextPlace++), nowNs)) {
                    return;
                }
            }
            if (!isOver) {
                end(0, nowNs);
            }
        }

        /** Sends to a place; false if there is no way to it. If the transport fails at once, this is called for the next one. */
        private boolean send(SipHop place, long nowNs) {
            to.set(place);
            ClientTransaction of =
                    nextHop.selectListener(to, -1) ? core.transactions().newClient(SipMethod.OPTIONS, to) : null;
            if (of == null) {
                return false;
            }
            write(uri, of);
            if (out.isOverflown()) {
                core.transactions().discard(of);
                return false;
            }
            client = of;
            of.owner(this);
            of.send(out, nowNs);
            return true;
        }

        private void end(int status, long nowNs) {
            isOver = true;
            result.answered(status, nowNs);
        }

        @Override
        public void response(ClientTransaction transaction, SipMessageView response, long nowNs) {
            if (transaction == client && response.statusCode() >= OK) {
                client = null;
                end(response.statusCode(), nowNs);
            }
        }

        @Override
        public void noResponse(ClientTransaction transaction, int status, long nowNs) {
            if (transaction == client) {
                client = null;
                next(nowNs);
            }
        }
    }

    private void write(String uri, ClientTransaction client) {
        ProxyListener from = identity.listeners().get(client.hop().listener());
        out.clear();
        out.put("OPTIONS " + uri + " SIP/2.0\r\n")
                .put(identity.viaPrefix(client.hop().listener()));
        client.writeBranch(0, out);
        out.put("\r\nMax-Forwards: ").putDecimal(maxForwards);
        out.put("\r\nFrom: <sip:" + from.host() + ">;tag=" + token() + "\r\nTo: <" + uri + ">\r\nCall-ID: " + token()
                + token() + "@" + from.host() + "\r\nCSeq: 1 OPTIONS\r\nContact: <" + from.uri(uri.startsWith("sips:"))
                + ">\r\nAccept: application/sdp\r\nContent-Length: 0\r\n\r\n");
    }

    private String token() {
        return HexFormat.of().toHexDigits(random.nextLong());
    }
}
