package io.offhook.cli.screen;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which columns the list of calls has, and where. Widths depend on the width of the page alone, so that columns stay where they
 * are while rows scroll. What is left out first is what the table of {@code offhook calls} leaves out first.
 */
final class ListColumns {
    /** A column. */
    enum Column {
        MARK("", 1, false),
        NUMBER("#", 3, true),
        LEGS("Legs", 6, false),
        TIME("Time", 8, false),
        FROM("From", 12, false),
        TO("To", 12, false),
        OUTCOME("Outcome", 11, false),
        SET_UP("Set-up", 7, true),
        LENGTH("Length", 8, true),
        CODEC("Codec", 6, false),
        MOS("MOS", 7, true),
        FIGURE("", 9, true),
        WHY("Why", 16, false);

        private final String title;
        private final int least;
        private final boolean right;

        Column(String title, int least, boolean right) {
            this.title = title;
            this.least = least;
            this.right = right;
        }
    }

    /** "14:03:07.125". */
    private static final int WHOLE_TIME = 12;

    private static final int WIDE_PARTY = 24;

    /** Where a column is. */
    record Place(Column column, String title, int start, int end, boolean isRight) {}

    private final List<Place> places = new ArrayList<>();

    /**
     * The columns of a page.
     *
     * @param width of the page
     * @param digits of the greatest number
     * @param hasLegs whether there is a column for the legs of calls
     * @param figure the title of the figure by which calls are ordered; null if there is no column for it
     */
    ListColumns(int width, int digits, boolean hasLegs, @Nullable String figure) {
        Set<Column> unwanted = EnumSet.noneOf(Column.class);
        if (figure == null) {
            unwanted.add(Column.FIGURE);
        }
        if (!hasLegs) {
            unwanted.add(Column.LEGS);
        }
        Map<Column, Integer> widths = widths(width, digits, unwanted);
        int at = 0;
        for (Map.Entry<Column, Integer> entry : widths.entrySet()) {
            Column column = entry.getKey();
            String title = column == Column.FIGURE && figure != null ? figure : column.title;
            places.add(new Place(column, title, at, at + entry.getValue(), column.right));
            at += entry.getValue() + 1;
        }
    }

    private static Map<Column, Integer> widths(int width, int digits, Set<Column> unwanted) {
        Map<Column, Integer> widths = new EnumMap<>(Column.class);
        int rest = width + 1;
        for (Column column : List.of(Column.MARK, Column.NUMBER, Column.FROM, Column.TO, Column.OUTCOME, Column.WHY)) {
            int least = column == Column.NUMBER ? Math.max(column.least, digits) : column.least;
            widths.put(column, least);
            rest -= least + 1;
        }
        for (Column column : List.of(
                Column.FIGURE, Column.MOS, Column.TIME, Column.LENGTH, Column.LEGS, Column.SET_UP, Column.CODEC)) {
            if (!unwanted.contains(column) && rest > column.least) {
                widths.put(column, column.least);
                rest -= column.least + 1;
            }
        }
        if (rest >= WHOLE_TIME - Column.TIME.least && widths.containsKey(Column.TIME)) {
            widths.put(Column.TIME, WHOLE_TIME);
            rest -= WHOLE_TIME - Column.TIME.least;
        }
        int more = Math.clamp(rest / 4, 0, WIDE_PARTY - Column.FROM.least);
        widths.put(Column.FROM, Column.FROM.least + more);
        widths.put(Column.TO, Column.TO.least + more);
        widths.put(Column.WHY, Math.max(1, Column.WHY.least + rest - 2 * more));
        return widths;
    }

    List<Place> places() {
        return places;
    }
}
