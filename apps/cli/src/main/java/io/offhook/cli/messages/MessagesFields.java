package io.offhook.cli.messages;

import io.offhook.packet.Endpoint;
import io.offhook.report.fields.FieldWriter;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SdpCodec;
import io.offhook.sip.SessionDescription;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The fields of a SIP message, as docs/OUTPUT.md lists them. */
public final class MessagesFields {
    /** The columns of {@code messages --format csv}. */
    public static final List<String> COLUMNS = List.of(
            "frame",
            "time",
            "source",
            "destination",
            "transport",
            "copy",
            "method",
            "statusCode",
            "reasonPhrase",
            "requestUri",
            "cseqNumber",
            "cseqMethod",
            "callId",
            "from",
            "to",
            "fromUri",
            "toUri",
            "userAgent",
            "reason",
            "contentType",
            "length",
            "media",
            "text");

    private MessagesFields() {}

    /**
     * Writes all fields into the open object.
     *
     * @param withText whether to include the whole message
     */
    static void write(FieldWriter out, KeptMessage entry, boolean withText) {
        out.field("frame", entry.frameNumber())
                .time("time", entry.timestampNs())
                .field("source", entry.source().toString())
                .field("destination", entry.destination().toString())
                .field("transport", entry.transport().name())
                .field("copy", entry.copyLabel());
        text(out, "method", entry.method());
        if (entry.isRequest()) {
            out.nullField("statusCode");
        } else {
            out.field("statusCode", entry.statusCode());
        }
        text(out, "reasonPhrase", entry.reasonPhrase());
        text(out, "requestUri", entry.requestUri());
        if (entry.cseqNumber() < 0) {
            out.nullField("cseqNumber");
        } else {
            out.field("cseqNumber", entry.cseqNumber());
        }
        text(out, "cseqMethod", entry.cseqMethod());
        text(out, "callId", entry.callId());
        text(out, "from", entry.from());
        text(out, "to", entry.to());
        text(out, "fromUri", entry.fromUri());
        text(out, "toUri", entry.toUri());
        text(out, "userAgent", entry.userAgent());
        text(out, "reason", entry.reason());
        text(out, "contentType", entry.contentType());
        out.field("length", entry.bytes().length);
        media(out, entry.sdp());
        if (withText) {
            out.field("text", new String(entry.bytes(), StandardCharsets.UTF_8));
        }
    }

    private static void text(FieldWriter out, String name, String value) {
        out.field(name, value.isEmpty() ? null : value);
    }

    private static void media(FieldWriter out, @Nullable SessionDescription sdp) {
        out.array("media");
        if (sdp != null) {
            for (MediaDescription media : sdp.media()) {
                Endpoint endpoint = media.endpoint();
                out.object()
                        .field("type", media.type())
                        .field("address", endpoint == null ? media.address() + ":" + media.port() : endpoint.toString())
                        .field("protocol", media.protocol())
                        .field("direction", media.direction().name().toLowerCase(Locale.ROOT))
                        .field("codecs", codecs(media))
                        .end();
            }
        }
        out.end();
    }

    /** The names of codecs, or their numbers if unnamed; for other media, the formats as written. */
    static String codecs(MediaDescription media) {
        StringJoiner names = new StringJoiner(" ");
        for (SdpCodec codec : media.codecs()) {
            names.add(MediaSummary.codecName(codec));
        }
        if (media.codecs().isEmpty()) {
            media.formats().forEach(names::add);
        }
        return names.toString();
    }
}
