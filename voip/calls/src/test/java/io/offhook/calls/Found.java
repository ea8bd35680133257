package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import java.util.List;
import java.util.Locale;

/** Problems as assertions have them: kind, side and figure, with one decimal; of ICMP the message and its reporter. */
final class Found {
    static final IcmpEvent.Message PORT_UNREACHABLE = new IcmpEvent.Message(4, 3, 3);
    static final IcmpEvent.Message HOST_UNREACHABLE = new IcmpEvent.Message(4, 3, 1);
    static final IcmpEvent.Message TIME_EXCEEDED = new IcmpEvent.Message(4, 11, 0);

    private Found() {}

    static List<String> in(CallReport call) {
        return call.problems().stream().map(Found::text).toList();
    }

    private static String text(Problem problem) {
        StringBuilder text = new StringBuilder(problem.kind().name());
        if (problem.side() != null) {
            text.append(' ').append(problem.side());
        }
        if (!Double.isNaN(problem.value())) {
            text.append(' ').append(String.format(Locale.ROOT, "%.1f", problem.value()));
        }
        IcmpEvent cause = problem.cause();
        if (cause != null) {
            text.append(' ').append(cause.message().type());
            text.append('/').append(cause.message().code());
            text.append(' ').append(cause.reporter().addressText());
        }
        return text.toString();
    }
}
