package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.transaction.ServerTransaction;
import io.offhook.sip.transaction.Timer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages of one Call-ID that are held, and those behind them in the order of their arrival. */
final class HeldCall {
    /** A message behind a held one. */
    sealed interface Behind {}

    /** A request, which its transaction keeps. */
    record Request(ServerTransaction transaction) implements Behind {}

    /** A response to a branch of a request. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Response(ProxyBranch branch, ResponseContext context, byte[] octets) implements Behind {}

    /** An ACK to a 2xx. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Ack(byte[] octets, SipHop source) implements Behind {}

    final long hash;
    final List<HeldMessage> held = new ArrayList<>(1);
    final ArrayDeque<Behind> behind = new ArrayDeque<>(1);
    /** The patience with the message held last. */
    final Timer timer;

    /** Whether what is behind is just being processed. */
    boolean isMoving;

    HeldCall(long hash, Timer.Owner owner) {
        this.hash = hash;
        timer = new Timer(owner);
    }

    boolean isOver() {
        return held.isEmpty() && behind.isEmpty();
    }

    /** Whether a response, or with no branch an ACK, has come before and still waits. */
    boolean has(@Nullable ProxyBranch branch, SipMessageView message) {
        for (HeldMessage each : held) {
            if (each.isSame(branch, message)) {
                return true;
            }
        }
        for (Behind each : behind) {
            boolean isSame = switch (each) {
                case Request _ -> false;
                case Response response -> response.branch == branch && HeldMessage.isSame(response.octets, message);
                case Ack ack -> branch == null && HeldMessage.isSame(ack.octets, message);
            };
            if (isSame) {
                return true;
            }
        }
        return false;
    }
}
