package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.ThreadProfile;
import io.offhook.report.text.Decimals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What the threads of a JVM run most, and what they allocate, as a table below them: the ten that were found running most. */
final class MethodsTable {
    private static final int MOST_THREADS = 10;
    private static final int METHODS_OF_ONE = 3;
    private static final int OTHER_LINES = 3;
    private static final double BYTES_A_MEGABYTE = 1e6;

    private final Terminal terminal;
    private final boolean colored;
    private final Map<Integer, ThreadProfile> profiles;
    private final List<Map.Entry<Integer, ThreadProfile>> shown;

    MethodsTable(Terminal terminal, boolean colored, Map<Integer, ThreadProfile> profiles) {
        this.terminal = terminal;
        this.colored = colored;
        this.profiles = profiles;
        shown = profiles.entrySet().stream()
                .filter(entry ->
                        entry.getValue().samples() > 0 || entry.getValue().allocationRate() > BYTES_A_MEGABYTE)
                .sorted(Comparator.comparingLong((Map.Entry<Integer, ThreadProfile> entry) ->
                                -entry.getValue().samples())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_THREADS)
                .toList();
    }

    /** The lines that it takes. */
    int lines() {
        return profiles.isEmpty() ? 0 : shown.size() + OTHER_LINES;
    }

    /** Appends the table; nothing if there are no profiles. */
    void print(ThreadHistory history, StringBuilder text) throws IOException {
        if (profiles.isEmpty()) {
            return;
        }
        text.append("\nMethods at the top of stacks, by samples; and what threads allocate\n");
        Table table = new Table(List.of(
                Table.Column.key("Thread", 18),
                Table.Column.number("Id", 50),
                Table.Column.number("Samples", 60),
                Table.Column.number("MB/s", 80),
                Table.Column.text("Methods", 90, 24)));
        for (Map.Entry<Integer, ThreadProfile> entry : shown) {
            ThreadProfile profile = entry.getValue();
            double rate = profile.allocationRate();
            table.row()
                    .cell(Text.printable(name(history, entry.getKey())), Style.PLAIN)
                    .cell(Integer.toString(entry.getKey()))
                    .cell(Decimals.grouped(profile.samples()))
                    .cell(Double.isNaN(rate) ? null : Decimals.text(rate / BYTES_A_MEGABYTE, 1))
                    .cell(methods(profile));
        }
        table.print(text, terminal, colored);
    }

    private static String name(ThreadHistory history, int id) {
        String name = "(ended)";
        for (ThreadHistory.Entry entry : history.entries()) {
            if (entry.row.id() == id) {
                name = entry.name();
            }
        }
        return name;
    }

    private static String methods(ThreadProfile profile) {
        List<String> parts = new ArrayList<>();
        for (ThreadProfile.HotMethod method : profile.methods()) {
            if (parts.size() < METHODS_OF_ONE) {
                parts.add(brief(method.name()) + " " + Decimals.text(100 * profile.share(method), 0) + " %");
            }
        }
        return Text.printable(String.join(", ", parts));
    }

    /** The method with its class, without the package. */
    static String brief(String name) {
        int method = name.lastIndexOf('.');
        return name.substring(name.lastIndexOf('.', method - 1) + 1);
    }
}
