package io.offhook.proxy.statistics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member of a group of next hops.
 *
 * @param uri where it is reached
 * @param weight its share among members of the same priority
 * @param priority members with higher numbers are used when none with a lower one can be
 * @param state whether it gets calls: usable, down, back-off or retry-after
 * @param untilMs when it gets calls again, milliseconds since 1970; 0 if no time is set for that
 * @param options what became of the OPTIONS to it; null if it is not asked
 */
public record MemberFigure(
        String uri,
        int weight,
        int priority,
        String state,
        long untilMs,
        @Nullable Options options) {
    /** All states. */
    public static final List<String> STATES = List.of("usable", "down", "back-off", "retry-after");

    /**
     * The OPTIONS to a member.
     *
     * @param sent how many were sent
     * @param failed how many of them were not answered in time, or not as they should be
     * @param lastStatus the last answer; 0 if there was none to the last one, -1 if none has a result yet
     */
    public record Options(long sent, long failed, int lastStatus) {}
}
