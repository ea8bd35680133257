package io.offhook.report;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.ProblemClass;
import io.offhook.calls.ProblemSide;
import io.offhook.calls.QualityOverTime;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import java.util.ArrayList;
import java.util.List;

/** Texts for the problems of a call, as listed in docs/OUTPUT.md. */
public final class ProblemText {
    /** From so many packets in a row on, loss is told as a hole. */
    private static final int HOLE_PACKETS = 5;

    private ProblemText() {}

    /** The texts of a call's problems but for notes, in the same order, without repetitions. */
    public static List<String> of(CallReport call) {
        return of(call, false);
    }

    /**
     * The texts of a call's problems, in the same order, without repetitions.
     *
     * @param all whether to include notes
     */
    public static List<String> of(CallReport call, boolean all) {
        List<String> texts = new ArrayList<>(call.problems().size());
        for (Problem problem : call.problems()) {
            String text = ofDialog(problem, call.times().startedNs());
            boolean isWanted = all || problem.problemClass() != ProblemClass.NOTE;
            if (isWanted && !texts.contains(text)) { // two ICMP codes may have the same words
                texts.add(text);
            }
        }
        return texts;
    }

    /** The text of a problem and, of a joined call, the dialog that it is of. */
    static String ofDialog(Problem problem, long startedNs) {
        String text = of(problem, startedNs);
        return problem.callId() == null ? text : text + " (" + problem.callId() + ")";
    }

    /**
     * The text of a problem.
     *
     * @param startedNs when its call began: times are relative to it
     */
    public static String of(Problem problem, long startedNs) {
        return switch (problem.kind()) {
            case BUSY -> "busy";
            case DECLINED -> declined(problem.status());
            case CANCELLED -> cancelled(problem);
            case COMPLETED_ELSEWHERE -> "completed elsewhere";
            case FAILED -> failed(problem.status());
            case NO_RESPONSE -> noResponse(problem);
            case NO_FINAL_RESPONSE -> "no final response" + after(" within ", problem);
            case NO_ANSWER -> "no answer" + after(" after ringing ", problem);
            case UNAVAILABLE -> "unavailable (" + problem.status() + ")";
            case NO_AUDIO -> "no audio";
            case ONE_WAY_AUDIO -> "one-way audio: nothing from " + side(problem);
            case AUDIO_STARTED_LATE -> "audio from " + side(problem) + " began " + seconds(problem) + " late";
            case AUDIO_GAP ->
                "no audio from " + side(problem) + " for " + seconds(problem) + at(problem, startedNs) + cause(problem);
            case AUDIO_STOPPED ->
                "audio from " + side(problem) + " stopped" + at(problem, startedNs) + ", " + seconds(problem)
                        + " before the end" + cause(problem);
            case LOSS ->
                percent(problem.percent()) + media(problem) + " lost" + from(problem) + hole(problem, startedNs);
            case LATE -> percent(problem.percent()) + " too late to be played" + from(problem);
            case LOW_MOS -> lowMos(problem, startedNs);
            case JITTER -> Math.round(problem.value()) + " ms jitter" + from(problem);
            case SLOW_SET_UP -> "set-up took " + seconds(problem);
            case NO_ACK -> "no ACK";
            case SLOW_ACK -> "ACK took " + seconds(problem);
            case ICMP_ERROR -> icmp(problem);
            case RELAY_LOSS -> relayLoss(problem);
            case DROPPED ->
                problem.status() == 0
                        ? "dropped: nobody refreshed the session of " + seconds(problem)
                        : "dropped: no longer known to the other side (" + problem.status() + ")";
            case MEDIA_TIMEOUT -> "ended for lack of media from " + side(problem);
            case RETRANSMISSIONS -> problem.count() + " messages sent again";
            case ONE_DIRECTION -> "one direction captured";
            case REJECTED -> rejected(problem.status());
            case CHALLENGED -> "no credentials after the challenge";
            case EXPIRED -> "ran out" + at(problem, startedNs) + ", " + seconds(problem) + " without a binding";
            case CAPTURE_LOSS ->
                "the capture lacks " + packets(problem) + from(problem) + at(problem, startedNs) + cause(problem);
        };
    }

    /** The relay is between the endpoint that received the packets and the one that should have. */
    private static String relayLoss(Problem problem) {
        String lost = percent(problem.percent()) + from(problem);
        return problem.cause() instanceof Problem.Cause.Relay relay
                ? lost + " lost between " + relay.into() + " and " + relay.towards()
                : lost + " lost in a relay";
    }

    private static String declined(int status) {
        return switch (status) {
            case 607 -> "declined by analytics: unwanted (607)";
            case 608 -> "declined by analytics: rejected (608)";
            default -> "declined";
        };
    }

    private static String failed(int status) {
        if (status == 0) {
            return "refused, response not captured";
        }
        return status == 401 || status == 407 ? "credentials refused (" + status + ")" : "failed with " + status;
    }

    private static String rejected(int status) {
        return switch (status) {
            case 401, 407 -> "credentials refused (" + status + ")";
            case 403, 404 -> "refused (" + status + ")";
            default -> status / 100 == 5 ? "server failed (" + status + ")" : "rejected (" + status + ")";
        };
    }

    private static String noResponse(Problem problem) {
        return "no response" + (problem.problemClass() == ProblemClass.NOTE ? " captured" : "");
    }

    /** " of video"; empty for audio. */
    private static String media(Problem problem) {
        return problem.cause() instanceof Problem.Cause.Media media ? " of " + media.type() : "";
    }

    /** A fault of the service where the caller had waited for a sign of progress. */
    private static String cancelled(Problem problem) {
        boolean isInVain = problem.problemClass() == ProblemClass.SERVICE && Double.isNaN(problem.seconds());
        return "cancelled" + (isInVain ? " before it rang" : after(" after ringing ", problem));
    }

    private static String packets(Problem problem) {
        return Double.isNaN(problem.percent()) ? "packets" : percent(problem.percent()) + " of the packets";
    }

    private static String after(String words, Problem problem) {
        return Double.isNaN(problem.seconds()) ? "" : words + seconds(problem);
    }

    private static String seconds(Problem problem) {
        return Math.round(problem.seconds()) + " s";
    }

    private static String percent(double value) {
        return (value >= 10 ? Long.toString(Math.round(value)) : Decimals.text(value, 1)) + " %";
    }

    /** " from callee"; empty for a problem of a stream that belongs to no side. */
    private static String from(Problem problem) {
        return problem.side() == null ? "" : " from " + side(problem);
    }

    private static String side(Problem problem) {
        ProblemSide side = problem.side();
        return side == null ? "an unknown side" : side == ProblemSide.BOTH ? "both sides" : side.label();
    }

    /** " at 0:04"; empty if it has no time. */
    private static String at(Problem problem, long startedNs) {
        return problem.atNs() == CallReport.NEVER ? "" : " at " + Times.duration(problem.atNs() - startedNs);
    }

    /** The longest hole of a lossy stream, if it is one. */
    private static String hole(Problem problem, long startedNs) {
        boolean isHole = problem.value() >= HOLE_PACKETS && problem.atNs() != CallReport.NEVER;
        return isHole ? ", " + Math.round(problem.value()) + " in a row" + at(problem, startedNs) : "";
    }

    private static String lowMos(Problem problem, long startedNs) {
        boolean isEstimate = problem.cause() instanceof Problem.Cause.Scale scale && scale.isEstimate();
        String abbreviation = problem.cause() instanceof Problem.Cause.Scale scale
                ? " " + scale.scale().abbreviation()
                : "";
        boolean isAtTimes = problem.value() >= QualityOverTime.MANY_DISSATISFIED && problem.percent() > 0;
        return "MOS " + (isEstimate ? "~" : "") + Decimals.text(problem.value(), 1) + abbreviation + from(problem)
                + (isAtTimes
                        ? ", below " + QualityOverTime.MANY_DISSATISFIED + " for " + percent(problem.percent())
                                + " of the time"
                        : "")
                + (problem.atNs() == CallReport.NEVER ? "" : ", worst" + at(problem, startedNs));
    }

    private static String cause(Problem problem) {
        if (!(problem.cause() instanceof Problem.Cause.Audio audio)) {
            return "";
        }
        return switch (audio.cause()) {
            case CAPTURE -> ": the receiver got them";
            case MANY_CALLS -> ": other calls stopped with it";
            case LOST -> ": packets lost on the way";
            case LOST_BEFORE_CAPTURE -> ": sent, lost before the capture point";
            case ICMP -> ": ICMP errors came back";
            case SILENT -> ": sent nothing, but was there";
            case SUPPRESSED -> problem.count() > 0 ? ": silence suppressed" : ": no packet is missing";
            case STOPPED -> "";
        };
    }

    private static String icmp(Problem problem) {
        IcmpEvent cause = problem.icmp();
        return cause == null
                ? "ICMP error"
                : "ICMP " + meaning(cause.message()) + " from "
                        + cause.reporter().addressText();
    }

    /** The meaning of an ICMP or ICMPv6 error (RFC 792; RFC 1122, 3.2.2.1; RFC 4443). */
    public static String meaning(IcmpEvent.Message message) {
        boolean isVersion6 = message.ipVersion() == 6;
        int type = message.type();
        int code = message.code();
        if (type == (isVersion6 ? 1 : 3)) {
            return unreachable(isVersion6, code);
        }
        if (type == (isVersion6 ? 3 : 11)) {
            return code == 1 ? "fragments not put together in time" : "time to live exceeded";
        }
        return isVersion6 && type == 2 ? "packet too big" : "error " + type + "/" + code;
    }

    private static String unreachable(boolean isVersion6, int code) {
        if (code == (isVersion6 ? 4 : 3)) {
            return "port unreachable";
        }
        if (code == (isVersion6 ? 3 : 1)) {
            return "host unreachable";
        }
        boolean isProhibited = isVersion6 ? code == 1 : code == 9 || code == 10 || code == 13;
        return isProhibited ? "administratively prohibited" : "unreachable";
    }
}
