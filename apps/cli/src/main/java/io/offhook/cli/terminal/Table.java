package io.offhook.cli.terminal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table with aligned columns that fits the width of the terminal. If it is too narrow, unessential columns are left out,
 * the least important first; then the remaining columns are cut, again the least important first, and finally the widest.
 * Key columns, which say what a row is about, outlast all others, and are cut in the middle, because the end of a number or
 * an address tells more than its beginning. Text that says why has lines of its own below its row where it has no room in
 * it. A line below the table names the columns that were left out. Output to a pipe is complete.
 *
 * <p>Cells may hold any text; characters that would control the terminal are masked.
 */
public final class Table {
    private static final int GAP = 2;

    /** Columns of at least this importance are cut instead of left out. */
    private static final int ESSENTIAL = 60;

    /** The importance of key columns. */
    private static final int KEY = 1000;

    /** The least width to which text is cut. */
    private static final int SHORTEST_TEXT = 6;

    private static final int SHORTEST_KEY = 5;

    private final List<Column> columns;
    private final List<Row> rows = new ArrayList<>();
    /** The width that each column needs. Text is measured once, as a table may have many thousand rows. */
    private final int[] natural;

    private final Row heading;

    public Table(List<Column> columns) {
        this.columns = List.copyOf(columns);
        natural = new int[columns.size()];
        heading = new Row();
        for (Column column : columns) {
            heading.cell(column.title(), Style.HEADING);
        }
    }

    /**
     * A column.
     *
     * @param title the heading
     * @param right whether the column is right-aligned, as for numbers
     * @param importance the least important columns are left out or cut first
     * @param minWidth the column is not cut further while a less important one can be left out
     * @param ellipsis whether a cut is marked
     * @param isKey whether it is left out only after all others
     * @param isWhole whether text that has no room is printed below its row, in full
     */
    public record Column(
            String title,
            boolean right,
            int importance,
            int minWidth,
            boolean ellipsis,
            boolean isKey,
            boolean isWhole) {

        private Column(String title, boolean right, int importance, int minWidth, boolean ellipsis, boolean isKey) {
            this(title, right, importance, minWidth, ellipsis, isKey, false);
        }

        public static Column text(String title, int importance, int minWidth) {
            return new Column(title, false, importance, minWidth, true, false);
        }

        /** A column of text that is of no use in part: where it has no room, it is printed below its row. */
        public static Column wholeText(String title, int importance, int minWidth) {
            return new Column(title, false, importance, minWidth, true, false, true);
        }

        /** A column of numbers, which is left out but never cut. */
        public static Column number(String title, int importance) {
            return new Column(title, true, importance, Integer.MAX_VALUE, true, false);
        }

        /** A column of times of day, which may be cut to "14:03:07". */
        public static Column time(String title, int importance) {
            return new Column(title, false, importance, 8, false, false);
        }

        /**
         * A column of text that says what a row is about. It is cut to the width given before others are cut, and further
         * only once all others are left out.
         */
        public static Column key(String title, int minWidth) {
            return new Column(title, false, KEY, minWidth, true, true);
        }

        /** A column of numbers that say what a row is about: the last to be left out. */
        public static Column keyNumber(String title) {
            return new Column(title, true, KEY + 1, Integer.MAX_VALUE, true, true);
        }

        private String cut(String text, int width, String mark) {
            return isKey ? Text.cutInside(text, width, mark) : Text.cut(text, width, ellipsis ? mark : "");
        }
    }

    /** A row of cells, filled from the left; the remaining cells are empty. */
    public final class Row {
        private final String[] cells = new String[columns.size()];
        private final int[] widths = new int[columns.size()];
        private final Style[] styles = new Style[columns.size()];
        private int size;
        private @Nullable String section;
        private int laneColumn = -1;
        private @Nullable Function<Character, Style> lane;

        /** Adds a cell in which each letter has a style of its own; a row has one at most, in a column that is never cut. */
        public Row lane(String letters, Function<Character, Style> styles) {
            laneColumn = size;
            lane = styles;
            return cell(letters);
        }

        /** Appends the text of a column, in its style or styles. */
        private void append(StringBuilder line, int column, String text, boolean colored) {
            if (lane == null || column != laneColumn) {
                style(column).append(line, text, colored);
                return;
            }
            int begin = 0;
            for (int i = 1; i <= text.length(); i++) {
                if (i == text.length() || text.charAt(i) != text.charAt(begin)) {
                    lane.apply(text.charAt(begin)).append(line, text.substring(begin, i), colored);
                    begin = i;
                }
            }
        }

        /** @param text null for an empty cell */
        public Row cell(@Nullable String text) {
            return cell(text, Style.PLAIN);
        }

        public Row cell(@Nullable String text, Style style) {
            String cell = text == null ? "" : Text.printable(text);
            int width = Text.width(cell);
            cells[size] = cell;
            widths[size] = width;
            styles[size] = style;
            natural[size] = Math.max(natural[size], width);
            size++;
            return this;
        }

        private String text(int column) {
            return column < size ? cells[column] : "";
        }

        private Style style(int column) {
            return column < size ? styles[column] : Style.PLAIN;
        }
    }

    public Row row() {
        Row row = new Row();
        rows.add(row);
        return row;
    }

    /** Adds a line before the next row, such as the date; before the first row, it is printed above the heading. */
    void section(String line) {
        Row row = new Row();
        row.section = Text.printable(line);
        rows.add(row);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Prints the table, and below it the names of the columns that are left out. */
    public void print(Terminal terminal, boolean colored) throws IOException {
        int[] widths = layout(terminal.width());
        print(terminal.out(), widths, terminal.isUnicode() ? "…" : "~", colored, terminal.width());
        List<String> hidden = hidden(widths);
        if (!hidden.isEmpty()) {
            String line = "Not shown at " + terminal.width() + " columns: " + String.join(", ", hidden) + ".";
            for (String part : Text.wrap(line, terminal.width())) {
                StringBuilder text = new StringBuilder();
                Style.FAINT.append(text, part, colored);
                terminal.out().append(text).append('\n');
            }
        }
    }

    private List<String> hidden(int[] widths) {
        List<String> titles = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0 && !columns.get(i).isWhole() && !isBlank(i)) {
                titles.add(columns.get(i).title());
            }
        }
        return titles;
    }

    /** Whether no row has anything in a column. */
    private boolean isBlank(int column) {
        for (Row row : rows) {
            if (!row.text(column).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Prints to {@code out}, laid out for {@code terminal}, one line a row, without a line below. */
    public void print(Appendable out, Terminal terminal, boolean colored) throws IOException {
        print(out, layout(terminal.width()), terminal.isUnicode() ? "…" : "~", colored, 0);
    }

    /** @param wrapWidth of lines below rows; 0 for none */
    private void print(Appendable out, int[] widths, String ellipsis, boolean colored, int wrapWidth)
            throws IOException {
        StringBuilder line = new StringBuilder();
        boolean headed = false;
        for (Row row : rows) {
            if (!headed && row.section == null) {
                append(line, heading, widths, ellipsis, colored, false);
                headed = true;
            }
            if (row.section != null) {
                Style.HEADING.append(line, row.section, colored);
                line.append('\n');
            } else {
                append(line, row, widths, ellipsis, colored, wrapWidth > 0);
                below(line, row, widths, colored, wrapWidth);
            }
            out.append(line);
            line.setLength(0);
        }
    }

    private boolean isBelow(Row row, int column, int[] widths) {
        return columns.get(column).isWhole() && row.widths[column] > widths[column];
    }

    /** The text of a row that had no room in it. */
    private void below(StringBuilder line, Row row, int[] widths, boolean colored, int wrapWidth) {
        int indent = widths[0] + GAP;
        for (int i = 0; i < widths.length && wrapWidth > 0; i++) {
            if (isBelow(row, i, widths)) {
                for (String part : Text.wrap(row.text(i), wrapWidth - indent)) {
                    line.repeat(' ', indent);
                    row.style(i).append(line, part, colored);
                    line.append('\n');
                }
            }
        }
    }

    private void append(
            StringBuilder line, Row row, int[] widths, String ellipsis, boolean colored, boolean hasLinesBelow) {
        int pending = 0;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            boolean isBelow = hasLinesBelow && isBelow(row, i, widths);
            String text = isBelow ? "" : row.text(i);
            int width = isBelow ? 0 : row.widths[i];
            if (width > widths[i]) {
                text = columns.get(i).cut(text, widths[i], ellipsis);
                width = Text.width(text);
            }
            int padding = widths[i] - width;
            if (columns.get(i).right()) {
                pending += padding;
                padding = 0;
            }
            if (!text.isEmpty()) {
                // spaces only before text, so that no line has trailing ones
                line.repeat(' ', pending);
                pending = 0;
                row.append(line, i, text, colored);
            } else {
                padding = columns.get(i).right() ? padding : widths[i];
            }
            pending += padding + GAP;
        }
        line.append('\n');
    }

    /** The width of each column; 0 if it is left out. */
    private int[] layout(int available) {
        int[] widths = natural.clone();
        List<Integer> order = order(widths);
        for (int i : order) {
            boolean isBlank = isBlank(i);
            boolean isEssential = columns.get(i).importance() >= ESSENTIAL && !isBlank;
            if (!isEssential && needed(widths, !isBlank) > available) {
                widths[i] = 0;
            }
        }
        shrink(widths, order, available, Column::isWhole); // nothing of it is lost
        shrink(widths, order, available, Column::isKey);
        shrink(widths, order, available, column -> true);
        for (boolean key : new boolean[] {false, true}) {
            while (needed(widths, false) > available && cutWidest(widths, key)) {
                // one column of the terminal at a time
            }
            for (int i : order) {
                if (columns.get(i).isKey() == key && needed(widths, false) > available) {
                    widths[i] = 0;
                }
            }
        }
        for (int i = 0; i < widths.length; i++) {
            Column column = columns.get(i);
            if (!column.ellipsis() && widths[i] > 0 && widths[i] < natural[i]) {
                widths[i] = least(i, widths); // "14:03:07", not "14:03:07."
            }
        }
        return widths;
    }

    /** Makes columns narrower, down to their least width, in this order, until all have room. */
    private void shrink(int[] widths, List<Integer> order, int available, Predicate<Column> which) {
        for (int i : order) {
            long excess = needed(widths, false) - available;
            if (excess > 0 && widths[i] > 0 && which.test(columns.get(i))) {
                widths[i] = (int) Math.max(least(i, widths), widths[i] - excess);
            }
        }
    }

    /** Empty columns, then the least important first; among equals, the widest first. */
    private List<Integer> order(int[] widths) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            order.add(i);
        }
        order.sort((a, b) -> compare(a, b, widths));
        return order;
    }

    /** By hand: the classes behind a chain of {@code thenComparing} are made anew in each start, which takes 10 ms. */
    private int compare(int a, int b, int[] widths) {
        int byContent = Boolean.compare(!isBlank(a), !isBlank(b));
        int byImportance =
                Integer.compare(columns.get(a).importance(), columns.get(b).importance());
        return byContent != 0 ? byContent : byImportance != 0 ? byImportance : Integer.compare(widths[b], widths[a]);
    }

    private boolean cutWidest(int[] widths, boolean key) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            Column column = columns.get(i);
            boolean canBeCut = column.ellipsis()
                    && !column.right()
                    && column.isKey() == key
                    && widths[i] > (key ? SHORTEST_KEY : SHORTEST_TEXT);
            if (canBeCut && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest >= 0) {
            widths[widest]--;
        }
        return widest >= 0;
    }

    private int least(int column, int[] widths) {
        return Math.min(columns.get(column).minWidth(), widths[column]);
    }

    private long needed(int[] widths, boolean atLeast) {
        long sum = -GAP;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                sum += GAP + (atLeast ? least(i, widths) : widths[i]);
            }
        }
        return sum;
    }
}
