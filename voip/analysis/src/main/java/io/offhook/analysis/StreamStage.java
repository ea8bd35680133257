package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.FrameBatch;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The shards of TCP connections, each created with its first segment. Several threads may call {@link #accept} at a
 * time, for different shards; everything else is for one thread while no other is at work.
 */
final class StreamStage {
    private final @Nullable TcpShard[] shards = new TcpShard[Shards.TCP];
    /** Of each shard, those that are asked before the built-in ones. */
    private final List<List<StreamProtocol>> protocols = new ArrayList<>();

    /** Of each shard, what opens its TLS. */
    private final @Nullable TlsOpener[] openers = new TlsOpener[Shards.TCP];

    private final Pipeline pipeline;
    private final Arena arena;
    private final Failures failures;

    StreamStage(Pipeline pipeline, Arena arena, Failures failures) {
        this.pipeline = pipeline;
        this.arena = arena;
        this.failures = failures;
    }

    /** Makes the protocols of all shards, before anything is read. */
    void makeProtocols() {
        for (int i = 0; i < Shards.TCP; i++) {
            List<StreamProtocol> made = new ArrayList<>();
            for (IntFunction<? extends StreamProtocol> maker : pipeline.protocols()) {
                made.add(maker.apply(i));
            }
            protocols.add(made);
            IntFunction<? extends TlsOpener> opener = pipeline.tlsOpener();
            openers[i] = opener == null ? null : opener.apply(i);
        }
    }

    /**
     * Passes a shard its segments of a batch.
     *
     * @param late what was found in the datagrams that fragments of the batch completed; null if there were none
     * @param fragments holds the bytes of those datagrams
     */
    void accept(int index, BatchEvents found, @Nullable BatchEvents late, FrameBatch batch, FragmentStage fragments) {
        SegmentEvents events = found.tcp[index];
        SegmentEvents lateEvents = late == null ? null : late.tcp[index];
        boolean isLate = lateEvents != null && !lateEvents.isEmpty();
        if (events.isEmpty() && !isLate) {
            return;
        }
        TcpShard shard = shards[index];
        if (shard == null) {
            shard = new TcpShard(arena, protocols.get(index), openers[index], failures, pipeline.isTraced());
            shards[index] = shard;
        }
        if (lateEvents == null || !isLate) {
            shard.accept(events, batch);
        } else {
            shard.accept(events, batch, lateEvents, fragments);
        }
    }

    /** The shards that have had a segment. */
    List<TcpShard> shards() {
        List<TcpShard> all = new ArrayList<>();
        for (TcpShard shard : shards) {
            if (shard != null) {
                all.add(shard);
            }
        }
        return all;
    }

    /** Reports the frames that a message of this round came in; false if it did not come in a stream. */
    boolean framesOf(SipPacket message, LongConsumer to) {
        for (TcpShard shard : shards()) {
            TcpTrace trace = shard.trace();
            if (trace != null && trace.framesOf(message, to)) {
                return true;
            }
        }
        return false;
    }

    @Nullable
    TracedConnection connectionOf(SipPacket message) {
        for (TcpShard shard : shards()) {
            TcpTrace trace = shard.trace();
            TracedConnection connection = trace == null ? null : trace.connectionOf(message);
            if (connection != null) {
                return connection;
            }
        }
        return null;
    }

    void endRound() {
        shards().forEach(TcpShard::endRound);
    }

    /** Flushes the streams at the end of the capture: bytes held behind a hole are read. */
    void flush() {
        shards().forEach(TcpShard::flush);
    }

    void close() {
        shards().forEach(TcpShard::close);
    }
}
