package io.offhook.cli.screen;

/** Which of many rows keys act on, and which is the uppermost one shown. */
final class Scroll {
    private static final int WHEEL_ROWS = 3;

    private int cursor;
    private int top;

    int cursor() {
        return cursor;
    }

    /** The uppermost row shown, so that the cursor is among them. */
    int top(int shown) {
        return Math.clamp(top, Math.max(0, cursor - shown + 1), Math.max(0, cursor));
    }

    /** Moves to a row. */
    void to(int row, int count, int shown) {
        cursor = Math.clamp(row, 0, Math.max(0, count - 1));
        top = Math.clamp(top(shown), 0, Math.max(0, count - shown));
    }

    /** Follows the cursor's row to its new place, so that it stays where it is on the page. */
    void follow(int row, int count) {
        int moved = Math.clamp(row, 0, Math.max(0, count - 1));
        top = Math.max(0, top + moved - cursor);
        cursor = moved;
    }

    /** Moves by a key; false if the key does not move. */
    boolean on(Key key, int count, int shown) {
        switch (key.kind()) {
            case UP -> to(cursor - 1, count, shown);
            case DOWN -> to(cursor + 1, count, shown);
            case PAGE_UP -> to(cursor - Math.max(1, shown - 1), count, shown);
            case PAGE_DOWN -> to(cursor + Math.max(1, shown - 1), count, shown);
            case HOME -> to(0, count, shown);
            case END -> to(count - 1, count, shown);
            case WHEEL_UP -> to(cursor - WHEEL_ROWS, count, shown);
            case WHEEL_DOWN -> to(cursor + WHEEL_ROWS, count, shown);
            default -> {
                return letter(key, count, shown);
            }
        }
        return true;
    }

    /** The letters of vi. */
    private boolean letter(Key key, int count, int shown) {
        if (key.is('j')) {
            to(cursor + 1, count, shown);
        } else if (key.is('k')) {
            to(cursor - 1, count, shown);
        } else if (key.is('g')) {
            to(0, count, shown);
        } else if (key.is('G')) {
            to(count - 1, count, shown);
        } else {
            return false;
        }
        return true;
    }
}
