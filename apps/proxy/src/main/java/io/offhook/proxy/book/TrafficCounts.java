package io.offhook.proxy.book;

import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.proxy.statistics.MessageWay;
import io.offhook.proxy.statistics.TransactionKind;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.transaction.TransactionObserver;

/** Counts the messages and transactions of one lane, by neighbour; on the lane's thread, without allocating. */
public final class TrafficCounts implements TransactionObserver {
    private final LaneStatistics statistics;
    private long nowNs;

    /** Creates the counting of a lane. */
    public TrafficCounts(LaneStatistics statistics) {
        this.statistics = statistics;
    }

    @Override
    public void received(SipMessageView message, SipHop from, boolean isAgain, long atNs) {
        nowNs = atNs;
        boolean isRequest = message.isRequest();
        count(
                from,
                isAgain ? MessageWay.RECEIVED_AGAIN : MessageWay.RECEIVED,
                isRequest ? message.method() : message.cseqMethod(),
                isRequest ? 0 : message.statusCode());
    }

    @Override
    public void sent(byte[] octets, int length, SipMethod method, int status, SipHop to, boolean isAgain) {
        count(to, isAgain ? MessageWay.SENT_AGAIN : MessageWay.SENT, method, status);
    }

    private void count(SipHop neighbour, MessageWay way, SipMethod method, int status) {
        int row = statistics.neighbours().row(neighbour.high(), neighbour.low(), neighbour.port(), nowNs);
        statistics.message(row, way, method, status);
    }

    @Override
    public void began(boolean isServer, boolean isInvite) {
        statistics.transactionBegan(kind(isServer, isInvite));
    }

    @Override
    public void ended(boolean isServer, boolean isInvite, boolean isExpired) {
        statistics.transactionEnded(kind(isServer, isInvite), isExpired);
    }

    private static TransactionKind kind(boolean isServer, boolean isInvite) {
        if (isServer) {
            return isInvite ? TransactionKind.INVITE_SERVER : TransactionKind.OTHER_SERVER;
        }
        return isInvite ? TransactionKind.INVITE_CLIENT : TransactionKind.OTHER_CLIENT;
    }
}
