package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import java.util.List;
import java.util.Locale;

/**
 * Problems as assertions have them: kind, class, side and figure, with one decimal; of ICMP the count, the message and its
 * reporter.
 */
final class Found {
    static final IcmpEvent.Message PORT_UNREACHABLE = new IcmpEvent.Message(4, 3, 3);
    static final IcmpEvent.Message HOST_UNREACHABLE = new IcmpEvent.Message(4, 3, 1);
    static final IcmpEvent.Message TIME_EXCEEDED = new IcmpEvent.Message(4, 11, 0);

    private Found() {}

    static List<String> in(CallReport call) {
        return call.problems().stream().map(Found::text).toList();
    }

    private static String text(Problem problem) {
        StringBuilder text = new StringBuilder(problem.kind().label())
                .append(' ')
                .append(problem.problemClass().label());
        if (problem.side() != null) {
            text.append(' ').append(problem.side().label());
        }
        String figure = figure(problem);
        text.append(figure.isEmpty() ? "" : " ").append(figure);
        IcmpEvent cause = problem.icmp();
        if (cause != null) {
            text.append(' ').append(cause.message().type());
            text.append('/').append(cause.message().code());
            text.append(' ').append(cause.reporter().addressText());
        }
        return text.toString();
    }

    private static String figure(Problem problem) {
        if (problem.status() > 0) {
            return Integer.toString(problem.status());
        }
        for (double figure : new double[] {
            problem.kind() == Problem.Kind.LOW_MOS ? problem.value() : problem.percent(),
            problem.seconds(),
            problem.count() < 0 ? problem.value() : Double.NaN
        }) {
            if (!Double.isNaN(figure)) {
                return String.format(Locale.ROOT, "%.1f", figure);
            }
        }
        return problem.count() < 0 ? "" : Long.toString(problem.count());
    }
}
