package io.offhook.cluster.probe;

import io.offhook.calls.figures.CapturedStream;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.event.EventKey;
import io.offhook.cluster.event.Limits;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.event.StreamId;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamUpdate;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names the streams of a probe, and writes what changed of them. All are written as figures. Those whose codec was not known in
 * time lack jitter and what a jitter buffer made of them, also where SDP that comes later names it: their packets would have to be
 * written one by one for that, as {@link StreamBegin.Mode#ROWS} provides for.
 */
final class ProbedStreams implements FiguresSink {
    private record Key(Endpoint source, Endpoint destination, long ssrc) {}

    private record Known(StreamId id, long firstFrame) {}

    private final ProbeEvents events;
    private final int most;
    /** The last stream with each key, the one that was not heard of for the longest time first. */
    private final LinkedHashMap<Key, Known> streams = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

    private long nowNs;

    /** @param most streams that are known at a time */
    ProbedStreams(ProbeEvents events, int most) {
        this.events = events;
        this.most = most;
    }

    /** Sets the time of what is passed from now on, nanoseconds since the epoch. */
    void at(long timeNs) {
        nowNs = timeNs;
    }

    @Override
    public void stream(CapturedStream stream, StreamUpdate update, @Nullable SampleFigures sample) {
        StreamId id = known(stream);
        String owner = stream.ownerCallId();
        StreamInterval interval = new StreamInterval(
                id, owner == null ? "" : Limits.cut(owner, Limits.TEXT), update, sample, Octets.EMPTY);
        events.send(nowNs, id.hash(), interval);
    }

    private StreamId known(CapturedStream stream) {
        Key key = new Key(stream.source(), stream.destination(), stream.ssrc());
        Known known = streams.get(key);
        if (known != null && known.firstFrame() == stream.firstFrame()) {
            return known.id();
        }
        if (known != null) {
            end(known, StreamEnd.Why.REPLACED);
        }
        StreamId id = new StreamId(
                RtpRows.hash(stream.source(), stream.destination(), stream.ssrc()),
                known == null ? 0 : known.id().ordinal() + 1);
        streams.put(key, new Known(id, stream.firstFrame()));
        events.send(
                nowNs,
                id.hash(),
                new StreamBegin(
                        id,
                        stream.source(),
                        stream.destination(),
                        stream.ssrc(),
                        stream.firstFrame(),
                        StreamBegin.Mode.FIGURES,
                        Octets.EMPTY));
        if (streams.size() > most) {
            Iterator<Map.Entry<Key, Known>> all = streams.entrySet().iterator();
            end(all.next().getValue(), StreamEnd.Why.EVICTED);
            all.remove();
        }
        return id;
    }

    private void end(Known known, StreamEnd.Why why) {
        events.send(nowNs, known.id().hash(), new StreamEnd(known.id(), why, Octets.EMPTY));
    }

    /** Ends all streams. */
    void stop() {
        for (Known known : streams.values()) {
            end(known, StreamEnd.Why.PROBE_STOPPED);
        }
        streams.clear();
    }

    @Override
    public void conversation(Endpoint one, Endpoint other, ConversationUpdate update) {
        events.send(nowNs, EventKey.of(one, other), new Conversation(one, other, update, Octets.EMPTY));
    }
}
