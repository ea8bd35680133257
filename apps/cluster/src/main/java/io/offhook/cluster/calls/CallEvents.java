package io.offhook.cluster.calls;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.binding.Taking;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.event.Measured;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.event.StreamId;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.figures.ConversationFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a call, or of all calls, and what they amount to: messages one by one, streams and RTCP as their last figures. For
 * one thread.
 */
public final class CallEvents {
    private record Pair(String probe, long incarnation, Endpoint one, Endpoint other) {}

    private final List<Event> single = new ArrayList<>();
    private final Map<StreamKey, FoldedStream> streams = new LinkedHashMap<>();
    private final Map<Pair, ConversationFigures> conversations = new LinkedHashMap<>();
    private List<Taking> takings = List.of();
    private long takenFrom;
    private long refused;

    /** There are none. */
    public CallEvents() {}

    /**
     * Takes an event in; those of a probe in the order of its numbers, without repeats.
     *
     * @return false if it concerns no call
     */
    public boolean add(Event event) {
        EventOrigin origin = event.origin();
        switch (event.body()) {
            case SipMessage _, IcmpError _, Measured _ -> single.add(event);
            case StreamBegin begin -> stream(origin, begin.stream()).begin(begin);
            case StreamInterval interval -> stream(origin, interval.stream()).interval(interval);
            case StreamEnd _ -> {}
            case Conversation talk -> {
                Pair pair = new Pair(origin.probe(), origin.incarnation(), talk.one(), talk.other());
                conversations.merge(pair, talk.update().alone(), (known, _) -> known.with(talk.update()));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private FoldedStream stream(EventOrigin origin, StreamId id) {
        return streams.computeIfAbsent(StreamKey.of(origin, id), _ -> new FoldedStream());
    }

    /**
     * Sets who took over from a call here, by SDP of others that is not among these events.
     *
     * @param callIdHash of the call that had the ports before
     * @param taken in the order of time
     */
    public void takenOver(long callIdHash, List<Taking> taken) {
        takenFrom = callIdHash;
        takings = List.copyOf(taken);
    }

    /**
     * Feeds an assembly, which nothing else was fed to but the time of its beginning.
     *
     * @param sipShards the parts of its dialogs
     * @return what was left out: figures that are those of no stream, and streams of which the beginning is missing
     */
    public long feed(CallAssembly assembly, int sipShards) {
        FrameOrder order = FrameOrder.of(single, streams);
        refused = 0;
        int taken = 0;
        try (SipFeed sip = new SipFeed(assembly, sipShards)) {
            for (Event event : order.inOrder(single)) {
                while (taken < takings.size() && takings.get(taken).fromNs() < event.atNs()) {
                    assembly.takenOver(takenFrom, takings.get(taken++));
                }
                long frame = order.frame(event);
                switch (event.body()) {
                    case SipMessage message -> sip.message(message, event.atNs(), frame);
                    case IcmpError error -> assembly.icmp(icmp(error, event.atNs(), frame));
                    case Measured measured -> assembly.measured(measured(measured, event.atNs(), frame));
                    default -> throw new IllegalStateException("not kept: " + event.body());
                }
            }
        }
        takings.subList(taken, takings.size()).forEach(taking -> assembly.takenOver(takenFrom, taking));
        streams.forEach((key, stream) -> add(assembly, order, key, stream));
        conversations.forEach((pair, figures) -> assembly.add(pair.one(), pair.other(), figures));
        return refused;
    }

    private void add(CallAssembly assembly, FrameOrder order, StreamKey key, FoldedStream stream) {
        if (!stream.isWhole()) {
            refused++;
            return;
        }
        try {
            // one that there is no room for is counted by the assembly
            boolean _ = assembly.add(
                    stream.captured(order.frame(key, stream.firstFrame())), stream.figures(), stream.sample());
        } catch (IllegalArgumentException e) {
            refused++;
        }
    }

    private static IcmpEvent icmp(IcmpError error, long atNs, long frame) {
        return new IcmpEvent(
                atNs,
                frame,
                error.reporter(),
                error.source(),
                error.destination(),
                error.callIdHash(),
                new IcmpEvent.Message(
                        error.message().ipVersion(),
                        error.message().type(),
                        error.message().code()));
    }

    private static MediaReport measured(Measured measured, long atNs, long frame) {
        Measured.Figures figures = measured.figures();
        return new MediaReport(
                atNs,
                frame,
                measured.callId().isEmpty() ? null : measured.callId(),
                measured.source(),
                measured.destination(),
                measured.ssrc(),
                new MediaReport.Figures(
                        figures.packets(),
                        figures.lost(),
                        figures.lossPercent(),
                        figures.jitterMs(),
                        figures.roundTripMs(),
                        figures.rFactor(),
                        figures.mos()));
    }
}
