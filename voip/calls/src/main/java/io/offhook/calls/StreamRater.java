package io.offhook.calls;

import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.PlayoutSummary;
import io.offhook.rtp.ReceptionInterval;
import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.StreamInterval;
import io.offhook.rtp.quality.CodecImpairment;
import io.offhook.rtp.quality.EModel;
import io.offhook.rtp.quality.Rating;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rates a stream: by the loss of the network alone, as it was played, and by intervals. What is too short says nothing and
 * has no rating.
 */
final class StreamRater {
    /** Below so many expected packets a stream has no rating. */
    private static final int FEWEST_PACKETS = 50;

    /** Below so much media neither a stream nor an interval has one. */
    private static final double SHORTEST_MS = 1000;

    /** How long a receiver is assumed to hold packets back where only the delay of the network is known. */
    private static final double ASSUMED_BUFFER_MS = 40;

    /** What is assumed for path, packet and codec where no delay of the network is known: with 60 ms of buffer, 100. */
    private static final double ASSUMED_PATH_MS = EModel.DEFAULT_DELAY_MS - 60;

    private static final String TOO_SHORT = "it is shorter than 50 packets or 1 s";

    private final RtpStream stream;
    private final EModel.Conditions conditions;
    private final double roundTripMs;
    private final @Nullable PlayoutSummary playout;
    private final boolean isLongEnough;
    private int ratedType = Integer.MIN_VALUE;
    private @Nullable Codec ratedCodec;
    private @Nullable CodecImpairment ratedBy;

    /**
     * @param conditions without a delay
     * @param roundTripMs as RTCP reports it; NaN if it does not
     */
    StreamRater(RtpStream stream, EModel.Conditions conditions, double roundTripMs) {
        this.stream = stream;
        this.conditions = conditions;
        this.roundTripMs = roundTripMs;
        playout = stream.playout();
        isLongEnough = stream.expected() >= FEWEST_PACKETS && isLongEnough(stream.expected());
    }

    private boolean isLongEnough(long packets) {
        return packets * stream.packetTimeMs() >= SHORTEST_MS;
    }

    /** What the buffer played; null without one. */
    @Nullable
    PlayoutSummary playout() {
        return playout;
    }

    /** By the loss of the network alone. */
    Rating network() {
        return rate(mainPayloadType(), stream.lostPercent(), stream.burstRatio(), networkConditions(), isLongEnough);
    }

    private EModel.Conditions networkConditions() {
        return Double.isNaN(roundTripMs)
                ? conditions
                : conditions.withMeasuredDelay(roundTripMs / 2 + ASSUMED_BUFFER_MS);
    }

    /** As it was played; null without a buffer. */
    @Nullable
    Rating played() {
        return playout == null
                ? null
                : rate(
                        mainPayloadType(),
                        playout.lossPercent(),
                        playout.burstRatio(),
                        conditions(playout),
                        isLongEnough);
    }

    private EModel.Conditions conditions(PlayoutSummary playout) {
        double bufferMs = playout.buffer().meanDelayMs();
        return Double.isNaN(roundTripMs)
                ? conditions.withDelay(ASSUMED_PATH_MS + bufferMs)
                : conditions.withMeasuredDelay(roundTripMs / 2 + bufferMs);
    }

    /**
     * The intervals, each with the delay of the whole stream.
     *
     * @param farEnd the reports of the receiver; null if there are none
     */
    List<RatedInterval> intervals(@Nullable ReceptionSummary farEnd) {
        EModel.Conditions whole = playout == null ? networkConditions() : conditions(playout);
        List<RatedInterval> rated = new ArrayList<>();
        Rating clean = null;
        int cleanType = Integer.MIN_VALUE;
        for (StreamInterval interval : stream.intervals()) {
            boolean isShort = !isLongEnough(interval.expected());
            boolean isClean = interval.lost() + interval.discarded() == 0 && !isShort;
            if (!isClean || clean == null || cleanType != interval.payloadType()) {
                Rating rating = rate(
                        interval.payloadType(),
                        interval.impairedPercent(),
                        interval.burstRatio(),
                        whole,
                        isLongEnough && !isShort);
                rated.add(new RatedInterval(interval, rating, reported(farEnd, interval)));
                clean = isClean ? rating : clean;
                cleanType = isClean ? interval.payloadType() : cleanType;
            } else {
                rated.add(new RatedInterval(interval, clean, reported(farEnd, interval))); // most are alike
            }
        }
        return rated;
    }

    private static @Nullable ReceptionInterval reported(@Nullable ReceptionSummary farEnd, StreamInterval interval) {
        return farEnd == null
                ? null
                : farEnd.between(interval.startNs(), interval.startNs() + StreamInterval.LENGTH_NS);
    }

    private int mainPayloadType() {
        PayloadCount main = stream.mainPayload();
        return main == null ? -1 : main.payloadType();
    }

    private Rating rate(
            int payloadType,
            double lossPercent,
            double burstRatio,
            EModel.Conditions conditions,
            boolean isLongEnough) {
        if (payloadType != ratedType) {
            find(payloadType);
        }
        Codec codec = ratedCodec;
        if (codec == null) {
            return new Rating.Unrated(
                    payloadType < 0 ? "" : "payload type " + payloadType, "nothing says which codec it is");
        }
        CodecImpairment impairment = ratedBy;
        Rating rating = impairment == null
                ? new Rating.Unrated(codec.encodingName(), CodecImpairment.whyNone(codec, conditions.settings()))
                : EModel.rateBy(codec, impairment, lossPercent, burstRatio, conditions);
        return rating instanceof Rating.Unrated || isLongEnough
                ? rating
                : new Rating.Unrated(codec.encodingName(), TOO_SHORT);
    }

    /** Finds the values of a payload type, which are those of nearly all intervals. */
    private void find(int payloadType) {
        ratedType = payloadType;
        ratedCodec = stream.codecOf(payloadType);
        ratedBy = ratedCodec == null
                ? null
                : CodecImpairment.find(
                        ratedCodec,
                        stream.modesOf(payloadType),
                        conditions.silenceSuppression(),
                        conditions.settings());
    }
}
