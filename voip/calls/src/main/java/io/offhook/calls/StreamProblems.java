package io.offhook.calls;

import io.offhook.calls.relay.SilentRelay;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.calls.relay.StreamPoint;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.PlayoutSummary;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.quality.Quality;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was wrong with a stream, by its own figures. docs/OUTPUT.md lists the limits below. */
final class StreamProblems {
    private static final int FEWEST_PACKETS = 50;

    /** One into a relay, one out of it, and one into it that does not come out. */
    private static final int FEWEST_STREAMS = 3;

    private final ProblemLimits limits;

    StreamProblems(ProblemLimits limits) {
        this.limits = limits;
    }

    /**
     * What got lost between two points of capture. While one side has the other on hold, a relay that passes nothing on does
     * as it should.
     */
    List<Problem> relayLoss(List<StreamPassage> passages, List<CallReport.Hold> holds) {
        List<Problem> problems = new ArrayList<>(0);
        for (StreamPassage passage : passages) {
            boolean isLossy = passage.isTrusted()
                    && passage.lost() >= limits.relay().packets()
                    && passage.lossPercent() >= limits.relay().percent();
            if (isLossy && holds.isEmpty()) {
                problems.add(relayLoss(passage.from(), passage.to().destination())
                        .withPercent(passage.lossPercent())
                        .withCount(passage.lost()));
            }
        }
        return problems;
    }

    private static Problem relayLoss(StreamPoint into, Endpoint towards) {
        return Problem.of(Problem.Kind.RELAY_LOSS, ProblemClass.SERVICE, CallReport.NEVER)
                .from(ProblemSide.of(into.isFromCaller() ? Side.CALLER : Side.CALLEE))
                .because(new Problem.Cause.Relay(into.destination(), towards));
    }

    /**
     * The relay that passes none of a side's audio on.
     *
     * @param calls the dialogs of a call; each was answered and shows audio
     */
    static List<Problem> silentRelays(List<Call> calls, List<StreamReport> streams, StreamReporter reporter) {
        if (streams.size() < FEWEST_STREAMS) {
            return List.of();
        }
        List<StreamPoint> audio = new ArrayList<>(streams.size());
        for (StreamReport stream : streams) {
            if (stream.isAudio()) {
                audio.add(reporter.point(stream));
            }
        }
        List<Problem> problems = new ArrayList<>(0);
        for (Side side : Side.values()) {
            SilentRelay relay = SilentRelay.of(audio, side == Side.CALLER);
            if (relay != null && areToSend(calls, side)) {
                problems.add(relayLoss(relay.into(), relay.towards())
                        .withPercent(100)
                        .withCount(relay.into().statistics().distinct()));
            }
        }
        return problems;
    }

    /** Whether a side was to send all the time, by what both agreed on. */
    private static boolean areToSend(List<Call> calls, Side side) {
        boolean areToSend = true;
        for (Call call : calls) {
            OfferAnswer session = call.media().session();
            areToSend &= session.silences(side, Long.MAX_VALUE).isEmpty()
                    && session.holds(Long.MAX_VALUE).isEmpty();
        }
        return areToSend;
    }

    /** The problems of one stream, without a side. */
    List<Problem> of(StreamReport stream) {
        List<Problem> problems = list(
                isLossier(stream, null) ? stream : null,
                isLater(stream, null) ? stream : null,
                isLower(stream, null) ? stream : null,
                isUneven(stream) ? stream : null);
        if (isLacking(stream, null)) {
            problems.add(captureLoss(stream));
        }
        return problems;
    }

    /** The problems of those streams that are not null, without a side. */
    List<Problem> list(
            @Nullable StreamReport lossy,
            @Nullable StreamReport late,
            @Nullable StreamReport low,
            @Nullable StreamReport uneven) {
        List<Problem> problems = new ArrayList<>(1);
        if (lossy != null) {
            problems.add(loss(lossy));
        }
        PlayoutSummary playout = late == null ? null : late.playout();
        if (late != null && playout != null) {
            problems.add(late(late, playout));
        }
        Quality quality = low == null ? null : low.quality();
        if (low != null && quality != null) {
            problems.add(lowMos(low, quality));
        }
        if (uneven != null) {
            problems.add(Problem.of(Problem.Kind.JITTER, ProblemClass.NOTE, CallReport.NEVER)
                    .withValue(uneven.statistics().meanJitterMs()));
        }
        return problems;
    }

    /** Whether a stream lost more than is tolerable, and more than another one. */
    boolean isLossier(StreamReport stream, @Nullable StreamReport other) {
        return isLong(stream)
                && lostPercent(stream) >= limits.lossPercent().note()
                && (other == null || lostPercent(stream) > lostPercent(other));
    }

    /** Whether more of a stream than is tolerable is missing from the capture alone, and more than of another one. */
    boolean isLacking(StreamReport stream, @Nullable StreamReport other) {
        return isMuch(uncaptured(stream), stream.statistics())
                && (other == null || uncaptured(stream) > uncaptured(other));
    }

    /** Whether so many packets are more of a stream than is tolerable. */
    boolean isMuch(long packets, RtpStream stream) {
        return packets > 0
                && stream.expected() >= FEWEST_PACKETS
                && percent(packets, stream) >= limits.lossPercent().note();
    }

    /** Whether more of a stream than is tolerable came too late to be played, and more than of another one. */
    boolean isLater(StreamReport stream, @Nullable StreamReport other) {
        return isLong(stream)
                && stream.isAudio()
                && discardPercent(stream) >= limits.latePercent().note()
                && (other == null || discardPercent(stream) > discardPercent(other));
    }

    /** Whether a stream arrived unevenly. */
    boolean isUneven(StreamReport stream) {
        return isLong(stream) && stream.isAudio() && stream.statistics().meanJitterMs() > limits.jitterMs();
    }

    /** Whether the MOS of a stream is low, and lower than that of another one. */
    boolean isLower(StreamReport stream, @Nullable StreamReport other) {
        QualityOverTime overTime = stream.overTime();
        Quality quality = stream.quality();
        boolean isLow = quality != null
                && (quality.mos() < limits.mos().on(quality.scale())
                        || overTime != null
                                && overTime.below36Percent() >= limits.mos().timePercent());
        return isLow && (other == null || mos(stream) < mos(other));
    }

    private static boolean isLong(StreamReport stream) {
        return stream.statistics().expected() >= FEWEST_PACKETS;
    }

    /** What the network may have lost: all that is missing but what the receiver got. */
    private static long lost(StreamReport stream) {
        return stream.statistics().lost() - uncaptured(stream);
    }

    private static double lostPercent(StreamReport stream) {
        return percent(lost(stream), stream.statistics());
    }

    private static double percent(long packets, RtpStream stream) {
        return stream.expected() == 0 ? 0 : 100.0 * packets / stream.expected();
    }

    private static long uncaptured(StreamReport stream) {
        FarEnd farEnd = stream.farEnd();
        return farEnd == null ? 0 : farEnd.uncaptured();
    }

    private static double discardPercent(StreamReport stream) {
        PlayoutSummary playout = stream.playout();
        return playout == null ? 0 : playout.discardPercent();
    }

    private static double mos(StreamReport stream) {
        Quality quality = stream.quality();
        return quality == null ? Double.NaN : quality.mos();
    }

    private Problem loss(StreamReport stream) {
        RtpStream statistics = stream.statistics();
        String type = stream.mediaType();
        boolean isNetworks = uncaptured(stream) == 0; // otherwise the longest hole may be the capture's
        Problem loss = Problem.of(
                        Problem.Kind.LOSS,
                        limits.lossPercent().classOf(lostPercent(stream)),
                        isNetworks ? statistics.longestLossNs() : CallReport.NEVER)
                .withPercent(lostPercent(stream))
                .withCount(lost(stream))
                .withValue(isNetworks ? statistics.lossBursts().longest() : Double.NaN);
        return stream.isAudio() || type == null ? loss : loss.because(new Problem.Cause.Media(type));
    }

    /** What is missing from the capture, and arrived. */
    Problem captureLoss(StreamReport stream) {
        boolean isAll = lost(stream) == 0;
        return Problem.of(
                        Problem.Kind.CAPTURE_LOSS,
                        ProblemClass.NOTE,
                        isAll ? stream.statistics().longestLossNs() : CallReport.NEVER)
                .withPercent(percent(uncaptured(stream), stream.statistics()))
                .withCount(uncaptured(stream))
                .because(new Problem.Cause.Audio(AudioCause.CAPTURE));
    }

    /** What a fixed buffer discards need not be heard: phones have adaptive ones. */
    private Problem late(StreamReport stream, PlayoutSummary playout) {
        double heard = Math.min(playout.discardPercent(), stream.statistics().adaptiveDiscardPercent());
        return Problem.of(Problem.Kind.LATE, limits.latePercent().classOf(heard), CallReport.NEVER)
                .withPercent(playout.discardPercent())
                .withCount(playout.discarded())
                .withValue(playout.buffer().sizeMs());
    }

    private static Problem lowMos(StreamReport stream, Quality quality) {
        boolean isCertain = quality.trusted() && !quality.isEstimate();
        QualityOverTime overTime = stream.overTime();
        ProblemClass problemClass = isCertain ? ProblemClass.SERVICE : ProblemClass.NOTE;
        long worstNs = overTime == null ? CallReport.NEVER : overTime.minAtNs();
        return Problem.of(Problem.Kind.LOW_MOS, problemClass, worstNs)
                .withValue(quality.mos())
                .withPercent(overTime == null ? Double.NaN : overTime.below36Percent())
                .because(new Problem.Cause.Scale(quality.scale(), quality.isEstimate()));
    }
}
