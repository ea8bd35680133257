package io.offhook.proxy.routing;

import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression for the whole of a short text, with a limit on the work of one match: some expressions take
 * exponential time on text that a caller chooses. A match that reads more than 20,000 characters is given up and counts as
 * none. Thread-safe.
 */
public final class UserPattern {
    /** The longest expression, in characters. */
    public static final int MOST_EXPRESSION = 200;
    /** The longest text that can match, in characters. */
    public static final int MOST_TEXT = 256;

    private static final int MOST_READS = 20_000;

    /** The type of a pattern in a configuration. */
    public static final ConfigType<UserPattern> TYPE =
            ConfigTypes.scalar("regular expression for the whole text", UserPattern::of);

    private final Pattern pattern;

    private UserPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Compiles an expression, in the syntax of {@link Pattern}.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static UserPattern of(String expression) {
        if (expression.length() > MOST_EXPRESSION) {
            throw new IllegalArgumentException(
                    "expression of " + expression.length() + " characters; the limit is " + MOST_EXPRESSION);
        }
        try {
            return new UserPattern(Pattern.compile(expression));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "\"" + expression + "\" is not a regular expression: " + e.getDescription()
                            + (e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1)),
                    e);
        }
    }

    /** The groups of the expression. */
    public int groups() {
        return pattern.matcher("").groupCount();
    }

    /** A match: group 0 is the whole text. */
    public static final class Match {
        private final @Nullable String[] groups;

        private Match(@Nullable String[] groups) {
            this.groups = groups;
        }

        /** The text of a group; "" if it took no part in the match. */
        public String group(int i) {
            String group = groups[i];
            return group == null ? "" : group;
        }
    }

    /** Matches the whole text; null if it does not match, is too long, or would take too long. */
    public @Nullable Match match(String text) {
        if (text.length() > MOST_TEXT) {
            return null;
        }
        Matcher matcher = pattern.matcher(new Counted(text));
        try {
            if (!matcher.matches()) {
                return null;
            }
        } catch (TooManyReadsException | StackOverflowError e) {
            return null;
        }
        @Nullable String[] groups = new @Nullable String[matcher.groupCount() + 1];
        for (int i = 0; i < groups.length; i++) {
            int from = matcher.start(i);
            groups[i] = from < 0 ? null : text.substring(from, matcher.end(i));
        }
        return new Match(groups);
    }

    @Override
    public String toString() {
        return pattern.pattern();
    }

    /** Thrown out of the matcher, which has no other way to end. */
    private static final class TooManyReadsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyReadsException() {
            super("too many reads", null, false, false);
        }
    }

    /** Counts what the matcher reads. */
    private static final class Counted implements CharSequence {
        private final String text;
        private int reads;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++reads > MOST_READS) {
                throw new TooManyReadsException();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
