package io.offhook.sip;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One media line of a session description and what belongs to it (RFC 8866, 5.14), with what the session level says
 * where the media level does not. Owned and immutable.
 *
 * @param type in lower case: audio, video, image, application, text, message
 * @param port where its writer receives, 0 to 65535; 0 refuses or ends it (RFC 3264, 6), or in BUNDLE leaves it to the first
 * @param portCount ports used; 1 where none are given
 * @param protocol in upper case: RTP/AVP, RTP/SAVP, UDP/TLS/RTP/SAVPF, UDPTL...
 * @param formats as written, in order of preference
 * @param codecs the formats of an RTP protocol that are payload types, in the same order
 * @param address the c= line of the media level, else of the session level
 * @param direction sendrecv where nothing is said
 * @param packetTimeMs a=ptime in milliseconds, or -1
 * @param rtcp where RTCP goes
 * @param bundleOnly a=bundle-only (RFC 9143): its port 0 does not refuse it
 * @param mid a=mid, "" where there is none
 * @param ice what ICE finds a way with
 * @param security keys
 * @param sources a=ssrc lines, one a SSRC
 */
public record MediaDescription(
        String type,
        int port,
        int portCount,
        String protocol,
        List<String> formats,
        List<SdpCodec> codecs,
        SdpAddress address,
        MediaDirection direction,
        int packetTimeMs,
        Rtcp rtcp,
        boolean bundleOnly,
        String mid,
        Ice ice,
        MediaSecurity security,
        List<SdpSource> sources) {

    /**
     * Where RTCP goes.
     *
     * @param port of a=rtcp (RFC 3605), or -1
     * @param address of a=rtcp, {@link SdpAddress#NONE} where it gives none
     * @param isMultiplexed RTCP comes to the RTP port: a=rtcp-mux (RFC 5761)
     */
    public record Rtcp(int port, SdpAddress address, boolean isMultiplexed) {}

    /**
     * What ICE (RFC 8839) finds a way with.
     *
     * @param ufrag a=ice-ufrag of either level, "" where there is none
     * @param candidates a=candidate lines
     */
    public record Ice(String ufrag, List<IceCandidate> candidates) {
        /** Copies the list. */
        public Ice {
            candidates = List.copyOf(candidates);
        }
    }

    /** Copies the lists. */
    public MediaDescription {
        formats = List.copyOf(formats);
        codecs = List.copyOf(codecs);
        sources = List.copyOf(sources);
    }

    /** Whether its media type is audio. */
    public boolean isAudio() {
        return type.equals("audio");
    }

    /** Whether its media type is video. */
    public boolean isVideo() {
        return type.equals("video");
    }

    /** Whether it is carried by RTP, encrypted or not. */
    public boolean isRtp() {
        return protocol.contains("RTP/");
    }

    /**
     * SRTP by its protocol. Keys beside a protocol that does not say so (opportunistic, RFC 8643) encrypt only when both
     * sides name some: ask {@link MediaSecurity#hasKeys()} of offer and answer.
     */
    public boolean isEncrypted() {
        return protocol.contains("SAVP") || protocol.contains("TLS");
    }

    /** Fax over UDPTL or TCP (T.38, annex D). */
    public boolean isT38() {
        return type.equals("image")
                && (protocol.equals("UDPTL") || formats.stream().anyMatch(format -> format.equalsIgnoreCase("t38")));
    }

    /** Port 0: refused in an answer, ended in an offer. */
    public boolean isRejected() {
        return port == 0 && !bundleOnly;
    }

    /** Whether its writer put the other side on hold: sendonly, inactive, or the address 0.0.0.0 or :: . */
    public boolean isHold() {
        return direction == MediaDirection.SENDONLY
                || direction == MediaDirection.INACTIVE
                || address.isUnspecified() && ice.candidates().isEmpty();
    }

    /** Where its writer receives media; null for a host name, and where there is no address. */
    public @Nullable Endpoint endpoint() {
        IpAddress ip = address.ip();
        return ip == null ? null : Endpoint.of(ip, port);
    }

    /** Where its writer receives RTCP: a=rtcp, the RTP port with rtcp-mux, else the next one; null as for {@link #endpoint()}. */
    public @Nullable Endpoint rtcpEndpoint() {
        IpAddress ip = rtcp.address().isPresent() ? rtcp.address().ip() : address.ip();
        if (ip == null || port == 0) {
            return null;
        }
        int next = rtcp.isMultiplexed() ? port : port + 1;
        int chosen = rtcp.port() > 0 && !rtcp.isMultiplexed() ? rtcp.port() : next;
        return chosen > 0xffff ? null : Endpoint.of(ip, chosen);
    }

    /** The codec of a payload type, or null when the line does not list it. */
    public @Nullable SdpCodec codec(int payloadType) {
        for (SdpCodec codec : codecs) {
            if (codec.payloadType() == payloadType) {
                return codec;
            }
        }
        return null;
    }
}
