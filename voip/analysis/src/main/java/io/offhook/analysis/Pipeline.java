package io.offhook.analysis;

import io.offhook.calls.event.TrafficSink;
import io.offhook.pcap.PacketSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The one way from frames to what is seen in them: decodes on several lanes, puts fragments and TCP streams together,
 * recognizes SIP, RTP, RTCP and ICMP errors, and passes each on to the consumers that are plugged in.
 *
 * <pre>{@code
 * PipelineReport report = Pipeline.of(lanes)
 *         .frames(lane -> new Chosen(lane))  // each frame, on the lane that decodes it
 *         .traffic(assembly)                 // messages, RTP, RTCP, ICMP errors, shard by shard
 *         .rounds(store)                     // a round as a whole, its frames still there
 *         .run(source);
 * }</pre>
 *
 * <p>Works in rounds of a fixed number of frames, cut into fixed numbers of shards ({@link Shards}), so that what sinks of
 * traffic and rounds are given is a function of the packets, whatever the number of lanes. An exception that a consumer
 * throws costs it what it was given, counts in the report, and ends nothing (unless it says so: {@link
 * io.offhook.calls.event.ContainedSink#endsRun}). Without a {@link FrameSink} looking for one costs a test for each batch.
 *
 * <p>Not thread-safe; may be run once.
 */
public final class Pipeline {
    private final int lanes;
    private final List<IntFunction<? extends FrameSink>> frames = new ArrayList<>();
    private final List<TrafficSink> traffic = new ArrayList<>();
    private final List<RoundSink> rounds = new ArrayList<>();
    private final List<IntFunction<? extends StreamProtocol>> protocols = new ArrayList<>();
    private boolean isOrdered;
    private boolean isTraced;
    private boolean isPatient;

    private Pipeline(int lanes) {
        this.lanes = lanes;
    }

    /**
     * A pipeline without consumers.
     *
     * @param lanes threads that work on it, the caller's included, 1 or more
     */
    public static Pipeline of(int lanes) {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes " + lanes + " is below 1");
        }
        return new Pipeline(lanes);
    }

    /** Adds a sink of frames, one instance for each lane; lanes count from 0. */
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

    /** Adds a protocol over TCP, one instance for each shard of connections; those added first are asked first. */
    public Pipeline streams(IntFunction<? extends StreamProtocol> protocol) {
        protocols.add(protocol);
        return this;
    }

    /** From now on all SIP of a round is passed on by one thread, in the order of capture across shards. */
    public Pipeline ordered() {
        isOrdered = true;
        return this;
    }

    /** From now on it is known which frames each message came in: {@link Round#framesOf}. */
    public Pipeline traced() {
        isTraced = true;
        return this;
    }

    /**
     * From now on a message whose other fragments are missing is read when they are given up, not after some milliseconds:
     * for those to whom the order of messages means nothing, but all their frames do.
     */
    Pipeline patient() {
        isPatient = true;
        return this;
    }

    /** Reads a source to its end, on the caller's thread and as many others as lanes were asked for. */
    public PipelineReport run(PacketSource source) {
        return run(source, false);
    }

    /**
     * Reads a source on the wire until it is stopped: a batch that comes empty says that there is nothing at the moment, a
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

    boolean isOrdered() {
        return isOrdered;
    }

    boolean isTraced() {
        return isTraced;
    }

    boolean isPatient() {
        return isPatient;
    }
}
