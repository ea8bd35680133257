package io.offhook.filter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Suggests what a malformed expression may have meant: a remark in parentheses after libpcap's message. */
final class SyntaxHint {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][-_.A-Za-z0-9]*");
    private static final Pattern LAST_WORD = Pattern.compile("([A-Za-z0-9][-_.A-Za-z0-9]*)\\s*$");
    private static final Pattern DISPLAY_FIELD = Pattern.compile("[a-z][a-z0-9_-]*(?:\\.[a-z][a-z0-9_-]*)+");
    private static final Pattern BEHIND_PROTO = Pattern.compile("(?s).*\\bproto(?:chain)?\\s+");

    private static final int LOOK_BACK = 40;

    private SyntaxHint() {}

    /** The remark for a fault at {@code offset}, with a leading space; empty if there is none. */
    static String at(String expression, int offset) {
        if (offset >= expression.length()) {
            return " (it ends too early)";
        }
        Matcher matcher = WORD.matcher(expression).region(offset, expression.length());
        String before = expression.substring(Math.max(0, offset - LOOK_BACK), offset);
        if (matcher.lookingAt()) {
            return ofWord(matcher.group(), before);
        }
        Matcher last = LAST_WORD.matcher(before);
        return last.find() && DISPLAY_FIELD.matcher(last.group(1)).matches() ? displayFilter(last.group(1)) : "";
    }

    private static String displayFilter(String field) {
        return " (" + field + " is of Wireshark's display filters, which are another language)";
    }

    private static String ofWord(String word, String before) {
        if (Keywords.keyword(word) != null) {
            boolean isName = BEHIND_PROTO.matcher(before).matches();
            return isName ? didYouMean("\\" + word) : "";
        }
        if (DISPLAY_FIELD.matcher(word).matches()) {
            return displayFilter(word);
        }
        if (Character.isLetter(word.charAt(0)) && PortNames.find(word) != null) {
            return didYouMean("port " + word);
        }
        String nearest = Keywords.nearest(word);
        return nearest == null ? "" : didYouMean(nearest);
    }

    private static String didYouMean(String words) {
        return " (did you mean " + words + "?)";
    }
}
