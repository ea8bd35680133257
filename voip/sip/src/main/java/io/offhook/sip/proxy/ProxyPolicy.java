package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipUriView;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.transaction.MessageFault;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy does with requests beyond the rules of the RFC: who may do what, and where requests without a route of their
 * own go. Called on the core's thread; what takes time is done elsewhere, and its result given to the context on that thread.
 */
public interface ProxyPolicy {
    /**
     * Decides on a request, which has passed the checks of RFC 3261, 16.3. One of the context's methods {@code relay}, {@code
     * fork} or {@code reply} must be called, once, now or later.
     *
     * @param context the request and what becomes of it
     * @param request the request; valid during the call, later by {@link ResponseContext#request}
     * @param nowNs the time
     */
    void decide(ResponseContext context, SipMessageView request, long nowNs);

    /**
     * Decides whether a new request other than ACK and CANCEL is taken at all; called before anything is kept of it, so that
     * refusing costs least. It is answered without a transaction, so its retransmissions are asked about, too; they must
     * be refused as well, because their sender may already have the answer.
     *
     * @param request the request, whose headers have not been checked beyond those that every message needs
     * @param isInDialog whether it belongs to a dialog: its To has a tag and, while requests are refused, a Route that we have
     *     signed, if we record ours; a tag alone can be made up by anybody
     * @param transaction a hash that retransmissions of the request have in common, and no other request
     * @return 0 to take it; otherwise the Retry-After of its 503, in seconds
     */
    default int retryAfterS(SipMessageView request, boolean isInDialog, long transaction, long nowNs) {
        return 0;
    }

    /** Whether {@link #retryAfterS} refuses requests at the moment, so that a tag of To is not taken on trust. */
    default boolean isRefusing() {
        return false;
    }

    /**
     * Decides on what is forwarded without a transaction: an ACK to a 2xx, which nobody can answer, or a CANCEL of an unknown
     * request.
     *
     * @param hasRoute whether its Route headers lead further
     * @param followsOwnRoute as {@link ResponseContext#followsOwnRoute}
     * @return whether it may be forwarded by its Route, or else by its Request-URI
     */
    default boolean mayForward(SipMessageView request, SipHop source, boolean hasRoute, boolean followsOwnRoute) {
        return true;
    }

    /** Changes to the headers of an ACK to a 2xx as it is passed on; those of other requests are set by {@link #decide}. */
    default HeaderChanges changesOf(SipMessageView ack) {
        return HeaderChanges.NONE;
    }

    /**
     * Whether only {@link #locate} knows where a Request-URI leads: a GRUU of our domain, which a phone may have as its
     * Contact (RFC 5627, 5.1).
     */
    default boolean needsLocation(SipUriView uri) {
        return false;
    }

    /** Finds the place of a Request-URI for an ACK to a 2xx; those of other requests are found by {@link #decide}. */
    default void locate(SipUri uri, long nowNs, Located result) {
        result.at(null, nowNs);
    }

    /** Receives a place, on the thread of the core, during the call or later. */
    @FunctionalInterface
    interface Located {
        /**
         * Called once.
         *
         * @param target null if there is none
         * @param nowNs the time
         */
        void at(@Nullable ForkTarget target, long nowNs);
    }

    /**
     * Whether the dialog's requests to this sender must come back by where this request came from: it is behind NAT, or
     * reached by its connection only. The Record-Route then carries a flow token.
     */
    default boolean needsFlowToken(SipMessageView request, SipHop source) {
        return source.transport().isReliable();
    }

    /**
     * Whether the dialog's requests to this target must go to the same place, because it is behind NAT, or reached by its
     * connection only. By default those do whose place was given with the target.
     *
     * @param to where the request goes
     */
    default boolean needsFlowToken(ForkTarget target, SipHop to) {
        return target.hop() != null && target.routes().isEmpty();
    }

    /** What changes bodies on their way; null if nothing does. Asked once, when the core is made. */
    default @Nullable BodyRewriter bodies() {
        return null;
    }

    /** A message could not be processed, and was answered or dropped, because of a fault that its sender has made. */
    default void rejected(SipHop source, MessageFault fault) {}

    /**
     * The account of the proxy itself at a peer that has answered a request with 401 or 407 (RFC 3261, 22.2 and 22.3). The
     * request is sent again with the credentials that it makes; what it does not answer is passed on. Called once for each
     * place of a branch that was challenged.
     *
     * @param context the request and what becomes of it
     * @param target the target that it was sent to; null if it followed its Route or its Request-URI
     * @param place where it was sent; valid during the call
     * @return an account for this branch alone; null if the sender is to answer
     */
    default @Nullable DigestClient account(ResponseContext context, @Nullable ForkTarget target, SipHop place) {
        return null;
    }

    /** A final response was forwarded, or the request was given up; the context will be used for another request. */
    default void ended(ResponseContext context) {}
}
