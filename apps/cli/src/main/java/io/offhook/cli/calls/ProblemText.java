package io.offhook.cli.calls;

import io.offhook.calls.Problem;
import io.offhook.calls.Side;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.cli.terminal.Decimals;
import java.util.ArrayList;
import java.util.List;

/** Texts for the problems of a call, as listed in docs/OUTPUT.md. */
public final class ProblemText {
    private ProblemText() {}

    /** The texts of problems, in the same order, without repetitions. */
    public static List<String> of(List<Problem> problems) {
        List<String> texts = new ArrayList<>(problems.size());
        for (Problem problem : problems) {
            String text = of(problem);
            if (!texts.contains(text)) { // two ICMP codes may have the same words
                texts.add(text);
            }
        }
        return texts;
    }

    private static String of(Problem problem) {
        return switch (problem.kind()) {
            case BUSY -> "busy";
            case DECLINED -> "declined";
            case CANCELLED -> "cancelled" + (Double.isNaN(problem.value()) ? "" : " after ringing " + seconds(problem));
            case FAILED -> "failed with " + Math.round(problem.value());
            case NO_RESPONSE -> "no response";
            case NO_FINAL_RESPONSE -> "no final response";
            case NO_ANSWER -> "no answer";
            case UNAVAILABLE -> "unavailable (" + Math.round(problem.value()) + ")";
            case NO_AUDIO -> "no audio";
            case ONE_WAY_AUDIO -> "one-way audio: nothing from " + side(problem);
            case LOSS -> percent(problem.value()) + " lost from " + side(problem);
            case LOW_MOS -> "MOS " + Decimals.text(problem.value(), 1) + " from " + side(problem);
            case JITTER -> Math.round(problem.value()) + " ms jitter from " + side(problem);
            case SLOW_SET_UP -> "set-up took " + seconds(problem);
            case NO_ACK -> "no ACK";
            case SLOW_ACK -> "ACK took " + seconds(problem);
            case ICMP -> icmp(problem);
            case SENT_AGAIN -> Math.round(problem.value()) + " messages sent again";
        };
    }

    private static String seconds(Problem problem) {
        return Math.round(problem.value()) + " s";
    }

    private static String percent(double value) {
        return (value >= 10 ? Long.toString(Math.round(value)) : Decimals.text(value, 1)) + " %";
    }

    private static String side(Problem problem) {
        Side side = problem.side();
        return side == null ? "an unknown side" : side.label();
    }

    private static String icmp(Problem problem) {
        IcmpEvent cause = problem.cause();
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
