package io.offhook.testkit.traffic;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Writes a SIP message (RFC 3261 section 7) in any of the ways in which it may be written. Mutable, single-threaded. */
public final class SipMessage {
    /** How header fields are written. */
    public enum Style {
        PLAIN,
        /** The one-letter names of RFC 3261 section 7.3.3 and others where there are any. */
        COMPACT,
        /** Long values go on in a second line that begins with white space (RFC 3261 section 7.3.1). */
        FOLDED,
        /** Names in lower case, more white space than needed, several values in a line. */
        ODD
    }

    private static final Map<String, String> COMPACT_NAMES = Map.ofEntries(
            Map.entry("Via", "v"),
            Map.entry("From", "f"),
            Map.entry("To", "t"),
            Map.entry("Call-ID", "i"),
            Map.entry("Contact", "m"),
            Map.entry("Content-Type", "c"),
            Map.entry("Content-Length", "l"),
            Map.entry("Supported", "k"),
            Map.entry("Subject", "s"),
            Map.entry("Event", "o"),
            Map.entry("Refer-To", "r"),
            Map.entry("Session-Expires", "x"));

    /** The value of Content-Length; values from 0 on are written as they are. */
    private static final int RIGHT_LENGTH = -1;

    private static final int NO_LENGTH = -2;

    private record Header(String name, String value) {}

    private final String startLine;
    private final List<Header> headers = new ArrayList<>();
    private byte[] body = {};
    private Style style = Style.PLAIN;
    private int contentLength = RIGHT_LENGTH;

    private SipMessage(String startLine) {
        this.startLine = startLine;
    }

    public static SipMessage request(String method, String uri) {
        return new SipMessage(method + " " + uri + " SIP/2.0");
    }

    public static SipMessage response(int status, String reason) {
        return new SipMessage("SIP/2.0 " + status + " " + reason);
    }

    public SipMessage header(String name, String value) {
        headers.add(new Header(name, value));
        return this;
    }

    /** Puts a header before all others, as a proxy does with its Via. */
    public SipMessage firstHeader(String name, String value) {
        headers.addFirst(new Header(name, value));
        return this;
    }

    public SipMessage body(String contentType, byte[] bytes) {
        body = bytes.clone();
        return header("Content-Type", contentType);
    }

    public SipMessage style(Style value) {
        style = value;
        return this;
    }

    /** Writes this number as Content-Length, whatever the body has. */
    public SipMessage contentLength(int wrong) {
        contentLength = wrong;
        return this;
    }

    public SipMessage withoutContentLength() {
        contentLength = NO_LENGTH;
        return this;
    }

    public byte[] bytes() {
        StringBuilder text = new StringBuilder(startLine).append("\r\n");
        List<Header> written = new ArrayList<>(headers);
        if (contentLength != NO_LENGTH) {
            int length = contentLength == RIGHT_LENGTH ? body.length : contentLength;
            written.add(new Header("Content-Length", Integer.toString(length)));
        }
        if (style == Style.ODD) {
            written = viasInOneLine(written);
        }
        for (Header header : written) {
            append(text, header);
        }
        return new Octets().text(text.append("\r\n").toString()).bytes(body).toArray();
    }

    private void append(StringBuilder text, Header header) {
        switch (style) {
            case PLAIN -> text.append(header.name()).append(": ").append(header.value());
            case COMPACT ->
                text.append(COMPACT_NAMES.getOrDefault(header.name(), header.name()))
                        .append(':')
                        .append(header.value());
            case FOLDED -> text.append(header.name()).append(": ").append(folded(header));
            case ODD ->
                text.append(header.name().toLowerCase(Locale.ROOT))
                        .append(" \t:  ")
                        .append(header.value())
                        .append(' ');
        }
        text.append("\r\n");
    }

    /** White space, and so a fold, may stand around commas, and before a semicolon outside of angle brackets. */
    private static String folded(Header header) {
        String value = header.value().replace(", ", ",\r\n\t").replace(">;", ">\r\n ;");
        return header.name().equals("Via") ? value.replace(";", "\r\n ;") : value;
    }

    private static List<Header> viasInOneLine(List<Header> headers) {
        StringJoiner vias = new StringJoiner(" , ");
        List<Header> rest = new ArrayList<>();
        for (Header header : headers) {
            if (header.name().equals("Via")) {
                vias.add(header.value());
            } else {
                rest.add(header);
            }
        }
        rest.addFirst(new Header("Via", vias.toString()));
        return rest;
    }

    /** The message as text, for people. */
    @Override
    public String toString() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
