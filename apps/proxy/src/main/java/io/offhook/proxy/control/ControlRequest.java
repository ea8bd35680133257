package io.offhook.proxy.control;

import java.util.List;

/**
 * A command and its words: {@code calls}, {@code limit=20}.
 *
 * @param command the name of the command
 * @param words what follows, without the command
 */
public record ControlRequest(String command, List<String> words) {
    /** The longest request in octets, with its end of line. */
    public static final int MOST_OCTETS = 4096;

    /** Copies the words. */
    public ControlRequest {
        words = List.copyOf(words);
    }

    /** Reads a line, whose words have tabs between, or spaces where it has no tab. */
    public static ControlRequest parse(String line) {
        String separator = line.indexOf('\t') >= 0 ? "\t" : " ";
        List<String> all = List.of(line.strip().split(separator, -1));
        return new ControlRequest(all.getFirst(), all.subList(1, all.size()));
    }

    /**
     * The line of this request, without its end.
     *
     * @throws ControlException if a word has a tab or an end of line, or all are too long
     */
    public String line() {
        StringBuilder line = new StringBuilder(command);
        for (String word : words) {
            if (word.chars().anyMatch(c -> c < ' ')) {
                throw new ControlException("a word of the command has a control character; leave it out");
            }
            line.append('\t').append(word);
        }
        if (line.length() >= MOST_OCTETS / 3) { // at most three octets each
            throw new ControlException(
                    "the command has " + line.length() + " characters; the limit is " + MOST_OCTETS / 3);
        }
        return line.toString();
    }

    /** The value of a word {@code name=value}, or {@code otherwise}. */
    public String option(String name, String otherwise) {
        for (String word : words) {
            if (word.startsWith(name) && word.length() > name.length() && word.charAt(name.length()) == '=') {
                return word.substring(name.length() + 1);
            }
        }
        return otherwise;
    }

    /**
     * The number of a word {@code name=number}, or {@code otherwise}.
     *
     * @throws ControlException if it is no number within the range
     */
    public int number(String name, int otherwise, int least, int most) {
        String text = option(name, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            throw new ControlException(name + "=" + text + " is not a number within " + least + " and " + most);
        }
        return Integer.parseInt(text);
    }

    /**
     * The only word.
     *
     * @param label what it is, for the message
     * @throws ControlException if there is none, or more
     */
    public String only(String label) {
        if (words.size() != 1 || words.getFirst().isEmpty()) {
            throw new ControlException(command + " takes one word: " + label);
        }
        return words.getFirst();
    }
}
