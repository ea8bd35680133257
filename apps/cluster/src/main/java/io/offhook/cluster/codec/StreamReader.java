package io.offhook.cluster.codec;

import static io.offhook.cluster.codec.Fields.atMost;
import static io.offhook.cluster.codec.Fields.count;

import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.rtp.figures.ArrivalFigures;
import io.offhook.rtp.figures.AudioFigures;
import io.offhook.rtp.figures.IntervalFigures;
import io.offhook.rtp.figures.KeyFigures;
import io.offhook.rtp.figures.LossFigures;
import io.offhook.rtp.figures.MediaFigures;
import io.offhook.rtp.figures.PayloadFigures;
import io.offhook.rtp.figures.PlayoutFigures;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.SequenceFigures;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.figures.StreamUpdate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads figures of streams. What is outside of its range is an {@link IllegalArgumentException}. */
final class StreamReader {
    private static final int MOST_LENGTHS = 64;
    private static final int MOST_LISTED = 256;
    private static final int MOST_PAYLOADS = 8;
    private static final int MOST_MODES = 16;
    private static final int MOST_SAMPLED = 4096;

    private StreamReader() {}

    static StreamInterval interval(EventsProto.StreamInterval interval) {
        atMost(interval.getClosedCount(), StreamInterval.INTERVALS, "intervals");
        List<StreamUpdate.Changed> changed = new ArrayList<>(interval.getClosedCount());
        interval.getClosedList().forEach(closed -> changed.add(closed(closed)));
        return new StreamInterval(
                Fields.stream(interval.getStream()),
                interval.getOwnerCallId(),
                new StreamUpdate(figures(interval.getFigures()), interval.getIntervals(), changed),
                interval.hasSample() ? sample(interval.getSample()) : null,
                Fields.octets(interval.getUnknownFields()));
    }

    private static StreamUpdate.Changed closed(EventsProto.Interval interval) {
        return new StreamUpdate.Changed(
                interval.getIndex(),
                new IntervalFigures.Interval(
                        interval.hasPayloadType() ? count(interval.getPayloadType()) : -1,
                        interval.hasArrived() ? count(interval.getArrived()) : -1,
                        losses(interval.getLosses()),
                        interval.hasDetail() ? detail(interval.getDetail()) : null));
    }

    private static IntervalFigures.Detail detail(EventsProto.Interval.Detail detail) {
        return new IntervalFigures.Detail(
                count(detail.getPackets()),
                count(detail.getDuplicates()),
                count(detail.getReordered()),
                count(detail.getLate()),
                count(detail.getStrays()),
                count(detail.getMarkers()),
                new IntervalFigures.Times(
                        detail.hasJitterMs() ? detail.getJitterMs() : Float.NaN,
                        detail.hasMeanJitterMs() ? detail.getMeanJitterMs() : Float.NaN,
                        detail.hasMaxJitterMs() ? detail.getMaxJitterMs() : Float.NaN,
                        detail.hasMaxDeltaMs() ? detail.getMaxDeltaMs() : Float.NaN));
    }

    private static IntervalFigures.Losses losses(EventsProto.IntervalLosses losses) {
        return new IntervalFigures.Losses(
                count(losses.getLost()), count(losses.getDiscarded()), count(losses.getRuns()));
    }

    private static IntervalFigures.Open open(EventsProto.OpenInterval open) {
        EventsProto.OpenInterval.Before before = open.getBefore();
        return new IntervalFigures.Open(
                losses(open.getLosses()),
                count(open.getDistinctBefore()),
                open.hasBefore()
                        ? new IntervalFigures.Before(
                                count(before.getPackets()),
                                count(before.getDuplicates()),
                                count(before.getReordered()),
                                count(before.getLate()),
                                count(before.getStrays()),
                                count(before.getMarkers()),
                                new IntervalFigures.Samples(before.getJitterSumMs(), count(before.getJitterSamples())))
                        : null);
    }

    private static SampleFigures sample(EventsProto.Sample sample) {
        int packets = sample.getArrivalCount();
        atMost(packets, MOST_SAMPLED, "packets of a sample");
        if (sample.getHeaderCount() != packets || sample.getPrintCount() != packets) {
            throw new IllegalArgumentException("a sample has columns of different lengths");
        }
        List<SampleFigures.Packet> all = new ArrayList<>(packets);
        long arrivalNs = 0;
        for (int i = 0; i < packets; i++) {
            arrivalNs += sample.getArrival(i);
            all.add(new SampleFigures.Packet(arrivalNs, sample.getHeader(i), sample.getPrint(i)));
        }
        return new SampleFigures(all, count(sample.getDropped()));
    }

    private static StreamFigures figures(EventsProto.Figures figures) {
        return new StreamFigures(
                figures.getBuffer(),
                arrival(figures),
                sequence(figures),
                new LossFigures(
                        bursts(figures.getLostBursts()),
                        bursts(figures.getDiscardedBursts()),
                        bursts(figures.getImpairedBursts()),
                        groups(figures.getBurstsAndGaps())),
                media(figures),
                figures.hasPlayout() ? playout(figures.getPlayout()) : null,
                new IntervalFigures(List.of(), open(figures.getOpen())));
    }

    private static ArrivalFigures arrival(EventsProto.Figures figures) {
        return new ArrivalFigures(
                new ArrivalFigures.Times(figures.getFirstNs(), figures.getLastNs(), figures.getLastUniqueNs()),
                new ArrivalFigures.Deltas(
                        figures.hasMinDeltaNs() ? figures.getMinDeltaNs() : Long.MAX_VALUE,
                        count(figures.getMaxDeltaNs()),
                        count(figures.getOpenMaxDeltaNs())),
                new ArrivalFigures.Headers(
                        figures.getFirstTimestamp(), figures.getLastTimestamp(), count(figures.getLastNumber())),
                count(figures.getPayloadOctets()),
                count(figures.getMarkers()),
                new ArrivalFigures.Fractions(
                        figures.hasIntervalFraction() ? count(figures.getIntervalFraction()) : -1,
                        figures.hasMaxIntervalFraction() ? count(figures.getMaxIntervalFraction()) : -1));
    }

    private static SequenceFigures sequence(EventsProto.Figures figures) {
        return new SequenceFigures(
                count(figures.getPackets()),
                new SequenceFigures.Numbers(
                        count(figures.getExpected()),
                        count(figures.getExpectedSinceFirst()),
                        figures.getLowestNumber(),
                        figures.getHighestNumber()),
                new SequenceFigures.Odd(
                        count(figures.getDuplicates()),
                        count(figures.getMirrored()),
                        count(figures.getReordered()),
                        count(figures.getLate()),
                        count(figures.getStrays())),
                count(figures.getRestarts()),
                new SequenceFigures.Hole(count(figures.getLongestHole()), figures.getLongestHoleNs()));
    }

    private static LossFigures.Bursts bursts(EventsProto.Bursts bursts) {
        int lengths = bursts.getLengthCount();
        atMost(lengths, MOST_LENGTHS, "lengths of bursts");
        if (bursts.getCountCount() != lengths) {
            throw new IllegalArgumentException("lengths of bursts do not have a count each");
        }
        List<LossFigures.Length> all = new ArrayList<>(lengths);
        for (int i = 0; i < lengths; i++) {
            all.add(new LossFigures.Length(count(bursts.getLength(i)), count(bursts.getCount(i))));
        }
        return new LossFigures.Bursts(
                all,
                count(bursts.getBursts()),
                count(bursts.getPackets()),
                count(bursts.getLongest()),
                count(bursts.getUnlisted()));
    }

    private static LossFigures.Groups groups(EventsProto.BurstsAndGaps groups) {
        return new LossFigures.Groups(
                count(groups.getBursts()),
                count(groups.getBurstPackets()),
                count(groups.getBurstImpaired()),
                count(groups.getGaps()),
                count(groups.getGapImpaired()),
                count(groups.getPackets()));
    }

    private static MediaFigures media(EventsProto.Figures figures) {
        atMost(figures.getPayloadsCount(), MOST_PAYLOADS, "payload types");
        List<PayloadFigures> payloads = new ArrayList<>(figures.getPayloadsCount());
        figures.getPayloadsList().forEach(payload -> payloads.add(payload(payload)));
        EventsProto.Jitter jitter = figures.getJitter();
        return new MediaFigures(
                payloads,
                new MediaFigures.Pace(
                        figures.hasPacePayloadType() ? count(figures.getPacePayloadType()) : -1,
                        figures.hasPaceTicks() ? count(figures.getPaceTicks()) : -1),
                new MediaFigures.Jitter(
                        jitter.getKnown(),
                        new MediaFigures.Level(jitter.getLastMs(), jitter.getMaxMs(), jitter.getOpenMaxMs()),
                        jitter.getSumMs(),
                        count(jitter.getSamples()),
                        jitter.getSkewMs(),
                        count(jitter.getTimestampJumps())),
                new MediaFigures.Unmeasured(count(figures.getUntimed()), count(figures.getWaiting())),
                audio(figures),
                figures.hasDtmf() ? keys(figures.getDtmf()) : null);
    }

    private static AudioFigures audio(EventsProto.Figures figures) {
        atMost(figures.getPausesCount(), MOST_LISTED, "pauses");
        List<AudioFigures.Pause> pauses = new ArrayList<>(figures.getPausesCount());
        for (EventsProto.Pause pause : figures.getPausesList()) {
            pauses.add(new AudioFigures.Pause(
                    pause.getFromNs(),
                    pause.getUntilNs(),
                    pause.getMissing(),
                    count(pause.getEmpty()),
                    pause.getMediaMs(),
                    pause.getAfterComfortNoise()));
        }
        return new AudioFigures(
                figures.hasFirstAudioNs() ? figures.getFirstAudioNs() : Long.MIN_VALUE,
                figures.hasLastAudioNs() ? figures.getLastAudioNs() : Long.MIN_VALUE,
                figures.getLastIsNoise(),
                count(figures.getEmptyAtEnd()),
                pauses,
                count(figures.getPausesDropped()));
    }

    private static KeyFigures keys(EventsProto.Dtmf keys) {
        atMost(keys.getPressesCount(), MOST_LISTED, "key presses");
        List<KeyFigures.Press> presses = new ArrayList<>(keys.getPressesCount());
        for (EventsProto.Dtmf.Press press : keys.getPressesList()) {
            presses.add(new KeyFigures.Press(
                    count(press.getEvent()),
                    press.getStartedNs(),
                    press.getTimestamp(),
                    new KeyFigures.Length(count(press.getDuration()), count(press.getClockRate())),
                    count(press.getVolume()),
                    press.getEnded(),
                    count(press.getPackets())));
        }
        return new KeyFigures(presses, count(keys.getPackets()), count(keys.getDropped()), count(keys.getMalformed()));
    }

    private static PayloadFigures payload(EventsProto.Payload payload) {
        atMost(payload.getPayloadType(), 127, "(a payload type)");
        atMost(payload.getModesCount(), MOST_MODES, "modes");
        List<Integer> modes = new ArrayList<>(payload.getModesCount());
        payload.getModesList().forEach(packets -> modes.add(count(packets.intValue())));
        return new PayloadFigures(
                count(payload.getPayloadType()),
                new PayloadFigures.Use(
                        count(payload.getPackets()), count(payload.getOpenPackets()), payload.getLastNs()),
                switch (payload.getKind()) {
                    case TIMED -> PayloadFigures.Kind.TIMED;
                    case EVENT -> PayloadFigures.Kind.EVENT;
                    case KIND_UNSPECIFIED, UNRECOGNIZED -> PayloadFigures.Kind.UNKNOWN;
                },
                payload.hasCodec() ? codec(payload.getCodec()) : null,
                count(payload.getTagOctets()),
                modes);
    }

    private static PayloadFigures.@Nullable CodecFigures codec(EventsProto.Payload.Codec codec) {
        return new PayloadFigures.CodecFigures(
                codec.getName(), count(codec.getClockRate()), count(codec.getChannels()), codec.getParameters());
    }

    private static PlayoutFigures playout(EventsProto.Playout playout) {
        return new PlayoutFigures(
                count(playout.getSizeNs()),
                count(playout.getPlayed()),
                count(playout.getDiscarded()),
                new PlayoutFigures.Waits(count(playout.getWaitSumNs()), count(playout.getMaxWaitNs())),
                new PlayoutFigures.Resyncs(
                        count(playout.getRestarts()),
                        count(playout.getJumps()),
                        count(playout.getLate()),
                        count(playout.getEarly()),
                        count(playout.getStarved())),
                count(playout.getSkewSteps()),
                count(playout.getDiscardedByAdaptive()));
    }
}
