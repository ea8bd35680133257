package io.offhook.proxy.log;

import java.util.Locale;

/**
 * A pattern in which {@code *} stands for any text and {@code ?} for one character, without regard to case. The time of a
 * match is at most the product of both lengths, whatever the pattern.
 */
final class WildcardPattern {
    private final String pattern;

    WildcardPattern(String pattern) {
        this.pattern = pattern.toLowerCase(Locale.ROOT);
    }

    boolean matches(String text) {
        int at = 0;
        int inPattern = 0;
        int star = -1;
        int afterStar = 0;
        while (at < text.length()) {
            char c = inPattern < pattern.length() ? pattern.charAt(inPattern) : 0;
            if (inPattern < pattern.length() && c == '*') {
                star = inPattern++;
                afterStar = at;
            } else if (inPattern < pattern.length() && (c == '?' || c == Character.toLowerCase(text.charAt(at)))) {
                inPattern++;
                at++;
            } else if (star >= 0) {
                // the star takes one character more
                inPattern = star + 1;
                at = ++afterStar;
            } else {
                return false;
            }
        }
        while (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
            inPattern++;
        }
        return inPattern == pattern.length();
    }
}
