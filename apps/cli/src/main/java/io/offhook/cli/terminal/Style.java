package io.offhook.cli.terminal;

/** A text style, by one of the 16 colours that every terminal scheme defines. */
public enum Style {
    PLAIN(""),
    HEADING("1"),
    FAINT("2"),
    GOOD("32"),
    WARNING("33"),
    BAD("31"),
    NOTE("36");

    private static final String RESET = "\u001b[0m";

    private final String code;

    Style(String code) {
        this.code = code;
    }

    /** The parameters of the escape sequence; empty for {@link #PLAIN}. */
    public String code() {
        return code;
    }

    /** The style whose escape sequence has these parameters; {@link #PLAIN} if none has. */
    public static Style of(String code) {
        for (Style style : values()) {
            if (style.code.equals(code)) {
                return style;
            }
        }
        return PLAIN;
    }

    public void append(StringBuilder line, String text, boolean colored) {
        if (colored && this != PLAIN && !text.isEmpty()) {
            line.append("\u001b[").append(code).append('m').append(text).append(RESET);
        } else {
            line.append(text);
        }
    }
}
