package io.offhook.filter;

import io.offhook.packet.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text form of IPv6 addresses (RFC 4291, 2.2): eight groups; fewer with "::"; optionally an IPv4 address in place
 * of the last two.
 */
final class Ipv6Text {
    private static final int GROUPS = 8;
    /** A leading zero in an embedded IPv4 address. */
    private static final Pattern LEADING_ZERO = Pattern.compile("[:.]0[0-9]+\\.|\\.0[0-9]");

    private static final List<Pattern> FORMS = forms();

    private Ipv6Text() {}

    /** The end of the longest address that starts at {@code start}; -1 if none does. */
    static int end(String text, int start) {
        int longest = -1;
        for (Pattern form : FORMS) {
            Matcher matcher = form.matcher(text).region(start, text.length());
            if (matcher.lookingAt()) {
                longest = Math.max(longest, matcher.end());
            }
        }
        return longest;
    }

    private static List<Pattern> forms() {
        String group = "[0-9A-Fa-f]{1,4}";
        String number = "(?:0[xX][0-9A-Fa-f]+|[0-9]+)";
        String ipv4 = number + "(?:\\." + number + "){3}";
        List<Pattern> forms = new ArrayList<>();
        forms.add(Pattern.compile(group + "(?::" + group + "){7}"));
        forms.add(Pattern.compile("(?:" + group + ":){6}" + ipv4));
        for (int before = 0; before < GROUPS; before++) {
            String head = before == 0 ? "::" : group + "(?::" + group + "){" + (before - 1) + "}::";
            int after = GROUPS - 1 - before;
            String tail = after == 0 ? "" : "(?:" + group + "(?::" + group + "){0," + (after - 1) + "})?";
            forms.add(Pattern.compile(head + tail));
            if (before <= GROUPS - 3) {
                forms.add(Pattern.compile(head + "(?:" + group + ":){0," + (GROUPS - 3 - before) + "}" + ipv4));
            }
        }
        return forms;
    }

    /** The four 32-bit words of an address; null if the text is not an address. */
    static int @Nullable [] parse(String text) {
        if (LEADING_ZERO.matcher(text).find()) {
            return null; // a reader that takes it for octal sees another address
        }
        IpAddress address = IpAddress.parse(text);
        return address == null
                ? null
                : new int[] {
                    (int) (address.high() >>> 32),
                    (int) address.high(),
                    (int) (address.low() >>> 32),
                    (int) address.low()
                };
    }
}
