package io.offhook.sip;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses a session description line by line. A parser is used for one description. */
final class SdpParser {
    static final int BYTE_LIMIT = 65_536;
    static final int MEDIA_LIMIT = 64;
    static final int LIST_LIMIT = 64;

    private String originUser = "";
    private String sessionId = "";
    private String sessionVersion = "";
    private SdpAddress originAddress = SdpAddress.NONE;
    private String name = "";
    private SdpAddress address = SdpAddress.NONE;
    private boolean iceLite;
    private final List<SdpGroup> groups = new ArrayList<>(1);
    private final List<SdpMediaLines> media = new ArrayList<>(2);
    /** The attributes of the session level that media lines inherit. */
    private final SdpMediaLines session = new SdpMediaLines();

    private @Nullable SdpMediaLines current = session;

    SessionDescription parse(byte[] text, int from, int limit) {
        int at = from;
        while (at < limit) {
            int end = SipLexer.lineEnd(text, at, limit);
            if (end - at >= 2 && text[at + 1] == '=') {
                line(text[at], text, at + 2, end);
            }
            at = end + 1;
        }
        List<MediaDescription> built = new ArrayList<>(media.size());
        for (SdpMediaLines lines : media) {
            built.add(lines.build(session, address));
        }
        return new SessionDescription(
                originUser,
                sessionId,
                sessionVersion,
                originAddress,
                name,
                address,
                session.directionOr(MediaDirection.SENDRECV),
                iceLite,
                groups,
                built);
    }

    private void line(int type, byte[] text, int from, int end) {
        switch (type) {
            case 'm' -> {
                // the attributes of a dropped media line must not be added to the line before it
                current = media.size() < MEDIA_LIMIT ? new SdpMediaLines() : null;
                if (current != null) {
                    current.media(value(text, from, end));
                    media.add(current);
                }
            }
            case 'c' -> connection(value(text, from, end));
            case 'a' -> attribute(value(text, from, end));
            case 'o' -> origin(value(text, from, end));
            case 's' -> name = current == session ? value(text, from, end) : name;
            default -> {
                // v=, t=, b= and others do not bind media
            }
        }
    }

    private void origin(String value) {
        String[] word = words(value, 6);
        if (current == session && word.length >= 3) {
            originUser = word[0];
            sessionId = word[1];
            sessionVersion = word[2];
            originAddress = word.length >= 6 ? SdpAddress.of(word[5]) : SdpAddress.NONE;
        }
    }

    /** {@code IN IP4 224.2.1.1/127/3}; of several lines the first counts. */
    private void connection(String value) {
        String[] word = words(value, 3);
        if (word.length < 3) {
            return;
        }
        SdpAddress parsed = SdpAddress.of(word[2]);
        if (current == session) {
            address = address.isPresent() ? address : parsed;
        } else if (current != null) {
            current.connection(parsed);
        }
    }

    private void attribute(String line) {
        int colon = line.indexOf(':');
        String key = (colon < 0 ? line : line.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
        String value = colon < 0 ? "" : line.substring(colon + 1).strip();
        if (current == session) {
            if (key.equals("group")) {
                group(value);
            } else if (key.equals("ice-lite")) {
                iceLite = true;
            }
        }
        if (current != null) {
            current.attribute(key, value);
        }
    }

    private void group(String value) {
        String[] word = words(value, MEDIA_LIMIT + 1);
        if (groups.size() < LIST_LIMIT && word.length > 0) {
            groups.add(
                    new SdpGroup(word[0].toUpperCase(Locale.ROOT), List.of(word).subList(1, word.length)));
        }
    }

    private static String value(byte[] text, int from, int end) {
        return SipLexer.text(text, from, end).strip();
    }

    /** Splits a text into words, of which it returns at most {@code limit}. */
    static String[] words(String text, int limit) {
        List<String> words = new ArrayList<>();
        int at = 0;
        int end = text.length();
        while (at < end && words.size() < limit) {
            while (at < end && SipLexer.isBlank(text.charAt(at))) {
                at++;
            }
            int start = at;
            while (at < end && !SipLexer.isBlank(text.charAt(at))) {
                at++;
            }
            if (at > start) {
                words.add(text.substring(start, at));
            }
        }
        return words.toArray(String[]::new);
    }

    /** The leading digits of a text as a number from 0 to {@code max}; -1 if there are none or the number is larger. */
    static long number(String text, long max) {
        long value = 0;
        int at = 0;
        while (at < text.length() && SipLexer.isDigit(text.charAt(at))) {
            value = value * 10 + text.charAt(at) - '0';
            if (value > max) {
                return -1;
            }
            at++;
        }
        return at == 0 ? -1 : value;
    }
}
