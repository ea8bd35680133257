package io.offhook.cli.screen;

import java.util.ArrayList;
import java.util.List;

/** What changed from one list of lines to another, by their longest common subsequence. */
final class LineDifference {
    /** Beyond that many pairs of lines, what is between the first and the last change is replaced as a whole. */
    private static final int MOST_PAIRS = 4_000_000;

    private LineDifference() {}

    /** What became of a line. */
    enum Change {
        SAME,
        GONE,
        NEW
    }

    /** A line of either list. */
    record Line(Change change, String text) {}

    /** The lines of both; in one place, those that are gone come before those that are new. */
    static List<Line> of(List<String> before, List<String> after) {
        int head = 0;
        int least = Math.min(before.size(), after.size());
        while (head < least && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < least - head && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        List<Line> lines = new ArrayList<>();
        add(lines, Change.SAME, after.subList(0, head));
        middle(lines, before.subList(head, before.size() - tail), after.subList(head, after.size() - tail));
        add(lines, Change.SAME, after.subList(after.size() - tail, after.size()));
        return lines;
    }

    private static void add(List<Line> lines, Change change, List<String> texts) {
        texts.forEach(text -> lines.add(new Line(change, text)));
    }

    private static void middle(List<Line> lines, List<String> before, List<String> after) {
        if ((long) before.size() * after.size() > MOST_PAIRS) {
            add(lines, Change.GONE, before);
            add(lines, Change.NEW, after);
            return;
        }
        int[][] common = common(before, after);
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            boolean isSame =
                    i < before.size() && j < after.size() && before.get(i).equals(after.get(j));
            if (isSame) {
                lines.add(new Line(Change.SAME, before.get(i)));
                i++;
                j++;
            } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line(Change.GONE, before.get(i++)));
            } else {
                lines.add(new Line(Change.NEW, after.get(j++)));
            }
        }
    }

    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}
