package io.offhook.analysis.hep;

import io.offhook.analysis.CallWatcher;
import io.offhook.analysis.Shards;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReport;
import io.offhook.calls.FarEnd;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.hep.HepFeed;
import io.offhook.hep.HepPacket;
import io.offhook.hep.HepPayloadType;
import io.offhook.hep.HepQuality;
import io.offhook.hep.HepRtcp;
import io.offhook.hep.HepSender;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.Rating;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends the traffic of an analysis to a collector by HEP, as a capture agent does: each SIP message, RTCP as JSON with the
 * Call-ID of its call, and of each call that ended, the figures of its streams.
 *
 * <pre>{@code
 * HepExport export = new HepExport(sender, 0);
 * Analysis.run(source, options, export::beside);
 * }</pre>
 *
 * <p>Each shard has a feed of its own, so that messages of a call keep their order, and those of different calls may
 * not. Used once.
 */
public final class HepExport {
    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int SCTP = 132;
    private static final int MOST_BYTES = 65_535;
    /** Calls whose figures were sent, so that they are sent once. */
    private static final int MOST_REMEMBERED = 1 << 16;

    private final long waitNs;
    private final Way[] sip = new Way[Shards.SIP];
    private final Way media;
    private final Way reports;
    private final Set<String> reported = new LinkedHashSet<>();
    private final AtomicLong untold = new AtomicLong();
    private volatile boolean isStuck;

    /** One thread's way to the sender. */
    private static final class Way {
        final HepFeed feed;
        final HepPacket packet = new HepPacket();
        byte[] octets = new byte[2048];

        Way(HepFeed feed) {
            this.feed = feed;
        }

        byte[] copy(MemorySegment segment, long offset, int length) {
            if (octets.length < length) {
                octets = new byte[Math.max(length, 2 * octets.length)];
            }
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, octets, 0, length);
            return octets;
        }

        void between(Endpoint source, Endpoint destination, int protocol, long timestampNs) {
            packet.source(source.high(), source.low(), source.port())
                    .destination(destination.high(), destination.low(), destination.port())
                    .protocol(protocol)
                    .timestampNs(timestampNs)
                    .correlationId(octets, 0, 0);
        }

        void belongsTo(String callId) {
            byte[] id = callId.getBytes(StandardCharsets.UTF_8);
            packet.correlationId(id, 0, id.length);
        }
    }

    /**
     * Creates an export.
     *
     * @param sender which the caller closes
     * @param waitNs how long a packet waits for room before it is dropped and counted, in nanoseconds: 0 for live captures,
     *     which must not wait
     */
    public HepExport(HepSender sender, long waitNs) {
        this.waitNs = waitNs;
        for (int i = 0; i < sip.length; i++) {
            sip[i] = new Way(sender.feed());
        }
        media = new Way(sender.feed());
        reports = new Way(sender.feed());
    }

    /** The sink that sends. */
    public TrafficSink beside(CallAssembly calls) {
        return new TrafficSink() {
            @Override
            public void sip(int shard, SipPacket message) {
                send(sip[shard], message);
            }

            @Override
            public void rtcp(RtcpPacket packet) {
                send(packet, calls);
            }
        };
    }

    /** What is dropped is counted by the feed. After one has waited in vain, the others do not, until one is taken. */
    private void put(Way way) {
        isStuck = !way.feed.put(way.packet, isStuck ? 0 : waitNs);
    }

    private void send(Way way, SipPacket message) {
        int length = Math.min(message.length(), MOST_BYTES);
        byte[] octets = way.copy(message.segment(), message.offset(), length);
        int protocol = switch (message.transport()) {
            case UDP -> UDP;
            case SCTP -> SCTP;
            case TCP, TLS, WS, WSS -> TCP;
        };
        way.between(message.source(), message.destination(), protocol, message.timestampNs());
        way.packet.payload(HepPayloadType.SIP, octets, 0, length);
        put(way);
    }

    private void send(RtcpPacket packet, CallAssembly calls) {
        String json = HepRtcp.json(
                packet.segment().asSlice(packet.offset(), packet.length()).asByteBuffer());
        if (json == null) {
            untold.incrementAndGet();
            return;
        }
        byte[] octets = json.getBytes(StandardCharsets.UTF_8);
        media.between(packet.source(), packet.destination(), UDP, packet.timestampNs());
        String callId = calls.callIdOfMedia(packet.source(), packet.destination(), packet.timestampNs());
        if (callId != null) {
            media.belongsTo(callId);
        }
        media.packet.payload(HepPayloadType.RTCP_JSON, octets, 0, octets.length);
        put(media);
    }

    /**
     * Sends the figures of a call's streams, once. By one thread at a time, such as that of a {@link CallWatcher}.
     *
     * @param call that has ended, or will not be followed any more
     */
    public void report(CallReport call) {
        if (!reported.add(call.callId())) {
            return;
        }
        if (reported.size() > MOST_REMEMBERED) {
            reported.remove(reported.iterator().next());
        }
        for (StreamReport stream : call.streams()) {
            String callId = stream.callId() == null ? call.callId() : stream.callId();
            byte[] octets = quality(stream, callId).json().getBytes(StandardCharsets.UTF_8);
            reports.between(
                    stream.source(),
                    stream.destination(),
                    UDP,
                    stream.statistics().lastNs());
            reports.belongsTo(callId);
            reports.packet.payload(HepPayloadType.RTP_REPORT, octets, 0, octets.length);
            put(reports);
        }
    }

    private static HepQuality quality(StreamReport stream, String callId) {
        Rating played = stream.playoutRating();
        Quality quality = (played == null ? stream.rating() : played) instanceof Quality known ? known : null;
        FarEnd farEnd = stream.farEnd();
        return new HepQuality(
                callId,
                stream.source(),
                stream.destination(),
                new HepQuality.Figures(
                        stream.statistics().distinct(),
                        stream.statistics().lost(),
                        stream.statistics().isJitterKnown()
                                ? stream.statistics().meanJitterMs()
                                : Double.NaN,
                        farEnd == null ? Double.NaN : farEnd.roundTripMs(),
                        quality == null ? Double.NaN : quality.rFactor(),
                        quality == null ? Double.NaN : quality.mos()));
    }

    /** RTCP packets that were not sent: encrypted, or without a report at their beginning. */
    public long withoutReport() {
        return untold.get();
    }
}
