package io.offhook.calls;

import java.util.ArrayList;
import java.util.List;

/**
 * When audio of each side was due: the parts of the talk in which the side was to send and the other to receive, nobody
 * was on hold, no transfer was under way, and nothing had changed within the last second.
 */
final class AudioDue {
    /** How long the sides have to follow a change of the session. */
    private static final long GRACE_NS = 1_000_000_000L;

    private final OfferAnswer session;
    private final long endNs;
    private final Spans talk;
    private final List<Spans.Span> exempt = new ArrayList<>();
    private final List<Spans.Span> graces = new ArrayList<>();

    /** @param endNs of the call, or of the capture */
    AudioDue(Call call, List<CallReport.Hold> holds, long endNs) {
        session = call.media().session();
        this.endNs = endNs;
        talk = Spans.of(session.talkFromNs(), session.knownUntilNs(endNs));
        graces.add(grace(session.talkFromNs()));
        for (long changeNs : session.changesNs()) {
            graces.add(grace(changeNs));
        }
        for (CallReport.Hold hold : holds) {
            exempt.add(new Spans.Span(hold.fromNs(), hold.untilNs()));
            graces.add(grace(hold.untilNs()));
        }
        exempt.addAll(call.transfers());
    }

    private static Spans.Span grace(long fromNs) {
        return new Spans.Span(fromNs, fromNs + GRACE_NS);
    }

    /** When a side was to send audio. */
    Spans of(Side side) {
        List<Spans.Span> late = new ArrayList<>(graces);
        for (Spans.Span silence : session.silences(side, endNs)) {
            late.add(grace(silence.untilNs()));
        }
        return agreed(side).without(Spans.union(late));
    }

    /** Likewise, with the seconds after changes. */
    Spans agreed(Side side) {
        List<Spans.Span> others = new ArrayList<>(exempt);
        others.addAll(session.silences(side, endNs));
        return talk.without(Spans.union(others));
    }

    /** From the answer to the end, in nanoseconds. */
    long talkNs() {
        return talk.ns();
    }
}
