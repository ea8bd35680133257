package io.offhook.cli.messages;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadType;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SdpCodec;
import io.offhook.sip.SessionDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Summarises a session description, one line per media description: "audio 192.0.2.1:4000 PCMA telephone-event sendrecv". */
public final class MediaSummary {
    private static final int MAX_CODECS = 8;

    private MediaSummary() {}

    /** The lines, with text as captured. */
    public static List<String> lines(SessionDescription sdp) {
        List<String> lines = new ArrayList<>();
        for (MediaDescription media : sdp.media()) {
            lines.add(line(media));
        }
        return lines;
    }

    private static String line(MediaDescription media) {
        StringBuilder line = new StringBuilder(media.type()).append(' ');
        if (media.isRejected()) {
            return line.append("refused (port 0)").toString();
        }
        Endpoint endpoint = media.endpoint();
        line.append(endpoint == null ? media.address() + ":" + media.port() : endpoint.toString());
        int shown = 0;
        for (SdpCodec codec : media.codecs()) {
            if (shown++ == MAX_CODECS) {
                line.append(" +").append(media.codecs().size() - MAX_CODECS);
                break;
            }
            line.append(' ').append(codecName(codec));
        }
        if (media.codecs().isEmpty()) {
            line.append(' ').append(String.join(" ", media.formats()));
        }
        line.append(' ').append(media.direction().name().toLowerCase(Locale.ROOT));
        if (media.isHold() && media.direction().receives()) {
            line.append(" (hold)");
        }
        if (media.isEncrypted()) {
            line.append(" encrypted");
        }
        if (media.rtcp().isMultiplexed()) {
            line.append(" rtcp-mux");
        }
        if (!media.ice().candidates().isEmpty()) {
            line.append(" ICE");
        }
        return line.toString();
    }

    /** "PCMA", "opus": from the description, else from the static types of RFC 3551, else the number. */
    static String codecName(SdpCodec codec) {
        if (!codec.encodingName().isEmpty()) {
            return codec.encodingName();
        }
        Codec known = PayloadType.staticCodec(codec.payloadType());
        return known == null ? Integer.toString(codec.payloadType()) : known.encodingName();
    }
}
