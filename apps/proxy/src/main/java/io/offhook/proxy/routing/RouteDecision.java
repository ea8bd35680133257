package io.offhook.proxy.routing;

import io.offhook.sip.SipUri;
import java.util.List;

/** What becomes of a request. */
public sealed interface RouteDecision {
    /**
     * The request is answered.
     *
     * @param status 200 to 699
     * @param reason the reason phrase, without control characters; "" for the usual one
     * @param headers header fields of the answer, such as Contact of a redirection or Retry-After
     */
    record Reply(int status, String reason, List<HeaderField> headers) implements RouteDecision {
        private static final int MOST_REASON = 200;

        /** Checks status and reason. */
        public Reply {
            headers = List.copyOf(headers);
            if (status < 200 || status > 699) {
                throw new IllegalArgumentException("status " + status + " is outside 200 to 699");
            }
            if (reason.length() > MOST_REASON || reason.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw new IllegalArgumentException(
                        "a reason phrase has at most " + MOST_REASON + " characters, none of them a control character");
            }
        }

        /** An answer without header fields and with the usual reason phrase. */
        public static Reply of(int status) {
            return new Reply(status, "", List.of());
        }
    }

    /** The request is sent on by its request URI as it is, if the relay rules of the configuration allow the address. */
    record Relay() implements RouteDecision {}

    /**
     * The request is sent to targets: those of a set at the same time, the sets one after the other until one answers (RFC
     * 3261, 16.6 and 16.7). Sets are in the order of their preference (q).
     *
     * @param sets at least one
     */
    record Fork(List<TargetSet> sets) implements RouteDecision {
        /** Checks that there is a set. */
        public Fork {
            sets = List.copyOf(sets);
            if (sets.isEmpty()) {
                throw new IllegalArgumentException("a fork needs a target set");
            }
        }

        /** A fork of one branch. */
        public static Fork to(Target target) {
            return new Fork(List.of(TargetSet.of(target)));
        }
    }

    /**
     * The location service knows where the user is.
     *
     * @param addressOfRecord the user, in one of our domains: the request URI, or what a rule made of it
     */
    record Local(SipUri addressOfRecord) implements RouteDecision {}
}
