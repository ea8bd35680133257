package io.offhook.cli.screen;

import java.io.IOException;

/** Reads keys from the characters that a terminal sends: those of xterm, tmux, screen, rxvt and the console of Linux. */
final class KeyDecoder {
    /** What a source returns if nothing came in time. */
    static final int NOTHING = -2;

    /** What a source returns at the end. */
    static final int END = -1;

    /** How long the rest of a sequence may take, in milliseconds: after that, it was the key Esc. */
    private static final int REST_MS = 50;

    private static final int LONGEST_SEQUENCE = 32;
    private static final char ESCAPE = 27;
    private static final int WHEEL = 64;

    private final Source source;

    /** Where characters come from. */
    @FunctionalInterface
    interface Source {
        /** The next UTF-16 unit; {@link #NOTHING} after so many milliseconds without one, {@link #END} at the end. */
        int read(int timeoutMs) throws IOException;
    }

    KeyDecoder(Source source) {
        this.source = source;
    }

    /** The next key; {@link Key.Kind#NONE} if none came in that many milliseconds. */
    Key next(int timeoutMs) throws IOException {
        int c = source.read(timeoutMs);
        return switch (c) {
            case NOTHING -> Key.of(Key.Kind.NONE);
            case END -> Key.of(Key.Kind.GONE);
            case '\r', '\n' -> Key.of(Key.Kind.ENTER);
            case '\t' -> Key.of(Key.Kind.TAB);
            case 3 -> Key.of(Key.Kind.INTERRUPT);
            case 12 -> Key.of(Key.Kind.REDRAW);
            case 8, 127 -> Key.of(Key.Kind.BACKSPACE);
            case ESCAPE -> escaped();
            default -> c < ' ' ? Key.of(Key.Kind.OTHER) : character((char) c);
        };
    }

    private Key character(char c) throws IOException {
        if (!Character.isHighSurrogate(c)) {
            return Key.character(c);
        }
        int low = source.read(REST_MS);
        return low >= 0 && Character.isLowSurrogate((char) low)
                ? Key.character(Character.toCodePoint(c, (char) low))
                : Key.of(Key.Kind.OTHER);
    }

    private Key escaped() throws IOException {
        int c = source.read(REST_MS);
        return switch (c) {
            case NOTHING, END, ESCAPE -> Key.of(Key.Kind.ESCAPE);
            case '[' -> sequence();
            case 'O' -> letter((char) Math.max(0, source.read(REST_MS)));
            default -> Key.of(Key.Kind.OTHER); // Alt with a key
        };
    }

    /** What follows CSI: parameters, and the byte that ends it (ECMA-48, 5.4). */
    private Key sequence() throws IOException {
        StringBuilder parameters = new StringBuilder();
        int c = source.read(REST_MS);
        if (c == '[') { // F1 to F5 of the console of Linux
            int letter = source.read(REST_MS);
            return letter >= 'A' && letter <= 'E' ? Key.function(letter - 'A' + 1) : Key.of(Key.Kind.OTHER);
        }
        while (c >= ' ' && c < '@' && parameters.length() < LONGEST_SEQUENCE) {
            parameters.append((char) c);
            c = source.read(REST_MS);
        }
        if (c < '@') {
            return Key.of(Key.Kind.OTHER);
        }
        String text = parameters.toString();
        if (text.startsWith("<")) {
            return mouse(text.substring(1), c == 'M');
        }
        if (c == '~') {
            return numbered(number(text.split(";", -1)[0]));
        }
        return letter((char) c);
    }

    private static Key letter(char c) {
        return switch (c) {
            case 'A' -> Key.of(Key.Kind.UP);
            case 'B' -> Key.of(Key.Kind.DOWN);
            case 'C' -> Key.of(Key.Kind.RIGHT);
            case 'D' -> Key.of(Key.Kind.LEFT);
            case 'H' -> Key.of(Key.Kind.HOME);
            case 'F' -> Key.of(Key.Kind.END);
            case 'Z' -> Key.of(Key.Kind.BACK_TAB);
            case 'M' -> Key.of(Key.Kind.ENTER); // of the keypad
            case 'P', 'Q', 'R', 'S' -> Key.function(c - 'P' + 1);
            default -> Key.of(Key.Kind.OTHER);
        };
    }

    private static Key numbered(int number) {
        return switch (number) {
            case 1, 7 -> Key.of(Key.Kind.HOME);
            case 3 -> Key.of(Key.Kind.DELETE);
            case 4, 8 -> Key.of(Key.Kind.END);
            case 5 -> Key.of(Key.Kind.PAGE_UP);
            case 6 -> Key.of(Key.Kind.PAGE_DOWN);
            case 11, 12, 13, 14, 15 -> Key.function(number - 10);
            case 17, 18, 19, 20, 21 -> Key.function(number - 11);
            case 23, 24 -> Key.function(number - 12);
            default -> Key.of(Key.Kind.OTHER);
        };
    }

    /** "0;12;7": button, column and row from 1; a wheel has button 64 or 65. */
    private static Key mouse(String text, boolean isPress) {
        String[] parts = text.split(";", -1);
        if (parts.length != 3 || !isPress) {
            return Key.of(Key.Kind.OTHER);
        }
        int button = number(parts[0]);
        int column = number(parts[1]);
        int row = number(parts[2]);
        if (button == WHEEL) {
            return Key.of(Key.Kind.WHEEL_UP);
        }
        if (button == WHEEL + 1) {
            return Key.of(Key.Kind.WHEEL_DOWN);
        }
        return button == 0 && column > 0 && row > 0 ? Key.click(row - 1, column - 1) : Key.of(Key.Kind.OTHER);
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
    }
}
