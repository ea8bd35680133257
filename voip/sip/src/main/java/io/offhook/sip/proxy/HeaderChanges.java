package io.offhook.sip.proxy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.edit.MessageEdits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Headers to remove from a message that is passed on, and lines to add to it; to replace a header is to do both. What a proxy
 * itself needs cannot be removed. Immutable; made once, because it allocates.
 */
public final class HeaderChanges {
    /** No change. */
    public static final HeaderChanges NONE = new HeaderChanges(Set.of(), "");

    private static final Set<SipHeader> NEEDED = EnumSet.of(
            SipHeader.VIA,
            SipHeader.ROUTE,
            SipHeader.RECORD_ROUTE,
            SipHeader.FROM,
            SipHeader.TO,
            SipHeader.CALL_ID,
            SipHeader.CSEQ,
            SipHeader.MAX_FORWARDS,
            SipHeader.MAX_BREADTH,
            SipHeader.CONTENT_LENGTH);

    private final Set<SipHeader> known = EnumSet.noneOf(SipHeader.class);
    private final byte[][] others;
    private final byte[] added;

    /**
     * Creates changes.
     *
     * @param removed names of headers, in long or compact form and any case, all of whose lines are removed
     * @param added header lines to add after the others, each with its line end; "" for none
     */
    public HeaderChanges(Set<String> removed, String added) {
        List<byte[]> unknown = new ArrayList<>();
        for (String name : removed) {
            SipHeader header = header(name);
            if (NEEDED.contains(header)) {
                throw new IllegalArgumentException("header " + name + " cannot be removed: the proxy needs it");
            }
            if (header == SipHeader.OTHER) {
                unknown.add(name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
            } else {
                known.add(header);
            }
        }
        if (!added.isEmpty() && (!added.endsWith("\r\n") || added.startsWith("\r\n") || added.contains("\r\n\r\n"))) {
            throw new IllegalArgumentException(
                    "header lines to add must each end in CRLF, with no empty line among them");
        }
        others = unknown.toArray(byte[][]::new);
        this.added = added.getBytes(StandardCharsets.UTF_8);
    }

    /** Changes that only add lines. */
    public static HeaderChanges adding(String lines) {
        return lines.isEmpty() ? NONE : new HeaderChanges(Set.of(), lines);
    }

    private static SipHeader header(String name) {
        for (SipHeader header : SipHeader.values()) {
            boolean isCompact = name.length() == 1 && header.compactForm() == Character.toLowerCase(name.charAt(0));
            if (header != SipHeader.OTHER && (isCompact || header.text().equalsIgnoreCase(name))) {
                return header;
            }
        }
        return SipHeader.OTHER;
    }

    /** Records the changes of a message. */
    void record(SipMessageView message, MessageEdits edits) {
        if (!known.isEmpty() || others.length > 0) {
            for (int i = 0; i < message.headerCount(); i++) {
                if (isRemoved(message, i)) {
                    int start = message.nameOffset(i);
                    edits.at(start, message.lineEnd(i) - start);
                }
            }
        }
        if (added.length > 0) {
            edits.at(message.headersEnd(), 0).put(added);
        }
    }

    private boolean isRemoved(SipMessageView message, int line) {
        SipHeader header = message.header(line);
        if (header != SipHeader.OTHER) {
            return known.contains(header);
        }
        for (byte[] name : others) {
            if (isName(message.octets(), message.nameOffset(line), message.nameLength(line), name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isName(byte[] text, int offset, int length, byte[] lowerCase) {
        if (length != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            int octet = text[offset + i];
            if ((octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }
}
