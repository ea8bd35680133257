package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.List;

/** What was wrong with a call: service first, then what is normal, then notes. docs/OUTPUT.md lists the limits below. */
final class CallProblems {
    /** 64 T1. */
    private static final double NO_RESPONSE_SECONDS = 32;

    /** So often an answer is sent at T1, 2 T1, 4 T1 before the callee has reason to give up. */
    private static final int ANSWERS_IN_VAIN = 7;

    private final Call call;
    private final CallReport.Times times;
    private final List<StreamReport> streams;
    private final long endNs;
    private final ProblemLimits limits;
    private final List<Problem> problems = new ArrayList<>(2);

    /** @param endNs of the call, or of the capture */
    CallProblems(Call call, CallReport.Times times, List<StreamReport> streams, long endNs, ProblemLimits limits) {
        this.call = call;
        this.times = times;
        this.streams = streams;
        this.endNs = endNs;
        this.limits = limits;
    }

    /**
     * @param audio what was found about missing audio
     * @param relays what was found about relays
     * @param icmpErrors those that are signs of harm
     */
    List<Problem> list(Outcome outcome, List<Problem> audio, List<Problem> relays, List<IcmpEvent> icmpErrors) {
        outcome(outcome);
        problems.addAll(audio);
        problems.addAll(relays);
        end(outcome);
        for (Side side : Side.values()) {
            quality(side);
        }
        setUp();
        acknowledgement();
        boolean isHarmed = isFailure(outcome) || !audio.isEmpty();
        icmp(icmpErrors, isHarmed ? ProblemClass.SERVICE : ProblemClass.NOTE);
        if (call.retransmissions() >= limits.signalling().retransmissions()) {
            problems.add(Problem.of(Problem.Kind.RETRANSMISSIONS, ProblemClass.NOTE, CallReport.NEVER)
                    .withCount(call.retransmissions()));
        }
        problems.sort(CallProblems::byClassAndTime);
        return List.copyOf(problems);
    }

    /** Service first, then what is normal, then notes; each by time. */
    static int byClassAndTime(Problem a, Problem b) {
        int byClass = a.problemClass().compareTo(b.problemClass());
        return byClass != 0 ? byClass : Long.compare(a.atNs(), b.atNs());
    }

    /** Ends that nobody wanted. */
    private void end(Outcome outcome) {
        DialogEnd end = call.end();
        if (outcome == Outcome.ANSWERED && call.byeNs() == Call.NEVER && end.droppedNs() != Call.NEVER) {
            problems.add(Problem.of(Problem.Kind.DROPPED, ProblemClass.SERVICE, end.droppedNs())
                    .withStatus(end.droppedStatus())
                    .withSeconds(end.expirySeconds()));
        }
        if (call.isOneDirection()) {
            problems.add(Problem.of(Problem.Kind.ONE_DIRECTION, ProblemClass.NOTE, CallReport.NEVER));
        }
        Side by = end.mediaTimeoutBy();
        if (by != null) {
            problems.add(Problem.of(Problem.Kind.MEDIA_TIMEOUT, ProblemClass.SERVICE, end.mediaTimeoutNs())
                    .from(ProblemSide.of(by.other())));
        }
    }

    private static boolean isFailure(Outcome outcome) {
        return switch (outcome) {
            case UNAVAILABLE, FAILED -> true;
            default -> false;
        };
    }

    private void outcome(Outcome outcome) {
        int status = call.finalStatus();
        switch (outcome) {
            case BUSY -> refused(Problem.Kind.BUSY, ProblemClass.NORMAL, status);
            case DECLINED -> refused(Problem.Kind.DECLINED, ProblemClass.NORMAL, status);
            case CANCELLED -> cancelled();
            case UNAVAILABLE -> unavailable(status);
            case FAILED -> failed(status);
            case ANSWERED, ONGOING, RINGING, REDIRECTED -> {}
        }
    }

    private void failed(int status) {
        if (status == 487 && call.end().isCompletedElsewhere()) {
            refused(Problem.Kind.COMPLETED_ELSEWHERE, ProblemClass.NORMAL, status);
        } else if (status == 487 && call.ringingNs() != Call.NEVER) {
            problems.add(Problem.of(Problem.Kind.NO_ANSWER, ProblemClass.NORMAL, overNs())
                    .withSeconds(ringingSeconds())
                    .withStatus(status));
        } else {
            boolean isNormal = status == 484 || status == 604; // a number that does not exist
            refused(Problem.Kind.FAILED, isNormal ? ProblemClass.NORMAL : ProblemClass.SERVICE, status);
        }
    }

    private void refused(Problem.Kind kind, ProblemClass problemClass, int status) {
        problems.add(Problem.of(kind, problemClass, overNs()).withStatus(status));
    }

    /** A caller who gives up is nobody's fault, unless there was no sign of progress. */
    private void cancelled() {
        if (call.end().isCompletedElsewhere()) {
            refused(Problem.Kind.COMPLETED_ELSEWHERE, ProblemClass.NORMAL, call.finalStatus());
            return;
        }
        boolean inVain = times.progressNs() == Call.NEVER
                && times.invitedNs() != Call.NEVER
                && seconds(overNs() - times.invitedNs())
                        >= limits.signalling().setUpSeconds().note();
        problems.add(Problem.of(Problem.Kind.CANCELLED, inVain ? ProblemClass.SERVICE : ProblemClass.NORMAL, overNs())
                .withSeconds(ringingSeconds()));
    }

    private void unavailable(int status) {
        if (status == 0 && call.isResponded()) {
            problems.add(Problem.of(Problem.Kind.NO_FINAL_RESPONSE, ProblemClass.SERVICE, overNs())
                    .withSeconds(sinceInvite()));
        } else if (status == 0 && sinceInvite() < NO_RESPONSE_SECONDS) {
            return; // it is known sooner where it went to nobody: an ICMP error says so
        } else if (status == 0) {
            boolean isCertain = call.inviteSends() > 1 || call.transport() != SipTransport.UDP;
            problems.add(Problem.of(
                            Problem.Kind.NO_RESPONSE,
                            isCertain ? ProblemClass.SERVICE : ProblemClass.NOTE,
                            times.invitedNs())
                    .withSeconds(sinceInvite())
                    .withCount(call.inviteSends()));
        } else if (call.ringingNs() != Call.NEVER && (status == 408 || status == 480)) {
            problems.add(Problem.of(Problem.Kind.NO_ANSWER, ProblemClass.NORMAL, overNs())
                    .withSeconds(ringingSeconds())
                    .withStatus(status));
        } else {
            refused(Problem.Kind.UNAVAILABLE, status == 408 ? ProblemClass.SERVICE : ProblemClass.NORMAL, status);
        }
    }

    /** When it ended; the end of the capture where nothing ended it. */
    private long overNs() {
        return times.endedNs() == Call.NEVER ? endNs : times.endedNs();
    }

    private double sinceInvite() {
        return times.invitedNs() == Call.NEVER ? Double.NaN : seconds(endNs - times.invitedNs());
    }

    private double ringingSeconds() {
        return call.ringingNs() == Call.NEVER || times.endedNs() == Call.NEVER
                ? Double.NaN
                : seconds(times.endedNs() - call.ringingNs());
    }

    /** The worst stream of a side in each respect; video is lossier than speech, and hides no loss of it. */
    private void quality(Side side) {
        StreamReport lossy = null;
        StreamReport lossyVideo = null;
        StreamReport late = null;
        StreamReport uneven = null;
        StreamReport low = null;
        StreamReport lacking = null;
        StreamProblems judge = new StreamProblems(limits);
        for (StreamReport stream : streams) {
            if (stream.from() == side) {
                if (stream.isAudio()) {
                    lossy = judge.isLossier(stream, lossy) ? stream : lossy;
                } else {
                    lossyVideo = judge.isLossier(stream, lossyVideo) ? stream : lossyVideo;
                }
                late = judge.isLater(stream, late) ? stream : late;
                uneven = uneven == null && judge.isUneven(stream) ? stream : uneven;
                low = judge.isLower(stream, low) ? stream : low;
                lacking = judge.isLacking(stream, lacking) ? stream : lacking;
            }
        }
        ProblemSide from = ProblemSide.of(side);
        for (Problem problem : judge.list(lossy, late, low, uneven)) {
            problems.add(problem.from(from));
        }
        for (Problem problem : judge.list(lossyVideo, null, null, null)) {
            problems.add(problem.from(from));
        }
        if (lacking != null && !isKnownToLack(from)) {
            problems.add(judge.captureLoss(lacking).from(from));
        }
    }

    /** Whether it was found already that the capture lacks packets of a side: for some time, or all of them. */
    private boolean isKnownToLack(ProblemSide side) {
        for (Problem problem : problems) {
            if (problem.kind() == Problem.Kind.CAPTURE_LOSS && problem.side() == side) {
                return true;
            }
        }
        return false;
    }

    private void setUp() {
        long setUpNs = times.setUpNs();
        if (setUpNs != Call.NEVER
                && seconds(setUpNs) >= limits.signalling().setUpSeconds().note()) {
            ProblemClass problemClass = limits.signalling().setUpSeconds().classOf(seconds(setUpNs));
            problems.add(Problem.of(Problem.Kind.SLOW_SET_UP, problemClass, times.invitedNs())
                    .withSeconds(seconds(setUpNs)));
        }
    }

    private void acknowledgement() {
        long unacknowledgedNs = call.unacknowledgedNs();
        if (unacknowledgedNs != Call.NEVER
                && seconds(endNs - unacknowledgedNs) > limits.signalling().ackSeconds()) {
            boolean isCertain = call.byeNs() != Call.NEVER || call.answerSends() >= ANSWERS_IN_VAIN;
            problems.add(Problem.of(
                            Problem.Kind.NO_ACK, isCertain ? ProblemClass.SERVICE : ProblemClass.NOTE, unacknowledgedNs)
                    .withSeconds(seconds(endNs - unacknowledgedNs)));
        } else if (seconds(call.longestAckNs()) > limits.signalling().ackSeconds()) {
            problems.add(Problem.of(Problem.Kind.SLOW_ACK, ProblemClass.NOTE, call.answeredNs())
                    .withSeconds(seconds(call.longestAckNs())));
        }
    }

    /** One problem of each reporter and message: an error of the same kind comes for every packet. */
    private void icmp(List<IcmpEvent> icmpErrors, ProblemClass problemClass) {
        for (int i = 0; i < icmpErrors.size(); i++) {
            IcmpEvent event = icmpErrors.get(i);
            int alike = 0;
            boolean isKnown = false;
            for (int other = 0; other < icmpErrors.size(); other++) {
                boolean isLike = event.isLike(icmpErrors.get(other));
                isKnown |= isLike && other < i;
                alike += isLike ? 1 : 0;
            }
            if (!isKnown) {
                problems.add(Problem.of(Problem.Kind.ICMP_ERROR, problemClass, event.timestampNs())
                        .withCount(alike)
                        .because(new Problem.Cause.Icmp(event)));
            }
        }
    }

    private static double seconds(long ns) {
        return ns / 1e9;
    }
}
