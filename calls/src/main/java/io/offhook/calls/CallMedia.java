package io.offhook.calls;

import io.offhook.packet.Endpoint;
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
 * What a call's SDP says, offer by answer (RFC 3264): where each side receives, what codec was agreed, who put whom on
 * hold and for how long.
 */
final class CallMedia {
    /** Endpoints that one call may name, ICE candidates included; more are not bound. */
    private static final int MAX_BINDINGS = 256;

    /** What one side said last. */
    private static final class Party {
        private @Nullable SessionDescription description;
        private long heldSinceNs = Call.NEVER;
    }

    private final Call call;
    private final List<MediaBinding> fresh;
    private final List<CallReport.Hold> holds = new ArrayList<>(0);
    private final Party caller = new Party();
    private final Party callee = new Party();
    private @Nullable Side offeredBy;
    private @Nullable String codec;
    private boolean codecAgreed;
    private boolean inviteSeen;
    /** Whether the last INVITE came in a call that was answered. */
    private boolean reinvited;

    private int bindings;
    private boolean fax;
    private boolean encrypted;

    /** @param fresh where endpoints go that were not named before */
    CallMedia(Call call, List<MediaBinding> fresh) {
        this.call = call;
        this.fresh = fresh;
    }

    /** Takes a message into account, once, after the call itself did. */
    void message(SipMessageView message, SipPacket packet, Side sender, SipMultipart part) {
        boolean answersInvite = !message.isRequest() && message.cseqMethod() == SipMethod.INVITE;
        if (message.isRequest() && message.method() == SipMethod.INVITE) {
            offeredBy = null;
            inviteSeen = true;
            reinvited = call.isAnswered();
        } else if (answersInvite && !inviteSeen && offeredBy == null) {
            // the INVITE was not captured; most bring an offer
            offeredBy = sender.other();
        }
        if (message.bodyLength() > 0 && message.findSdp(part)) {
            SessionDescription sdp = SessionDescription.parse(packet.segment(), part.offset(), part.length());
            description(sdp, message, packet, sender);
        }
        if (answersInvite && message.statusCode() / 100 == 2 && codec != null) {
            codecAgreed = true;
        }
    }

    private void description(SessionDescription sdp, SipMessageView message, SipPacket packet, Side sender) {
        party(sender).description = sdp;
        // SDP in an UPDATE is an offer (RFC 3311, 5.1), whoever made the one before
        boolean update = message.isRequest() && message.method() == SipMethod.UPDATE;
        if (offeredBy == sender.other() && !update) {
            answer(sdp);
            if (message.method() == SipMethod.ACK && reinvited) {
                holdByAnswer(sdp, packet.timestampNs(), sender);
            }
        } else {
            offeredBy = sender;
            boolean ofFirstInvite = message.cseqMethod() == SipMethod.INVITE && inviteSeen && !reinvited;
            if (call.isAnswered() && !ofFirstInvite) {
                hold(sdp, packet.timestampNs(), sender);
            }
        }
        if (message.isRequest() && message.method() == SipMethod.ACK && codec != null) {
            codecAgreed = true;
        }
        for (MediaDescription media : sdp.media()) {
            if (media.isRejected()) {
                continue;
            }
            fax |= media.isT38();
            encrypted |= media.isEncrypted();
            bind(sdp, media, packet, sender);
        }
    }

    /** The codec of a call is the first one of the answer that closed its set-up (RFC 3264, 6.1). */
    private void answer(SessionDescription sdp) {
        if (codecAgreed) {
            return;
        }
        MediaDescription audio = sdp.firstMedia("audio");
        MediaDescription media = audio != null
                ? audio
                : sdp.media().isEmpty() ? null : sdp.media().getFirst();
        if (media == null || media.isRejected()) {
            return;
        }
        for (SdpCodec format : media.codecs()) {
            if (!format.isTelephoneEvent() && !format.isComfortNoise()) {
                Codec known = MediaBinding.codecOf(format);
                codec = known == null ? format.encodingName() : known.encodingName();
                return;
            }
        }
    }

    private void bind(SessionDescription sdp, MediaDescription media, SipPacket packet, Side side) {
        Endpoint own = media.endpoint();
        if (own != null && own.port() != 0) {
            bind(own, sdp, media, packet, side);
        }
        for (IceCandidate candidate : media.candidates()) {
            Endpoint ip = candidate.address().ip();
            if (ip != null && candidate.port() > 0 && candidate.transport().equals("udp")) {
                bind(ip.withPort(candidate.port()), sdp, media, packet, side);
            }
        }
    }

    private void bind(Endpoint endpoint, SessionDescription sdp, MediaDescription media, SipPacket packet, Side side) {
        if (endpoint.isUnspecified() || bindings == MAX_BINDINGS) {
            return;
        }
        bindings++;
        fresh.add(new MediaBinding(call, side, endpoint, sdp, media, packet.timestampNs(), packet.frameNumber()));
    }

    private Party party(Side side) {
        return side == Side.CALLER ? caller : callee;
    }

    /** Who offers to send only, or nothing, has put the other on hold; an answer only follows. */
    private void hold(SessionDescription sdp, long timestampNs, Side side) {
        MediaDescription audio = sdp.firstMedia("audio");
        if (audio == null) {
            return;
        }
        Party party = party(side);
        boolean held = audio.isHold() && !audio.isRejected();
        if (held && party.heldSinceNs == Call.NEVER) {
            party.heldSinceNs = timestampNs;
        } else if (!held && party.heldSinceNs != Call.NEVER) {
            holds.add(new CallReport.Hold(side, party.heldSinceNs, timestampNs));
            party.heldSinceNs = Call.NEVER;
        }
    }

    /** Who asks for an offer, as an INVITE without SDP does, can only answer: no more than the offer asks for is no hold. */
    private void holdByAnswer(SessionDescription sdp, long timestampNs, Side side) {
        SessionDescription offer = party(side.other()).description;
        MediaDescription offered = offer == null ? null : offer.firstMedia("audio");
        if (offered != null && !offered.isHold()) {
            hold(sdp, timestampNs, side);
        }
    }

    /** Intervals of hold; one that nobody ended goes on until {@code endNs}. */
    List<CallReport.Hold> holds(long endNs) {
        List<CallReport.Hold> all = new ArrayList<>(holds);
        for (Side side : Side.values()) {
            if (party(side).heldSinceNs != Call.NEVER) {
                all.add(new CallReport.Hold(side, party(side).heldSinceNs, endNs));
            }
        }
        return all;
    }

    /** The encoding name that was agreed, or what the last answer said; null before any answer. */
    @Nullable
    String codec() {
        return codec;
    }

    /** Whether any SDP was seen. */
    boolean isDescribed() {
        return caller.description != null || callee.description != null;
    }

    /** Whether the last description of either side has audio that is not refused. */
    boolean hasAudio() {
        for (Side side : Side.values()) {
            SessionDescription description = party(side).description;
            MediaDescription audio = description == null ? null : description.firstMedia("audio");
            if (audio != null && !audio.isRejected()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a side said that it sends audio, or nothing to the contrary. */
    boolean sendsAudio(Side side) {
        SessionDescription own = party(side).description;
        SessionDescription others = party(side.other()).description;
        MediaDescription sent = own == null ? null : own.firstMedia("audio");
        MediaDescription received = others == null ? null : others.firstMedia("audio");
        return (sent == null || sent.direction().sends())
                && (received == null || received.direction().receives());
    }

    boolean hasFax() {
        return fax;
    }

    /** Whether keys for SRTP were offered. */
    boolean isEncrypted() {
        return encrypted;
    }
}
