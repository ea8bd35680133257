package io.offhook.cluster.codec;

import static io.offhook.cluster.codec.Fields.atMost;
import static io.offhook.cluster.codec.Fields.count;

import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.MetricsFigures;
import io.offhook.rtp.figures.ParticipantFigures;
import io.offhook.rtp.figures.ReceptionFigures;
import java.util.ArrayList;
import java.util.List;

/** Reads figures of RTCP. What is outside of its range is an {@link IllegalArgumentException}. */
final class ConversationReader {
    private static final int MOST_SOURCES = 32;
    private static final int MOST_COUNTS = 256;
    private static final int MOST_TRIPS = 64;
    private static final int MOST_REPORTS = 4 * 17_280;

    private ConversationReader() {}

    static Conversation conversation(EventsProto.Conversation conversation) {
        atMost(conversation.getParticipantsCount(), MOST_SOURCES, "participants");
        atMost(conversation.getReceptionsCount(), MOST_SOURCES, "receptions");
        List<ParticipantFigures> participants = new ArrayList<>();
        conversation.getParticipantsList().forEach(participant -> participants.add(participant(participant)));
        List<ReceptionFigures> receptions = new ArrayList<>();
        conversation.getReceptionsList().forEach(reception -> receptions.add(reception(reception)));
        ConversationFigures.Counts counts = new ConversationFigures.Counts(
                count(conversation.getCompounds()),
                count(conversation.getUndecodable()),
                count(conversation.getMalformed()),
                count(conversation.getEvicted()));
        return new Conversation(
                Fields.endpoint("one", conversation.getOne()),
                Fields.endpoint("other", conversation.getOther()),
                new ConversationUpdate(new ConversationFigures(participants, receptions, counts)),
                Fields.octets(conversation.getUnknownFields()));
    }

    private static ParticipantFigures participant(EventsProto.Conversation.Participant participant) {
        EventsProto.Conversation.RoundTrip trip = participant.getRoundTrip();
        atMost(trip.getRecentNsCount(), MOST_TRIPS, "round trips");
        return new ParticipantFigures(
                Integer.toUnsignedLong(participant.getSsrc()),
                new ParticipantFigures.Sent(
                        count(participant.getSenderReports()),
                        count(participant.getPacketCount()),
                        count(participant.getOctetCount())),
                participant.getLastNs(),
                participant.hasSource() ? Fields.endpoint("source", participant.getSource()) : null,
                new ParticipantFigures.Names(
                        participant.hasCname() ? participant.getCname() : null,
                        participant.hasByeReason() ? participant.getByeReason() : null,
                        participant.getByeNs()),
                counts(participant.getSent()),
                new ParticipantFigures.RoundTrip(
                        count(trip.getLastNs()),
                        count(trip.getMaxNs()),
                        count(trip.getSumNs()),
                        count(trip.getCount()),
                        count(trip.getImplausible()),
                        trip.getRecentNsList()));
    }

    private static ParticipantFigures.Counted counts(EventsProto.Conversation.Counts counts) {
        int reports = counts.getMsCount();
        atMost(reports, MOST_COUNTS, "counts");
        if (counts.getCountCount() != reports) {
            throw new IllegalArgumentException("counts do not have a time each");
        }
        List<ParticipantFigures.CountAt> all = new ArrayList<>(reports);
        int ms = 0;
        int count = 0;
        for (int i = 0; i < reports; i++) {
            ms += counts.getMs(i);
            count += counts.getCount(i);
            all.add(new ParticipantFigures.CountAt(count(ms), count));
        }
        return new ParticipantFigures.Counted(counts.getStartNs(), all);
    }

    private static ReceptionFigures reception(EventsProto.Conversation.Reception reception) {
        return new ReceptionFigures(
                new ReceptionFigures.Subject(
                        Integer.toUnsignedLong(reception.getSsrc()),
                        Integer.toUnsignedLong(reception.getReporterSsrc()),
                        reception.getFirstNs(),
                        reception.getLastNs()),
                new ReceptionFigures.Lost(
                        count(reception.getReports()),
                        count(reception.getFractionLost()),
                        count(reception.getMaxFractionLost()),
                        count(reception.getFractionLostSum()),
                        reception.getCumulativeLost(),
                        count(reception.getHighestSequenceNumber())),
                new ReceptionFigures.Jitter(
                        count(reception.getJitter()), count(reception.getMaxJitter()), reception.getJitterSum()),
                counts(reception.getReceived()),
                reception.hasMetrics() ? metrics(reception.getMetrics()) : null,
                new ReceptionFigures.Worst(reception.getMinMosLq(), reception.getMinMosCq(), reception.getMinRFactor()),
                reception.hasHistory() ? history(reception.getHistory()) : null);
    }

    private static ReceptionFigures.History history(EventsProto.Conversation.History history) {
        atMost(history.getReportsCount(), MOST_REPORTS, "reports");
        List<ReceptionFigures.Report> reports = new ArrayList<>(history.getReportsCount());
        for (EventsProto.Conversation.Report report : history.getReportsList()) {
            reports.add(new ReceptionFigures.Report(
                    report.getAtNs(),
                    report.hasLost() ? count(report.getLost()) : -1,
                    report.hasJitter() ? report.getJitter() : -1,
                    report.hasDiscarded() ? count(report.getDiscarded()) : -1,
                    report.getMosLq(),
                    report.getMosCq(),
                    report.getRFactor()));
        }
        return new ReceptionFigures.History(count(history.getFrom()), reports);
    }

    private static MetricsFigures metrics(EventsProto.Conversation.Metrics metrics) {
        return new MetricsFigures(
                Integer.toUnsignedLong(metrics.getSsrc()),
                new MetricsFigures.Missing(
                        count(metrics.getLossRate()),
                        count(metrics.getDiscardRate()),
                        count(metrics.getBurstDensity()),
                        count(metrics.getGapDensity()),
                        count(metrics.getBurstDurationMs()),
                        count(metrics.getGapDurationMs()),
                        count(metrics.getGmin())),
                new MetricsFigures.Delays(
                        count(metrics.getRoundTripMs()),
                        count(metrics.getEndSystemMs()),
                        count(metrics.getNominalMs()),
                        count(metrics.getMaximumMs()),
                        count(metrics.getAbsoluteMaximumMs())),
                new MetricsFigures.Levels(
                        metrics.getSignalLevel(), metrics.getNoiseLevel(), metrics.getResidualEchoReturnLoss()),
                new MetricsFigures.Scores(
                        metrics.getRFactor(), metrics.getExternalRFactor(), metrics.getMosLq(), metrics.getMosCq()),
                count(metrics.getReceiverConfiguration()));
    }
}
