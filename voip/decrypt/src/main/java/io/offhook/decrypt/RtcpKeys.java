package io.offhook.decrypt;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.rtcp.RtcpOpener;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.rtp.PayloadOpener;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SessionDescription;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Opens SRTCP while a capture is analysed: with the keys that SDP shows (SDES), by the endpoints that it names, and with given
 * ones, and with those of DTLS handshakes whose secrets a given key log has.
 *
 * <pre>{@code
 * Analysis.run(source, options.withRtcp(() -> new RtcpKeys(keys)));
 * }</pre>
 *
 * <p>Of {@value #MOST_CALLS} calls the keys are kept, of {@value #MOST_SENDERS} senders the ciphers; the eldest make room.
 * Single-threaded, as an analysis uses it. Keys are overwritten when it is closed.
 */
public final class RtcpKeys implements RtcpOpener, AnalysisOptions.KeyFrames {
    static final int MOST_CALLS = 20_000;
    static final int MOST_SENDERS = 8192;

    /** Both ports of both sides, twice for a new offer. */
    private static final int ENDPOINTS_PER_CALL = 8;

    private static final int SENDER_REPORT = 200;
    private static final int MOST_BYTES = 0xffff;
    /** Header and SSRC, which are in clear, and the word with the index (RFC 3711, 3.4). */
    private static final int LEAST_BYTES = 12;

    private final @Nullable SrtpKeys given;
    private final @Nullable DtlsSessions dtls;
    private final List<DtlsHellos> lanes = new ArrayList<>();
    private final List<DtlsHellos.Hello> hellos = new ArrayList<>(0);
    private final SipMultipart part = new SipMultipart();
    private final SdesKeys sdes = SdesKeys.ofTheLatest(MOST_CALLS);
    private final Map<Endpoint, String> callIds = new LinkedHashMap<>();
    private final Map<Sender, Opener> openers = new LinkedHashMap<>(16, 0.75f, true);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment opened = arena.allocate(MOST_BYTES);
    private long openedPackets;

    private record Sender(Endpoint source, Endpoint destination, long ssrc) {}

    /** What opens the packets of a sender, and the keys that it has. */
    private record Opener(SrtpOpener opener, List<SrtpKey> keys) {}

    /**
     * Looks for keys in SDP, and takes given ones.
     *
     * @param given keys from elsewhere, which stay open as long as this; or null
     */
    public RtcpKeys(@Nullable DecryptionKeys given) {
        this.given = given == null ? null : given.srtp();
        dtls = given == null || !given.log().mayHaveSecrets()
                ? null
                : DtlsSessions.ofTheLatest(MOST_CALLS, given.log());
    }

    @Override
    public @Nullable IntFunction<DtlsHellos> frames() {
        return dtls == null
                ? null
                : _ -> {
                    DtlsHellos lane = new DtlsHellos();
                    lanes.add(lane);
                    return lane;
                };
    }

    /** Adds the handshakes of the round. */
    private void handshakes(DtlsSessions to) {
        lanes.forEach(lane -> lane.drainTo(hellos));
        if (!hellos.isEmpty()) {
            to.add(hellos);
            hellos.clear();
        }
    }

    @Override
    public void message(SipMessageView message, SipPacket packet) {
        if (message.bodyLength() == 0 || !message.findSdp(part)) {
            return;
        }
        SessionDescription sdp = SessionDescription.parse(message.octets(), part.offset(), part.length());
        boolean isEncrypted = false;
        for (MediaDescription media : sdp.media()) {
            if (media.isEncrypted() || media.security().hasKeys()) {
                isEncrypted = true;
                note(media.endpoint(), message.callId());
                note(media.rtcpEndpoint(), message.callId());
                note(next(media.endpoint()), message.callId());
            }
        }
        if (isEncrypted) {
            sdes.message(packet);
        }
    }

    /** Where RTCP goes if the answer refuses to have it at the port of RTP (RFC 5761, 5.1.1). */
    private static @Nullable Endpoint next(@Nullable Endpoint media) {
        return media == null || media.port() == 0xffff ? null : Endpoint.of(media.address(), media.port() + 1);
    }

    private void note(@Nullable Endpoint endpoint, String callId) {
        if (endpoint == null || endpoint.port() == 0) {
            return;
        }
        callIds.remove(endpoint);
        callIds.put(endpoint, callId);
        Iterator<Endpoint> eldest = callIds.keySet().iterator();
        while (callIds.size() > MOST_CALLS * ENDPOINTS_PER_CALL) {
            eldest.next();
            eldest.remove();
        }
    }

    @Override
    public @Nullable RtcpPacket open(RtcpPacket packet) {
        boolean isWhole = packet.length() >= LEAST_BYTES && packet.length() == packet.wireLength();
        if (!isWhole || NetworkOrder.u8(packet.segment(), packet.offset() + 1) < SENDER_REPORT) {
            return null;
        }
        String callId = callIds.get(packet.source());
        callId = callId == null ? callIds.get(packet.destination()) : callId;
        if (dtls != null) {
            handshakes(dtls);
        }
        if (callId == null && given == null && (dtls == null || dtls.count() == 0)) {
            return null;
        }
        long ssrc = NetworkOrder.u32(packet.segment(), packet.offset() + 4);
        Sender sender = new Sender(packet.source(), packet.destination(), ssrc);
        Opener known = openers.get(sender);
        int length = known == null ? PayloadOpener.CLOSED : open(known, packet);
        if (length == PayloadOpener.CLOSED) {
            List<SrtpKey> keys = keys(sender, callId);
            if (keys.equals(known == null ? List.of() : known.keys)) {
                return null; // there is no other key than those that were tried
            }
            Opener made = new Opener(new SrtpOpener(keys), keys);
            replace(sender, made);
            length = open(made, packet);
        }
        if (length == PayloadOpener.CLOSED) {
            return null;
        }
        openedPackets++;
        return new RtcpPacket(packet.context(), opened, 0, length, length);
    }

    private int open(Opener opener, RtcpPacket packet) {
        return opener.opener.openRtcp(packet.segment(), packet.offset(), packet.length(), opened);
    }

    private List<SrtpKey> keys(Sender sender, @Nullable String callId) {
        List<SrtpKey> keys = new ArrayList<>();
        if (given != null) {
            given.of(new SrtpKeys.Media(sender.ssrc, sender.source, sender.destination, callId), keys);
        }
        if (dtls != null) {
            dtls.of(sender.source, sender.destination, keys);
        }
        if (callId != null) {
            sdes.of(callId, keys);
        }
        return keys;
    }

    private void replace(Sender sender, Opener made) {
        Opener before = openers.put(sender, made);
        if (before != null) {
            before.opener.close();
        } else if (openers.size() > MOST_SENDERS) {
            Iterator<Opener> eldest = openers.values().iterator();
            eldest.next().opener.close();
            eldest.remove();
        }
    }

    /** Packets that were opened. */
    public long opened() {
        return openedPackets;
    }

    /** Overwrites the keys; packets are no longer opened. */
    @Override
    public void close() {
        openers.values().forEach(each -> each.opener.close());
        openers.clear();
        callIds.clear();
        sdes.close();
        if (dtls != null) {
            dtls.close();
        }
        opened.fill((byte) 0);
        arena.close();
    }

    /** How many packets were opened; never a key. */
    @Override
    public String toString() {
        return "SRTCP: " + openedPackets + " packets opened";
    }
}
