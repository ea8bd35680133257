package io.offhook.analysis;

import io.offhook.calls.event.TrafficSink;
import io.offhook.pcap.PacketSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decodes frames on several lanes, reassembles IP fragments and TCP streams, recognizes SIP, RTP, RTCP and ICMP errors,
 * and passes them to the consumers that are plugged in.
 *
 * <pre>{@code
 * PipelineReport report = Pipeline.of(lanes)
 *         .frames(lane -> new Chosen(lane))  // each frame, on the lane that decodes it
 *         .traffic(assembly)                 // messages, RTP, RTCP, ICMP errors, by shard
 *         .rounds(store)                     // a round as a whole, while its frames can be read
 *         .run(source);
 * }</pre>
 *
 * <p>Works in rounds of a fixed number of frames and with a fixed number of {@linkplain Shards shards}: what sinks of
 * traffic and rounds receive is a function of the packets, whatever the number of lanes. An exception that a consumer
 * throws costs it what it was given, is counted in the report, and ends nothing, unless the consumer {@linkplain
 * io.offhook.calls.event.ContainedSink#endsRun ends the run}. Without a {@link FrameSink}, frames are not offered one
 * by one.
 *
 * <p>Not thread-safe; can be run once.
 */
public final class Pipeline {
    private final int lanes;
    private final List<IntFunction<? extends FrameSink>> frames = new ArrayList<>();
    private final List<TrafficSink> traffic = new ArrayList<>();
    private final List<RoundSink> rounds = new ArrayList<>();
    private final List<IntFunction<? extends StreamProtocol>> protocols = new ArrayList<>();
    private @Nullable IntFunction<? extends TlsOpener> tlsOpener;
    private boolean isOrdered;
    private boolean isTraced;
    private boolean isPatient;
    private int framesPerRound;

    private Pipeline(int lanes) {
        this.lanes = lanes;
    }

    /**
     * Creates a pipeline without consumers.
     *
     * @param lanes threads that work on it, including the caller's, 1 or more
     */
    public static Pipeline of(int lanes) {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes " + lanes + " is below 1");
        }
        return new Pipeline(lanes);
    }

    /**
     * Adds a sink of frames, with one instance for each lane, counted from 0. All are made before the first frame is
     * read, on the thread that runs the pipeline; what a maker throws ends the run.
     */
    public Pipeline frames(IntFunction<? extends FrameSink> sinks) {
        frames.add(sinks);
        return this;
    }

    /** Adds a sink of traffic. */
    public Pipeline traffic(TrafficSink sink) {
        traffic.add(sink);
        return this;
    }

    /** Adds a sink of rounds. */
    public Pipeline rounds(RoundSink sink) {
        rounds.add(sink);
        return this;
    }

    /**
     * Adds a protocol over TCP, with one instance for each shard of connections, made as {@linkplain #frames sinks of
     * frames} are. Protocols are asked in the order in which they were added.
     */
    public Pipeline streams(IntFunction<? extends StreamProtocol> protocol) {
        protocols.add(protocol);
        return this;
    }

    /**
     * Sets what opens TLS, with one instance for each shard of connections, made as {@linkplain #frames sinks of frames}
     * are; null for nothing, in which case TLS is counted.
     */
    public Pipeline tls(@Nullable IntFunction<? extends TlsOpener> opener) {
        tlsOpener = opener;
        return this;
    }

    /** Passes all SIP of a round on one thread, in the order of capture across shards. */
    public Pipeline ordered() {
        isOrdered = true;
        return this;
    }

    /**
     * Records which frames each message came in, for {@link Round#framesOf(io.offhook.calls.event.SipPacket,
     * java.util.function.LongConsumer) Round.framesOf}.
     */
    public Pipeline traced() {
        isTraced = true;
        return this;
    }

    /**
     * Reads a message with missing fragments when they are given up instead of after some milliseconds: for consumers
     * to which all frames of a message matter, and not the order of messages.
     */
    Pipeline patient() {
        isPatient = true;
        return this;
    }

    /**
     * Sets the frames of each round, as far as the source fills its batches: for tests, as the result of an analysis does not
     * depend on it.
     */
    Pipeline inRoundsOf(int frames) {
        framesPerRound = frames;
        return this;
    }

    /** Reads a source to its end, on the caller's thread and {@code lanes - 1} others. */
    public PipelineReport run(PacketSource source) {
        return run(source, false);
    }

    /**
     * Reads a live source until it is stopped. An empty batch means that there is nothing to read at the moment; a
     * round then lasts 50 ms at most, and its frames are released at its end.
     */
    public PipelineReport watch(PacketSource source) {
        return run(source, true);
    }

    private PipelineReport run(PacketSource source, boolean isLive) {
        try (PipelineRun run = new PipelineRun(this, source, isLive)) {
            run.run(Lanes.Life.UNWATCHED);
            return run.report();
        }
    }

    int lanes() {
        return lanes;
    }

    List<IntFunction<? extends FrameSink>> frameSinks() {
        return frames;
    }

    List<TrafficSink> trafficSinks() {
        return traffic;
    }

    List<RoundSink> roundSinks() {
        return rounds;
    }

    List<IntFunction<? extends StreamProtocol>> protocols() {
        return protocols;
    }

    @Nullable
    IntFunction<? extends TlsOpener> tlsOpener() {
        return tlsOpener;
    }

    boolean isOrdered() {
        return isOrdered;
    }

    boolean isTraced() {
        return isTraced;
    }

    /** The frames of each round; 0 for rounds that grow to their usual size. */
    int framesPerRound() {
        return framesPerRound;
    }

    boolean isPatient() {
        return isPatient;
    }
}
