package io.offhook.cli;

/** Lays out help text: paragraphs, and entries with their meaning beside them, wrapped to a width. */
final class HelpText {
    private static final int ENTRY_INDENT = 2;
    private static final int MEANING_INDENT = 26;

    private final int width;
    private final StringBuilder text = new StringBuilder();

    HelpText(int width) {
        this.width = width;
    }

    HelpText paragraph(String words) {
        wrap(words, 0, 0);
        return this;
    }

    HelpText blank() {
        text.append('\n');
        return this;
    }

    /** Appends an option, a parameter or a command with its meaning. */
    HelpText entry(String name, String meaning) {
        text.repeat(' ', ENTRY_INDENT).append(name);
        int column = ENTRY_INDENT + name.length();
        if (column > MEANING_INDENT - 2) {
            text.append('\n');
            column = 0;
        }
        text.repeat(' ', MEANING_INDENT - column);
        wrap(meaning, MEANING_INDENT, MEANING_INDENT);
        return this;
    }

    /** Appends text and ends the line; text that does not fit continues on indented lines. */
    private void wrap(String words, int from, int indent) {
        int column = from;
        for (String word : words.split(" ", -1)) {
            if (column > indent && column + 1 + word.length() > width) {
                text.append('\n').repeat(' ', indent);
                column = indent;
            }
            if (column > indent) {
                text.append(' ');
                column++;
            }
            text.append(word);
            column += word.length();
        }
        text.append('\n');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
