package io.offhook.flow.fragment;

import java.util.Arrays;

/**
 * The frames that the datagrams of a {@link FragmentTable} came in, duplicates of their fragments included, which a table
 * notes once {@linkplain FragmentTable#trace() asked to}. Of a datagram at most {@value #MOST} frames are noted.
 * Single-threaded.
 */
public final class FragmentTrace {
    private static final int MOST = 2048;
    private static final long[] NONE = {};

    private long[] carriers = NONE;
    private long[] completed = NONE;
    private long[] beginning = NONE;

    FragmentTrace() {}

    /**
     * The frames that the next fragment comes in, where it lies in a datagram that was in fragments itself; without this
     * call, or with none, it is the frame that it is added with.
     */
    public void carriers(long... frames) {
        carriers = frames.clone();
    }

    /** The numbers of the frames of the datagram completed last, ascending, each once. */
    public long[] completed() {
        return completed.clone();
    }

    /** Those of the datagram whose beginning is reported; valid while {@link DatagramBeginningHandler} is called. */
    public long[] beginning() {
        return beginning.clone();
    }

    void note(Datagram datagram, long frameNumber) {
        long[] more = taken(frameNumber);
        long[] known = datagram.frames;
        if (datagram.frameCount + more.length > MOST) {
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
        return frames;
    }

    private static long[] framesOf(Datagram datagram) {
        return Arrays.stream(datagram.frames, 0, datagram.frameCount)
                .sorted()
                .distinct()
                .toArray();
    }
}
