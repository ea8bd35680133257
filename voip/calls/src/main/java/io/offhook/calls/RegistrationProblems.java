package io.offhook.calls;

import io.offhook.calls.registration.Registration;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with registrations, in the terms of {@link Problem}. */
public final class RegistrationProblems {
    /** As long as a request may go without a response: 64 * T1. */
    private static final long PATIENCE_NS = 32_000_000_000L;

    private RegistrationProblems() {}

    /**
     * What was wrong with a registration, as the capture stands: the last request, and a binding that ran out.
     *
     * @param nowNs the end of the capture, nanoseconds since the epoch
     */
    public static List<Problem> of(Registration registration, long nowNs) {
        List<Problem> problems = new ArrayList<>(1);
        Registration.Exchange exchange = registration.exchange();
        int status = registration.finalStatus();
        boolean isOld = exchange.finalNs() != Registration.NEVER && nowNs - exchange.finalNs() >= PATIENCE_NS;
        if (exchange.unansweredSinceNs() != Registration.NEVER) {
            unanswered(exchange, problems, nowNs);
        } else if (registration.isRejected() && status >= 400) {
            boolean isService = exchange.hasCredentials() || status / 100 == 5;
            problems.add(Problem.of(
                            Problem.Kind.REJECTED,
                            isService ? ProblemClass.SERVICE : ProblemClass.NOTE,
                            exchange.finalNs())
                    .withStatus(status));
        } else if (registration.isLastChallenge() && isOld) {
            problems.add(Problem.of(Problem.Kind.CHALLENGED, ProblemClass.NOTE, exchange.finalNs())
                    .withStatus(status));
        }
        if (registration.isExpired(nowNs)) {
            problems.add(Problem.of(Problem.Kind.EXPIRED, ProblemClass.NOTE, registration.boundUntilNs())
                    .withSeconds((nowNs - registration.boundUntilNs()) / 1e9));
        } else if (exchange.lapsedNs() != Registration.NEVER) {
            problems.add(Problem.of(Problem.Kind.EXPIRED, ProblemClass.NOTE, exchange.lapsedNs())
                    .withSeconds(exchange.lapseSeconds()));
        }
        return problems;
    }

    /** Over UDP, a single request that was not sent again may have a response that was not captured. */
    private static void unanswered(Registration.Exchange exchange, List<Problem> problems, long nowNs) {
        if (nowNs - exchange.unansweredSinceNs() >= PATIENCE_NS) {
            boolean isCertain = exchange.sends() > 1 || exchange.isReliable();
            problems.add(Problem.of(
                            Problem.Kind.NO_RESPONSE,
                            isCertain ? ProblemClass.SERVICE : ProblemClass.NOTE,
                            exchange.unansweredSinceNs())
                    .withSeconds((nowNs - exchange.unansweredSinceNs()) / 1e9)
                    .withCount(exchange.sends()));
        }
    }
}
