package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session description (SDP, RFC 8866). Owned and immutable.
 *
 * <p>Parsing never fails. It skips what it cannot read: lines may end in CRLF, LF or CR, fields may be missing, and
 * numbers out of range count as absent. At most {@value SdpParser#BYTE_LIMIT} bytes, {@value SdpParser#MEDIA_LIMIT}
 * media lines and {@value SdpParser#LIST_LIMIT} of each repeated attribute are kept. Codecs have the names that the
 * description gives; static payload types of RFC 3551 without an rtpmap have none.
 *
 * @param originUser the user name of o=; "" if absent
 * @param sessionId of o=, as text (it may exceed 64 bits); "" if absent
 * @param sessionVersion of o=, as text; it changes when the description changes
 * @param originAddress the address of o=
 * @param name s=
 * @param address c= of the session level
 * @param direction the direction of the session level; sendrecv if not given
 * @param iceLite a=ice-lite
 * @param groups the a=group lines
 * @param media the media lines in order, which is how answers match offers
 */
public record SessionDescription(
        String originUser,
        String sessionId,
        String sessionVersion,
        SdpAddress originAddress,
        String name,
        SdpAddress address,
        MediaDirection direction,
        boolean iceLite,
        List<SdpGroup> groups,
        List<MediaDescription> media) {

    /** Copies the lists. */
    public SessionDescription {
        groups = List.copyOf(groups);
        media = List.copyOf(media);
    }

    /** Parses the bytes of a body, which are copied first. */
    public static SessionDescription parse(MemorySegment segment, long offset, int length) {
        SipText text = new SipText();
        text.copy(segment, offset, length);
        return parse(text.octets(), 0, text.length());
    }

    /** Parses the bytes of a body, or of the part that {@link SipMessageView#findSdp} found. */
    public static SessionDescription parse(byte[] octets, int offset, int length) {
        return new SdpParser().parse(octets, offset, offset + Math.min(Math.max(length, 0), SdpParser.BYTE_LIMIT));
    }

    /** Parses a description from text. */
    public static SessionDescription parse(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        return parse(octets, 0, octets.length);
    }

    /**
     * The first media line of a type ("audio") that is not rejected, otherwise the first of the type, otherwise null.
     */
    public @Nullable MediaDescription firstMedia(String type) {
        MediaDescription rejected = null;
        for (MediaDescription line : media) {
            if (line.type().equals(type)) {
                if (!line.isRejected()) {
                    return line;
                }
                rejected = rejected == null ? line : rejected;
            }
        }
        return rejected;
    }

    /** The BUNDLE group that contains this mid; null if there is none. */
    public @Nullable SdpGroup bundleOf(String mid) {
        for (SdpGroup group : groups) {
            if (group.isBundle() && !mid.isEmpty() && group.mids().contains(mid)) {
                return group;
            }
        }
        return null;
    }
}
