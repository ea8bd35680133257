package io.offhook.cluster.codec;

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

/** Writes figures of streams. */
final class StreamWriter {
    private StreamWriter() {}

    static EventsProto.StreamInterval.Builder interval(StreamInterval interval) {
        EventsProto.StreamInterval.Builder builder = EventsProto.StreamInterval.newBuilder()
                .setStream(Fields.stream(interval.stream()))
                .setOwnerCallId(interval.ownerCallId())
                .setIntervals(interval.update().closed())
                .setFigures(figures(interval.update().figures()))
                .setUnknownFields(Fields.unknown(interval.unknown()));
        for (StreamUpdate.Changed changed : interval.update().changed()) {
            builder.addClosed(closed(changed));
        }
        SampleFigures sample = interval.sample();
        if (sample != null) {
            builder.setSample(sample(sample));
        }
        return builder;
    }

    private static EventsProto.Interval.Builder closed(StreamUpdate.Changed changed) {
        IntervalFigures.Interval interval = changed.interval();
        EventsProto.Interval.Builder builder =
                EventsProto.Interval.newBuilder().setIndex(changed.index()).setLosses(losses(interval.losses()));
        if (interval.payloadType() >= 0) {
            builder.setPayloadType(interval.payloadType());
        }
        if (interval.arrived() >= 0) {
            builder.setArrived(interval.arrived());
        }
        IntervalFigures.Detail detail = interval.detail();
        if (detail != null) {
            builder.setDetail(detail(detail));
        }
        return builder;
    }

    private static EventsProto.Interval.Detail.Builder detail(IntervalFigures.Detail detail) {
        EventsProto.Interval.Detail.Builder builder = EventsProto.Interval.Detail.newBuilder()
                .setPackets(detail.packets())
                .setDuplicates(detail.duplicates())
                .setReordered(detail.reordered())
                .setLate(detail.late())
                .setStrays(detail.strays())
                .setMarkers(detail.markers());
        IntervalFigures.Times times = detail.times();
        if (!Float.isNaN(times.jitter())) {
            builder.setJitterMs(times.jitter());
        }
        if (!Float.isNaN(times.meanJitter())) {
            builder.setMeanJitterMs(times.meanJitter());
        }
        if (!Float.isNaN(times.maxJitter())) {
            builder.setMaxJitterMs(times.maxJitter());
        }
        if (!Float.isNaN(times.maxDelta())) {
            builder.setMaxDeltaMs(times.maxDelta());
        }
        return builder;
    }

    private static EventsProto.IntervalLosses.Builder losses(IntervalFigures.Losses losses) {
        return EventsProto.IntervalLosses.newBuilder()
                .setLost(losses.lost())
                .setDiscarded(losses.discarded())
                .setRuns(losses.runs());
    }

    private static EventsProto.OpenInterval.Builder open(IntervalFigures.Open open) {
        EventsProto.OpenInterval.Builder builder = EventsProto.OpenInterval.newBuilder()
                .setLosses(losses(open.losses()))
                .setDistinctBefore(open.distinctBefore());
        IntervalFigures.Before before = open.before();
        if (before != null) {
            builder.getBeforeBuilder()
                    .setPackets(before.packets())
                    .setDuplicates(before.duplicates())
                    .setReordered(before.reordered())
                    .setLate(before.late())
                    .setStrays(before.strays())
                    .setMarkers(before.markers())
                    .setJitterSumMs(before.jitter().sumMs())
                    .setJitterSamples(before.jitter().count());
        }
        return builder;
    }

    private static EventsProto.Sample.Builder sample(SampleFigures sample) {
        EventsProto.Sample.Builder builder = EventsProto.Sample.newBuilder().setDropped(sample.dropped());
        long beforeNs = 0;
        for (SampleFigures.Packet packet : sample.packets()) {
            builder.addArrival(packet.arrivalNs() - beforeNs)
                    .addHeader(packet.header())
                    .addPrint(packet.print());
            beforeNs = packet.arrivalNs();
        }
        return builder;
    }

    private static EventsProto.Figures.Builder figures(StreamFigures figures) {
        EventsProto.Figures.Builder builder = EventsProto.Figures.newBuilder()
                .setBuffer(figures.buffer())
                .setLostBursts(bursts(figures.losses().lost()))
                .setDiscardedBursts(bursts(figures.losses().discarded()))
                .setImpairedBursts(bursts(figures.losses().impaired()))
                .setBurstsAndGaps(groups(figures.losses().groups()))
                .setOpen(open(figures.intervals().open()));
        sequence(figures.sequence(), builder);
        arrival(figures.arrival(), builder);
        media(figures.media(), builder);
        PlayoutFigures playout = figures.playout();
        if (playout != null) {
            builder.setPlayout(playout(playout));
        }
        return builder;
    }

    private static void sequence(SequenceFigures sequence, EventsProto.Figures.Builder builder) {
        builder.setPackets(sequence.packets())
                .setExpected(sequence.numbers().expected())
                .setExpectedSinceFirst(sequence.numbers().expectedSinceFirst())
                .setLowestNumber(sequence.numbers().lowest())
                .setHighestNumber(sequence.numbers().highest())
                .setDuplicates(sequence.odd().duplicates())
                .setMirrored(sequence.odd().mirrored())
                .setReordered(sequence.odd().reordered())
                .setLate(sequence.odd().late())
                .setStrays(sequence.odd().strays())
                .setRestarts(sequence.restarts())
                .setLongestHole(sequence.longestHole().numbers())
                .setLongestHoleNs(sequence.longestHole().fromNs());
    }

    private static void arrival(ArrivalFigures arrival, EventsProto.Figures.Builder builder) {
        builder.setPayloadOctets(arrival.payloadOctets())
                .setMarkers(arrival.markers())
                .setFirstNs(arrival.times().firstNs())
                .setLastNs(arrival.times().lastNs())
                .setLastUniqueNs(arrival.times().lastUniqueNs())
                .setMaxDeltaNs(arrival.deltas().maxNs())
                .setOpenMaxDeltaNs(arrival.deltas().openMaxNs())
                .setFirstTimestamp(arrival.headers().firstTimestamp())
                .setLastTimestamp(arrival.headers().lastTimestamp())
                .setLastNumber(arrival.headers().lastNumber());
        if (arrival.deltas().minNs() != Long.MAX_VALUE) {
            builder.setMinDeltaNs(arrival.deltas().minNs());
        }
        if (arrival.fractions().last() >= 0) {
            builder.setIntervalFraction(arrival.fractions().last());
        }
        if (arrival.fractions().max() >= 0) {
            builder.setMaxIntervalFraction(arrival.fractions().max());
        }
    }

    private static EventsProto.Bursts.Builder bursts(LossFigures.Bursts bursts) {
        EventsProto.Bursts.Builder builder = EventsProto.Bursts.newBuilder()
                .setBursts(bursts.bursts())
                .setPackets(bursts.packets())
                .setLongest(bursts.longest())
                .setUnlisted(bursts.unlisted());
        for (LossFigures.Length length : bursts.lengths()) {
            builder.addLength(length.packets()).addCount(length.count());
        }
        return builder;
    }

    private static EventsProto.BurstsAndGaps.Builder groups(LossFigures.Groups groups) {
        return EventsProto.BurstsAndGaps.newBuilder()
                .setBursts(groups.bursts())
                .setBurstPackets(groups.burstPackets())
                .setBurstImpaired(groups.burstImpaired())
                .setGaps(groups.gaps())
                .setGapImpaired(groups.gapImpaired())
                .setPackets(groups.packets());
    }

    private static void media(MediaFigures media, EventsProto.Figures.Builder builder) {
        media.payloads().forEach(payload -> builder.addPayloads(payload(payload)));
        if (media.pace().payloadType() >= 0) {
            builder.setPacePayloadType(media.pace().payloadType());
        }
        if (media.pace().ticks() >= 0) {
            builder.setPaceTicks(media.pace().ticks());
        }
        MediaFigures.Jitter jitter = media.jitter();
        builder.getJitterBuilder()
                .setKnown(jitter.isKnown())
                .setLastMs(jitter.level().lastMs())
                .setMaxMs(jitter.level().maxMs())
                .setOpenMaxMs(jitter.level().openMaxMs())
                .setSumMs(jitter.sumMs())
                .setSamples(jitter.samples())
                .setSkewMs(jitter.skewMs())
                .setTimestampJumps(jitter.timestampJumps());
        builder.setUntimed(media.unmeasured().untimed())
                .setWaiting(media.unmeasured().waiting());
        audio(media.audio(), builder);
        KeyFigures keys = media.keys();
        if (keys != null) {
            builder.setDtmf(keys(keys));
        }
    }

    private static void audio(AudioFigures audio, EventsProto.Figures.Builder builder) {
        if (audio.firstNs() != Long.MIN_VALUE) {
            builder.setFirstAudioNs(audio.firstNs());
        }
        if (audio.lastNs() != Long.MIN_VALUE) {
            builder.setLastAudioNs(audio.lastNs());
        }
        builder.setLastIsNoise(audio.isLastNoise())
                .setEmptyAtEnd(audio.emptyAtEnd())
                .setPausesDropped(audio.dropped());
        for (AudioFigures.Pause pause : audio.pauses()) {
            builder.addPausesBuilder()
                    .setFromNs(pause.fromNs())
                    .setUntilNs(pause.untilNs())
                    .setMissing(pause.missing())
                    .setEmpty(pause.empty())
                    .setMediaMs(pause.mediaMs())
                    .setAfterComfortNoise(pause.isAfterComfortNoise());
        }
    }

    private static EventsProto.Dtmf.Builder keys(KeyFigures keys) {
        EventsProto.Dtmf.Builder builder = EventsProto.Dtmf.newBuilder()
                .setPackets(keys.packets())
                .setDropped(keys.dropped())
                .setMalformed(keys.malformed());
        for (KeyFigures.Press press : keys.presses()) {
            builder.addPressesBuilder()
                    .setEvent(press.event())
                    .setStartedNs(press.startedNs())
                    .setTimestamp(press.timestamp())
                    .setDuration(press.length().ticks())
                    .setClockRate(press.length().clockRate())
                    .setVolume(press.volume())
                    .setEnded(press.isEnded())
                    .setPackets(press.packets());
        }
        return builder;
    }

    private static EventsProto.Payload.Builder payload(PayloadFigures payload) {
        EventsProto.Payload.Builder builder = EventsProto.Payload.newBuilder()
                .setPayloadType(payload.payloadType())
                .setPackets(payload.use().packets())
                .setOpenPackets(payload.use().open())
                .setLastNs(payload.use().lastNs())
                .setKind(
                        switch (payload.kind()) {
                            case UNKNOWN -> EventsProto.Payload.Kind.KIND_UNSPECIFIED;
                            case TIMED -> EventsProto.Payload.Kind.TIMED;
                            case EVENT -> EventsProto.Payload.Kind.EVENT;
                        })
                .setTagOctets(payload.tagOctets())
                .addAllModes(payload.modes());
        PayloadFigures.CodecFigures codec = payload.codec();
        if (codec != null) {
            builder.getCodecBuilder()
                    .setName(codec.encodingName())
                    .setClockRate(codec.clockRate())
                    .setChannels(codec.channels())
                    .setParameters(codec.parameters());
        }
        return builder;
    }

    private static EventsProto.Playout.Builder playout(PlayoutFigures playout) {
        PlayoutFigures.Resyncs resyncs = playout.resyncs();
        return EventsProto.Playout.newBuilder()
                .setSizeNs(playout.sizeNs())
                .setPlayed(playout.played())
                .setDiscarded(playout.discarded())
                .setWaitSumNs(playout.waits().sumNs())
                .setMaxWaitNs(playout.waits().maxNs())
                .setRestarts(resyncs.restarts())
                .setJumps(resyncs.jumps())
                .setLate(resyncs.late())
                .setEarly(resyncs.early())
                .setStarved(resyncs.starved())
                .setSkewSteps(playout.skewSteps())
                .setDiscardedByAdaptive(playout.discardedByAdaptive());
    }
}
