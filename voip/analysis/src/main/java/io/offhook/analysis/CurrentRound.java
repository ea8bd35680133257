package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.FrameBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The current round: a view of its batches, fragments and streams as one. */
final class CurrentRound implements Round {
    private static final int ALL_SHARDS = -1;

    private final RoundBatches batches;
    private final FragmentStage fragments;
    private final StreamStage streams;
    private final CaptureSpan span;
    private final boolean isTraced;
    private List<SipPacket> messages = List.of();

    CurrentRound(
            RoundBatches batches, FragmentStage fragments, StreamStage streams, CaptureSpan span, boolean isTraced) {
        this.batches = batches;
        this.fragments = fragments;
        this.streams = streams;
        this.span = span;
        this.isTraced = isTraced;
    }

    /** All messages, in the order of capture. */
    List<SipPacket> allMessages() {
        return messagesOf(ALL_SHARDS);
    }

    /** The messages of a shard, in the order of capture. */
    List<SipPacket> messagesOf(int shard) {
        List<SipPacket> found = new ArrayList<>();
        for (int i = 0; i < batches.count(); i++) {
            collect(batches.events(i).sip, shard, found);
            BatchEvents late = batches.reassembled(i);
            if (late != null) {
                collect(late.sip, shard, found);
            }
        }
        collect(fragments.messages(), shard, found);
        for (TcpShard stream : streams.shards()) {
            collect(stream.messages(), shard, found);
            collect(stream.carriers().found().sip, shard, found);
        }
        found.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        return found;
    }

    private static void collect(List<SipPacket> from, int shard, List<SipPacket> to) {
        for (SipPacket message : from) {
            if (shard == ALL_SHARDS || Shards.sip(message.callIdHash()) == shard) {
                to.add(message);
            }
        }
    }

    /** Makes the messages visible to sinks, until {@link #hide}. */
    void show() {
        messages = allMessages();
    }

    void hide() {
        messages = List.of();
    }

    @Override
    public int batches() {
        return batches.count();
    }

    @Override
    public FrameBatch batch(int i) {
        return batches.batch(i);
    }

    @Override
    public long latestNs() {
        return span.latestNs();
    }

    @Override
    public List<SipPacket> messages() {
        return messages;
    }

    @Override
    public void framesOf(SipPacket message, LongConsumer to) {
        requireTrace();
        if (!streams.framesOf(message, frame -> fragments.framesOf(frame, to))) {
            fragments.framesOf(message, to);
        }
    }

    @Override
    public void framesOf(long completingFrame, LongConsumer to) {
        requireTrace();
        fragments.framesOf(completingFrame, to);
    }

    @Override
    public void lateDuplicates(DuplicateHandler to) {
        requireTrace();
        fragments.lateDuplicates(to);
    }

    @Override
    public @Nullable TracedConnection connectionOf(SipPacket message) {
        requireTrace();
        return streams.connectionOf(message);
    }

    private void requireTrace() {
        if (!isTraced) {
            throw new IllegalStateException("the pipeline is not traced: Pipeline.traced() asks for it");
        }
    }
}
