package io.offhook.sip;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A media section of a session description (RFC 8866, 5.14), completed by what the session level states. Owned and
 * immutable.
 *
 * @param type in lower case: audio, video, image, application, text, message
 * @param port where the author of the description receives media, 0 to 65535; 0 rejects or ends the media (RFC 3264,
 *     6), or in BUNDLE refers to the first section
 * @param portCount the number of ports; 1 if not given
 * @param protocol in upper case: RTP/AVP, RTP/SAVP, UDP/TLS/RTP/SAVPF, UDPTL...
 * @param formats as written, in order of preference
 * @param codecs the formats of an RTP protocol that are payload types, in the same order
 * @param address the c= line of the media level, or of the session level if there is none
 * @param direction sendrecv if not given
 * @param packetTimeMs a=ptime in milliseconds, or -1
 * @param rtcp where RTCP is received
 * @param bundleOnly a=bundle-only (RFC 9143): port 0 does not reject the media then
 * @param mid a=mid, "" if not given
 * @param ice parameters of ICE
 * @param security keys
 * @param sources a=ssrc lines, one for each SSRC
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
     * Where RTCP is received.
     *
     * @param port of a=rtcp (RFC 3605), or -1
     * @param address of a=rtcp, {@link SdpAddress#NONE} if it has none
     * @param isMultiplexed whether RTCP arrives at the RTP port: a=rtcp-mux (RFC 5761)
     */
    public record Rtcp(int port, SdpAddress address, boolean isMultiplexed) {}

    /**
     * Parameters of ICE (RFC 8839).
     *
     * @param ufrag a=ice-ufrag of either level, "" if not given
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
     * Whether its protocol is SRTP. With another protocol, keys (opportunistic SRTP, RFC 8643) encrypt only if both
     * sides offer some: see {@link MediaSecurity#hasKeys()} of offer and answer.
     */
    public boolean isEncrypted() {
        return protocol.contains("SAVP") || protocol.contains("TLS");
    }

    /** Whether it is fax over UDPTL or TCP (T.38, annex D). */
    public boolean isT38() {
        return type.equals("image")
                && (protocol.equals("UDPTL") || formats.stream().anyMatch(format -> format.equalsIgnoreCase("t38")));
    }

    /** Whether its port is 0: rejected in an answer, ended in an offer. */
    public boolean isRejected() {
        return port == 0 && !bundleOnly;
    }

    /**
     * Whether the author put the other side on hold: sendonly, inactive, or the address 0.0.0.0 or ::, which with ICE
     * only means that candidates follow (RFC 8838).
     */
    public boolean isHold() {
        return direction == MediaDirection.SENDONLY
                || direction == MediaDirection.INACTIVE
                || address.isUnspecified()
                        && ice.candidates().isEmpty()
                        && ice.ufrag().isEmpty();
    }

    /** Where the author receives media; null for a host name, or without an address. */
    public @Nullable Endpoint endpoint() {
        IpAddress ip = address.ip();
        return ip == null ? null : Endpoint.of(ip, port);
    }

    /**
     * Where the author receives RTCP: a=rtcp, the RTP port with rtcp-mux, otherwise the port after it; null as for
     * {@link #endpoint()}.
     */
    public @Nullable Endpoint rtcpEndpoint() {
        IpAddress ip = rtcp.address().isPresent() ? rtcp.address().ip() : address.ip();
        if (ip == null || port == 0) {
            return null;
        }
        int next = rtcp.isMultiplexed() ? port : port + 1;
        int chosen = rtcp.port() > 0 && !rtcp.isMultiplexed() ? rtcp.port() : next;
        return chosen > 0xffff ? null : Endpoint.of(ip, chosen);
    }

    /** The codec of a payload type; null if it is not listed. */
    public @Nullable SdpCodec codec(int payloadType) {
        for (SdpCodec codec : codecs) {
            if (codec.payloadType() == payloadType) {
                return codec;
            }
        }
        return null;
    }
}
