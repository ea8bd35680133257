package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session description (SDP, RFC 8866), owned and immutable.
 *
 * <p>Parsing takes what it can read, skips the rest and never fails: lines may end in CRLF, LF or CR, fields may be
 * missing, and numbers out of range count as absent. Of one description at most {@value SdpParser#BYTE_LIMIT} bytes,
 * {@value SdpParser#MEDIA_LIMIT} media lines and {@value SdpParser#LIST_LIMIT} of each repeated attribute are kept.
 * Codecs are what the description says: the static payload types of RFC 3551 have no name here unless it gives one.
 *
 * @param sessionId of o=, as text (it may exceed 64 bits); "" where there is none
 * @param sessionVersion of o=, as text: a change of it announces a change of the description
 * @param originAddress of o=
 * @param name s=
 * @param address c= of the session level
 * @param direction of the session level; sendrecv where nothing is said
 * @param iceLite a=ice-lite
 * @param groups a=group lines
 * @param media in order, which is how answers match offers
 */
public record SessionDescription(
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

    /** Parses the bytes of a body; they are copied first. */
    public static SessionDescription parse(MemorySegment segment, long offset, int length) {
        SipText text = new SipText();
        text.copy(segment, offset, length);
        return parse(text.octets(), 0, text.length());
    }

    /** Parses the bytes of a body or of the part that {@link SipMessageView#findSdp} found. */
    public static SessionDescription parse(byte[] octets, int offset, int length) {
        return new SdpParser().parse(octets, offset, offset + Math.min(Math.max(length, 0), SdpParser.BYTE_LIMIT));
    }

    /** Reads a description that is text already. */
    public static SessionDescription parse(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        return parse(octets, 0, octets.length);
    }

    /** The first media line of this type ("audio") that is not rejected, else the first of this type, else null. */
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

    /** The BUNDLE group that has this mid, or null. */
    public @Nullable SdpGroup bundleOf(String mid) {
        for (SdpGroup group : groups) {
            if (group.isBundle() && !mid.isEmpty() && group.mids().contains(mid)) {
                return group;
            }
        }
        return null;
    }
}
