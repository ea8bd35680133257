package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was lost where, between captures of the same traffic at several points.
 *
 * @param calls the calls of the first capture in their order, then those that only the next one has, and so on
 * @param clocks of each capture against the first; null for one that shares nothing with those before
 * @param steps of each capture, in order: where its clock was set while it ran; times after it are taken as if it had not
 * @param streams in the order of their calls; those without a call last
 * @param messages SIP that a point lacks, in the order of their calls, then of time
 * @param counts what else was found, and what was left out
 */
public record PointsReport(
        List<Call> calls,
        List<@Nullable ClockLine> clocks,
        List<List<ClockStep>> steps,
        List<StreamWay> streams,
        List<LostMessage> messages,
        Counts counts) {

    /**
     * A call and the points that saw it.
     *
     * @param report by the first of these points that saw its INVITE, or the first
     * @param points the indexes of the captures, ascending
     */
    public record Call(CallReport report, List<Integer> points) {}

    /**
     * Numbers beside the lists.
     *
     * @param messagesShared SIP messages that two points have
     * @param mediaElsewhere streams of calls that another point saw without any media: it takes another way
     * @param otherHops streams that the same capture seems to have on another hop, too, but with other packets
     * @param streamsLeftOut streams beyond {@link PointAnalysis#MOST_PACKETS} packets
     * @param messagesLeftOut SIP messages beyond {@link PointMessages#MOST} at a point, or lost ones beyond {@link
     *     PointAnalysis#MOST_LOST_MESSAGES}
     */
    public record Counts(
            long messagesShared, long mediaElsewhere, long otherHops, long streamsLeftOut, long messagesLeftOut) {}

    /** Whether the captures have anything in common. */
    public boolean isShared() {
        return counts.messagesShared > 0
                || streams.stream().anyMatch(way -> way.fate().kind() == StreamWay.Kind.COMPARED);
    }
}
