package io.offhook.rtp.figures;

import java.util.ArrayList;
import java.util.List;

/**
 * All that an {@code RtcpReports} answers from, as it was at one moment: the RTCP of one pair of endpoints.
 *
 * @param participants those that send RTCP, in order of their first packet, at most 32
 * @param receptions the streams that are reported on, in order of the first report, at most 32
 * @param counts of payloads
 */
public record ConversationFigures(
        List<ParticipantFigures> participants, List<ReceptionFigures> receptions, Counts counts) {
    /** Copies the lists. */
    public ConversationFigures {
        participants = List.copyOf(participants);
        receptions = List.copyOf(receptions);
    }

    /**
     * These figures brought up to date: all is that of the update, but for the reports one by one, of which it has only those
     * since the last. Folding all updates of a conversation in their order gives its figures at the last one; repeating one
     * changes nothing.
     *
     * @param update of the same conversation
     */
    public ConversationFigures with(ConversationUpdate update) {
        List<ReceptionFigures> updated =
                new ArrayList<>(update.figures().receptions().size());
        for (ReceptionFigures reception : update.figures().receptions()) {
            updated.add(reception.behind(reception(reception.subject().ssrc())));
        }
        return new ConversationFigures(
                update.figures().participants(), updated, update.figures().counts());
    }

    private List<ReceptionFigures.Report> reception(long ssrc) {
        for (ReceptionFigures known : receptions) {
            if (known.subject().ssrc() == ssrc && known.history() != null) {
                return known.history().reports();
            }
        }
        return List.of();
    }

    /**
     * Counts of UDP payloads.
     *
     * @param compounds that were read
     * @param undecodable whose lengths do not add up
     * @param malformed packets and XR blocks whose content does not fit their length
     * @param evicted participants and streams beyond the limit
     */
    public record Counts(long compounds, long undecodable, long malformed, long evicted) {}
}
