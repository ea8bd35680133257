package io.offhook.decrypt;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.Payload;
import io.offhook.analysis.Pipeline;
import io.offhook.analysis.Round;
import io.offhook.analysis.RoundSink;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.PayloadOpener;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.RtpView;
import io.offhook.rtp.TelephoneEvents;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SdpCodec;
import io.offhook.sip.SessionDescription;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads key presses inside SRTP (telephone-events, RFC 4733) while a capture goes on, with the keys that SDP shows (SDES) and
 * given ones. Only packets that are as short as those of events are looked at; of {@value #MOST_STREAMS} streams the events are
 * kept, of {@value #MOST_CALLS} calls the keys; the eldest make room.
 *
 * <pre>{@code
 * try (EventKeys events = new EventKeys(null)) {
 *     Analysis.watchWith(source, options, watcher, events::addTo); // in the watcher: events.in(call)
 * }
 * }</pre>
 *
 * <p>Its answers are for the thread that runs the pipeline. Keys are overwritten when it is closed.
 */
public final class EventKeys implements RoundSink, AutoCloseable {
    static final int MOST_CALLS = 20_000;
    static final int MOST_STREAMS = 8192;

    /** Packets of a lane and a round that are looked at; further ones are counted. */
    private static final int MOST_PACKETS = 2048;

    private static final int HEADER = 12;

    /** Header, an event, tag and key identifier: four, up to 16 and up to four octets. */
    private static final int LONGEST = HEADER + 24;

    private static final int PLAIN_RTP = 0x80;
    private static final int DYNAMIC = 96;
    private static final int ENDPOINTS_PER_CALL = 4;
    private static final int MOST_BYTES = 0xffff;

    private final @Nullable SrtpKeys given;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment opened = arena.allocate(MOST_BYTES);
    private final SdesKeys sdes = SdesKeys.ofTheLatest(MOST_CALLS);
    private final Map<Endpoint, Announced> announced = new LinkedHashMap<>();
    private final Map<Sender, Events> senders = new LinkedHashMap<>(16, 0.75f, true);
    private final SipMessageView view = new SipMessageView();
    private final SipMultipart part = new SipMultipart();
    private final RtpView plain = new RtpView();

    /** What encrypted SDP says of media at an endpoint. */
    private record Announced(String callId, List<SdpCodec> events) {}

    private record Sender(Endpoint source, Endpoint destination, long ssrc) {}

    /** The events of a sender, and the keys that open them. */
    private record Events(SrtpOpener opener, List<SrtpKey> keys, TelephoneEvents events) {}

    /** A packet that may be an event, until its round ends. */
    private record Candidate(
            long frameNumber,
            long timestampNs,
            Endpoint source,
            Endpoint destination,
            Lane lane,
            long offset,
            int length) {}

    /**
     * Looks for keys in SDP, and takes given ones.
     *
     * @param given keys from elsewhere, which stay open as long as this; or null
     */
    public EventKeys(@Nullable DecryptionKeys given) {
        this.given = given == null ? null : given.srtp();
    }

    /** Watches a pipeline, which runs once. */
    public void addTo(Pipeline pipeline) {
        pipeline.frames(_ -> {
                    Lane lane = new Lane(arena.allocate((long) MOST_PACKETS * LONGEST));
                    lanes.add(lane);
                    return lane;
                })
                .rounds(this);
    }

    /** Copies the packets that may be events; one for each lane of the pipeline. */
    private static final class Lane implements FrameSink {
        final MemorySegment bytes;
        final List<Candidate> found = new ArrayList<>();
        long passedBy;

        Lane(MemorySegment bytes) {
            this.bytes = bytes;
        }

        @Override
        public void frame(DecodedFrame frame) {
            if (frame.payload() != Payload.RTP) {
                return;
            }
            PacketWalker layers = frame.layers();
            int length = layers.payloadLength();
            long offset = layers.payloadOffset();
            if (length > LONGEST
                    || length < layers.payloadWireLength()
                    || NetworkOrder.u8(layers.segment(), offset) != PLAIN_RTP
                    || (NetworkOrder.u8(layers.segment(), offset + 1) & 0x7f) < DYNAMIC) {
                return;
            }
            if (found.size() == MOST_PACKETS) {
                passedBy++;
                return;
            }
            long at = (long) found.size() * LONGEST;
            MemorySegment.copy(layers.segment(), offset, bytes, at, length);
            found.add(new Candidate(
                    frame.number(),
                    frame.timestampNs(),
                    new Endpoint(layers.sourceHigh(), layers.sourceLow(), layers.sourcePort()),
                    new Endpoint(layers.destinationHigh(), layers.destinationLow(), layers.destinationPort()),
                    this,
                    at,
                    length));
        }
    }

    @Override
    public void round(Round round) {
        round.messages().forEach(this::message);
        lanes.forEach(lane -> candidates.addAll(lane.found));
        candidates.sort(Comparator.comparingLong(Candidate::frameNumber));
        try {
            candidates.forEach(this::packet);
        } finally {
            candidates.clear();
            lanes.forEach(lane -> lane.found.clear());
        }
    }

    private void message(SipPacket packet) {
        if (view.wrap(packet.segment(), packet.offset(), packet.length()) != WrapStatus.OK
                || view.bodyLength() == 0
                || !view.findSdp(part)) {
            return;
        }
        SessionDescription sdp = SessionDescription.parse(view.octets(), part.offset(), part.length());
        boolean isEncrypted = false;
        for (MediaDescription media : sdp.media()) {
            Endpoint endpoint = media.endpoint();
            if (endpoint != null
                    && endpoint.port() != 0
                    && (media.isEncrypted() || media.security().hasKeys())) {
                isEncrypted = true;
                note(endpoint, media);
            }
        }
        if (isEncrypted) {
            sdes.message(packet);
        }
    }

    private void note(Endpoint endpoint, MediaDescription media) {
        List<SdpCodec> events =
                media.codecs().stream().filter(SdpCodec::isTelephoneEvent).toList();
        announced.remove(endpoint);
        announced.put(endpoint, new Announced(view.callId(), events));
        Iterator<Endpoint> eldest = announced.keySet().iterator();
        while (announced.size() > MOST_CALLS * ENDPOINTS_PER_CALL) {
            eldest.next();
            eldest.remove();
        }
    }

    private void packet(Candidate packet) {
        MemorySegment bytes = packet.lane.bytes;
        int type = NetworkOrder.u8(bytes, packet.offset + 1) & 0x7f;
        Announced receiver = announced.get(packet.destination);
        Announced sender = announced.get(packet.source);
        int clockRate = Math.max(clockRate(receiver, type), clockRate(sender, type));
        if (clockRate < 0) {
            return;
        }
        String callId = receiver == null ? sender == null ? "" : sender.callId : receiver.callId;
        Events events = events(packet, callId);
        int length =
                events == null ? PayloadOpener.CLOSED : events.opener.open(bytes, packet.offset, packet.length, opened);
        if (events != null && length != PayloadOpener.CLOSED && plain.wrap(opened, 0, length) == WrapStatus.OK) {
            event(plain, clockRate, packet.timestampNs, events.events);
        }
    }

    /** The clock of the events of a payload type; -1 if it has none. */
    private static int clockRate(@Nullable Announced media, int payloadType) {
        if (media != null) {
            for (SdpCodec codec : media.events) {
                if (codec.payloadType() == payloadType) {
                    return Math.max(1, codec.clockRate());
                }
            }
        }
        return -1;
    }

    /** What opens the events of a sender: made anew when there are other keys. */
    private @Nullable Events events(Candidate packet, String callId) {
        long ssrc = NetworkOrder.u32(packet.lane.bytes, packet.offset + 8);
        Sender sender = new Sender(packet.source, packet.destination, ssrc);
        List<SrtpKey> keys = new ArrayList<>();
        if (given != null) {
            given.of(new SrtpKeys.Media(ssrc, packet.source, packet.destination, callId), keys);
        }
        sdes.of(callId, keys);
        Events known = senders.get(sender);
        if (known != null && known.keys.equals(keys)) {
            return known;
        }
        if (keys.isEmpty()) {
            return null;
        }
        Events made = new Events(new SrtpOpener(keys), keys, known == null ? new TelephoneEvents() : known.events);
        senders.put(sender, made);
        if (known != null) {
            known.opener.close();
        } else if (senders.size() > MOST_STREAMS) {
            Iterator<Events> eldest = senders.values().iterator();
            eldest.next().opener.close();
            eldest.remove();
        }
        return made;
    }

    private static void event(RtpView packet, int clockRate, long arrivalNs, TelephoneEvents to) {
        long head = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            int octet = i < packet.payloadLength() ? NetworkOrder.u8(packet.segment(), packet.payloadOffset() + i) : 0;
            head = head << 8 | octet;
        }
        to.clockRate(clockRate);
        to.packet(arrivalNs, (int) packet.timestamp(), packet.marker(), packet.payloadLength(), head);
    }

    /** A call with the key presses that were read of its encrypted streams so far. */
    public CallReport in(CallReport call) {
        IdentityHashMap<RtpStream, StreamReport.Keys> read = new IdentityHashMap<>();
        for (StreamReport stream : call.streams()) {
            Events events = stream.hasClosedEvents()
                    ? senders.get(new Sender(stream.source(), stream.destination(), stream.ssrc()))
                    : null;
            if (events != null && events.events.packets() > 0) {
                read.put(stream.statistics(), new StreamReport.Keys(null, events.events));
            }
        }
        return read.isEmpty() ? call : call.withKeys(one -> read.getOrDefault(one, StreamReport.Keys.NONE));
    }

    /** Short packets that were not looked at, as too many came in one round. */
    public long passedBy() {
        return lanes.stream().mapToLong(lane -> lane.passedBy).sum();
    }

    /** Overwrites the keys; packets are no longer opened. */
    @Override
    public void close() {
        senders.values().forEach(each -> each.opener.close());
        senders.clear();
        announced.clear();
        sdes.close();
        opened.fill((byte) 0);
        arena.close();
    }

    /** Of how many senders there are events; never a key. */
    @Override
    public String toString() {
        return "key presses inside SRTP of " + senders.size() + " senders";
    }
}
