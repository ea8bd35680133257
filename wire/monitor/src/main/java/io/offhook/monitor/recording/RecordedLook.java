package io.offhook.monitor.recording;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.ThreadRow;
import java.util.List;
import java.util.Map;

/**
 * A look at a process, as it is recorded and played.
 *
 * @param atNs when it was, nanoseconds since the epoch
 * @param meanOf seconds of which it is the mean, where a recording was thinned; 0 if it is as it was read
 * @param rows as {@link io.offhook.monitor.ThreadWatch#look} returned them, by id: {@code last} is what the threads did since the
 *     look before. Of a thread that ended in a time of which only a mean is kept, its last row has what it did in that time
 * @param java as {@link io.offhook.monitor.JavaWatch#look} returned it. Played, states at a moment and counts of virtual threads are
 *     missing; of a mean, pauses are the longest of each kind, and locks those of the look at which most threads waited
 * @param lanes as {@link io.offhook.monitor.LaneWatch#look} returned them; empty if none were published at this look. Of a mean, the
 *     depth of a queue is the greatest
 * @param unpublishedLanes lanes that had no room on a board
 * @param profiles what became known of hot methods and allocation since the look before, by native ids; of a mean, nine methods a
 *     thread and the rest as one
 */
public record RecordedLook(
        long atNs,
        int meanOf,
        List<ThreadRow> rows,
        JavaLook java,
        List<LaneRow> lanes,
        long unpublishedLanes,
        Map<Integer, ThreadProfile> profiles) {
    /** A look at threads alone, and at what they do in Java. */
    public static RecordedLook of(long atNs, List<ThreadRow> rows, JavaLook java) {
        return new RecordedLook(atNs, 0, rows, java, List.of(), 0, Map.of());
    }
}
