package io.offhook.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** IPv6 addresses as they are written (RFC 4291, 2.2): eight groups, fewer around "::", an IPv4 address for the last two. */
final class Ipv6Text {
    private static final int GROUPS = 8;
    private static final List<Pattern> FORMS = forms();

    private Ipv6Text() {}

    /** Where the longest address that begins at {@code start} ends; -1 where none begins. */
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

    /** The four words of an address; null where it is none. */
    static int @Nullable [] parse(String text) {
        int gap = text.indexOf("::");
        List<Integer> head = new ArrayList<>();
        List<Integer> tail = new ArrayList<>();
        boolean isGood = gap < 0
                ? addGroups(text, head)
                : addGroups(text.substring(0, gap), head) && addGroups(text.substring(gap + 2), tail);
        int written = head.size() + tail.size();
        if (!isGood || (gap < 0 ? written != GROUPS : written >= GROUPS)) {
            return null;
        }
        int[] words = new int[4];
        for (int i = 0; i < GROUPS; i++) {
            int fromTail = i - (GROUPS - tail.size());
            int group = i < head.size() ? head.get(i) : fromTail >= 0 ? tail.get(fromTail) : 0;
            words[i / 2] |= group << (i % 2 == 0 ? 16 : 0);
        }
        return words;
    }

    private static boolean addGroups(String text, List<Integer> groups) {
        if (text.isEmpty()) {
            return true;
        }
        for (String part : text.split(":", -1)) {
            if (part.indexOf('.') >= 0) {
                if (NumberText.ipv4Bits(part) != 32) {
                    return false;
                }
                int address = NumberText.ipv4(part);
                groups.add(address >>> 16);
                groups.add(address & 0xffff);
            } else if (part.matches("[0-9A-Fa-f]{1,4}")) {
                groups.add(Integer.parseInt(part, 16));
            } else {
                return false;
            }
        }
        return true;
    }
}
