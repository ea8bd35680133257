package io.offhook.calls;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What packets of media ask of a call, by what was captured before them: SIP of a round is processed before its media, and
 * the messages behind a packet must not count for it. Keeps what was before the round, and after each of its messages that
 * changed something, until the next round is over; mostly nothing, and then the call is as it was for all packets.
 *
 * <p>Written by the thread of the dialog, read by many while no dialog is processed. Packets are before a frame if their
 * frames have lower numbers, or the same.
 */
final class MediaStates {
    private final Call call;
    private final OfferAnswer session;
    private final FreshBindings fresh;
    private @Nullable List<State> states;
    private long roundOfStates = -1;

    /**
     * What the messages up to a frame make of the call.
     *
     * @param untilNs the end or the last message, whichever is later; {@link Call#NEVER} without an end
     */
    private record State(
            long frame,
            long firstSeenNs,
            long answeredNs,
            long endedNs,
            long untilNs,
            boolean isOver,
            boolean isAgreed,
            boolean isEncrypted,
            boolean isKeyedByBoth) {
        /** Whether all is the same but the frame; by hand, as the equals of a record generates classes (decision 7). */
        boolean isLike(State other) {
            return firstSeenNs == other.firstSeenNs
                    && answeredNs == other.answeredNs
                    && endedNs == other.endedNs
                    && untilNs == other.untilNs
                    && isOver == other.isOver
                    && isAgreed == other.isAgreed
                    && isEncrypted == other.isEncrypted
                    && isKeyedByBoth == other.isKeyedByBoth;
        }
    }

    /**
     * @param session what the sides of the call agreed on
     * @param fresh knows the round, and has this forget
     */
    MediaStates(Call call, OfferAnswer session, FreshBindings fresh) {
        this.call = call;
        this.session = session;
        this.fresh = fresh;
    }

    private State now(long frame) {
        long endedNs = call.endedNs();
        return new State(
                frame,
                call.firstSeenNs(),
                call.answeredNs(),
                endedNs,
                endedNs == Call.NEVER ? endedNs : Math.max(endedNs, call.lastSeenNs()),
                call.isOver(),
                session.isAgreed(),
                session.isEncrypted(),
                session.isKeyedByBoth());
    }

    /** Notes what packets before the message have to know, if it is the first one of its round. */
    void beforeMessage() {
        if (roundOfStates != fresh.round()) {
            begin(now(Long.MIN_VALUE));
        }
    }

    /** Notes what packets behind the message have to know. */
    void afterMessage(long frame) {
        List<State> known = states;
        if (known == null || roundOfStates != fresh.round()) {
            begin(now(frame)); // it named the first endpoint: nobody asks for the time before
            return;
        }
        State last = known.getLast();
        State now = now(Math.max(frame, last.frame)); // a message that was given up late is behind those before it
        if (!now.isLike(last)) {
            known.add(now);
        }
    }

    private void begin(State first) {
        List<State> all = new ArrayList<>(2);
        all.add(first);
        states = all;
        roundOfStates = fresh.round();
        fresh.changed(this);
    }

    /** Forgets what was known to packets of rounds that are over. */
    void forget() {
        if (roundOfStates != fresh.round()) {
            states = null;
        }
    }

    /** What packets of a frame know of the call; null if it is what is known now. */
    private @Nullable State earlier(long frame) {
        List<State> known = states;
        if (known == null || known.getLast().frame < frame) {
            return null;
        }
        for (int i = known.size() - 2; i > 0; i--) {
            if (known.get(i).frame < frame) {
                return known.get(i);
            }
        }
        return known.getFirst();
    }

    /** {@link Call#firstSeenNs} by what was captured before a frame. */
    long firstSeenNs(long frame) {
        State known = earlier(frame);
        return known == null ? call.firstSeenNs() : known.firstSeenNs;
    }

    /** {@link Call#answeredNs} by what was captured before a frame. */
    long answeredNs(long frame) {
        State known = earlier(frame);
        return known == null ? call.answeredNs() : known.answeredNs;
    }

    /** {@link Call#endedNs} by what was captured before a frame. */
    long endedNs(long frame) {
        State known = earlier(frame);
        return known == null ? call.endedNs() : known.endedNs;
    }

    /** The end or the last message, whichever is later, by what was captured before a frame; to be asked once there is an end. */
    long lastOfEndNs(long frame) {
        State known = earlier(frame);
        return known == null ? Math.max(call.endedNs(), call.lastSeenNs()) : known.untilNs;
    }

    /** {@link Call#isOver} by what was captured before a frame. */
    boolean isOver(long frame) {
        State known = earlier(frame);
        return known == null ? call.isOver() : known.isOver;
    }

    /** {@link OfferAnswer#isAgreed} by what was captured before a frame. */
    boolean isAgreed(long frame) {
        State known = earlier(frame);
        return known == null ? session.isAgreed() : known.isAgreed;
    }

    /** {@link OfferAnswer#isEncrypted} by what was captured before a frame. */
    boolean isEncrypted(long frame) {
        State known = earlier(frame);
        return known == null ? session.isEncrypted() : known.isEncrypted;
    }

    /** {@link OfferAnswer#isKeyedByBoth} by what was captured before a frame. */
    boolean isKeyedByBoth(long frame) {
        State known = earlier(frame);
        return known == null ? session.isKeyedByBoth() : known.isKeyedByBoth;
    }
}
