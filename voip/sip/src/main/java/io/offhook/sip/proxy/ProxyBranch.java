package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.transaction.ClientTransaction;
import io.offhook.sip.transaction.Timer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One branch of a request: a target, the places where it may be, and what came of it. Reused. */
final class ProxyBranch {
    private static final byte[] NO_REASON = new byte[0];
    private static final byte[] NO_CREDENTIALS = new byte[0];

    /** Timer C. */
    final Timer timerC;

    @Nullable
    ResponseContext context;

    @Nullable
    ForkTarget target;

    @Nullable
    ClientTransaction client;
    /** Places to try if the one at hand fails (RFC 3263, 4.3). */
    List<SipHop> places = List.of();

    int nextPlace;
    /** Where the request was sent last, and when. */
    final SipHop hop = new SipHop();

    long sentNs;
    /** The class of the last response beyond 100 to what was sent there: 1 provisional, 2 final; 0 for none. */
    int heard;

    /** Whether a long request may go by TCP instead of UDP (RFC 3261, 18.1.1). */
    boolean mayUseTcp;
    /** Whether it was sent by TCP instead of UDP. */
    boolean usesTcp;
    /** Whether that has failed at the place at hand. */
    boolean avoidsTcp;
    /** Whether it went over a flow that its token named (RFC 5626, 5.3). */
    boolean byFlow;

    long breadth;
    /** Its number among those of the request, from 1. */
    int number;
    /** Whether the rewriter of bodies was asked about its request, and the change that it made; null for none. */
    boolean wasAsked;

    @Nullable
    BodyChange change;
    /** Whether places are being looked up. */
    boolean resolving;
    /** Whether it is over: it has a final status, or was given up. */
    boolean done;
    /** A CANCEL waits for the first provisional response (RFC 3261, 9.1), or was sent. */
    boolean cancelled;
    /** The Reason that the CANCEL has; empty for none. */
    byte[] cancelReason = NO_REASON;

    /** The account with which challenges at the place at hand are answered; null until there was one. */
    @Nullable
    DigestClient account;

    int challengesAnswered;
    /** Header lines that answer its challenges; empty for none. */
    byte[] credentials = NO_CREDENTIALS;

    /** The final status; 0 while there is none. */
    int status;
    /** Whether the status is our own conclusion rather than a response. */
    boolean local;
    /** The final response, if it must wait for others. */
    byte @Nullable [] response;

    ProxyBranch(Timer.Owner owner) {
        timerC = new Timer(owner);
    }

    void begin(ResponseContext of, @Nullable ForkTarget to, long maxBreadth) {
        context = of;
        target = to;
        breadth = maxBreadth;
        wasAsked = false;
        change = null;
        places = List.of();
        nextPlace = 0;
        resolving = false;
        done = false;
        cancelled = false;
        cancelReason = NO_REASON;
        mayUseTcp = false;
        usesTcp = false;
        avoidsTcp = false;
        byFlow = false;
        status = 0;
        local = false;
        response = null;
        client = null;
        forgetChallenges();
    }

    /** Goes on to another place, whose challenges are others. */
    void forgetChallenges() {
        account = null;
        challengesAnswered = 0;
        credentials = NO_CREDENTIALS;
    }

    /** Goes on with another target, of which nothing has been tried. */
    void tryInstead(ForkTarget other) {
        target = other;
        places = List.of();
        nextPlace = 0;
        resolving = false;
        usesTcp = false;
        avoidsTcp = false;
        byFlow = false;
        forgetChallenges();
    }

    /** The place at hand, if a name led there. */
    @Nullable
    SipHop place() {
        return nextPlace > 0 && nextPlace <= places.size() ? places.get(nextPlace - 1) : null;
    }

    boolean hasMorePlaces() {
        return nextPlace < places.size();
    }

    void finish(int finalStatus, @Nullable SipMessageView message, boolean keep) {
        done = true;
        status = finalStatus;
        local = message == null;
        response = message != null && keep
                ? Arrays.copyOfRange(message.octets(), message.offset(), message.offset() + message.length())
                : null;
    }

    void end() {
        context = null;
        target = null;
        client = null;
        places = List.of();
        change = null;
        response = null;
        forgetChallenges();
    }
}
