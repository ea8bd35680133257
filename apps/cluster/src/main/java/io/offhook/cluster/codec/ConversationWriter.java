package io.offhook.cluster.codec;

import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.MetricsFigures;
import io.offhook.rtp.figures.ParticipantFigures;
import io.offhook.rtp.figures.ReceptionFigures;

/** Writes figures of RTCP. */
final class ConversationWriter {
    private ConversationWriter() {}

    static EventsProto.Conversation.Builder conversation(Conversation conversation) {
        ConversationFigures figures = conversation.update().figures();
        EventsProto.Conversation.Builder builder = EventsProto.Conversation.newBuilder()
                .setOne(Fields.address(conversation.one()))
                .setOther(Fields.address(conversation.other()))
                .setCompounds(figures.counts().compounds())
                .setUndecodable(figures.counts().undecodable())
                .setMalformed(figures.counts().malformed())
                .setEvicted(figures.counts().evicted())
                .setUnknownFields(Fields.unknown(conversation.unknown()));
        figures.participants().forEach(participant -> builder.addParticipants(participant(participant)));
        figures.receptions().forEach(reception -> builder.addReceptions(reception(reception)));
        return builder;
    }

    private static EventsProto.Conversation.Participant.Builder participant(ParticipantFigures participant) {
        EventsProto.Conversation.Participant.Builder builder = EventsProto.Conversation.Participant.newBuilder()
                .setSsrc((int) participant.ssrc())
                .setSenderReports(participant.sent().reports())
                .setPacketCount(participant.sent().packets())
                .setOctetCount(participant.sent().octets())
                .setLastNs(participant.lastNs())
                .setByeNs(participant.names().byeNs())
                .setSent(counts(participant.sentPackets()));
        Endpoint source = participant.source();
        if (source != null) {
            builder.setSource(Fields.address(source));
        }
        String cname = participant.names().cname();
        if (cname != null) {
            builder.setCname(cname);
        }
        String byeReason = participant.names().byeReason();
        if (byeReason != null) {
            builder.setByeReason(byeReason);
        }
        ParticipantFigures.RoundTrip trip = participant.roundTrip();
        builder.getRoundTripBuilder()
                .setLastNs(trip.lastNs())
                .setMaxNs(trip.maxNs())
                .setSumNs(trip.sumNs())
                .setCount(trip.count())
                .setImplausible(trip.implausible())
                .addAllRecentNs(trip.recent());
        return builder;
    }

    private static EventsProto.Conversation.Counts.Builder counts(ParticipantFigures.Counted counted) {
        EventsProto.Conversation.Counts.Builder builder =
                EventsProto.Conversation.Counts.newBuilder().setStartNs(counted.startNs());
        int ms = 0;
        int count = 0;
        for (ParticipantFigures.CountAt at : counted.reports()) {
            builder.addMs(at.ms() - ms).addCount(at.count() - count);
            ms = at.ms();
            count = at.count();
        }
        return builder;
    }

    private static EventsProto.Conversation.Reception.Builder reception(ReceptionFigures reception) {
        ReceptionFigures.Lost lost = reception.lost();
        EventsProto.Conversation.Reception.Builder builder = EventsProto.Conversation.Reception.newBuilder()
                .setSsrc((int) reception.subject().ssrc())
                .setReporterSsrc((int) reception.subject().reporterSsrc())
                .setFirstNs(reception.subject().firstNs())
                .setLastNs(reception.subject().lastNs())
                .setReports(lost.reports())
                .setFractionLost(lost.fraction())
                .setMaxFractionLost(lost.maxFraction())
                .setFractionLostSum(lost.fractionSum())
                .setCumulativeLost(lost.cumulative())
                .setHighestSequenceNumber(lost.highestNumber())
                .setJitter(reception.jitter().last())
                .setMaxJitter(reception.jitter().max())
                .setJitterSum(reception.jitter().sum())
                .setReceived(counts(reception.received()))
                .setMinMosLq(reception.worst().mosLq())
                .setMinMosCq(reception.worst().mosCq())
                .setMinRFactor(reception.worst().rFactor());
        MetricsFigures metrics = reception.metrics();
        if (metrics != null) {
            builder.setMetrics(metrics(metrics));
        }
        ReceptionFigures.History history = reception.history();
        if (history != null) {
            EventsProto.Conversation.History.Builder kept =
                    builder.getHistoryBuilder().setFrom(history.from());
            history.reports().forEach(report -> kept.addReports(report(report)));
        }
        return builder;
    }

    private static EventsProto.Conversation.Report.Builder report(ReceptionFigures.Report report) {
        EventsProto.Conversation.Report.Builder builder = EventsProto.Conversation.Report.newBuilder()
                .setAtNs(report.atNs())
                .setMosLq(report.mosLq())
                .setMosCq(report.mosCq())
                .setRFactor(report.rFactor());
        if (report.lost() >= 0) {
            builder.setLost(report.lost());
        }
        if (report.jitter() != -1) {
            builder.setJitter(report.jitter());
        }
        if (report.discarded() >= 0) {
            builder.setDiscarded(report.discarded());
        }
        return builder;
    }

    private static EventsProto.Conversation.Metrics.Builder metrics(MetricsFigures metrics) {
        MetricsFigures.Missing missing = metrics.missing();
        MetricsFigures.Delays delays = metrics.delays();
        MetricsFigures.Scores scores = metrics.scores();
        return EventsProto.Conversation.Metrics.newBuilder()
                .setSsrc((int) metrics.ssrc())
                .setLossRate(missing.lossRate())
                .setDiscardRate(missing.discardRate())
                .setBurstDensity(missing.burstDensity())
                .setGapDensity(missing.gapDensity())
                .setBurstDurationMs(missing.burstDurationMs())
                .setGapDurationMs(missing.gapDurationMs())
                .setGmin(missing.gmin())
                .setRoundTripMs(delays.roundTripMs())
                .setEndSystemMs(delays.endSystemMs())
                .setNominalMs(delays.nominalMs())
                .setMaximumMs(delays.maximumMs())
                .setAbsoluteMaximumMs(delays.absoluteMaximumMs())
                .setSignalLevel(metrics.levels().signal())
                .setNoiseLevel(metrics.levels().noise())
                .setResidualEchoReturnLoss(metrics.levels().residualEchoReturnLoss())
                .setRFactor(scores.rFactor())
                .setExternalRFactor(scores.externalRFactor())
                .setMosLq(scores.mosLq())
                .setMosCq(scores.mosCq())
                .setReceiverConfiguration(metrics.receiverConfiguration());
    }
}
