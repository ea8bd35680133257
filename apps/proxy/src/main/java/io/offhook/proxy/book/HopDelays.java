package io.offhook.proxy.book;

import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.proxy.statistics.MessageKind;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.proxy.ProxyObserver;
import io.offhook.sip.proxy.ResponseContext;

/**
 * Measures what one lane adds to the way of messages, and how long targets take to respond. A request counts once, with its
 * first target or its own answer, whatever it waited for in between: names, registrations, routing logic. What follows the
 * silence of a target is not the proxy's delay. On the lane's thread, without allocating.
 */
public final class HopDelays implements ProxyObserver {
    private static final int OK = 200;

    private final LaneStatistics statistics;
    private final ProxyObserver next;

    /**
     * Creates the measuring of a lane.
     *
     * @param next is notified of everything, too
     */
    public HopDelays(LaneStatistics statistics, ProxyObserver next) {
        this.statistics = statistics;
        this.next = next;
    }

    @Override
    public void requestForwarded(ResponseContext context, SipMessageView request, SipHop to, long nowNs) {
        if (!context.isForwarded()) {
            statistics.leaves(MessageKind.of(request.method(), 0), context.receivedNs());
        }
        next.requestForwarded(context, request, to, nowNs);
    }

    @Override
    public void responseForwarded(
            ResponseContext context, SipMessageView response, SipHop from, long sentNs, long nowNs) {
        statistics.leaves(MessageKind.of(response.cseqMethod(), response.statusCode()), nowNs);
        next.responseForwarded(context, response, from, sentNs, nowNs);
    }

    @Override
    public void responseGiven(ResponseContext context, int status, long nowNs) {
        if (status >= OK && !context.isForwarded()) {
            statistics.leaves(MessageKind.of(context.method(), 0), context.receivedNs());
        }
        next.responseGiven(context, status, nowNs);
    }

    @Override
    public void targetResponded(SipMethod method, int status, SipHop from, long sentNs, long nowNs) {
        if (method == SipMethod.INVITE) {
            int row = statistics.neighbours().row(from.high(), from.low(), from.port(), nowNs);
            if (status < OK) {
                statistics.neighbours().firstProvisional(row, nowNs - sentNs);
            } else {
                statistics.neighbours().finalResponse(row, nowNs - sentNs);
            }
        }
        next.targetResponded(method, status, from, sentNs, nowNs);
    }

    @Override
    public void callAnswered(ResponseContext context, SipMessageView response, SipHop from, long nowNs) {
        next.callAnswered(context, response, from, nowNs);
    }

    @Override
    public void callFailed(ResponseContext context, int status, long nowNs) {
        next.callFailed(context, status, nowNs);
    }

    @Override
    public void callEnded(ResponseContext context, int status, long nowNs) {
        next.callEnded(context, status, nowNs);
    }
}
