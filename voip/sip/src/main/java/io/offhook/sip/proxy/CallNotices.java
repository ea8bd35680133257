package io.offhook.sip.proxy;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import org.jspecify.annotations.Nullable;

/** Notifies the observer of responses, and of what they mean for a call. Called before the response is sent. */
final class CallNotices {
    private static final int TRYING = 100;
    private static final int OK = 200;
    private static final int REDIRECTION = 300;

    private final ProxyObserver observer;
    private final @Nullable BodyRewriter bodies;

    CallNotices(ProxyObserver observer, @Nullable BodyRewriter bodies) {
        this.observer = observer;
        this.bodies = bodies;
    }

    void requestForwarded(ResponseContext context, SipMessageView request, ProxyBranch branch) {
        observer.requestForwarded(context, request, branch.hop, branch.sentNs);
        context.forwarded = true;
    }

    /** A response came from a target, whatever becomes of it. */
    void received(ProxyBranch branch, SipMessageView response, long nowNs) {
        int status = response.statusCode();
        int heard = status < OK ? 1 : 2;
        if (status > TRYING && branch.heard < heard) {
            branch.heard = heard;
            observer.targetResponded(response.cseqMethod(), status, branch.hop, branch.sentNs, nowNs);
        }
    }

    /** A response passes; {@code status} is the one that the sender gets. */
    void forwarded(ResponseContext context, ProxyBranch branch, SipMessageView response, int status, long nowNs) {
        observer.responseForwarded(context, response, branch.hop, branch.sentNs, nowNs);
        if (!isFirstFinal(context, status)) {
            return;
        }
        if (status < REDIRECTION && isCall(context)) {
            observer.callAnswered(context, response, branch.hop, nowNs);
        } else {
            concluded(context, status, nowNs);
        }
    }

    /** A 2xx passes after another final response. */
    void late(ResponseContext context, ProxyBranch branch, SipMessageView response, long nowNs) {
        observer.responseForwarded(context, response, branch.hop, branch.sentNs, nowNs);
    }

    /** The proxy itself answers. */
    void given(ResponseContext context, int status, long nowNs) {
        observer.responseGiven(context, status, nowNs);
        if (isFirstFinal(context, status)) {
            concluded(context, status, nowNs);
        }
    }

    /** A request gets no final response, or one to a request whose call it ends. */
    void concluded(ResponseContext context, int status, long nowNs) {
        if (isCall(context) && status >= REDIRECTION) {
            observer.callFailed(context, status, nowNs);
            if (bodies != null) {
                bodies.failed(context, nowNs);
            }
        } else if (context.method() == SipMethod.BYE) {
            observer.callEnded(context, status, nowNs);
        }
    }

    private static boolean isFirstFinal(ResponseContext context, int status) {
        return status >= OK && context.server != null && context.server.isPending();
    }

    private static boolean isCall(ResponseContext context) {
        return context.method() == SipMethod.INVITE && !context.isInDialog();
    }
}
