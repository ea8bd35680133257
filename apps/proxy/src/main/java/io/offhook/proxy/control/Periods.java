package io.offhook.proxy.control;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them at the end of a command: {@code for 10 m}, {@code for 90s}. */
final class Periods {
    private static final Pattern PERIOD = Pattern.compile("(\\d{1,7}) ?([smhd])");
    private static final Map<String, Long> SECONDS = Map.of("s", 1L, "m", 60L, "h", 3600L, "d", 86_400L);

    private Periods() {}

    /** The index of the word "for", or the number of words. */
    static int at(List<String> words) {
        int at = words.indexOf("for");
        return at < 0 ? words.size() : at;
    }

    /**
     * The seconds behind the word "for"; 0 if there is none.
     *
     * @throws ControlException if they are no time
     */
    static long seconds(List<String> words) {
        int at = at(words);
        return at == words.size() ? 0 : parse(String.join(" ", words.subList(at + 1, words.size())));
    }

    /** The seconds of {@code 10 m} or {@code 90s}. */
    static long parse(String text) {
        Matcher matcher = PERIOD.matcher(text);
        if (!matcher.matches()) {
            throw new ControlException("\"" + text + "\" is not a time such as 90 s, 10 m, 2 h or 1 d");
        }
        return Long.parseLong(matcher.group(1)) * SECONDS.getOrDefault(matcher.group(2), 1L);
    }
}
