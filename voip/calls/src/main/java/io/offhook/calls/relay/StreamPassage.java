package io.offhook.calls.relay;

import io.offhook.rtp.PacketLog;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.List;
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
 * @param level by what it is the same stream
 * @param present numbers captured at the first point
 * @param lost numbers of these that did not arrive at the second
 * @param lostBefore numbers that the first point lacks already
 * @param extra numbers that the capture at the first point missed, since the second has them
 * @param stripped packets with a payload type that the second point does not have at all: not lost, but not passed on
 * @param addedJitterMs the mean jitter at the second point less that at the first; NaN if the clock is unknown
 * @param figures of its packets; null unless all were logged
 * @param isTrusted whether {@code lost} packets are missing to the receiver: the capture lost none meanwhile, and the
 *     receiver did not report to have got them
 */
public record StreamPassage(
        StreamPoint from,
        StreamPoint to,
        Level level,
        long present,
        long lost,
        long lostBefore,
        long extra,
        long stripped,
        double addedJitterMs,
        @Nullable SegmentFigures figures,
        boolean isTrusted) {
    /** The most streams of a call that are compared. */
    public static final int MOST_POINTS = 64;

    /** By what a stream is the same at two points. */
    public enum Level {
        /** By SSRC, numbers and timestamps. */
        EXACT("exact"),
        /** By its payloads: a relay sends it under another SSRC, or with other numbers or timestamps. */
        REWRITTEN("rewritten");

        private final String label;

        Level(String label) {
            this.label = label;
        }

        /** The name in JSON. */
        public String label() {
            return label;
        }
    }

    /** {@link #lost} as a percentage of {@link #present}, 0 to 100. */
    public double lossPercent() {
        return present == 0 ? 0 : 100.0 * lost / present;
    }

    /** The passages of a call's streams, each from one point to the next, in the order of the points. */
    public static List<StreamPassage> of(List<StreamPoint> points) {
        if (points.size() < 2) {
            return List.of();
        }
        List<StreamPoint> compared = points.subList(0, Math.min(points.size(), MOST_POINTS));
        List<StreamPassage> passages = new ArrayList<>(0);
        for (StreamPoint to : compared) {
            Match closest = null;
            for (StreamPoint from : compared) {
                boolean mayBe = from.statistics() != to.statistics() && from.isFromCaller() == to.isFromCaller();
                Match match = mayBe ? Match.of(from, to) : null;
                if (match != null && match.isForward() && (closest == null || match.isCloserThan(closest))) {
                    closest = match;
                }
            }
            StreamPassage passage = closest == null ? null : between(closest);
            if (passage != null) {
                passages.add(passage);
            }
        }
        return passages;
    }

    /** That two points have one stream. */
    private record Match(
            StreamPoint from,
            StreamPoint to,
            @Nullable CommonRange range,
            @Nullable PacketPairs payloads,
            long delayNs) {

        static @Nullable Match of(StreamPoint from, StreamPoint to) {
            CommonRange range = CommonRange.of(from, to);
            if (range != null) {
                return new Match(from, to, range, null, range.delayNs());
            }
            PacketLog before = from.log();
            PacketLog after = to.log();
            PacketPairs payloads = before == null || after == null || from.sharesHost(to)
                    ? null
                    : PacketPairs.rewritten(before, after);
            return payloads == null
                    ? null
                    : new Match(from, to, CommonRange.rewritten(from, to, payloads), payloads, payloads.medianNs());
        }

        /** By the host in between, or else by time. */
        boolean isForward() {
            boolean leads = from.leadsTo(to);
            return leads == to.leadsTo(from) ? delayNs > 0 : leads;
        }

        boolean isCloserThan(Match other) {
            boolean leads = from.leadsTo(to);
            return leads == other.from.leadsTo(other.to) ? delayNs < other.delayNs : leads;
        }

        private static boolean isWhole(PacketLog log) {
            return !log.isSample() && log.dropped() == 0;
        }

        /** Of each packet; null unless all were logged. */
        @Nullable
        SegmentFigures figures() {
            PacketLog before = from.log();
            PacketLog after = to.log();
            if (before == null || after == null || !isWhole(before) || !isWhole(after)) {
                return null;
            }
            PacketPairs pairs = payloads == null ? PacketPairs.exact(before, after) : payloads;
            return pairs.count() == 0 ? null : pairs.figures();
        }
    }

    /** Null if the relay numbers packets anew, so that nothing is known without a log of all of them. */
    private static @Nullable StreamPassage between(Match match) {
        StreamPoint from = match.from;
        StreamPoint to = match.to;
        CommonRange range = match.range;
        RtpStream before = from.statistics();
        RtpStream after = to.statistics();
        double addedJitterMs = before.isJitterKnown() && after.isJitterKnown()
                ? after.meanJitterMs() - before.meanJitterMs()
                : Double.NaN;
        boolean isComplete = from.isComplete() && to.isComplete();
        Level level = match.payloads == null ? Level.EXACT : Level.REWRITTEN;
        SegmentFigures figures = match.figures();
        if (figures != null) {
            return new StreamPassage(
                    from,
                    to,
                    level,
                    figures.present(),
                    figures.lost(),
                    figures.lostBefore(),
                    figures.extra(),
                    figures.stripped(),
                    addedJitterMs,
                    figures,
                    isComplete && figures.extra() == 0);
        }
        if (range == null) {
            return null;
        }
        long lostBefore = Math.min(before.lost(), range.numbers());
        long lostAfter = Math.clamp(after.lost() - range.secondOutside(), 0, range.numbers());
        long stripped = stripped(before, after);
        // what of the losses is outside the range is not known: each figure is the least that it can be
        long extra = Math.max(0, before.lost() - range.firstOutside() - after.lost());
        return new StreamPassage(
                from,
                to,
                level,
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
