package io.offhook.analysis;

import io.offhook.analysis.rtcp.OpenedRtcp;
import io.offhook.analysis.rtcp.RtcpOpener;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallWatch;
import io.offhook.calls.event.SipListener;
import io.offhook.pcap.PacketSource;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source to its end and reports the calls in it: a {@link Pipeline} with a {@link CallAssembly}. The result is
 * a function of the packets, whatever the number of lanes.
 */
public final class Analysis {
    /** How often a watcher is notified, in milliseconds. */
    static final int LOOK_MS = 500;

    /** The largest share of the time that notifying it may take: one part in this many. */
    private static final int LOOK_SHARE = 10;

    /**
     * The longest pause that follows from that share: a watcher that waited for somebody, such as a pager, used no time
     * itself.
     */
    private static final long LONGEST_REST_NS = 60_000_000_000L;

    private final PacketSource source;
    private final AnalysisOptions options;
    private final CallAssembly assembly;
    private final @Nullable CallWatcher watcher;
    private final int lookMs;
    private final @Nullable CallWatch watch;
    private final @Nullable AddedSink added;
    private final @Nullable RtcpOpener rtcp;
    private final @Nullable Consumer<? super Pipeline> beside;
    private @Nullable Consumer<? super AnalysisResult> follower;
    private long nextLookNs;

    private Analysis(
            PacketSource source,
            AnalysisOptions options,
            @Nullable CallWatcher watcher,
            int lookMs,
            @Nullable AddedSink added,
            @Nullable Consumer<? super Pipeline> beside) {
        this.added = added;
        this.beside = beside;
        this.lookMs = lookMs;
        this.source = source;
        this.options = options;
        this.watcher = watcher;
        Supplier<? extends RtcpOpener> made = options.rtcp();
        rtcp = made == null ? null : made.get();
        assembly = new CallAssembly(
                options.keptCalls(),
                Shards.SIP,
                Shards.RTP,
                options.media(),
                options.limits(),
                options.joins(),
                listener(options.listener(), rtcp));
        watch = watcher == null ? null : new CallWatch(assembly, watcher.joinsLegs());
    }

    /** Reads a source to its end, on the caller's thread and {@code lanes - 1} others. */
    public static AnalysisResult run(PacketSource source, AnalysisOptions options) {
        return new Analysis(source, options, null, 0, null, null).run();
    }

    /** As above, with another sink that receives the traffic as the calls do. */
    public static AnalysisResult run(PacketSource source, AnalysisOptions options, AddedSink added) {
        return new Analysis(source, options, null, 0, added, null).run();
    }

    /**
     * As {@link #run(PacketSource, AnalysisOptions)}, with results before the end.
     *
     * @param follower receives, between rounds, the result as if the source ended there, without what TCP streams and fragmented
     *     datagrams still lack parts of: after the first round, then about every {@value #LOOK_MS} milliseconds, less often where
     *     making it takes more than a tenth of the time. Called by one thread at a time, while no packet is read; the statistics
     *     of streams keep changing after it returns. What it throws is counted as that of a watcher is; an {@link
     *     UncheckedIOException} ends the analysis
     */
    public static AnalysisResult follow(
            PacketSource source, AnalysisOptions options, Consumer<? super AnalysisResult> follower) {
        return follow(source, options, follower, LOOK_MS);
    }

    static AnalysisResult follow(
            PacketSource source, AnalysisOptions options, Consumer<? super AnalysisResult> follower, int lookMs) {
        Analysis analysis = new Analysis(source, options, null, lookMs, null, null);
        analysis.follower = follower;
        return analysis.run();
    }

    /**
     * Reads a live source until it is stopped, and reports calls as they happen. An empty batch means that there is
     * nothing to read at the moment.
     */
    public static AnalysisResult watch(PacketSource source, AnalysisOptions options, CallWatcher watcher) {
        return watch(source, options, watcher, LOOK_MS);
    }

    /** As above, with another sink that receives the traffic as the calls do. */
    public static AnalysisResult watch(
            PacketSource source, AnalysisOptions options, CallWatcher watcher, AddedSink added) {
        return new Analysis(source, options, watcher, LOOK_MS, added, null).run();
    }

    /**
     * As {@link #watch(PacketSource, AnalysisOptions, CallWatcher)}.
     *
     * @param beside adds other sinks to the pipeline before it runs
     */
    public static AnalysisResult watchWith(
            PacketSource source, AnalysisOptions options, CallWatcher watcher, Consumer<? super Pipeline> beside) {
        return new Analysis(source, options, watcher, LOOK_MS, null, beside).run();
    }

    /** As {@link #run(PacketSource, AnalysisOptions)}, in rounds of a number of frames. */
    static AnalysisResult runInRounds(PacketSource source, AnalysisOptions options, int frames) {
        return new Analysis(source, options, null, 0, null, pipeline -> pipeline.inRoundsOf(frames)).run();
    }

    static AnalysisResult watch(PacketSource source, AnalysisOptions options, CallWatcher watcher, int lookMs) {
        return new Analysis(source, options, watcher, lookMs, null, null).run();
    }

    /** Shows messages to what opens RTCP, too. */
    private static @Nullable SipListener listener(@Nullable SipListener own, @Nullable RtcpOpener rtcp) {
        if (rtcp == null) {
            return own;
        }
        return (message, packet, copy) -> {
            rtcp.message(message, packet);
            if (own != null) {
                own.message(message, packet, copy);
            }
        };
    }

    private AnalysisResult run() {
        try (RtcpOpener _ = rtcp) {
            return opened();
        }
    }

    private AnalysisResult opened() {
        Pipeline pipeline = Pipeline.of(options.lanes())
                .traffic(rtcp == null ? assembly : new OpenedRtcp(assembly, rtcp))
                .tls(options.tls());
        IntFunction<? extends FrameSink> handshakes =
                rtcp instanceof AnalysisOptions.KeyFrames keys ? keys.frames() : null;
        if (handshakes != null) {
            pipeline.frames(handshakes);
        }
        if (added != null) {
            pipeline.traffic(added.beside(assembly));
        }
        if (beside != null) {
            beside.accept(pipeline);
        }
        if (options.listener() != null || rtcp != null) {
            pipeline.ordered();
        }
        CallWatcher notified = watcher;
        Consumer<? super AnalysisResult> following = follower;
        try (PipelineRun run = new PipelineRun(pipeline, source, watcher != null)) {
            if (notified != null && watch != null) {
                run.afterRound(() -> inTime(() -> lookNow(run, notified, watch)));
            } else if (following != null) {
                run.afterRound(() -> inTime(() -> show(run, following)));
            }
            run.run(notified == null ? Lanes.Life.UNWATCHED : new WatchedLanes(run, notified));
            if (notified != null && watch != null) {
                lookNow(run, notified, watch); // at what came since the last time
            }
            return report(run, null);
        }
    }

    private AnalysisResult report(PipelineRun run, @Nullable CallWatch watch) {
        long nowNs = Math.max(run.span().latestNs(), source.endNs());
        if (watcher != null) {
            nowNs = Math.max(nowNs, nowNs(run, watcher));
        }
        return new AnalysisReport(source).of(assembly, options, run, nowNs, watch);
    }

    /** Notifies a watcher of the lanes. */
    private record WatchedLanes(PipelineRun run, CallWatcher watcher) implements Lanes.Life {
        @Override
        public void lane(int lane, boolean begins) {
            Analysis.lane(run, watcher, lane, begins);
        }

        @Override
        public void waits(boolean begins) {
            watcher.waits(begins);
        }
    }

    private static long nowNs(PipelineRun run, CallWatcher watcher) {
        try {
            return watcher.nowNs();
        } catch (RuntimeException e) {
            contain(run, e);
            return Long.MIN_VALUE;
        }
    }

    /** A lane that cannot be set up, on its processor for example, ends the capture; one that has done its work does not. */
    private static void lane(PipelineRun run, CallWatcher watcher, int lane, boolean begins) {
        try {
            watcher.lane(lane, begins);
        } catch (RuntimeException e) {
            if (begins) {
                throw e;
            }
            contain(run, e);
        }
    }

    /** Output that cannot be written ends the capture; anything else that a watcher throws is counted. */
    private static void contain(PipelineRun run, RuntimeException thrown) {
        if (thrown instanceof UncheckedIOException) {
            throw thrown;
        }
        CaptureSpan span = run.span();
        run.failures().add(Failures.Kind.CONSUMER, thrown, span.lastNumber(), span.lastNs());
    }

    /** Looks if the pause since the last look is over. */
    private void inTime(Runnable look) {
        long beganNs = System.nanoTime();
        if (nextLookNs == 0) {
            nextLookNs = beganNs;
        }
        if (beganNs - nextLookNs >= 0) {
            look.run();
            long endedNs = System.nanoTime();
            nextLookNs = endedNs + pauseNs(lookMs, endedNs - beganNs);
        }
    }

    /** A look that fails is counted, and the next one is made at its time. */
    private void lookNow(PipelineRun run, CallWatcher watcher, CallWatch watch) {
        try {
            watcher.look(report(run, watch), watch.changed());
        } catch (RuntimeException e) {
            contain(run, e);
        }
    }

    private void show(PipelineRun run, Consumer<? super AnalysisResult> following) {
        try {
            following.accept(report(run, null));
        } catch (RuntimeException e) {
            contain(run, e);
        }
    }

    /** How long to wait before a watcher is notified again, in nanoseconds. */
    static long pauseNs(int lookMs, long tookNs) {
        return lookMs == 0 ? 0 : Math.max(lookMs * 1_000_000L, Math.min(LOOK_SHARE * tookNs, LONGEST_REST_NS));
    }
}
