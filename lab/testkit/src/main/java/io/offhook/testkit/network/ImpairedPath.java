package io.offhook.testkit.network;

import java.util.PriorityQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The middle of a {@link Network#routed} network as a wire that delays and drops on purpose. A delayed frame is overtaken
 * by those that follow. Frames are carried until it is closed.
 */
public final class ImpairedPath implements AutoCloseable {
    /** What {@link Fate#of} returns for a frame that gets lost. */
    public static final int DROP = -1;

    private static final int PATIENCE_MS = 1;

    private final FutureTask<Long> rightwards;
    private final FutureTask<Long> leftwards;
    private volatile boolean isClosed;

    /** Decides what happens to frames. Called by the thread of one direction, for each frame in order. */
    @FunctionalInterface
    public interface Fate {
        /** Returns for how long a frame is held back, in ms, or {@link #DROP}. */
        int of(byte[] frame);
    }

    /** Is notified of each frame that leaves the path. Called by the thread of one direction, in order. */
    @FunctionalInterface
    public interface Exit {
        /** A frame was sent between two times of {@link System#nanoTime}: the thread may have had to wait in between. */
        void left(byte[] frame, long afterNanoTime, long beforeNanoTime);
    }

    /** A frame until it is due; frames due at the same time stay in order. */
    private static final class Held implements Comparable<Held> {
        private final byte[] frame;
        private final long dueNanoTime;
        private final long order;

        private Held(byte[] frame, long dueNanoTime, long order) {
            this.frame = frame;
            this.dueNanoTime = dueNanoTime;
            this.order = order;
        }

        @Override
        public int compareTo(Held other) {
            int byTime = Long.signum(dueNanoTime - other.dueNanoTime);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /**
     * Opens a path that impairs frames from left to right; frames from right to left are carried as they come.
     *
     * @param network a {@link Network#routed} one, whose hosts complete their checksums (ethtool -K l0 tx off)
     */
    public ImpairedPath(Network network, Fate fate, Exit exit) {
        rightwards = network.middle().start(() -> carry("m0", "m1", fate, exit));
        leftwards = network.middle().start(() -> carry("m1", "m0", _ -> 0, (_, _, _) -> {}));
    }

    /** Returns how many frames were not dropped. */
    private long carry(String from, String to, Fate fate, Exit exit) {
        PriorityQueue<Held> held = new PriorityQueue<>();
        long order = 0;
        try (FrameSocket in = FrameSocket.receiver(from, PATIENCE_MS);
                FrameSocket out = new FrameSocket(to)) {
            while (!isClosed) {
                byte[] frame = in.receive();
                if (frame != null) {
                    int delayMs = fate.of(frame);
                    if (delayMs != DROP) {
                        held.add(new Held(frame, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs), order++));
                    }
                }
                for (Held next = held.peek();
                        next != null && next.dueNanoTime - System.nanoTime() <= 0;
                        next = held.peek()) {
                    long afterNanoTime = System.nanoTime();
                    out.send(held.remove().frame);
                    exit.left(next.frame, afterNanoTime, System.nanoTime());
                }
            }
        }
        return order;
    }

    /** Ends both directions; frames still held are lost. */
    @Override
    public void close() {
        isClosed = true;
        try {
            rightwards.get();
            leftwards.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the path failed", e.getCause());
        }
    }
}
