package io.offhook.testkit.traffic;

import io.offhook.testkit.truth.CallTruth;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.PlannedOutcome;
import io.offhook.testkit.truth.Problem;
import io.offhook.testkit.truth.StreamTruth;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Notes each message of a call as it is captured, so that the truth is counted and not guessed. */
final class CallLedger {
    /** RFC 3261, 17.1.1.2: a client gives up on an INVITE after 64 x T1. */
    static final long TIMER_B_NS = 32_000_000_000L;

    private static final long SLOW_NS = 5_000_000_000L;
    private static final long LONG_ENOUGH_FOR_AUDIO_NS = 1_000_000_000L;
    private static final double MUCH_LOSS = 0.05;

    /** Below it, loss says nothing. */
    private static final int FEWEST_PACKETS = 50;

    private final String callId;
    private final List<CallTruth.Hold> holds = new ArrayList<>();
    private final Set<String> reachedTags = new HashSet<>();
    private String transport = "";
    private @Nullable Long invitedAt;
    private @Nullable Long ringingAt;
    private @Nullable Long answeredAt;
    private @Nullable Long failedAt;
    private @Nullable Long byeAt;
    private @Nullable Integer finalStatus;
    private @Nullable Party hungUpBy;
    private @Nullable String codec;
    private boolean responded;
    private boolean cancelled;
    private boolean acknowledged;
    private boolean fax;
    private int messages;
    private int requests;
    private int retransmissions;
    private int mirrored;
    private int icmpErrors;

    CallLedger(String callId) {
        this.callId = callId;
    }

    String callId() {
        return callId;
    }

    /** Notes that one hop's copy of a message was captured. */
    void captured(boolean request, String over, int copies, boolean retransmission) {
        if (messages == 0) {
            transport = over;
        }
        messages += copies;
        requests += request ? copies : 0;
        mirrored += copies - 1;
        retransmissions += retransmission ? 1 : 0; // a mirrored copy is no retransmission
    }

    /** Notes a request, at the time when it was first captured. */
    void request(Party from, String method, boolean initial, long timeNs) {
        switch (method) {
            case "INVITE" -> {
                if (initial && invitedAt == null) {
                    invitedAt = timeNs;
                }
            }
            case "CANCEL" -> cancelled = true;
            case "ACK" -> acknowledged = acknowledged || answeredAt != null;
            case "BYE" -> {
                if (byeAt == null || timeNs < byeAt) {
                    byeAt = timeNs;
                    hungUpBy = from;
                }
            }
            default -> {}
        }
    }

    /** Notes a response to an initial INVITE, at the time when it was first captured. */
    void inviteResponse(int status, String toTag, long timeNs) {
        responded = true;
        if (!toTag.isEmpty()) {
            reachedTags.add(toTag);
        }
        if (status >= 180 && status < 190 && ringingAt == null) {
            ringingAt = timeNs;
        } else if (status >= 200 && status < 300) {
            answeredAt = answeredAt == null ? timeNs : Math.min(answeredAt, timeNs);
            finalStatus = status;
        } else if (status >= 300 && answeredAt == null) {
            finalStatus = status;
            failedAt = timeNs;
        }
    }

    /** A new INVITE after a challenge or a redirection: what the first one ended in no longer counts. */
    void triedAgain() {
        finalStatus = null;
        failedAt = null;
    }

    void answeredWith(String codecName) {
        codec = codecName;
    }

    void held(CallTruth.Hold hold) {
        holds.add(hold);
    }

    void changedToFax() {
        fax = true;
    }

    void icmpError(int copies) {
        icmpErrors += copies;
    }

    int icmpErrors() {
        return icmpErrors;
    }

    int messages() {
        return messages;
    }

    int requests() {
        return requests;
    }

    boolean wasAnswered() {
        return answeredAt != null;
    }

    /** The truth when the capture ends at {@code endNs} and these are the call's streams. */
    CallTruth truth(CallPlan plan, String from, String to, List<StreamTruth> streams, long endNs) {
        boolean audioFromCaller = hasAudio(streams, Party.CALLER);
        boolean audioFromCallee = hasAudio(streams, Party.CALLEE);
        Long ended = byeAt != null ? byeAt : Long.valueOf(endNs);
        boolean expectsAudio = answeredAt != null
                && !plan.announcement
                && !(fax && streams.isEmpty())
                && ended - answeredAt >= LONG_ENOUGH_FOR_AUDIO_NS;
        Party silent = !expectsAudio || audioFromCaller == audioFromCallee
                ? null
                : audioFromCaller ? Party.CALLEE : Party.CALLER;
        boolean early = streams.stream()
                .anyMatch(stream -> invitedAt != null && (answeredAt == null || stream.firstAtNs() < answeredAt));
        boolean wasAnswered = answeredAt != null || byeAt != null;
        return new CallTruth(
                callId,
                from,
                to,
                outcome(endNs),
                finalStatus,
                transport,
                plan.ipv6,
                invitedAt,
                ringingAt,
                answeredAt,
                byeAt != null ? byeAt : answeredAt == null ? failedAt : null,
                wasAnswered ? hungUpBy : null,
                messages,
                retransmissions,
                mirrored,
                plan.proxies + 1,
                answeredAt == null ? null : codec,
                early,
                silent,
                List.copyOf(holds),
                plan.security != Security.NONE,
                plan.video,
                fax,
                reachedTags.size(),
                icmpErrors,
                problems(plan, streams, endNs, silent, expectsAudio && !audioFromCaller && !audioFromCallee));
    }

    private PlannedOutcome outcome(long endNs) {
        if (byeAt != null) {
            return PlannedOutcome.ANSWERED;
        }
        if (answeredAt != null) {
            return PlannedOutcome.ONGOING;
        }
        if (finalStatus != null) {
            return PlannedOutcome.ofFailure(finalStatus, cancelled);
        }
        boolean gaveUp = invitedAt != null && !responded && endNs - invitedAt >= TIMER_B_NS;
        return gaveUp ? PlannedOutcome.UNAVAILABLE : PlannedOutcome.RINGING;
    }

    private boolean isStopped() {
        return finalStatus != null && finalStatus == 487 && ringingAt != null;
    }

    private Set<Problem> problems(
            CallPlan plan, List<StreamTruth> streams, long endNs, @Nullable Party silent, boolean noAudio) {
        Set<Problem> problems = EnumSet.noneOf(Problem.class);
        problems.addAll(plan.shown);
        PlannedOutcome outcome = outcome(endNs);
        switch (outcome) {
            case BUSY -> problems.add(Problem.BUSY);
            case DECLINED -> problems.add(Problem.DECLINED);
            case CANCELLED -> problems.add(Problem.CANCELLED);
            case UNAVAILABLE -> problems.add(responded ? Problem.UNAVAILABLE : Problem.NO_ANSWER);
            // somebody's phone rang, and the CANCEL went another way
            case FAILED -> problems.add(isStopped() ? Problem.UNAVAILABLE : Problem.FAILED);
            case ANSWERED, REDIRECTED, RINGING, ONGOING -> {}
        }
        add(problems, Problem.ONE_WAY_AUDIO, silent != null);
        add(problems, Problem.NO_AUDIO, noAudio);
        add(problems, Problem.NO_ACK, answeredAt != null && !acknowledged);
        add(problems, Problem.SLOW_SET_UP, isSlow());
        add(problems, Problem.PORT_UNREACHABLE, icmpErrors > 0);
        add(problems, Problem.LOSS_FROM_CALLER, loses(streams, Party.CALLER));
        add(problems, Problem.LOSS_FROM_CALLEE, loses(streams, Party.CALLEE));
        return problems;
    }

    private boolean isSlow() {
        Long reached = ringingAt != null ? ringingAt : answeredAt != null ? answeredAt : failedAt;
        return invitedAt != null && reached != null && reached - invitedAt >= SLOW_NS;
    }

    private static void add(Set<Problem> problems, Problem problem, boolean present) {
        if (present) {
            problems.add(problem);
        }
    }

    private static boolean hasAudio(List<StreamTruth> streams, Party from) {
        return streams.stream().anyMatch(stream -> !stream.video() && stream.from() == from);
    }

    private static boolean loses(List<StreamTruth> streams, Party from) {
        return streams.stream()
                .anyMatch(stream -> stream.from() == from
                        && stream.expected() >= FEWEST_PACKETS
                        && stream.lossFraction() >= MUCH_LOSS);
    }
}
