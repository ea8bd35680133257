package io.offhook.calls.join;

import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The header names of {@link JoinOptions}, prepared for comparing them with the lines of a message. Immutable. */
public final class JoinHeaders {

    /**
     * A header to look for.
     *
     * @param name as it is reported
     * @param lowerCase its name in lower case
     * @param parameter the parameter that counts; null if it is the value
     * @param names whether its value is a Call-ID; otherwise it is that of a group
     */
    record Wanted(String name, String lowerCase, @Nullable String parameter, boolean names) {}

    private final List<Wanted> wanted = new ArrayList<>();
    /** Bit n: some name has n bytes; names of 63 and more share the last. */
    private long lengths;

    private final boolean joins;

    /** Prepares the names of these options. */
    public JoinHeaders(JoinOptions options) {
        joins = options.joins();
        options.callIdHeaders().forEach(name -> add(name, true));
        options.groupHeaders().forEach(name -> add(name, false));
    }

    private void add(String text, boolean names) {
        int semicolon = text.indexOf(';');
        String name = semicolon < 0 ? text : text.substring(0, semicolon);
        String lowerCase = name.toLowerCase(Locale.ROOT);
        wanted.add(new Wanted(name, lowerCase, semicolon < 0 ? null : text.substring(semicolon + 1), names));
        lengths |= 1L << Math.min(63, lowerCase.length());
    }

    /** Whether anything is to be joined, so that evidence is worth keeping. */
    boolean isWanted() {
        return joins;
    }

    /** The header of a line, if it is one of these; otherwise null. */
    @Nullable
    Wanted find(SipMessageView message, int line) {
        int length = message.nameLength(line);
        if ((lengths >>> Math.min(63, length) & 1) == 0) {
            return null;
        }
        for (Wanted each : wanted) {
            if (each.lowerCase.length() == length
                    && isName(message.octets(), message.nameOffset(line), each.lowerCase)) {
                return each;
            }
        }
        return null;
    }

    private static boolean isName(byte[] text, int offset, String lowerCase) {
        for (int i = 0; i < lowerCase.length(); i++) {
            int octet = text[offset + i];
            if ((octet >= 'A' && octet <= 'Z' ? octet + 32 : octet) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
