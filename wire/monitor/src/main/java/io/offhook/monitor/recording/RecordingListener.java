package io.offhook.monitor.recording;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.ThreadRow;
import java.util.List;

/** Is called with what a recording has, in its order. */
public interface RecordingListener {
    /** The process, before all else. */
    default void process(RecordedProcess process) {}

    /**
     * A look, or the mean of several.
     *
     * @param atNs its end, nanoseconds since the epoch
     * @param meanOf seconds of which it is the mean, where the recording was thinned; 0 if it is as it was read
     * @param rows as a watch would have returned them, by id: {@code last} is what the threads did since the look before. Of a
     *     thread that ended in a time of which only a mean is kept, its last row has what it did in that time
     * @param java of a JVM, what its threads did in Java, with the pauses that ended; of a mean, the longest of each kind. Locks
     *     and the states at a moment are not recorded
     */
    default void look(long atNs, int meanOf, List<ThreadRow> rows, JavaLook java) {}
}
