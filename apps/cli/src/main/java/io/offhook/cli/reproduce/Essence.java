package io.offhook.cli.reproduce;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What stays of a message when it is played again: names and users of the parties, the headers that do not name the dialog, the
 * transaction or the way, and the body without addresses and ports of SDP.
 */
final class Essence {
    private static final Set<SipHeader> MADE_ANEW = Set.of(
            SipHeader.VIA,
            SipHeader.FROM,
            SipHeader.TO,
            SipHeader.CALL_ID,
            SipHeader.CONTACT,
            SipHeader.CONTENT_LENGTH,
            SipHeader.ROUTE,
            SipHeader.RECORD_ROUTE);

    private Essence() {}

    /** The lines of the essence of a message. */
    static List<String> of(LegMessage message) {
        SipMessageView view = new SipMessageView();
        byte[] bytes = message.kept().bytes();
        view.wrap(bytes, 0, bytes.length);
        List<String> lines = new ArrayList<>();
        lines.add(message.kind() + " " + view.reasonPhrase());
        lines.add("from " + view.fromDisplayName() + " " + view.fromUser());
        lines.add("to " + view.toDisplayName() + " " + view.toUser());
        for (int i = 0; i < view.headerCount(); i++) {
            SipHeader header = view.header(i);
            if (!MADE_ANEW.contains(header)) {
                String name = header == SipHeader.CONTENT_TYPE
                        ? "content-type"
                        : view.name(i).toLowerCase(Locale.ROOT);
                lines.add(name + ": " + view.value(i).strip().replaceAll("\\s+", " "));
            }
        }
        addBody(lines, view);
        return lines;
    }

    private static void addBody(List<String> lines, SipMessageView view) {
        int from = view.bodyOffset();
        int end = from + view.bodyLength();
        SipMultipart part = new SipMultipart();
        if (view.bodyLength() == 0) {
            return;
        }
        if (!view.findSdp(part) || !view.text(SipHeader.CONTENT_ENCODING).isEmpty()) {
            lines.add(SippText.ofOctets(view.octets(), from, end - from));
            return;
        }
        int sdpEnd = part.offset() + part.length();
        lines.add(SippText.ofOctets(view.octets(), from, part.offset() - from));
        for (String line :
                SippText.ofOctets(view.octets(), part.offset(), part.length()).split("\r\n|\n|\r", -1)) {
            if (!line.isEmpty()) {
                lines.add(sdp(line));
            }
        }
        lines.add(SippText.ofOctets(view.octets(), sdpEnd, end - sdpEnd).strip());
    }

    /** A line of SDP without addresses and ports. */
    private static String sdp(String line) {
        if (line.startsWith("m=")) {
            return line.replaceFirst("^(\\S+) (?:(0)|\\d+)(/\\d+)? ", "$1 $2 ");
        }
        if (line.startsWith("o=")) {
            return line.replaceFirst("^(\\S+ \\S+ \\S+) .*", "$1");
        }
        if (line.startsWith("c=") || line.startsWith("a=rtcp:")) {
            return line.replaceFirst("^(c=|a=rtcp:).*", "$1");
        }
        return line.startsWith("a=candidate:") ? line.replaceFirst("^(\\S+ \\S+ \\S+ \\S+) .*", "$1") : line;
    }
}
