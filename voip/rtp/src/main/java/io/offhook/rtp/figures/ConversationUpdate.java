package io.offhook.rtp.figures;

/**
 * The figures of a conversation without the reports that were in an earlier update.
 *
 * @param figures everything, cumulative, but for {@link ReceptionFigures.History}, which begins with the first report that is
 *     new or may have changed
 */
public record ConversationUpdate(ConversationFigures figures) {
    /** The figures of a conversation of which this is the first update. */
    public ConversationFigures alone() {
        return figures.with(this);
    }
}
