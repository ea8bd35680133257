package io.offhook.flow.fragment;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The frames that the datagrams of a {@link FragmentTable} came in, duplicates of their fragments included, which a
 * table notes once {@linkplain FragmentTable#trace() asked to}. Of a datagram at most {@value #MOST} frames are noted;
 * the last {@value #MOST_COMPLETED} completed datagrams are remembered for duplicates that arrive late.
 * Single-threaded.
 */
public final class FragmentTrace {
    private static final int MOST = 2048;
    private static final int MOST_COMPLETED = 4096;
    private static final long[] NONE = {};

    /** The key shared by the fragments of a datagram. */
    private record Key(
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            long identification,
            int scope) {
        static Key of(FragmentView fragment, int scope) {
            return new Key(
                    fragment.sourceHigh(),
                    fragment.sourceLow(),
                    fragment.destinationHigh(),
                    fragment.destinationLow(),
                    fragment.identification(),
                    scope);
        }
    }

    /** The frames that completed datagrams, in order. */
    private final Map<Key, Long> completing = new LinkedHashMap<>();

    private long[] carriers = NONE;
    private long[] completed = NONE;
    private long[] beginning = NONE;
    private long[] late = NONE;
    private long dropped;

    FragmentTrace() {}

    /**
     * Sets the frames of the next fragment if it was inside a datagram that was itself fragmented. Without this call,
     * or with no frames, it is the frame passed to {@link FragmentTable#add}.
     */
    public void carriers(long... frames) {
        carriers = frames.clone();
    }

    /** The frame numbers of the datagram completed last, ascending and unique. */
    public long[] completed() {
        return completed.clone();
    }

    /**
     * The frame numbers of the datagram whose beginning is reported; valid during the call of {@link
     * DatagramBeginningHandler}.
     */
    public long[] beginning() {
        return beginning.clone();
    }

    /**
     * If the fragment added last is a duplicate that arrived after its datagram was complete: the number of the frame
     * that completed the datagram, then the frame numbers of the duplicate. Otherwise empty.
     */
    public long[] late() {
        return late.clone();
    }

    /**
     * The frames that were not noted so far: beyond the limit of a datagram, and of duplicates whose datagram is no
     * longer remembered.
     */
    public long dropped() {
        return dropped;
    }

    /** Notes a fragment equal to an earlier one, of a waiting or a completed datagram. */
    void repeated(@Nullable Datagram waiting, FragmentView fragment, int scope, long frameNumber) {
        if (waiting != null) {
            note(waiting, frameNumber);
            return;
        }
        Long completed = completing.get(Key.of(fragment, scope));
        long[] frames = taken(frameNumber);
        if (completed != null) {
            late = new long[frames.length + 1];
            late[0] = completed;
            System.arraycopy(frames, 0, late, 1, frames.length);
        } else {
            dropped += frames.length;
        }
    }

    /** Notes that a frame completed the datagram of a fragment. */
    void remember(FragmentView fragment, int scope, long frameNumber) {
        Key key = Key.of(fragment, scope);
        completing.remove(key); // a reused identification counts as new
        if (completing.size() == MOST_COMPLETED) {
            completing.remove(completing.keySet().iterator().next());
        }
        completing.put(key, frameNumber);
    }

    void note(Datagram datagram, long frameNumber) {
        long[] more = taken(frameNumber);
        long[] known = datagram.frames;
        if (datagram.frameCount + more.length > MOST) {
            dropped += more.length;
            return;
        }
        if (datagram.frameCount + more.length > known.length) {
            known = Arrays.copyOf(known, Math.max(4, 2 * (datagram.frameCount + more.length)));
            datagram.frames = known;
        }
        System.arraycopy(more, 0, known, datagram.frameCount, more.length);
        datagram.frameCount += more.length;
    }

    void completed(Datagram datagram) {
        completed = framesOf(datagram);
    }

    void whole(long frameNumber) {
        completed = taken(frameNumber);
    }

    void beginning(Datagram datagram) {
        beginning = framesOf(datagram);
    }

    private long[] taken(long frameNumber) {
        long[] frames = carriers.length == 0 ? new long[] {frameNumber} : carriers;
        carriers = NONE;
        late = NONE;
        return frames;
    }

    private static long[] framesOf(Datagram datagram) {
        return Arrays.stream(datagram.frames, 0, datagram.frameCount)
                .sorted()
                .distinct()
                .toArray();
    }
}
