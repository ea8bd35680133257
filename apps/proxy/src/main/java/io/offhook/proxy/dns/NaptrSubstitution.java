package io.offhook.proxy.dns;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The substitution of a NAPTR record (RFC 3402, 3.2): {@code !^(.*)$!sip:\1@example.com!}, an extended regular expression
 * of POSIX and what replaces the text. It comes from the network, so what it may cost is bounded: one that backtracks for
 * long is given up.
 */
final class NaptrSubstitution {
    private static final int MAX_LENGTH = 512;
    private static final int MAX_RESULT = 512;
    /** Characters looked at; the usual ones look at some dozens. */
    private static final int MAX_STEPS = 10_000;

    private NaptrSubstitution() {}

    /** Applies a substitution to a text; "" if it does not match, is not understood, or costs too much. */
    static String apply(String regexp, String text) {
        if (regexp.length() < 4 || regexp.length() > MAX_LENGTH) {
            return "";
        }
        char delimiter = regexp.charAt(0);
        int middle = next(regexp, delimiter, 1);
        int end = middle < 0 ? -1 : next(regexp, delimiter, middle + 1);
        if (end < 0 || Character.isLetterOrDigit(delimiter) || delimiter == '\\') {
            return "";
        }
        String flags = regexp.substring(end + 1);
        if (!flags.isEmpty() && !flags.equalsIgnoreCase("i")) {
            return "";
        }
        try {
            Pattern pattern = Pattern.compile(
                    translated(unescaped(regexp.substring(1, middle), delimiter)),
                    flags.isEmpty() ? 0 : Pattern.CASE_INSENSITIVE);
            Matcher matcher = pattern.matcher(new MeteredText(text, new AtomicInteger()));
            return matcher.find() ? replaced(unescaped(regexp.substring(middle + 1, end), delimiter), matcher) : "";
        } catch (PatternSyntaxException | TooCostlyException | StackOverflowError _) {
            return "";
        }
    }

    /** The next delimiter that is not escaped. */
    private static int next(String text, char delimiter, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == delimiter) {
                return i;
            }
        }
        return -1;
    }

    private static String unescaped(String text, char delimiter) {
        return text.replace("\\" + delimiter, delimiter == '.' || delimiter == '$' ? "\\" + delimiter : "" + delimiter);
    }

    /** What POSIX and Java read differently: in brackets a backslash is itself, and {@code (?} is no group of a kind. */
    private static String translated(String posix) {
        StringBuilder java = new StringBuilder();
        boolean isInBrackets = false;
        for (int i = 0; i < posix.length(); i++) {
            char c = posix.charAt(i);
            if (isInBrackets) {
                if (c == '[' && posix.startsWith("[:digit:]", i)) {
                    java.append("0-9");
                    i += "[:digit:]".length() - 1;
                    continue;
                }
                java.append(c == '\\' || c == '[' || c == '&' ? "\\" + c : String.valueOf(c));
                isInBrackets = c != ']' || isFirstInBrackets(posix, i);
            } else if (c == '\\' && i + 1 < posix.length()) {
                char escaped = posix.charAt(++i);
                if (Character.isLetterOrDigit(escaped)) {
                    throw new PatternSyntaxException("an escape that POSIX does not define", posix, i);
                }
                java.append('\\').append(escaped);
            } else if (c == '(' && posix.startsWith("(?", i)) {
                throw new PatternSyntaxException("a group that POSIX does not define", posix, i);
            } else if ((c == '+' || c == '?') && i > 0 && "*+?}".indexOf(posix.charAt(i - 1)) >= 0) {
                throw new PatternSyntaxException("a repetition that POSIX does not define", posix, i);
            } else {
                isInBrackets = c == '[';
                java.append(c);
            }
        }
        return java.toString();
    }

    /** A bracket right behind the opening one, or behind its negation, is a member. */
    private static boolean isFirstInBrackets(String posix, int at) {
        return posix.charAt(at - 1) == '[' || posix.charAt(at - 1) == '^' && posix.charAt(at - 2) == '[';
    }

    private static String replaced(String replacement, Matcher matcher) {
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < replacement.length() && result.length() <= MAX_RESULT; i++) {
            char c = replacement.charAt(i);
            if (c == '\\' && i + 1 < replacement.length()) {
                char next = replacement.charAt(++i);
                int group = next - '0';
                if (group >= 1 && group <= 9) {
                    String matched = group <= matcher.groupCount() ? matcher.group(group) : null;
                    result.append(matched == null ? "" : matched);
                } else {
                    result.append(next);
                }
            } else {
                result.append(c);
            }
        }
        boolean isClean = result.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '<' && c != '>' && c != '"');
        return isClean && result.length() <= MAX_RESULT ? result.toString() : "";
    }

    private static final class TooCostlyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private TooCostlyException() {
            super("a regular expression took more than " + MAX_STEPS + " steps", null, false, false);
        }
    }

    /** A text that ends the search once too much of it was looked at: the only place where a matcher can be stopped. */
    private static final class MeteredText implements CharSequence {
        private final String text;
        private final AtomicInteger steps;

        private MeteredText(String text, AtomicInteger steps) {
            this.text = text;
            this.steps = steps;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (steps.incrementAndGet() > MAX_STEPS) {
                throw new TooCostlyException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new MeteredText(text.substring(start, end), steps);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
