package io.offhook.cli.screen;

import io.offhook.cli.terminal.Style;
import java.util.Locale;

/** How styles and marks look on a dark, a light or a monochrome terminal, as parameters of SGR (ECMA-48, 8.3.117). */
enum Palette {
    /** The 16 colours that every scheme defines. */
    DARK,
    /** Yellow and cyan cannot be read on white: darker ones of the 256. */
    LIGHT,
    /** Bold, faint, underlined and reversed, as NO_COLOR allows. */
    NONE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The sequence that makes the next signs look so. */
    String sequence(Style style, Cells.Mark mark) {
        return "\u001b[0" + prefixed(foreground(style)) + prefixed(background(mark)) + 'm';
    }

    private static String prefixed(String parameters) {
        return parameters.isEmpty() ? "" : ";" + parameters;
    }

    private String foreground(Style style) {
        return switch (this) {
            case DARK -> style.code();
            case LIGHT ->
                switch (style) {
                    case GOOD -> "38;5;22";
                    case WARNING -> "38;5;94";
                    case BAD -> "38;5;124";
                    case NOTE -> "38;5;25";
                    case PLAIN, HEADING, FAINT -> style.code();
                };
            case NONE ->
                switch (style) {
                    case BAD -> "1;4";
                    case WARNING -> "4";
                    case HEADING -> "1";
                    case FAINT -> "2";
                    case PLAIN, GOOD, NOTE -> "";
                };
        };
    }

    private String background(Cells.Mark mark) {
        return switch (mark) {
            case NONE -> "";
            case CURSOR -> "7";
            case BAR ->
                switch (this) {
                    case DARK -> "48;5;237";
                    case LIGHT -> "48;5;252";
                    case NONE -> "7";
                };
        };
    }
}
