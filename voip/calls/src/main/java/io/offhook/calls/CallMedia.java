package io.offhook.calls;

import io.offhook.calls.binding.Takeover;
import io.offhook.calls.binding.Taking;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.sdp.MediaLine;
import io.offhook.calls.sdp.MediaLines;
import io.offhook.calls.sdp.SessionState;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.rtp.Codec;
import io.offhook.sip.IceCandidate;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SdpCodec;
import io.offhook.sip.SessionDescription;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipMultipart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the SDP of a call declares: where each side receives, which codec was agreed and, by {@link OfferAnswer}, who
 * put whom on hold and for how long.
 *
 * <p>SDP counts in INVITE, ACK, PRACK and UPDATE, and in responses to them other than refusals; SDP in OPTIONS or a 488
 * describes capabilities (RFC 3261, 11 and 13.2.1). Endpoints are bound with the message that names them, as media may
 * precede the answer.
 */
final class CallMedia {
    /** The most endpoints of one call, including ICE candidates; further ones are not bound. */
    static final int MAX_BINDINGS = 256;

    /** The payloads of its streams are not sampled. */
    static final long NOT_SAMPLED = Long.MAX_VALUE;

    private final Call call;
    private final FreshBindings fresh;
    private final OfferAnswer session;
    private final MediaStates states;
    private final List<MediaBinding> bindings = new ArrayList<>(2);
    private int droppedBindings;
    private @Nullable String codec;
    private boolean codecAgreed;
    private boolean codecOfFirstLeg;
    private boolean reinvited;
    private long removedFrame = Long.MAX_VALUE;
    private int boundEndpoints;
    private boolean unbound;
    private final Takeover takeover = new Takeover();
    private long takenOverFrame = Long.MAX_VALUE;
    private @Nullable Introduction introduction;
    private boolean isCompared;
    private List<Call> mayBelongTo = List.of();
    private long sampledFromNs = NOT_SAMPLED;
    private long sampledFromFrame = Long.MAX_VALUE;
    private long candidateFromFrame = Long.MAX_VALUE;
    /** What was known of the call when it first named an endpoint. */
    record Introduction(
            List<CallReport.Leg> legs,
            @Nullable String fromUser,
            @Nullable String toUser,
            long invitedNs) {}

    /** @param fresh receives new endpoints */
    CallMedia(Call call, FreshBindings fresh) {
        this.call = call;
        this.fresh = fresh;
        session = new OfferAnswer(call);
        states = new MediaStates(call, session, fresh);
    }

    /** Processes a message, once, after the call itself did. */
    void message(SipMessageView message, SipPacket packet, Side sender, SipMultipart part) {
        boolean request = message.isRequest();
        SipMethod method = request ? message.method() : message.cseqMethod();
        int status = request ? 0 : message.statusCode();
        if (method != SipMethod.INVITE
                && method != SipMethod.ACK
                && method != SipMethod.PRACK
                && method != SipMethod.UPDATE) {
            return;
        }
        SessionDescription sdp = status < 300 ? description(message, part) : null;
        SessionState state = sdp == null ? null : SessionState.of(sdp);
        boolean answer = false;
        if (method == SipMethod.INVITE || method == SipMethod.ACK) {
            if (request && method == SipMethod.INVITE) {
                call.evidence().invited(sdp != null);
            }
            if (sdp != null) {
                call.evidence()
                        .described(
                                sdp.originUser(),
                                sdp.sessionId(),
                                sdp.originAddress().text(),
                                sender == Side.CALLER);
            }
        }
        OfferAnswer.Request key = new OfferAnswer.Request(
                request ? sender : sender.other(), method, message.fromTagHash(), message.cseqNumber());
        if (!request) {
            answer = session.response(key, status, packet.timestampNs(), state);
        } else if (method != SipMethod.ACK) {
            reinvited |= method == SipMethod.INVITE && call.isAnswered();
            answer = session.request(key, packet.timestampNs(), state);
        } else if (state != null) {
            session.acknowledgement(key, packet.timestampNs(), state);
            answer = true;
        }
        if (sdp != null) {
            if (answer) {
                codec(sdp, packet);
            }
            bind(sdp, packet, sender);
        }
        boolean closes = request ? method == SipMethod.ACK && answer : method == SipMethod.INVITE && status / 100 == 2;
        codecAgreed |= closes && codec != null;
    }

    private static @Nullable SessionDescription description(SipMessageView message, SipMultipart part) {
        return message.bodyLength() > 0 && message.findSdp(part)
                ? SessionDescription.parse(message.octets(), part.offset(), part.length())
                : null;
    }

    /**
     * Sets the codec of the call: the first one of the answer that completed its set-up (RFC 3264, 6.1). Of several
     * hops, between which a B2BUA may transcode, that of the caller's hop counts.
     */
    private void codec(SessionDescription answer, SipPacket packet) {
        boolean ofFirstLeg = isOfFirstLeg(packet);
        if (codecOfFirstLeg ? !ofFirstLeg || codecAgreed : codecAgreed && (!ofFirstLeg || reinvited)) {
            return;
        }
        MediaDescription audio = answer.firstMedia("audio");
        MediaDescription media = audio != null
                ? audio
                : answer.media().isEmpty() ? null : answer.media().getFirst();
        if (media == null || media.isRejected()) {
            return;
        }
        for (SdpCodec format : media.codecs()) {
            if (!format.isTelephoneEvent() && !format.isComfortNoise()) {
                Codec known = MediaLine.codecOf(format);
                codec = known == null ? format.encodingName() : known.encodingName();
                codecOfFirstLeg = ofFirstLeg;
                return;
            }
        }
    }

    /** Whether a message is on the first leg; ports may differ (RFC 3581), addresses do not. */
    private boolean isOfFirstLeg(SipPacket packet) {
        if (call.legs().isEmpty()) {
            return true;
        }
        CallReport.Leg leg = call.legs().getFirst();
        return isBetween(leg, packet.source(), packet.destination())
                || isBetween(leg, packet.destination(), packet.source());
    }

    private static boolean isBetween(CallReport.Leg leg, Endpoint source, Endpoint destination) {
        return leg.source().withPort(0).equals(source.withPort(0))
                && leg.destination().withPort(0).equals(destination.withPort(0));
    }

    private void bind(SessionDescription sdp, SipPacket packet, Side side) {
        MediaLines lines = fresh.share(MediaLines.of(sdp));
        for (int i = 0; i < sdp.media().size(); i++) {
            MediaDescription media = sdp.media().get(i);
            if (media.isRejected()) {
                continue;
            }
            Endpoint own = media.endpoint();
            unbound |= media.type().equals("audio")
                    && media.port() != 0
                    && (own == null || own.isUnspecified())
                    && !media.isHold()
                    && media.ice().candidates().isEmpty();
            if (own != null && own.port() != 0) {
                bind(own, lines, i, media, packet, side);
            }
            for (IceCandidate candidate : media.ice().candidates()) {
                IpAddress ip = candidate.address().ip();
                if (ip != null && candidate.port() > 0 && candidate.transport().equals("udp")) {
                    bind(Endpoint.of(ip, candidate.port()), lines, i, media, packet, side);
                }
            }
        }
    }

    /** Binds an endpoint unless it is known: the next hop and refreshes repeat it (RFC 3264, 8.3.2). */
    private void bind(
            Endpoint endpoint, MediaLines lines, int line, MediaDescription media, SipPacket packet, Side side) {
        if (endpoint.isUnspecified()) {
            return;
        }
        for (MediaBinding known : bindings) {
            if (known.says(side, endpoint, lines, line)) {
                return;
            }
        }
        if (bindings.size() == MAX_BINDINGS) {
            bindingDropped();
            fresh.drop(packet);
            return;
        }
        Endpoint rtcp = media.rtcp().isMultiplexed() ? endpoint : media.rtcpEndpoint();
        boolean usual = rtcp != null && rtcp.equals(endpoint.withPort(Math.min(0xffff, endpoint.port() + 1)));
        MediaBinding binding = new MediaBinding(
                call, side, endpoint, lines, line, usual ? null : rtcp, packet.timestampNs(), packet.frameNumber());
        if (bindings.isEmpty()) {
            introduction = new Introduction(
                    call.legs(), call.parties().fromUser(), call.parties().toUser(), call.invitedNs());
        }
        bindings.add(binding);
        fresh.add(binding);
    }

    /** What packets before a frame know of the call. */
    MediaStates states() {
        return states;
    }

    /** Notes what packets before a message have to know. */
    void beforeMessage() {
        if (!bindings.isEmpty()) {
            states.beforeMessage();
        }
    }

    /** Notes what packets behind a message have to know, once the call has an endpoint that they may find. */
    void afterMessage(long frame) {
        if (!bindings.isEmpty()) {
            states.afterMessage(frame);
        }
    }

    /**
     * The time after which media is no longer this call's, by what was captured before a frame: a while after its end;
     * without one, when another call took over its ports, or the far future.
     */
    long endNs(long graceNs, long frame) {
        if (states.endedNs(frame) == Call.NEVER) {
            return takenOverFrame < frame ? takeover.atNs() : Long.MAX_VALUE;
        }
        return states.lastOfEndNs(frame) + graceNs;
    }

    /** Notes that another call receives media where one side of this one did. */
    void takenOver(Side side, MediaBinding binding) {
        Call by = binding.call();
        long behind = binding.frameNumber() + 1;
        Taking taking = new Taking(
                side == Side.CALLER, by.callIdHash(), by.media().states.firstSeenNs(behind), binding.fromNs());
        take(taking, states.answeredNs(behind), binding.frameNumber());
    }

    /** The same, where the other call is not among those here; to be called between messages. */
    void takenOver(Taking taking) {
        take(taking, call.answeredNs(), Long.MIN_VALUE);
    }

    private void take(Taking taking, long answeredNs, long frame) {
        if (answeredNs != Call.NEVER && takeover.take(taking, answeredNs)) {
            takenOverFrame = frame;
        }
    }

    /** When another call took over its ports; Long.MAX_VALUE if none did. */
    long takenOverNs() {
        return takeover.atNs();
    }

    /** The endpoints at which its sides receive media, in the order in which they were named. */
    List<MediaBinding> bindings() {
        return bindings;
    }

    /**
     * Whether missing audio would be missing: audio was agreed on, no fax, and all endpoints are known. Not where SDP
     * names a host instead of an address, or leaves the addresses to candidates that come later (RFC 8838).
     */
    boolean showsAudio() {
        return session.hasAudio() && !session.hasFax() && droppedBindings == 0 && !unbound;
    }

    /** Whether it was compared with the calls before it, so that {@link #mayBelongTo()} is known. */
    boolean isCompared() {
        return isCompared;
    }

    /** The calls that it may be a leg of, until it is answered; empty before it is compared. */
    List<Call> mayBelongTo() {
        return mayBelongTo;
    }

    /** Notes the calls that it may be a leg of; from then on it is compared. */
    void mayBelongTo(List<Call> calls) {
        mayBelongTo = calls;
        isCompared = true;
        introduction = null;
    }

    /** What was known of it with its first endpoint; to be asked once there is one. */
    Introduction introduction() {
        Introduction known = introduction;
        if (known == null) {
            throw new IllegalStateException("a call without an endpoint is compared: " + call.callId());
        }
        return known;
    }

    /**
     * From when on the payloads of its streams are sampled, by what was captured before a frame; {@link #NOT_SAMPLED} if they
     * are not.
     */
    long sampledFromNs(long frame) {
        return sampledFromFrame < frame ? sampledFromNs : NOT_SAMPLED;
    }

    /** Whether the payloads of its streams may soon be sampled, by what was captured before a frame. */
    boolean isCandidate(long frame) {
        return candidateFromFrame < frame;
    }

    /** Notes that it may be a leg of another call, or have one, since the SDP of a binding. */
    void candidateFrom(MediaBinding since) {
        candidateFromFrame = Math.min(candidateFromFrame, since.frameNumber());
    }

    /** Has the payloads of its streams sampled from the SDP of a binding on. */
    void sampledFrom(MediaBinding since) {
        sampledFromNs = since.fromNs();
        sampledFromFrame = since.frameNumber();
    }

    /** Marks the call as no longer kept: its packets are those up to a frame, of which a message took its place. */
    void remove(long frame) {
        removedFrame = frame;
    }

    /** The frame that {@link #remove} was given; Long.MAX_VALUE if the call is kept. */
    long removedFrame() {
        return removedFrame;
    }

    boolean isRemovedBefore(long frame) {
        return removedFrame < frame;
    }

    /** Counts an endpoint that packets can find. */
    void bound() {
        boundEndpoints++;
    }

    int boundEndpoints() {
        return boundEndpoints;
    }

    /** Counts a binding that exceeds a limit. */
    void bindingDropped() {
        droppedBindings++;
    }

    /**
     * The number of endpoints beyond {@value #MAX_BINDINGS} or beyond the limit of all calls: media may have been
     * missed.
     */
    int droppedBindings() {
        return droppedBindings;
    }

    /** The offers and answers of the session as a whole. */
    OfferAnswer session() {
        return session;
    }

    /** The encoding name that was agreed, or that of the last answer; null before any answer. */
    @Nullable
    String codec() {
        return codec;
    }
}
