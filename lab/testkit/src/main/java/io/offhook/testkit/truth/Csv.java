package io.offhook.testkit.truth;

import java.util.ArrayList;
import java.util.List;

/** Reads CSV back as RFC 4180 has it: every line ends in CR LF, quotes are doubled. */
public final class Csv {
    private Csv() {}

    public static List<List<String>> parse(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            StringBuilder cell = new StringBuilder();
            if (text.charAt(i) == '"') {
                i++;
                while (text.charAt(i) != '"' || text.startsWith("\"\"", i)) {
                    i += text.charAt(i) == '"' ? 1 : 0;
                    cell.append(text.charAt(i++));
                }
                i++;
            } else {
                while (",\r\n\"".indexOf(text.charAt(i)) < 0) {
                    cell.append(text.charAt(i++));
                }
            }
            row.add(cell.toString());
            if (text.startsWith("\r\n", i)) {
                rows.add(row);
                row = new ArrayList<>();
                i += 2;
            } else if (text.charAt(i) == ',') {
                i++;
            } else {
                throw new AssertionError("a comma or CR LF was expected at " + i + ", found \""
                        + text.substring(i, Math.min(text.length(), i + 20)) + "\"");
            }
        }
        if (!row.isEmpty()) {
            throw new AssertionError("the last line does not end in CR LF");
        }
        return rows;
    }
}
