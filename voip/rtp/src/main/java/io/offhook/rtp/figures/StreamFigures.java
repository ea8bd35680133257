package io.offhook.rtp.figures;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that an {@code RtpStream} answers from, as it was at one moment.
 *
 * @param buffer the jitter buffer of the receiver, as {@code JitterBuffer.parse} reads it
 * @param arrival when packets arrived, and what their headers had
 * @param sequence the counts of packets and numbers
 * @param losses the bursts of lost and discarded numbers
 * @param media payload types, and what depends on their codecs
 * @param playout what the jitter buffer did; null if nothing entered it, or there is none
 * @param intervals the stream in intervals of five seconds
 */
public record StreamFigures(
        String buffer,
        ArrivalFigures arrival,
        SequenceFigures sequence,
        LossFigures losses,
        MediaFigures media,
        @Nullable PlayoutFigures playout,
        IntervalFigures intervals) {

    /**
     * These figures brought up to date: all but the closed intervals are those of the update, and of the closed intervals
     * those that it has. Folding all updates of a stream in their order gives its figures at the last one; repeating
     * one changes nothing. Of intervals that no update had, {@link IntervalFigures#MISSING} takes the place.
     *
     * @param update of the same stream
     */
    public StreamFigures with(StreamUpdate update) {
        List<IntervalFigures.Interval> closed = new ArrayList<>(intervals.closed());
        while (closed.size() < update.closed()) {
            closed.add(IntervalFigures.MISSING);
        }
        for (StreamUpdate.Changed changed : update.changed()) {
            closed.set(changed.index(), changed.interval());
        }
        return update.figures().withClosed(closed);
    }

    private StreamFigures withClosed(List<IntervalFigures.Interval> closed) {
        return new StreamFigures(
                buffer, arrival, sequence, losses, media, playout, new IntervalFigures(closed, intervals.open()));
    }
}
