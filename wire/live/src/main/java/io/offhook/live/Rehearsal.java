package io.offhook.live;

import io.offhook.packet.FrameBatch;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A live source of packets that were never on a wire: a call in memory, repeated as fast as the packets are taken,
 * until the consumer gets no faster. A program runs its loop on a rehearsal before it opens the interface, so that the
 * first packets from the wire meet compiled code; the backend's own code, too, if it has a {@linkplain RehearsedRing
 * ring} for that.
 */
public final class Rehearsal implements DrivenSource {
    /** The longest that the loop of a rehearsal takes: 1 s, in nanoseconds. */
    public static final long MAX_NS = 1_000_000_000L;

    /** The longest that {@link #settle} takes: 0.5 s, in nanoseconds. */
    private static final long MAX_SETTLING_NS = 500_000_000L;

    private final Pace pace = new Pace();
    private final RingSource ring;
    private final RehearsalFrames call;
    /** Null for a ring in memory, which fills itself. */
    private final @Nullable RehearsedRing rehearsed;

    private long frames;

    /** Creates a rehearsal in memory, which ends after {@link #MAX_NS} at the latest. */
    public Rehearsal() {
        this(null);
    }

    private Rehearsal(@Nullable RehearsedRing rehearsed) {
        this.rehearsed = rehearsed;
        call = new RehearsalFrames();
        ring = new RingSource(rehearsed == null ? new RehearsalRing(call) : rehearsed.driver(), IdleStrategy.PARK);
    }

    /**
     * Creates a rehearsal on a ring of a backend, or in memory if the backend has none or cannot open one: what is
     * missing will be reported when the interface is opened. It ends after {@link #MAX_NS} at the latest.
     *
     * @param request what will be captured
     */
    public static Rehearsal of(CaptureBackend backend, CaptureRequest request) {
        try {
            return new Rehearsal(backend.rehearse(request));
        } catch (CaptureRefusedException e) {
            return new Rehearsal();
        }
    }

    /**
     * Waits until the compilers have done what the rehearsal, and what came after it, gave them to do; 0.5 s at most. To
     * be called when everything is ready for the first packet: where processors are few, the compilers would take them
     * from those who receive.
     */
    public static void settle() {
        CompilerThreads.awaitIdle(MAX_SETTLING_NS);
    }

    /**
     * Decides when a rehearsal ends: when it is steady, or when its time is over. It is steady when four windows of 50
     * ms in a row brought no more than the best one before them, after half a second at the earliest. For loops that
     * are fed by something else than a {@link Rehearsal}, too. Single-threaded.
     */
    public static final class Pace {
        private static final long WINDOW_NS = 50_000_000L;
        private static final long LEAST_NS = 10 * WINDOW_NS;
        /** So many in a row are no faster than the fastest before them. */
        private static final int STEADY_WINDOWS = 4;

        private final LongSupplier clock;
        private final long mostNs;
        private final long startNs;
        private long tookNs;
        private long windowNs;
        private long windowBegan;
        private long most;
        private int notFaster;

        /** Starts now, for at most {@link #MAX_NS}. */
        public Pace() {
            this(System::nanoTime, MAX_NS);
        }

        /**
         * Starts now.
         *
         * @param clock nanoseconds since any moment
         * @param mostNs the longest that the rehearsal may take, in nanoseconds
         */
        public Pace(LongSupplier clock, long mostNs) {
            this.clock = clock;
            this.mostNs = mostNs;
            startNs = clock.getAsLong();
            windowNs = startNs;
        }

        /**
         * Returns whether the rehearsal is over; to be called between rounds of the loop.
         *
         * @param done the work done since the start, such as the number of frames
         */
        public boolean isOver(long done) {
            long nowNs = clock.getAsLong();
            tookNs = nowNs - startNs;
            long windows = (nowNs - windowNs) / WINDOW_NS;
            if (windows > 0) {
                long perWindow = (done - windowBegan) / windows;
                // a twentieth more is noise
                notFaster = perWindow <= most + most / 20 ? notFaster + 1 : 0;
                most = Math.max(most, perWindow);
                windowNs = nowNs;
                windowBegan = done;
            }
            return isSteady() || tookNs >= mostNs;
        }

        /** Returns whether the loop had stopped getting faster when {@link #isOver} was last called. */
        public boolean isSteady() {
            return notFaster >= STEADY_WINDOWS && tookNs >= LEAST_NS;
        }

        /** Returns the nanoseconds from the start to the last call of {@link #isOver}. */
        public long tookNs() {
            return tookNs;
        }
    }

    @Override
    public RingSource ring() {
        return ring;
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (pace.isOver(frames)) {
            ring.stop();
        } else if (rehearsed != null) {
            fill(rehearsed);
        }
        boolean isMore = ring.next(batch);
        frames += batch.count();
        return isMore;
    }

    private void fill(RehearsedRing rehearsed) {
        boolean hasRoom = true;
        for (int i = 0; i < RehearsalFrames.SLOTS && hasRoom; i++) {
            int length = call.length(call.next());
            hasRoom = rehearsed.put(call.memory(), call.advance(), length);
        }
    }

    @Override
    public void close() {
        ring.close();
        if (rehearsed != null) {
            call.close();
        }
    }

    /** Returns the number of frames delivered so far. */
    public long frames() {
        return frames;
    }
}
