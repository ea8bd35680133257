package io.offhook.proxy.tap;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.transaction.MessageFault;
import io.offhook.sip.transaction.TransactionObserver;
import java.time.InstantSource;
import java.util.List;

/**
 * Shows the messages of one lane to its watchers, and passes everything on to another observer, which counts. On the lane's
 * thread, without allocating; while no watcher is on, a message costs the question whether one is.
 */
public final class MessageTap implements TransactionObserver {
    private final TransactionObserver next;
    private final MessageWatcher[] watchers;
    private final SeenMessage seen;
    private final EpochTime time;

    /**
     * Creates the tap of a lane.
     *
     * @param next is notified first
     * @param watchers see messages, in this order
     * @param locals our addresses by listener, as the other end knows them
     * @param keys numbers of calls, the same for all lanes
     * @param clock the time of day
     */
    public MessageTap(
            TransactionObserver next,
            List<MessageWatcher> watchers,
            List<Endpoint> locals,
            CallKeys keys,
            InstantSource clock) {
        this.next = next;
        this.watchers = watchers.toArray(MessageWatcher[]::new);
        seen = new SeenMessage(List.copyOf(locals), keys.hash());
        time = new EpochTime(clock, System::nanoTime);
    }

    private boolean isWatched() {
        for (MessageWatcher watcher : watchers) {
            if (watcher.isOn()) {
                return true;
            }
        }
        return false;
    }

    private void show() {
        for (MessageWatcher watcher : watchers) {
            if (watcher.isOn()) {
                watcher.seen(seen);
            }
        }
    }

    @Override
    public void received(SipMessageView message, SipHop from, boolean isAgain, long nowNs) {
        next.received(message, from, isAgain, nowNs);
        if (isWatched()) {
            seen.received(message, from, isAgain, time.nowNs());
            show();
        }
    }

    @Override
    public void rejected(byte[] octets, int offset, int length, MessageFault fault, SipHop from, long nowNs) {
        next.rejected(octets, offset, length, fault, from, nowNs);
        if (fault != MessageFault.NOT_SIP && isWatched()) {
            seen.rejected(octets, offset, length, from, time.nowNs());
            show();
        }
    }

    @Override
    public void sent(byte[] octets, int length, SipMethod method, int status, SipHop to, boolean isAgain) {
        next.sent(octets, length, method, status, to, isAgain);
        if (isWatched()) {
            seen.sent(octets, length, to, time.nowNs());
            seen.sentAs(method, status, isAgain);
            show();
        }
    }

    @Override
    public void began(boolean isServer, boolean isInvite) {
        next.began(isServer, isInvite);
    }

    @Override
    public void ended(boolean isServer, boolean isInvite, boolean isExpired) {
        next.ended(isServer, isInvite, isExpired);
    }
}
