package io.offhook.cli.screen;

/**
 * A key, or what the mouse did.
 *
 * @param kind which one
 * @param value the character of {@link Kind#CHARACTER} as a code point, the number of {@link Kind#FUNCTION}; else 0
 * @param row of {@link Kind#CLICK}, from 0; else 0
 * @param column of {@link Kind#CLICK}, from 0; else 0
 */
record Key(Kind kind, int value, int row, int column) {
    /** The keys that are told apart. */
    enum Kind {
        CHARACTER,
        FUNCTION,
        ENTER,
        ESCAPE,
        BACKSPACE,
        DELETE,
        TAB,
        BACK_TAB,
        UP,
        DOWN,
        LEFT,
        RIGHT,
        HOME,
        END,
        PAGE_UP,
        PAGE_DOWN,
        WHEEL_UP,
        WHEEL_DOWN,
        CLICK,
        /** Ctrl-C. */
        INTERRUPT,
        /** Ctrl-L. */
        REDRAW,
        /** A sequence that is none of these. */
        OTHER,
        /** No key came in time. */
        NONE,
        /** The terminal is gone. */
        GONE
    }

    static Key of(Kind kind) {
        return new Key(kind, 0, 0, 0);
    }

    static Key character(int codePoint) {
        return new Key(Kind.CHARACTER, codePoint, 0, 0);
    }

    static Key function(int number) {
        return new Key(Kind.FUNCTION, number, 0, 0);
    }

    static Key click(int row, int column) {
        return new Key(Kind.CLICK, 0, row, column);
    }

    /** Whether it is this character. */
    boolean is(char character) {
        return kind == Kind.CHARACTER && value == character;
    }

    /** Whether it is this function key. */
    boolean isF(int number) {
        return kind == Kind.FUNCTION && value == number;
    }
}
