package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was wrong with a call, the worst first. docs/OUTPUT.md lists the limits below. */
final class CallProblems {
    /** Loss that is heard, in percent. */
    private static final double LOSS_PERCENT = 1.0;

    /** Below it, many users are dissatisfied (ITU-T G.107, annex B). */
    private static final double MOS = 3.6;

    private static final double JITTER_MS = 30;

    /** Beyond it, a caller takes the call for dead (ITU-T E.721 has 5 s for a local call under load). */
    private static final long SET_UP_NS = 5_000_000_000L;

    /** What is shorter may end before the first word. */
    private static final long AUDIBLE_NS = 2_000_000_000L;

    /** By then the callee has sent its answer three times (RFC 3261, 13.3.1.4). */
    private static final long ACK_NS = 2_000_000_000L;

    /** So long after the answer early media is over. */
    private static final long SETTLED_NS = 1_000_000_000L;

    /** So long after the answer no packet of early media is still on its way. */
    private static final long BEGUN_NS = 100_000_000L;

    private static final int RETRANSMISSIONS = 3;

    private final Call call;
    private final CallReport.Times times;
    private final List<StreamReport> streams;
    private final long endNs;
    private final boolean captureHasMedia;
    private final List<Problem> problems = new ArrayList<>(2);

    /** @param endNs of the call, or of the capture */
    CallProblems(Call call, CallReport.Times times, List<StreamReport> streams, long endNs, boolean captureHasMedia) {
        this.call = call;
        this.times = times;
        this.streams = streams;
        this.endNs = endNs;
        this.captureHasMedia = captureHasMedia;
    }

    /** @param icmpErrors those that are signs of harm */
    List<Problem> list(Outcome outcome, List<CallReport.Hold> holds, List<IcmpEvent> icmpErrors) {
        outcome(outcome);
        if (call.isAnswered()) {
            missingAudio(holds);
        }
        for (Side side : Side.values()) {
            quality(side);
        }
        setUp();
        acknowledgement();
        icmp(icmpErrors);
        if (call.retransmissions() >= RETRANSMISSIONS) {
            add(Problem.Kind.SENT_AGAIN, Call.NEVER, call.retransmissions());
        }
        return List.copyOf(problems);
    }

    private void add(Problem.Kind kind, long atNs, double value) {
        problems.add(new Problem(kind, null, atNs, value, null));
    }

    private void add(Problem.Kind kind, Side side, long atNs, double value) {
        problems.add(new Problem(kind, side, atNs, value, null));
    }

    /** One problem of each reporter and message: an error of the same kind comes for every packet. */
    private void icmp(List<IcmpEvent> icmpErrors) {
        for (int i = 0; i < icmpErrors.size(); i++) {
            IcmpEvent event = icmpErrors.get(i);
            boolean isKnown = false;
            for (int before = 0; before < i && !isKnown; before++) {
                isKnown = event.isLike(icmpErrors.get(before));
            }
            if (!isKnown) {
                problems.add(new Problem(Problem.Kind.ICMP, null, event.timestampNs(), Double.NaN, event));
            }
        }
    }

    private void acknowledgement() {
        long unacknowledgedNs = call.unacknowledgedNs();
        if (unacknowledgedNs != Call.NEVER && endNs - unacknowledgedNs > ACK_NS) {
            add(Problem.Kind.NO_ACK, unacknowledgedNs, Double.NaN);
        } else if (call.longestAckNs() > ACK_NS) {
            add(Problem.Kind.SLOW_ACK, call.answeredNs(), seconds(call.longestAckNs()));
        }
    }

    private void outcome(Outcome outcome) {
        switch (outcome) {
            case BUSY -> add(Problem.Kind.BUSY, overNs(), Double.NaN);
            case DECLINED -> add(Problem.Kind.DECLINED, overNs(), Double.NaN);
            case CANCELLED -> add(Problem.Kind.CANCELLED, overNs(), ringingSeconds());
            case UNAVAILABLE -> unavailable();
            case FAILED -> add(Problem.Kind.FAILED, overNs(), call.finalStatus());
            case ANSWERED, ONGOING, RINGING, REDIRECTED -> {}
        }
    }

    private void unavailable() {
        if (call.finalStatus() == 0) {
            add(call.isResponded() ? Problem.Kind.NO_FINAL_RESPONSE : Problem.Kind.NO_RESPONSE, overNs(), Double.NaN);
        } else if (call.ringingNs() != Call.NEVER && (call.finalStatus() == 408 || call.finalStatus() == 480)) {
            add(Problem.Kind.NO_ANSWER, overNs(), Double.NaN);
        } else {
            add(Problem.Kind.UNAVAILABLE, overNs(), call.finalStatus());
        }
    }

    /** When it ended; the end of the capture where nothing ended it. */
    private long overNs() {
        return times.endedNs() == Call.NEVER ? endNs : times.endedNs();
    }

    private double ringingSeconds() {
        return call.ringingNs() == Call.NEVER || times.endedNs() == Call.NEVER
                ? Double.NaN
                : seconds(times.endedNs() - call.ringingNs());
    }

    /** Only where media was to flow, and where the capture holds media at all. */
    private void missingAudio(List<CallReport.Hold> holds) {
        OfferAnswer session = call.media().session();
        long talkNs = endNs - session.talkFromNs();
        boolean expected = captureHasMedia
                && session.hasAudio()
                && !session.hasFax()
                && call.media().droppedBindings() == 0
                && talkNs >= AUDIBLE_NS
                && heldNs(holds, session.talkFromNs()) * 2 < talkNs;
        if (!expected) {
            return;
        }
        boolean caller = isHeard(Side.CALLER, SETTLED_NS);
        boolean callee = isHeard(Side.CALLEE, SETTLED_NS);
        if (!caller && !callee) {
            // then it matters who had at least begun to talk
            caller = isHeard(Side.CALLER, BEGUN_NS);
            callee = isHeard(Side.CALLEE, BEGUN_NS);
        }
        boolean callerMissing = !caller && session.silentNs(Side.CALLER, endNs) * 2 < talkNs;
        boolean calleeMissing = !callee && session.silentNs(Side.CALLEE, endNs) * 2 < talkNs;
        if (!caller && !callee && (callerMissing || calleeMissing)) {
            add(Problem.Kind.NO_AUDIO, session.talkFromNs(), Double.NaN);
        } else if (callerMissing || calleeMissing) {
            Side silent = callerMissing ? Side.CALLER : Side.CALLEE;
            add(Problem.Kind.ONE_WAY_AUDIO, silent, session.talkFromNs(), Double.NaN);
        }
    }

    /**
     * Whether audio came from a side so long after the answer: ringback and announcements before say nothing of it, nor do
     * key presses. Comfort noise does, for it is what a pause sounds like.
     */
    private boolean isHeard(Side side, long afterAnswerNs) {
        long fromNs = call.media().session().talkFromNs() + afterAnswerNs;
        for (StreamReport stream : streams) {
            if (stream.from() == side && stream.isAudio() && stream.statistics().lastMediaNs() >= fromNs) {
                return true;
            }
        }
        return false;
    }

    /** How long either side had the other on hold, since the call was answered. */
    private static long heldNs(List<CallReport.Hold> all, long talkFromNs) {
        List<CallReport.Hold> holds = new ArrayList<>(all);
        holds.sort((a, b) -> Long.compare(a.fromNs(), b.fromNs()));
        long sum = 0;
        long countedUntilNs = talkFromNs;
        for (CallReport.Hold hold : holds) {
            sum += Math.max(0, hold.untilNs() - Math.max(countedUntilNs, hold.fromNs()));
            countedUntilNs = Math.max(countedUntilNs, hold.untilNs());
        }
        return sum;
    }

    private void quality(Side side) {
        StreamReport lossy = worst(side, true);
        if (lossy != null && lossy.statistics().lostPercent() >= LOSS_PERCENT) {
            double percent = lossy.statistics().lostPercent();
            add(Problem.Kind.LOSS, side, lossy.statistics().firstNs(), percent);
        }
        StreamReport poor = worst(side, false);
        if (poor != null && poor.quality() != null && poor.quality().mos() < MOS) {
            double mos = poor.quality().mos();
            add(Problem.Kind.LOW_MOS, side, poor.statistics().firstNs(), mos);
        }
        for (StreamReport stream : streams) {
            if (stream.from() == side && stream.isAudio() && stream.statistics().meanJitterMs() > JITTER_MS) {
                double jitterMs = stream.statistics().meanJitterMs();
                add(Problem.Kind.JITTER, side, stream.statistics().firstNs(), jitterMs);
                break;
            }
        }
    }

    /** Of a side's streams the one with the most loss, or with the lowest MOS. */
    private @Nullable StreamReport worst(Side side, boolean byLoss) {
        StreamReport worst = null;
        for (StreamReport stream : streams) {
            if (stream.from() == side && (worst == null || isWorse(stream, worst, byLoss))) {
                worst = stream;
            }
        }
        return worst;
    }

    private static boolean isWorse(StreamReport stream, StreamReport other, boolean byLoss) {
        if (byLoss) {
            return stream.statistics().lostPercent() > other.statistics().lostPercent();
        }
        return stream.quality() != null
                && (other.quality() == null
                        || stream.quality().mos() < other.quality().mos());
    }

    private void setUp() {
        long setUpNs = times.setUpNs();
        if (setUpNs != Call.NEVER && setUpNs >= SET_UP_NS) {
            add(Problem.Kind.SLOW_SET_UP, times.invitedNs(), seconds(setUpNs));
        }
    }

    private static double seconds(long ns) {
        return ns / 1e9;
    }
}
