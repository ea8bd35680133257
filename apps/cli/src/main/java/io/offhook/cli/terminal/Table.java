package io.offhook.cli.terminal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as a terminal shows it: aligned columns, cut to its width. Where it is too narrow, columns that can be done
 * without are left out, the least important first; then what remains is cut, the least important first again, and at last
 * the widest. In a pipe all is there.
 *
 * <p>Cells may hold any text: what would act on the terminal is masked.
 */
public final class Table {
    private static final int GAP = 2;

    /** Columns of that importance and more are cut short rather than left out. */
    private static final int ESSENTIAL = 60;

    /** What a text is cut to at the utmost. */
    private static final int SHORTEST_TEXT = 6;

    private final List<Column> columns;
    private final List<Row> rows = new ArrayList<>();

    public Table(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /**
     * A column.
     *
     * @param title its heading
     * @param right whether it is aligned to the right, as numbers are
     * @param importance columns with less give way first
     * @param minWidth it is cut to that as long as something less important can be left out instead
     * @param ellipsis whether a cut is marked
     */
    public record Column(String title, boolean right, int importance, int minWidth, boolean ellipsis) {

        public static Column text(String title, int importance, int minWidth) {
            return new Column(title, false, importance, minWidth, true);
        }

        /** Never cut, only left out. */
        public static Column number(String title, int importance) {
            return new Column(title, true, importance, Integer.MAX_VALUE, true);
        }

        /** A time of day: 8 columns will do, "14:03:07". */
        public static Column time(String title, int importance) {
            return new Column(title, false, importance, 8, false);
        }
    }

    /** A line of cells, filled from the left; what is not filled stays empty. */
    public final class Row {
        private final String[] cells = new String[columns.size()];
        private final Style[] styles = new Style[columns.size()];
        private int size;
        private @Nullable String section;

        /** @param text null where there is nothing to say */
        public Row cell(@Nullable String text) {
            return cell(text, Style.PLAIN);
        }

        public Row cell(@Nullable String text, Style style) {
            cells[size] = text == null ? "" : Text.printable(text);
            styles[size++] = style;
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

    /** A line between the rows that is no row: the day that those after it belong to. Before the first row, above the heading. */
    void section(String line) {
        Row row = new Row();
        row.section = Text.printable(line);
        rows.add(row);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    public void print(Terminal terminal, boolean colored) throws IOException {
        print(terminal.out(), terminal, colored);
    }

    /** To somewhere else than the terminal that it is made for. */
    public void print(Appendable out, Terminal terminal, boolean colored) throws IOException {
        int[] widths = layout(terminal.width());
        String ellipsis = terminal.isUnicode() ? "…" : "~";
        Row heading = new Row();
        for (Column column : columns) {
            heading.cell(column.title(), Style.HEADING);
        }
        StringBuilder line = new StringBuilder();
        boolean headed = false;
        for (Row row : rows) {
            if (!headed && row.section == null) {
                append(line, heading, widths, ellipsis, colored);
                headed = true;
            }
            if (row.section != null) {
                Style.HEADING.append(line, row.section, colored);
                line.append('\n');
            } else {
                append(line, row, widths, ellipsis, colored);
            }
            out.append(line);
            line.setLength(0);
        }
    }

    private void append(StringBuilder line, Row row, int[] widths, String ellipsis, boolean colored) {
        int pending = 0;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            String text = row.text(i);
            if (Text.width(text) > widths[i]) {
                text = Text.cut(text, widths[i], columns.get(i).ellipsis() ? ellipsis : "");
            }
            int padding = widths[i] - Text.width(text);
            if (columns.get(i).right()) {
                pending += padding;
                padding = 0;
            }
            if (!text.isEmpty()) {
                // spaces only in front of something: no line ends in them
                line.repeat(' ', pending);
                pending = 0;
                row.style(i).append(line, text, colored);
            } else {
                padding = columns.get(i).right() ? padding : widths[i];
            }
            pending += padding + GAP;
        }
        line.append('\n');
    }

    /** The width of each column; 0 for those that are left out. */
    private int[] layout(int available) {
        int[] widths = natural();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            order.add(i);
        }
        // of equal ones the widest first: it has most to give
        order.sort((a, b) -> {
            int byImportance =
                    Integer.compare(columns.get(a).importance(), columns.get(b).importance());
            return byImportance != 0 ? byImportance : Integer.compare(widths[b], widths[a]);
        });
        for (int i : order) {
            if (columns.get(i).importance() < ESSENTIAL && needed(widths, true) > available) {
                widths[i] = 0;
            }
        }
        for (int i : order) {
            long excess = needed(widths, false) - available;
            if (excess > 0 && widths[i] > 0) {
                widths[i] = (int) Math.max(least(i, widths), widths[i] - excess);
            }
        }
        while (needed(widths, false) > available && cutWidest(widths)) {
            // one column of the terminal at a time
        }
        for (int i : order) {
            if (needed(widths, false) > available) {
                widths[i] = 0;
            }
        }
        return widths;
    }

    private int[] natural() {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Text.width(columns.get(i).title());
            for (Row row : rows) {
                widths[i] = Math.max(widths[i], Text.width(row.text(i)));
            }
        }
        return widths;
    }

    private boolean cutWidest(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            Column column = columns.get(i);
            boolean canBeCut = column.ellipsis() && !column.right() && widths[i] > SHORTEST_TEXT;
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
