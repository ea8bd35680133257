package io.offhook.cli;

/** Help as it is laid out: paragraphs, and entries with what they mean beside them, broken into lines of a width. */
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

    /** An option, a parameter or a command, and what it means. */
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

    /** Appends words, and ends the line; those that do not fit go on in lines that are indented. */
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
