package io.offhook.calls;

import io.offhook.calls.sdp.SessionState;
import io.offhook.sip.SipMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the two sides of a call agreed on by offer and answer (RFC 3264), and for how long.
 *
 * <p>An offer within a call waits for the response to its request: a 2xx puts it into effect as of the time it was
 * made, any other final response leaves the session unchanged (RFC 3261, 14.1; RFC 6337, 3.4). An offer whose response
 * was not captured counts as accepted, since the sides went on. An offer that sets up a call takes effect at once, as
 * media may precede the answer.
 */
final class OfferAnswer {
    /** The most intervals of hold that are kept per call. */
    static final int MAX_HOLDS = 64;

    /** The most changes of the session, and the most times of silence of a side, that are kept per call. */
    static final int MAX_CHANGES = 64;

    /** The most kinds of requests kept apart: three methods, two sides, and a few hops. */
    private static final int MAX_OFFERS = 16;

    private final Call call;
    private final Party caller = new Party();
    private final Party callee = new Party();
    private final List<Offer> offers = new ArrayList<>(1);
    private final List<CallReport.Hold> holds = new ArrayList<>(0);
    private final List<Long> changesNs = new ArrayList<>(2);
    private int droppedHolds;
    private int droppedChanges;
    private boolean described;
    private boolean exchanged;
    private boolean fax;
    private boolean encrypted;
    private boolean keyedByBoth;

    /** The state of one side. */
    private static final class Party {
        private @Nullable SessionState state;
        private long heldSinceNs = Call.NEVER;
        private long silentSinceNs = Call.NEVER;
        private final List<Spans.Span> silences = new ArrayList<>(0);
    }

    /**
     * A request, identified by what its responses repeat (RFC 3261, 8.2.6.2).
     *
     * @param by the sender
     * @param fromTag hash of its From tag, which differs between the hops before and after a B2BUA
     * @param sequence CSeq number
     */
    record Request(Side by, SipMethod method, long fromTag, long sequence) {
        boolean isOfKind(Request other) {
            return by == other.by && method == other.method && fromTag == other.fromTag;
        }
    }

    /** A request that carries an offer or, without SDP, asks for one. The last one of each kind is kept. */
    private static final class Offer {
        private final Request request;
        private final long timestampNs;
        private final @Nullable SessionState state;
        private final boolean initial;
        private @Nullable SessionState answer;
        private boolean open = true;

        Offer(Request request, long timestampNs, @Nullable SessionState state, boolean initial) {
            this.request = request;
            this.timestampNs = timestampNs;
            this.state = state;
            this.initial = initial;
        }

        Side by() {
            return request.by();
        }

        boolean isPending() {
            return open && !initial && state != null;
        }
    }

    OfferAnswer(Call call) {
        this.call = call;
    }

    /**
     * Processes an INVITE, UPDATE or PRACK.
     *
     * @param state the state that its SDP describes; null without SDP
     * @return whether the SDP is an answer: only in a PRACK, to an offer in a provisional response (RFC 3262, 5)
     */
    boolean request(Request request, long timestampNs, @Nullable SessionState state) {
        described |= state != null;
        Offer known = find(request);
        if (known != null && known.request.sequence() == request.sequence()) {
            return false; // on the next hop
        }
        if (request.method() == SipMethod.PRACK) {
            if (state == null) {
                return false;
            }
            Offer invite = find(new Request(request.by(), SipMethod.INVITE, request.fromTag(), 0));
            if (invite != null && invite.open && invite.state == null) {
                answer(request.by(), timestampNs, state);
                return true;
            }
        }
        if (known == null && offers.size() == MAX_OFFERS) {
            known = offers.getFirst();
        }
        if (known != null) {
            if (known.isPending()) {
                accept(known);
            }
            offers.remove(known);
        }
        offers.add(new Offer(request, timestampNs, state, !call.isAnswered()));
        return false;
    }

    /**
     * Processes a response to one of these requests.
     *
     * @param request the request that it responds to
     * @param state the state that its SDP describes; null without SDP
     * @return whether the SDP is an answer rather than an offer
     */
    boolean response(Request request, int status, long timestampNs, @Nullable SessionState state) {
        Side by = request.by().other();
        Offer offer = find(request);
        if (offer != null && offer.request.sequence() != request.sequence()) {
            offer = null;
        }
        if (status >= 300) {
            if (offer != null && !offer.initial) {
                offer.open = false;
            }
            return false;
        }
        described |= state != null;
        // the request was not captured; most bring an offer
        boolean isAnswer = offer == null || offer.state != null;
        if (status >= 200) {
            success(offer, by, timestampNs, state);
        } else if (state != null && offer != null && !offer.initial) {
            offer.answer = state; // with the 2xx, which need not repeat it
        } else if (state != null) {
            early(offer, by, timestampNs, state);
        }
        return isAnswer && state != null;
    }

    private void success(@Nullable Offer offer, Side by, long timestampNs, @Nullable SessionState state) {
        SessionState given = state != null || offer == null ? state : offer.answer;
        if (offer != null && offer.open) {
            offer.open = false;
            if (offer.state != null) {
                offer.answer = given;
                accept(offer);
            }
        }
        if (given == null) {
            return;
        }
        if (offer != null && offer.state == null && !offer.initial) {
            hold(by, given, timestampNs); // the 2xx brings the offer
        }
        answer(by, timestampNs, given);
        exchange(offer == null ? null : offer.state, given);
    }

    private void early(@Nullable Offer offer, Side by, long timestampNs, SessionState state) {
        if (offer != null && offer.state != null) {
            offer.answer = state;
            set(offer.by(), offer.state, offer.timestampNs);
            exchange(offer.state, state);
        }
        set(by, state, timestampNs);
    }

    /**
     * Processes the SDP of an ACK: the answer to an offer in the 2xx. The sender of an INVITE without SDP asks for an
     * offer and can only answer, so accepting no more than the offer is not a hold.
     */
    void acknowledgement(Request request, long timestampNs, SessionState state) {
        described = true;
        Side by = request.by();
        SessionState offer = party(by.other()).state;
        Offer invite = find(new Request(by, SipMethod.INVITE, request.fromTag(), 0));
        boolean asked = invite != null && !invite.initial && invite.state == null;
        if (asked && offer != null && !offer.hold()) {
            hold(by, state, timestampNs);
        }
        answer(by, timestampNs, state);
        exchange(offer, state);
    }

    private @Nullable Offer find(Request request) {
        for (Offer offer : offers) {
            if (offer.request.isOfKind(request)) {
                return offer;
            }
        }
        return null;
    }

    /** Puts an offer into effect as of the time it was made. */
    private void accept(Offer offer) {
        SessionState state = offer.state;
        if (state == null) {
            return;
        }
        if (!offer.initial) {
            hold(offer.by(), state, offer.timestampNs);
        }
        set(offer.by(), state, offer.timestampNs);
        if (offer.answer == null) {
            exchange(null, state); // as if it was all accepted
        }
    }

    /** Processes an answer, which may end the hold of its side, but puts nobody on hold. */
    private void answer(Side by, long timestampNs, SessionState state) {
        if (!state.hold()) {
            hold(by, state, timestampNs);
        }
        set(by, state, timestampNs);
    }

    private void exchange(@Nullable SessionState offer, SessionState answer) {
        exchanged = true;
        fax |= answer.fax();
        encrypted |= answer.encrypted();
        keyedByBoth |= offer != null && offer.keyed() && answer.keyed();
    }

    private void set(Side side, SessionState state, long timestampNs) {
        party(side).state = state;
        if (changesNs.isEmpty() || changesNs.getLast() != timestampNs) {
            if (changesNs.size() <= MAX_CHANGES) {
                changesNs.add(timestampNs);
            } else {
                droppedChanges++;
                changesNs.removeLast(); // the last place is for the latest
                changesNs.add(timestampNs);
            }
        }
        for (Side each : Side.values()) {
            Party party = party(each);
            boolean silent = !isToSend(each);
            if (silent && party.silentSinceNs == Call.NEVER) {
                party.silentSinceNs = timestampNs;
            } else if (!silent && party.silentSinceNs != Call.NEVER) {
                if (party.silences.size() < MAX_CHANGES) {
                    party.silences.add(new Spans.Span(party.silentSinceNs, timestampNs));
                } else {
                    droppedChanges++;
                }
                party.silentSinceNs = Call.NEVER;
            }
        }
    }

    /** The time from which the sides may talk: the answer or, if that preceded the capture, the first message. */
    long talkFromNs() {
        return call.answeredNs() == Call.NEVER ? call.firstSeenNs() : call.answeredNs();
    }

    /** Whether a side declared to send audio and the other to receive it, or neither declared otherwise. */
    private boolean isToSend(Side side) {
        SessionState own = party(side).state;
        SessionState others = party(side.other()).state;
        return (own == null || own.sends()) && (others == null || others.receives());
    }

    /** Processes an offer: one to send only, or to do nothing, puts the other side on hold. */
    private void hold(Side side, SessionState state, long timestampNs) {
        Party party = party(side);
        if (state.hold() && party.heldSinceNs == Call.NEVER) {
            party.heldSinceNs = timestampNs;
        } else if (!state.hold() && party.heldSinceNs != Call.NEVER) {
            if (holds.size() < MAX_HOLDS) {
                holds.add(new CallReport.Hold(side, party.heldSinceNs, timestampNs));
            } else {
                droppedHolds++;
            }
            party.heldSinceNs = Call.NEVER;
        }
    }

    private Party party(Side side) {
        return side == Side.CALLER ? caller : callee;
    }

    /** The intervals of hold; one that was not ended lasts until {@code endNs}. */
    List<CallReport.Hold> holds(long endNs) {
        List<CallReport.Hold> all = new ArrayList<>(holds);
        for (Side side : Side.values()) {
            long sinceNs = party(side).heldSinceNs;
            for (Offer offer : offers) {
                if (offer.by() != side || !offer.isPending()) {
                    continue;
                }
                boolean held = offer.state != null && offer.state.hold();
                if (held && sinceNs == Call.NEVER) {
                    sinceNs = offer.timestampNs;
                } else if (!held && sinceNs != Call.NEVER) {
                    all.add(new CallReport.Hold(side, sinceNs, offer.timestampNs));
                    sinceNs = Call.NEVER;
                }
            }
            if (sinceNs != Call.NEVER) {
                all.add(new CallReport.Hold(side, sinceNs, endNs));
            }
        }
        return all;
    }

    /** The times in which a side was not to send audio, by agreement. */
    List<Spans.Span> silences(Side side, long endNs) {
        Party party = party(side);
        List<Spans.Span> all = new ArrayList<>(party.silences);
        if (party.silentSinceNs != Call.NEVER && party.silentSinceNs < endNs) {
            all.add(new Spans.Span(party.silentSinceNs, endNs));
        }
        return all;
    }

    /** When the session changed: offers and answers that took effect. */
    List<Long> changesNs() {
        return changesNs;
    }

    /** The number of intervals beyond {@value #MAX_HOLDS}, which are not kept. */
    int droppedHolds() {
        return droppedHolds;
    }

    /** The number of changes and times of silence beyond {@value #MAX_CHANGES}, which are not kept. */
    int droppedChanges() {
        return droppedChanges;
    }

    /** From when on it is not known what the sides agreed on, as further changes were not kept; else the end given. */
    long knownUntilNs(long endNs) {
        return droppedChanges == 0 ? endNs : changesNs.get(Math.min(changesNs.size(), MAX_CHANGES) - 1);
    }

    /** Whether any SDP was seen. */
    boolean isDescribed() {
        return described;
    }

    /** Whether either side has audio. */
    boolean hasAudio() {
        return caller.state != null && caller.state.audio() || callee.state != null && callee.state.audio();
    }

    /** Whether T.38 was agreed on at any time. */
    boolean hasFax() {
        boolean found = fax;
        for (Offer offer : offers) {
            found |= offer.isPending() && offer.state != null && offer.state.fax();
        }
        return found;
    }

    /** Whether media is encrypted, as agreed or, before any answer, as offered. */
    boolean isEncrypted() {
        boolean found = encrypted || keyedByBoth;
        for (Offer offer : offers) {
            found |= !exchanged && offer.state != null && offer.state.encrypted();
        }
        return found;
    }

    /** Whether both sides have described themselves, so that what they agreed on is known. */
    boolean isAgreed() {
        return exchanged;
    }

    /** Whether both sides named keys, so that RTP is encrypted even if its protocol does not declare it (RFC 8643). */
    boolean isKeyedByBoth() {
        return keyedByBoth;
    }
}
