package io.offhook.proxy.stream;

import io.offhook.sip.stream.SipStreamFault;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request whose end cannot be known, made of its headers alone, without state (RFC 3261, 8.2.6): 400, or
 * 413 for a body that is too long. It goes back on the connection, so Via is copied as it is.
 */
final class FaultReply {
    private static final List<String> COPIED = List.of("via", "v", "from", "f", "to", "t", "call-id", "i", "cseq");

    private FaultReply() {}

    /**
     * The response; null if the headers are no request that may be answered.
     *
     * @param octets the array that start line and headers are in, with lines that end in CRLF
     */
    static byte @Nullable [] of(byte[] octets, int offset, int length, SipStreamFault fault) {
        String head = new String(octets, offset, length, StandardCharsets.ISO_8859_1);
        String startLine = head.substring(0, head.indexOf("\r\n"));
        if (startLine.regionMatches(true, 0, "SIP/", 0, 4) || startLine.startsWith("ACK ")) {
            return null;
        }
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        write(reply, "SIP/2.0 " + status(fault) + "\r\n");
        boolean isCopied = false;
        boolean hasVia = false;
        for (String line : head.substring(startLine.length() + 2).split("\r\n", -1)) {
            if (!line.startsWith(" ") && !line.startsWith("\t")) {
                int colon = line.indexOf(':');
                String name = colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
                isCopied = COPIED.contains(name);
                hasVia |= name.equals("via") || name.equals("v");
            }
            if (isCopied && !line.isEmpty()) {
                write(reply, line + "\r\n");
            }
        }
        write(reply, "Content-Length: 0\r\n\r\n");
        return hasVia ? reply.toByteArray() : null;
    }

    private static String status(SipStreamFault fault) {
        return switch (fault) {
            case BODY_TOO_LONG -> "413 Request Entity Too Large";
            case CONTENT_LENGTH_MISSING -> "400 Missing Content-Length";
            case CONTENT_LENGTH_CONTRADICTORY -> "400 Contradictory Content-Length";
            default -> "400 Bad Content-Length";
        };
    }

    private static void write(ByteArrayOutputStream to, String text) {
        to.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
