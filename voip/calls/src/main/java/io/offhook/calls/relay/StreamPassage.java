package io.offhook.calls.relay;

import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way of a stream from one point of capture to the next, mostly through a relay. Figures are about the numbers from the
 * first to the last that both points have.
 *
 * <p>Unless packets were logged, which numbers were lost is not known, only how many. So a number that the first point alone
 * lacks makes up for one that the second lacks: {@code lost} and {@code extra} are the least that they can be, and exact if
 * one of them is 0 and the first point lost nothing.
 *
 * @param from the point that is passed first
 * @param to the next one
 * @param present numbers captured at the first point
 * @param lost numbers of these that did not arrive at the second
 * @param lostBefore numbers that the first point lacks already
 * @param extra numbers that the capture at the first point missed, since the second has them
 * @param stripped packets with a payload type that the second point does not have at all: not lost, but not passed on
 * @param addedJitterMs the mean jitter at the second point less that at the first; NaN if the clock is unknown
 * @param times of its packets; null unless packets were logged
 * @param isTrusted whether {@code lost} packets are missing to the receiver: the capture lost none meanwhile, and the
 *     receiver did not report to have got them
 */
public record StreamPassage(
        StreamPoint from,
        StreamPoint to,
        long present,
        long lost,
        long lostBefore,
        long extra,
        long stripped,
        double addedJitterMs,
        @Nullable PassageTimes times,
        boolean isTrusted) {
    /** The most streams of a call that are compared. */
    public static final int MOST_POINTS = 64;

    /** {@link #lost} as a percentage of {@link #present}, 0 to 100. */
    public double lossPercent() {
        return present == 0 ? 0 : 100.0 * lost / present;
    }

    /** The passages of a call's streams, each from one point to the next, in the order of the points. */
    public static List<StreamPassage> of(List<StreamPoint> points) {
        if (points.size() < 2) {
            return List.of();
        }
        Map<Long, List<StreamPoint>> bySsrc = new HashMap<>();
        List<StreamPassage> passages = new ArrayList<>(0);
        for (StreamPoint point : points.subList(0, Math.min(points.size(), MOST_POINTS))) {
            bySsrc.computeIfAbsent(point.ssrc(), _ -> new ArrayList<>(1)).add(point);
        }
        for (StreamPoint point : points.subList(0, Math.min(points.size(), MOST_POINTS))) {
            StreamPassage passage = arrival(point, bySsrc.getOrDefault(point.ssrc(), List.of()));
            if (passage != null) {
                passages.add(passage);
            }
        }
        return passages;
    }

    /** The way to a point from the one before it: of those that come before, the closest. */
    private static @Nullable StreamPassage arrival(StreamPoint to, List<StreamPoint> others) {
        StreamPoint closest = null;
        CommonRange closestRange = null;
        for (StreamPoint from : others) {
            CommonRange range = from.isFromCaller() == to.isFromCaller() ? CommonRange.of(from, to) : null;
            if (range != null && isBefore(from, to, range)) {
                boolean isCloser = closest == null
                        || closestRange == null
                        || (from.leadsTo(to) == closest.leadsTo(to)
                                ? range.delayNs() < closestRange.delayNs()
                                : from.leadsTo(to));
                closest = isCloser ? from : closest;
                closestRange = isCloser ? range : closestRange;
            }
        }
        return closest == null || closestRange == null ? null : between(closest, to, closestRange);
    }

    /** By the host in between, or else by time. */
    private static boolean isBefore(StreamPoint from, StreamPoint to, CommonRange range) {
        boolean leads = from.leadsTo(to);
        return leads == to.leadsTo(from) ? range.delayNs() > 0 : leads;
    }

    private static StreamPassage between(StreamPoint from, StreamPoint to, CommonRange range) {
        RtpStream before = from.statistics();
        RtpStream after = to.statistics();
        double addedJitterMs = before.isJitterKnown() && after.isJitterKnown()
                ? after.meanJitterMs() - before.meanJitterMs()
                : Double.NaN;
        boolean isComplete = from.isComplete() && to.isComplete();
        PassageTimes times = PassageTimes.of(from, to, range);
        if (times != null) {
            return new StreamPassage(
                    from,
                    to,
                    times.present(),
                    times.lost(),
                    times.lostBefore(),
                    times.extra(),
                    times.stripped(),
                    addedJitterMs,
                    times,
                    isComplete && times.extra() == 0);
        }
        long lostBefore = Math.min(before.lost(), range.numbers());
        long lostAfter = Math.clamp(after.lost() - range.secondOutside(), 0, range.numbers());
        long stripped = stripped(before, after);
        // what of the losses is outside the range is not known: each figure is the least that it can be
        long extra = Math.max(0, before.lost() - range.firstOutside() - after.lost());
        return new StreamPassage(
                from,
                to,
                range.numbers() - lostBefore,
                Math.max(0, lostAfter - lostBefore - stripped),
                lostBefore,
                extra,
                stripped,
                addedJitterMs,
                null,
                isComplete && extra == 0);
    }

    /** Packets of payload types that are not passed on, such as key presses that become SIP INFO. */
    private static long stripped(RtpStream before, RtpStream after) {
        long stripped = 0;
        for (PayloadCount sent : before.payloads()) {
            boolean isPassedOn = false;
            for (PayloadCount received : after.payloads()) {
                isPassedOn |= received.payloadType() == sent.payloadType();
            }
            stripped += isPassedOn ? 0 : sent.packets();
        }
        return stripped;
    }
}
